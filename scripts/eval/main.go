// Command eval measures retrieval through the public service on the evaluation
// data that lies beside a developer's checkout, and prints one table with the
// lexical control beside it. With -calibrate it fits the coefficients of
// internal/memory/calibrate.go on the same answers and prints the reliability.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"

	"combray/internal/memory"
)

func main() {
	data := flag.String("data", "../shared/eval", "folder of the evaluation data")
	sets := flag.String("sets", "locomo,memorybank,memorybank-sessions,xquad,xquad-cross,tatoeba,notes-til", "sets to run")
	fit := flag.Bool("calibrate", false, "fit the calibration on the answers")
	most := flag.Int("queries", 0, "at most so many questions a store, evenly spread; 0 for all")
	flag.Parse()
	if err := run(context.Background(), *data, strings.Split(*sets, ","), *most, *fit); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, data string, names []string, most int, fit bool) error {
	var samples []sample
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "set\tcell\tquestions\tR@1\tR@5\tnDCG@10\t4096 B\twords R@1\twords R@5\t")
	for _, name := range names {
		stores, err := load(data, name)
		if err != nil {
			return err
		}
		table := map[string]*tally{}
		var cells []string
		for _, s := range stores {
			if err := measure(ctx, s, most, func(q question, mode memory.Mode, got scores, rows []sample) {
				for _, cell := range []string{q.cell, "all"} {
					if table[cell] == nil {
						table[cell] = &tally{}
						cells = append(cells, cell)
					}
					table[cell].add(mode, got)
				}
				if mode != memory.ModeLexical {
					samples = append(samples, rows...)
				}
			}); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		for _, cell := range cells {
			t := table[cell]
			h, l := t.mean(memory.ModeAuto), t.mean(memory.ModeLexical)
			fmt.Fprintf(w, "%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n", name, cell, t.questions, h.r1, h.r5, h.ndcg, h.bytes, l.r1, l.r5)
		}
		w.Flush()
	}
	if fit {
		calibrate(samples)
	}
	return nil
}
