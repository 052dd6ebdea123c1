package memtest

import (
	"context"
	"reflect"
	"slices"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"combray/internal/memory"
)

// TB is what Compare needs of a test: *testing.T and *rapid.T both have it.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Compare fails the test at the first read method that two stores answer
// differently: ids, order, and every field but those that are each store's own
// (numbers, sequences, salts, hashes, audit ids), whose order is compared. What is
// wrong with an audit chain is one of the answers.
func Compare(t TB, a, b memory.Store) {
	t.Helper()
	ctx := context.Background()
	names, err := survey(ctx, a)
	if err != nil {
		t.Fatalf("the first store cannot be read: %v", err)
	}
	others, err := survey(ctx, b)
	if err != nil {
		t.Fatalf("the second store cannot be read: %v", err)
	}
	names.join(others)
	first, err := observe(ctx, a, names)
	if err != nil {
		t.Fatalf("the first store: %v", err)
	}
	second, err := observe(ctx, b, names)
	if err != nil {
		t.Fatalf("the second store: %v", err)
	}
	for i := range first {
		if reflect.DeepEqual(blank(first[i].answer), blank(second[i].answer)) {
			continue // what is the same to the last bit needs no closer look, which takes time
		}
		if d := cmp.Diff(first[i].answer, second[i].answer, rowOptions); d != "" {
			t.Fatalf("the stores differ in %s (-first +second):\n%s", first[i].question, d)
		}
	}
}

// Diff tells how answers of two stores differ, "" when they do not. What is each
// store's own is left out; scores may differ within what a sum of 32-bit numbers
// keeps, which an index may use.
func Diff(a, b any) string {
	return cmp.Diff(a, b, rowOptions, cmpopts.EquateApprox(1e-5, 1e-9))
}

// blank takes out of an answer what rowOptions leave out.
func blank(answer any) any {
	switch rows := answer.(type) {
	case *memory.Memory:
		if rows == nil {
			return rows
		}
		m := *rows
		m.Number, m.Seq = 0, 0
		return m
	case []memory.Memory:
		rows = slices.Clone(rows)
		for i := range rows {
			rows[i].Number, rows[i].Seq = 0, 0
		}
		return rows
	case []memory.Changed:
		rows = slices.Clone(rows)
		for i := range rows {
			rows[i].Memory.Number, rows[i].Memory.Seq = 0, 0
		}
		return rows
	case []memory.Recollection:
		rows = slices.Clone(rows)
		for i := range rows {
			rows[i].Sequence = 0
		}
		return rows
	case []memory.Heard:
		rows = slices.Clone(rows)
		for i := range rows {
			rows[i].Row = 0
		}
		return rows
	case []memory.ClaimEvent:
		rows = slices.Clone(rows)
		for i := range rows {
			rows[i].Sequence = 0
		}
		return rows
	case []memory.AuditRow:
		rows = slices.Clone(rows)
		for i, r := range rows {
			rows[i] = memory.AuditRow{Subject: r.Subject, Action: r.Action, Reason: r.Reason, At: r.At, By: r.By}
		}
		return rows
	}
	return answer
}
