// Command eval measures retrieval through the public service on the evaluation
// data that lies beside a developer's checkout, and prints one table with the
// lexical control beside it. With -calibrate it fits the coefficients of
// internal/memory/calibrate.go on the same answers and prints the reliability. With
// -ablate it compares the product, question by question, with the ranking recipe it
// started from, and prints each difference with the interval of a paired bootstrap.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"combray/internal/memory"
)

func main() {
	data := flag.String("data", "../shared/eval", "folder of the evaluation data")
	sets := flag.String("sets", "locomo,xling,memorybank,memorybank-sessions,xquad,xquad-cross,tatoeba,lifelog,notes-til", "sets to run")
	fit := flag.Bool("calibrate", false, "fit the calibration on the answers")
	compare := flag.Bool("ablate", false, "compare the product with the ranking recipe, step by step")
	cache := flag.String("cache", cacheFolder(), "folder for vectors that are made once; empty: none is kept")
	most := flag.Int("queries", 0, "at most so many questions a store, evenly spread; 0 for all")
	flag.Parse()
	o := options{data: *data, sets: strings.Split(*sets, ","), most: *most, fit: *fit, compare: *compare}
	if err := o.run(context.Background(), *cache); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(1)
	}
}

// cacheFolder is where vectors are kept unless another folder is named.
func cacheFolder() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(folder, "combray-eval")
}

// options are what was asked for.
type options struct {
	data         string
	sets         []string
	most         int // questions a store; 0: all
	fit, compare bool
}

func (o options) run(ctx context.Context, cache string) error {
	e, err := openCached(ctx, cache)
	if err != nil {
		return err
	}
	if o.compare {
		return errors.Join(o.ablate(ctx, e), e.close())
	}
	return errors.Join(o.tables(ctx, e), e.close())
}

func (o options) tables(ctx context.Context, e *cached) error {
	sets := make([][]collection, len(o.sets))
	for i, name := range o.sets {
		var err error
		if sets[i], err = load(o.data, name); err != nil {
			return err
		}
	}
	if o.fit {
		for i := range sets {
			addForeign(sets[i], sets[(i+1)%len(sets)])
		}
	}
	var samples []sample
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "set\tcell\tquestions\tR@1\tR@5\tnDCG@10\t4096 B\twords R@1\twords R@5\t")
	for i, name := range o.sets {
		t := newTable(name)
		for _, c := range sets[i] {
			if err := measure(ctx, c, o.most, e, t.add); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		t.print(w)
		samples = append(samples, weighed(t.samples)...)
	}
	if o.fit {
		calibrate(samples)
	}
	return nil
}

// table is the result of a set, cell by cell.
type table struct {
	name    string
	cells   []string
	tallies map[string]*tally
	samples []sample
}

func newTable(name string) *table { return &table{name: name, tallies: map[string]*tally{}} }

func (t *table) add(q question, mode memory.Mode, got scores, rows []sample) {
	if mode == memory.ModeAuto {
		t.samples = append(t.samples, rows...)
	}
	if q.cell == foreign {
		return
	}
	for _, cell := range []string{q.cell, "all"} {
		if t.tallies[cell] == nil {
			t.tallies[cell] = &tally{}
			t.cells = append(t.cells, cell)
		}
		t.tallies[cell].add(mode, got)
	}
}

func (t *table) print(w *tabwriter.Writer) {
	for _, cell := range t.cells {
		n := t.tallies[cell]
		h, l := n.mean(memory.ModeAuto), n.mean(memory.ModeLexical)
		fmt.Fprintf(w, "%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n", t.name, cell, n.questions, h.r1, h.r5, h.ndcg, h.bytes, l.r1, l.r5)
	}
	w.Flush()
}
