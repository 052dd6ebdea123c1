// Command versus stands Combray's parts beside other engines on the same work, in
// one run: what is compared takes turns, so that a neighbour on the machine
// slows all alike, and least times and processor time are shown beside medians.
//
//	versus vectors     index beside coder/hnsw, hnswlib, sqlite-vec and plain loops
//	versus words       index beside FTS5
//	versus tokenizer   encoder/tokenizer beside sugarme/tokenizer
//	versus history     the whole program beside memory-as-history 1.3.1
//
// It is a module of its own, so that what it compares with stays out of the
// product's. scripts/versus.sh fetches what it needs and runs it (make versus).
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
)

// comparison is one of the commands: it reads its flags and runs.
type comparison struct {
	name string
	run  func(ctx context.Context, flags *flag.FlagSet, args []string) error
}

var comparisons = []comparison{{"vectors", vectors}, {"words", words}, {"tokenizer", tokenizers}, {"history", history}}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "versus:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) > 0 {
		at := slices.IndexFunc(comparisons, func(c comparison) bool { return c.name == args[0] })
		if at >= 0 {
			c := comparisons[at]
			fmt.Printf("## %s\n\n%s\n\n", c.name, machine())
			return c.run(ctx, flag.NewFlagSet(c.name, flag.ExitOnError), args[1:])
		}
	}
	var names []string
	for _, c := range comparisons {
		names = append(names, c.name)
	}
	return fmt.Errorf("name what to compare: %s", strings.Join(names, ", "))
}
