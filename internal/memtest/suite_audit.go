package memtest

import (
	"slices"
	"strings"
	"time"

	"combray/internal/memory"
)

var auditPromises = []promise{
	{"audit-newest-first", auditNewestFirst},
	{"audit-filters", auditFilters},
	{"audit-captures-on-request", auditCaptures},
	{"audit-cursor", auditCursor},
	{"audit-chain", auditChain},
	{"audit-salts", auditSalts},
	{"audit-ids", auditIDs},
	{"audit-actor", auditActor},
	{"audit-without-changes", auditAlone},
}

func (x *subject) audit(q memory.AuditQuery) []memory.AuditRow {
	x.Helper()
	return ask(x, func(r memory.Reader) ([]memory.AuditRow, error) { return r.Audit(x.ctx, q) })
}

// ledger gives the whole audit log by Sequence.
func (x *subject) ledger() []memory.AuditRow {
	x.Helper()
	rows := x.audit(memory.AuditQuery{Captures: true})
	slices.SortFunc(rows, func(a, b memory.AuditRow) int { return int(a.Sequence - b.Sequence) })
	return rows
}

// at is a time so many seconds after Start.
func at(second int) time.Time { return Start.Add(time.Duration(second) * time.Second) }

// audited records rows in two plans, whose times do not ascend and are tied, and
// gives them in that order. Reasons are the letters from "a" on.
func (x *subject) audited() []memory.AuditRow {
	x.Helper()
	one, two := memory.ID("111111111111"), memory.ID("222222222222")
	rows := []memory.AuditRow{
		{Subject: one, Action: memory.ActRemember, At: at(3)},
		{Subject: one, Action: memory.ActPin, At: at(3)},
		{Subject: two, Action: memory.ActPin, At: at(1)},
		{Subject: one, Action: memory.ActForget, At: at(3)},
		{Subject: two, Action: memory.ActRemember, At: at(3)},
		{Subject: two, Action: memory.ActForget, At: at(2)},
		{Subject: one, Action: memory.ActPin, At: at(2)},
	}
	var first, second memory.Plan
	for i := range rows {
		rows[i].Reason = string(rune('a' + i))
		plan := &first
		if i > 3 {
			plan = &second
		}
		plan.Record(rows[i].Subject, rows[i].Action, rows[i].Reason, rows[i].At)
	}
	x.apply(first)
	x.apply(second)
	return rows
}

func reasons(rows []memory.AuditRow) string {
	var s string
	for _, r := range rows {
		s += r.Reason
	}
	return s
}

// Rows come newest first; rows of equal time by what was written last.
func auditNewestFirst(x *subject) {
	rows := x.audited()
	got := x.audit(memory.AuditQuery{Captures: true})
	if reasons(got) != "edbagfc" {
		x.Fatalf("order %s, want edbagfc", reasons(got))
	}
	x.same("first", got[0], rows[4])
	for limit := -1; limit <= 8; limit++ {
		want := "edbagfc"
		if limit > 0 && limit < len(want) {
			want = want[:limit]
		}
		if got := reasons(x.audit(memory.AuditQuery{Captures: true, Limit: limit})); got != want {
			x.Errorf("limit %d: %s, want %s", limit, got, want)
		}
	}
}

// auditCase is one filter with what passes it.
type auditCase struct {
	field, name string
	set         func(*memory.AuditQuery)
	want        func(memory.AuditRow) bool
}

var auditCases = []auditCase{
	{"subject", "subject", func(q *memory.AuditQuery) { q.Subject = Of(memory.ID("111111111111")) },
		func(r memory.AuditRow) bool { return r.Subject == "111111111111" }},
	{"subject", "unknown subject", func(q *memory.AuditQuery) { q.Subject = Of(memory.ID("333333333333")) },
		func(memory.AuditRow) bool { return false }},
	{"action", "action", func(q *memory.AuditQuery) { q.Action = Of(memory.ActPin) },
		func(r memory.AuditRow) bool { return r.Action == memory.ActPin }},
	{"since", "since", func(q *memory.AuditQuery) { q.Since = Of(at(2)) },
		func(r memory.AuditRow) bool { return !r.At.Before(at(2)) }},
	{"until", "until", func(q *memory.AuditQuery) { q.Until = Of(at(2)) },
		func(r memory.AuditRow) bool { return !r.At.After(at(2)) }},
	{"before", "cursor", func(q *memory.AuditQuery) { q.Before = &memory.AuditCursor{At: at(3), Sequence: -1} },
		func(r memory.AuditRow) bool { return r.At.Before(at(3)) }},
}

func auditFilters(x *subject) {
	x.audited()
	all := x.audit(memory.AuditQuery{Captures: true})
	for i, a := range auditCases {
		for _, b := range auditCases[i:] {
			if a.field == b.field && a.name != b.name {
				continue
			}
			q := memory.AuditQuery{Captures: true}
			a.set(&q)
			b.set(&q)
			var want []memory.AuditRow
			for _, row := range all {
				if a.want(row) && b.want(row) {
					want = append(want, row)
				}
			}
			if got := x.audit(q); reasons(got) != reasons(want) {
				x.Errorf("%s and %s: %s, want %s", a.name, b.name, reasons(got), reasons(want))
			}
		}
	}
}

func auditCaptures(x *subject) {
	x.audited()
	if got := reasons(x.audit(memory.AuditQuery{})); got != "dbgfc" {
		x.Errorf("without captures: %s, want dbgfc", got)
	}
	if got := reasons(x.audit(memory.AuditQuery{Limit: 2})); got != "db" {
		x.Errorf("two rows without captures: %s, want db", got)
	}
	if got := reasons(x.audit(memory.AuditQuery{Captures: true, Action: Of(memory.ActRemember)})); got != "ea" {
		x.Errorf("captures alone: %s, want ea", got)
	}
}

// Pages of any length show every row once, across equal times.
func auditCursor(x *subject) {
	x.audited()
	for size := 1; size <= 4; size++ {
		q := memory.AuditQuery{Captures: true, Limit: size}
		var seen string
		for range 8 {
			page := x.audit(q)
			if len(page) == 0 {
				break
			}
			seen += reasons(page)
			last := page[len(page)-1]
			q.Before = &memory.AuditCursor{At: last.At, Sequence: last.Sequence}
		}
		if seen != "edbagfc" {
			x.Errorf("in pages of %d: %s, want edbagfc", size, seen)
		}
	}
}

// Sequence ascends as the rows were recorded, and each row's hash covers it and
// the one before, from the zero hash on.
func auditChain(x *subject) {
	x.audited()
	plan := memory.Plan{}
	plan.Record("", memory.ActUnpin, "", Start)
	plan.Record("333333333333", "aml_import", "naïve \x00 reason", Start.AddDate(-30, 0, 0))
	x.apply(plan)
	rows := x.ledger()
	if got := reasons(rows); got != "abcdefg"+"naïve \x00 reason" {
		x.Errorf("recorded in the order %q", got)
	}
	for _, wrong := range verifyChain(rows) {
		x.Error(wrong)
	}
}

// Each row with a reason has a salt of its own, so that equal reasons have unlike
// digests; a row without one has neither.
func auditSalts(x *subject) {
	var plan memory.Plan
	for range 20 {
		plan.Record("111111111111", memory.ActPin, "the same reason", Start)
	}
	x.apply(plan)
	salts, digests := map[string]bool{}, map[memory.AuditHash]bool{}
	for _, row := range x.ledger() {
		if len(row.Salt) != 16 {
			x.Errorf("a salt of %d bytes, want 16", len(row.Salt))
		}
		if row.ReasonHash != memory.DigestReason(row.Salt, row.Reason) {
			x.Error("the digest is not that of salt and reason")
		}
		salts[string(row.Salt)], digests[row.ReasonHash] = true, true
	}
	if len(salts) != 20 || len(digests) != 20 {
		x.Errorf("20 rows share %d salts and %d digests", len(salts), len(digests))
	}
	var silent memory.Plan
	silent.Record("222222222222", memory.ActRemember, "", Start)
	x.apply(silent)
	rows := x.ledger()
	if last := rows[len(rows)-1]; last.Salt != nil || last.ReasonHash != (memory.AuditHash{}) {
		x.Errorf("a row without a reason has salt %x and digest %x", last.Salt, last.ReasonHash)
	}
	for _, wrong := range verifyChain(rows) {
		x.Error(wrong)
	}
}

// Each row has a name of twelve lower-case hexadecimal digits.
func auditIDs(x *subject) {
	x.audited()
	seen := map[memory.ID]bool{}
	for _, row := range x.ledger() {
		if len(row.ID) != 12 || strings.Trim(string(row.ID), "0123456789abcdef") != "" || seen[row.ID] {
			x.Errorf("audit id %q", row.ID)
		}
		seen[row.ID] = true
	}
}

// A row says who called: the context's Actor of that Apply.
func auditActor(x *subject) {
	actors := []memory.Actor{
		{Client: "claude-code", Version: "2.0", Door: memory.DoorMCP},
		{},
		{Client: "x", Door: memory.DoorImport},
	}
	for i, actor := range actors {
		var plan memory.Plan
		plan.Record("111111111111", memory.ActPin, "", at(i))
		ctx := memory.WithActor(x.ctx, actor)
		err := x.store.Update(ctx, func(tx memory.Tx) error { return tx.Apply(ctx, plan) })
		if err != nil {
			x.Fatalf("Update: %v", err)
		}
	}
	for i, row := range x.ledger() {
		if row.By != actors[i] {
			x.Errorf("row %d is by %+v, want %+v", i, row.By, actors[i])
		}
	}
}

// A plan may be audit rows alone, and a denial is no error of Apply: what it
// says is written.
func auditAlone(x *subject) {
	plan := memory.Plan{Denial: memory.Denied("Call corroborate.", "not corroborated")}
	plan.Record("111111111111", memory.ActPinDenied, "not corroborated", Start)
	x.apply(plan)
	x.same("rows", x.audit(memory.AuditQuery{}), []memory.AuditRow{
		{Subject: "111111111111", Action: memory.ActPinDenied, Reason: "not corroborated", At: Start}})
}
