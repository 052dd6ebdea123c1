package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"text/tabwriter"

	"combray/internal/memory"
)

// bar is a set that the ranking must not lose on, with the recipe whose figure it is
// compared with and the measures that count.
type bar struct {
	set      string
	recipe   recipe
	measures []measureOf
}

type measureOf struct {
	name string
	of   func(scores) float64
}

var (
	recallAt1 = measureOf{"R@1", func(s scores) float64 { return s.r1 }}
	recallAt5 = measureOf{"R@5", func(s scores) float64 { return s.r5 }}
	gain      = measureOf{"nDCG@10", func(s scores) float64 { return s.ndcg }}
	inBytes   = measureOf{"4096 B", func(s scores) float64 { return s.bytes }}
	precision = measureOf{"R-precision", func(s scores) float64 { return s.rp }}
)

// bars are the sets with the recipes behind the figures of the ranking recipe, and
// those that must not fall.
var bars = []bar{
	{"locomo", recipe{name: "B"}, []measureOf{recallAt5, inBytes, gain}},
	{"xling", recipe{name: "B"}, []measureOf{recallAt5, inBytes}},
	{"tatoeba", recipe{name: "cosine, query: on both sides", cosine: true, symmetric: true}, []measureOf{recallAt1}},
	{"xquad", recipe{name: "cosine", cosine: true}, []measureOf{gain}},
	{"xquad-cross", recipe{name: "cosine", cosine: true}, []measureOf{recallAt1}},
	{"lifelog", recipe{name: "B"}, []measureOf{recallAt5, precision}},
	{"memorybank", recipe{name: "B"}, []measureOf{recallAt5}},
	{"memorybank-sessions", recipe{name: "B"}, []measureOf{recallAt5, recallAt1}},
	{"notes-til", recipe{name: "B"}, []measureOf{recallAt1, gain}},
}

// steps are what was added to recipe B, each compared with the row above it.
var steps = []recipe{
	{name: "B"},
	{name: "B + turns", turns: true},
	{name: "B + turns + time", turns: true, time: true},
}

// ablate compares the product with the recipes, question by question.
func (o options) ablate(ctx context.Context, e *cached) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "set\tmeasure\tquestions\tfrom\tto\tfigure\tfigure\tdifference\t95 %")
	for _, b := range bars {
		if !slices.Contains(o.sets, b.set) {
			continue
		}
		collections, err := load(o.data, b.set)
		if err != nil {
			return err
		}
		for i := range collections {
			collections[i].questions = spread(collections[i].questions, o.most)
		}
		product, err := asked(ctx, collections, e)
		if err != nil {
			return fmt.Errorf("%s: %w", b.set, err)
		}
		was, err := judged(ctx, e, collections, b.recipe)
		if err != nil {
			return err
		}
		b.print(w, b.recipe.name, "product", was, product)
		if err := b.steps(ctx, w, e, collections); err != nil {
			return err
		}
		w.Flush()
		if err := e.save(); err != nil {
			return err
		}
	}
	return nil
}

// steps prints each step of the way from recipe B.
func (b bar) steps(ctx context.Context, w *tabwriter.Writer, e *cached, collections []collection) error {
	if b.recipe.cosine {
		return nil // these have neither sessions nor dates
	}
	var before []scores
	for i, r := range steps {
		now, err := judged(ctx, e, collections, r)
		if err != nil {
			return err
		}
		if i > 0 {
			b.print(w, steps[i-1].name, r.name, before, now)
		}
		before = now
	}
	return nil
}

func (b bar) print(w *tabwriter.Writer, from, to string, was, now []scores) {
	for _, m := range b.measures {
		d := difference(was, now, m.of)
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%s\t%.4f\t%.4f\t%+.4f\t%+.4f to %+.4f\n", b.set, m.name, len(was), from, to, d.was, d.now, d.now-d.was, d.low, d.high)
	}
}

// asked scores the product's answers.
func asked(ctx context.Context, collections []collection, e *cached) ([]scores, error) {
	var out []scores
	for _, c := range collections {
		err := measure(ctx, c, 0, e, func(_ question, mode memory.Mode, s scores, _ []sample) {
			if mode == memory.ModeAuto {
				out = append(out, s)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// judged scores a recipe's answers, in the same order.
func judged(ctx context.Context, e *cached, collections []collection, r recipe) ([]scores, error) {
	var out []scores
	for _, c := range collections {
		ranked, err := r.ranked(ctx, e, c)
		if err != nil {
			return nil, err
		}
		for i, q := range c.questions {
			rows := make([]answered, len(ranked[i]))
			for j, n := range ranked[i] {
				rows[j] = answered{c.documents[n].id, len(c.documents[n].text)}
			}
			out = append(out, scoreOf(q, rows))
		}
	}
	return out, nil
}

// paired is a difference of means with the 95 % interval of a paired bootstrap.
type paired struct{ was, now, low, high float64 }

// draws of the bootstrap; the seed is fixed, so that a table repeats.
const draws = 4000

func difference(was, now []scores, of func(scores) float64) paired {
	var p paired
	n := float64(len(was))
	d := make([]float64, len(was))
	for i := range was {
		p.was, p.now = p.was+of(was[i])/n, p.now+of(now[i])/n
		d[i] = of(now[i]) - of(was[i])
	}
	r := rand.New(rand.NewPCG(7, 7))
	means := make([]float64, draws)
	for i := range means {
		for range d {
			means[i] += d[r.IntN(len(d))] / n
		}
	}
	slices.Sort(means)
	p.low, p.high = means[draws*25/1000], means[draws*975/1000]
	return p
}
