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
	sets := make([][]collection, len(names))
	for i, name := range names {
		var err error
		if sets[i], err = load(data, name); err != nil {
			return err
		}
	}
	if fit {
		for i := range sets {
			addForeign(sets[i], sets[(i+1)%len(sets)])
		}
	}
	var samples []sample
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "set\tcell\tquestions\tR@1\tR@5\tnDCG@10\t4096 B\twords R@1\twords R@5\t")
	for i, name := range names {
		t := newTable(name)
		for _, c := range sets[i] {
			if err := measure(ctx, c, most, t.add); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
		t.print(w)
		samples = append(samples, weighed(t.samples)...)
	}
	if fit {
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
