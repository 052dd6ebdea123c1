package main

import (
	"context"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"

	"combray/encoder/bundled"
	"combray/internal/local"
	"combray/internal/memory"
)

// scores are the measures of one answer; the sets' pages have the formulas.
type scores struct{ r1, r5, rp, ndcg, bytes float64 }

// tally adds up scores by mode.
type tally struct {
	questions int
	sums      map[memory.Mode]scores
}

func (t *tally) add(mode memory.Mode, s scores) {
	if t.sums == nil {
		t.sums = map[memory.Mode]scores{}
	}
	if mode == memory.ModeAuto {
		t.questions++
	}
	sum := t.sums[mode]
	t.sums[mode] = scores{sum.r1 + s.r1, sum.r5 + s.r5, sum.rp + s.rp, sum.ndcg + s.ndcg, sum.bytes + s.bytes}
}

func (t *tally) mean(mode memory.Mode) scores {
	s, n := t.sums[mode], float64(t.questions)
	return scores{s.r1 / n, s.r5 / n, s.rp / n, s.ndcg / n, s.bytes / n}
}

// depth is how many rows are asked for.
const depth = 50

// measure stores a collection and asks its questions, in the default mode and by
// words alone.
func measure(ctx context.Context, c collection, most int, e *cached, report func(question, memory.Mode, scores, []sample)) error {
	dir, err := os.MkdirTemp("", "combray-eval-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	l, err := local.Open(ctx, local.Config{Path: filepath.Join(dir, "eval.db"), Bundled: bundled.Files(), Encoder: e,
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		return err
	}
	defer l.Close()
	ids, err := storeAll(ctx, l, c.documents)
	if err != nil {
		return err
	}
	for _, q := range spread(c.questions, most) {
		for _, mode := range []memory.Mode{memory.ModeAuto, memory.ModeLexical} {
			answer, err := l.Recall(ctx, memory.RecallInput{Query: &q.text, Limit: depth, Mode: mode, Explain: true})
			if err != nil {
				return err
			}
			report(q, mode, scoreOf(q, shown(answer.Memories, ids)), samplesOf(q, answer.Memories, ids, len(c.documents)))
		}
	}
	return nil
}

// spread gives at most most questions, evenly spread, and all foreign ones.
func spread(questions []question, most int) []question {
	if most == 0 || len(questions) <= most {
		return questions
	}
	if i := slices.IndexFunc(questions, func(q question) bool { return q.cell == foreign }); i >= 0 {
		return append(spread(questions[:i:i], most), questions[i:]...)
	}
	out := make([]question, most)
	for i := range out {
		out[i] = questions[i*len(questions)/most]
	}
	return out
}

func storeAll(ctx context.Context, l *local.Local, documents []document) (map[memory.ID]string, error) {
	ids := map[memory.ID]string{}
	for chunk := range slices.Chunk(documents, memory.MaxBatch) {
		items := make([]memory.RememberInput, len(chunk))
		for i, d := range chunk {
			items[i] = memory.RememberInput{Content: d.text, Source: nonEmpty(d.source), SessionID: nonEmpty(d.session)}
			if !d.at.IsZero() {
				at := d.at.Format("2006-01-02T15:04:05Z07:00")
				items[i].EventAt = &at
			}
		}
		stored, refused, err := l.Import(ctx, items)
		if err != nil {
			return nil, err
		}
		if len(refused) > 0 {
			return nil, refused[0].Err
		}
		for i, s := range stored {
			ids[s.Memory.ID] = chunk[i].id
		}
	}
	_, err := l.Backfill(ctx, nil)
	return ids, err
}

func nonEmpty(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// answered is a row of an answer.
type answered struct {
	id    string
	bytes int
}

func shown(rows []memory.Row, ids map[memory.ID]string) []answered {
	out := make([]answered, len(rows))
	for i, row := range rows {
		out[i] = answered{ids[row.Memory.ID], len(row.Memory.Content)}
	}
	return out
}

func scoreOf(q question, rows []answered) scores {
	var s scores
	gold := map[string]bool{}
	for _, g := range q.gold {
		gold[g] = true
	}
	n := float64(len(gold))
	ideal, used := 0.0, 0
	for i := range min(10, len(gold)) {
		ideal += 1 / math.Log2(float64(i)+2)
	}
	for i, row := range rows {
		used += row.bytes + 1
		if !gold[row.id] {
			continue
		}
		if i < 1 {
			s.r1 += 1 / n
		}
		if i < 5 {
			s.r5 += 1 / n
		}
		if i < len(gold) {
			s.rp += 1 / n
		}
		if i < 10 {
			s.ndcg += 1 / math.Log2(float64(i)+2) / ideal
		}
		if used <= 4096 {
			s.bytes += 1 / n
		}
	}
	return s
}
