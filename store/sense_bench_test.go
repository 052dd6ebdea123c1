package store

import (
	"context"
	"fmt"
	"testing"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// hearing makes n things heard on a day: of every eight a place, a text with its
// vector, and six words.
func hearing(day, n int) []memory.Heard {
	vector := memtest.Vector(1, 384)
	rows := make([]memory.Heard, n)
	for i := range rows {
		rows[i] = memory.Heard{Kind: memory.HeardWord, Key: int64(i) * 0x9e3779b97f4a7c1, Day: day, Half: -1}
		switch i % 8 {
		case 0:
			rows[i].Kind, rows[i].Half = memory.HeardPlace, i%48
		case 1:
			rows[i].Kind, rows[i].Identity, rows[i].Vector = memory.HeardText, benchIdentity, vector
		}
	}
	return rows
}

func openHeard(b *testing.B, days, each int) *Store {
	b.Helper()
	s := openStore(b, Options{Path: newPath(b)})
	for day := range days {
		apply(b, s, memory.Plan{Changes: []memory.Change{memory.PutHeard{Rows: hearing(day, each)}}})
	}
	return s
}

// BenchmarkHear is one durable batch of 256 new things heard.
func BenchmarkHear(b *testing.B) {
	s := openHeard(b, 60, 256)
	day := 60
	for b.Loop() {
		apply(b, s, memory.Plan{Changes: []memory.Change{memory.PutHeard{Rows: hearing(day, 256)}}})
		day++
	}
}

// BenchmarkCueRead is what a cue of place and hour reads: the last visit of its
// source, and the versions. 1,000 cues a second leave 1 ms for each.
func BenchmarkCueRead(b *testing.B) {
	s := openHeard(b, 60, 256)
	apply(b, s, memory.Plan{Changes: []memory.Change{memory.PutVisit{Visit: memory.Visit{Source: "phone", HasPlace: true, At: moment}}}})
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	for b.Loop() {
		err := s.View(ctx, func(r memory.Reader) error {
			if _, err := r.QueueVersion(ctx); err != nil {
				return err
			}
			if _, err := r.PerceivedVersion(ctx); err != nil {
				return err
			}
			_, err := r.Visit(ctx, "phone")
			return err
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCatchUpHeard reads 10,000 things heard, as a process does at its
// start, and then what is new, which is nothing.
func BenchmarkCatchUpHeard(b *testing.B) {
	s := openHeard(b, 50, 200)
	for name, after := range map[string]int64{"all": 0, "nothing new": 10_000} {
		b.Run(name, func(b *testing.B) {
			rows := 0
			for b.Loop() {
				err := s.View(b.Context(), func(r memory.Reader) error {
					heard, _, err := r.Heard(b.Context(), after, 0, benchIdentity)
					rows = len(heard)
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(rows), "rows")
		})
	}
}

// BenchmarkPending reads a queue of 50 beside a long firing history.
func BenchmarkPending(b *testing.B) {
	s := openStore(b, Options{Path: newPath(b)})
	plan := capturePlan(note(1, "tea"))
	for i := range 5000 {
		r := recollection(i, 1)
		r.Queued = i >= 4950
		plan.Write(memory.PutRecollection{Recollection: r})
	}
	apply(b, s, plan)
	for _, limit := range []int{1, 50} {
		b.Run(fmt.Sprint("limit=", limit), func(b *testing.B) {
			for b.Loop() {
				err := s.View(b.Context(), func(r memory.Reader) error {
					_, err := r.Pending(b.Context(), limit)
					return err
				})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
