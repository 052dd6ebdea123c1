package memtest

import (
	"fmt"
	"time"

	"combray/internal/memory"
)

var listPromises = []promise{
	{"list-order", listOrder},
	{"list-limit", listLimit},
	{"list-cursor", listCursor},
	{"list-cursor-outlives-its-row", listCursorOutlivesItsRow},
	{"list-filters", listFilters},
	{"list-filter-pairs", listFilterPairs},
	{"list-near", listNear},
}

func (x *subject) list(q memory.ListQuery) []memory.Memory {
	x.Helper()
	return ask(x, func(r memory.Reader) ([]memory.Memory, error) { return r.List(x.ctx, q) })
}

var allMemories = memory.ListFilter{Forgotten: memory.ActiveAndForgotten}

// listed are the orders with the filter that makes sense for each.
var listed = map[string]memory.ListQuery{
	"newest captured":  {Order: memory.NewestCaptured, Filter: allMemories},
	"oldest captured":  {Order: memory.OldestCaptured, Filter: allMemories},
	"newest forgotten": {Order: memory.NewestForgotten, Filter: memory.ListFilter{Forgotten: memory.ForgottenOnly}},
	"by event":         {Order: memory.ByEvent, Filter: allMemories},
}

// tied stores memories whose times are full of ties, out of order, and gives
// them by name. IDs ascend with the letter.
func (x *subject) tied() map[string]memory.Memory {
	x.Helper()
	rows := []struct {
		name              string
		captured          int
		forgotten, events int // seconds; -1: never, unknown
	}{
		{"f", 2, 5, -1}, {"c", 1, 5, 4}, {"a", 2, -1, 4}, {"h", 1, 6, -1},
		{"b", 1, -1, 4}, {"g", 2, 5, 3}, {"e", 3, -1, 3}, {"d", 2, 5, -1},
	}
	out := map[string]memory.Memory{}
	for _, row := range rows {
		m := x.Memory(row.name)
		m.ID = memory.ID(fmt.Sprintf("00000000000%s", row.name))
		if row.name > "f" { // stay within hexadecimal digits
			m.ID = memory.ID(fmt.Sprintf("f0000000000%d", row.name[0]-'f'))
		}
		m.CreatedAt = at(row.captured)
		if row.forgotten >= 0 {
			m.ForgottenAt, m.ForgottenReason = Of(at(row.forgotten)), Of("over")
		}
		if row.events >= 0 {
			m.EventAt, m.EventPrecision = Of(at(row.events)), Of(memory.PreciseInstant)
		}
		out[row.name] = x.put(m)[0]
	}
	return out
}

func contents(memories []memory.Memory) string {
	var s string
	for _, m := range memories {
		s += string(m.Content)
	}
	return s
}

// tiedOrder is what listed gives of tied: the time of the order, then (by event)
// the capture, then the ID.
var tiedOrder = map[string]string{
	"newest captured":  "eadfgbch",
	"oldest captured":  "bchadfge",
	"newest forgotten": "hcdfg",
	"by event":         "gebcahdf",
}

func listOrder(x *subject) {
	x.tied()
	for name, q := range listed {
		if got := contents(x.list(q)); got != tiedOrder[name] {
			x.Errorf("%s: %s, want %s", name, got, tiedOrder[name])
		}
	}
}

// A limit cuts; 0 and less mean that there is none.
func listLimit(x *subject) {
	x.tied()
	for name, q := range listed {
		want := tiedOrder[name]
		for limit := -1; limit <= len(want)+1; limit++ {
			q.Limit = limit
			cutWant := want
			if limit > 0 && limit < len(want) {
				cutWant = want[:limit]
			}
			if got := contents(x.list(q)); got != cutWant {
				x.Errorf("%s, limit %d: %s, want %s", name, limit, got, cutWant)
			}
		}
	}
}

// cursorAt is the cursor of a row in an order.
func cursorAt(order memory.ListOrder, m memory.Memory) *memory.Cursor {
	c := &memory.Cursor{At: m.CreatedAt, CreatedAt: m.CreatedAt, ID: m.ID}
	switch {
	case order == memory.NewestForgotten:
		c.At = *m.ForgottenAt
	case order == memory.ByEvent && m.EventAt != nil:
		c.At = *m.EventAt
	case order == memory.ByEvent:
		c.At = time.Time{}
	}
	return c
}

// Pages of any length show everything once, across equal times.
func listCursor(x *subject) {
	x.tied()
	for name, q := range listed {
		for size := 1; size <= 4; size++ {
			q.Limit, q.After = size, nil
			var seen string
			for range 20 { // more pages than there can be
				page := x.list(q)
				if len(page) == 0 {
					break
				}
				seen += contents(page)
				q.After = cursorAt(q.Order, page[len(page)-1])
			}
			if seen != tiedOrder[name] {
				x.Errorf("%s in pages of %d: %s, want %s", name, size, seen, tiedOrder[name])
			}
		}
	}
}

// A cursor is a place in the order, not a row: pages go on behind a memory that
// was erased meanwhile.
func listCursorOutlivesItsRow(x *subject) {
	rows := x.tied()
	x.write(memory.EraseMemory{MemoryID: rows["d"].ID}, memory.EraseMemory{MemoryID: rows["b"].ID})
	for _, c := range []struct{ name, erased, rest string }{
		{"newest captured", "d", "fgch"}, {"oldest captured", "d", "fge"}, {"newest forgotten", "d", "fg"},
		{"by event", "d", "f"}, {"by event", "b", "cahf"},
	} {
		q := listed[c.name]
		q.After = cursorAt(q.Order, rows[c.erased])
		if got := contents(x.list(q)); got != c.rest {
			x.Errorf("%s behind an erased row: %s, want %s", c.name, got, c.rest)
		}
	}
}

// filterCase is one filter with what passes it, said apart from any store.
type filterCase struct {
	field string // cases of one field are not paired
	name  string
	set   func(*memory.ListFilter)
	want  func(memory.Memory) bool
}

func is(value *string, want string) bool { return value != nil && *value == want }

var filterCases = []filterCase{
	{"frame", "frame", func(f *memory.ListFilter) { f.Frame = Of("home") },
		func(m memory.Memory) bool { return is(m.Frame, "home") }},
	{"frame", "blank frame", func(f *memory.ListFilter) { f.Frame = Of("") },
		func(m memory.Memory) bool { return is(m.Frame, "") }},
	{"source", "source", func(f *memory.ListFilter) { f.Source = Of("Ada") },
		func(m memory.Memory) bool { return is(m.Source, "Ada") }},
	{"session", "session", func(f *memory.ListFilter) { f.SessionID = Of("s1") },
		func(m memory.Memory) bool { return is(m.SessionID, "s1") }},
	{"tier", "tier", func(f *memory.ListFilter) { f.Tier = Of(memory.Interpretation) },
		func(m memory.Memory) bool { return m.Tier == memory.Interpretation }},
	{"status", "status", func(f *memory.ListFilter) { f.Status = Of(memory.Working) },
		func(m memory.Memory) bool { return m.Status == memory.Working }},
	{"tags", "tag", func(f *memory.ListFilter) { f.Tags = []string{"x"} },
		func(m memory.Memory) bool { return hasTag(m, "x") }},
	{"tags", "two tags", func(f *memory.ListFilter) { f.Tags = []string{"y", "x"} },
		func(m memory.Memory) bool { return hasTag(m, "x") && hasTag(m, "y") }},
	{"since", "since", func(f *memory.ListFilter) { f.Since = Of(eventTime(2)) },
		func(m memory.Memory) bool { return m.EventAt != nil && !m.EventAt.Before(eventTime(2)) }},
	{"until", "until", func(f *memory.ListFilter) { f.Until = Of(eventTime(3)) },
		func(m memory.Memory) bool { return m.EventAt != nil && !m.EventAt.After(eventTime(3)) }},
	{"near", "near", func(f *memory.ListFilter) { f.Near = &memory.Near{Lat: 52.52, Lon: 13.40, RadiusM: 500} },
		func(m memory.Memory) bool { return m.Place != nil && m.Place.Lat > 52.5 }},
	{"forgotten", "forgotten", func(f *memory.ListFilter) { f.Forgotten = memory.ForgottenOnly },
		func(m memory.Memory) bool { return m.ForgottenAt != nil }},
	{"forgotten", "active and forgotten", func(f *memory.ListFilter) { f.Forgotten = memory.ActiveAndForgotten },
		func(memory.Memory) bool { return true }},
	{"unknown event", "unknown event", func(f *memory.ListFilter) { f.UnknownEvent = true },
		func(m memory.Memory) bool { return m.EventAt == nil }},
	{"captured until", "captured until", func(f *memory.ListFilter) { f.CreatedUntil = Of(Start.Add(20 * time.Minute)) },
		func(m memory.Memory) bool { return !m.CreatedAt.After(Start.Add(20 * time.Minute)) }},
	{"reviewed before", "reviewed before", func(f *memory.ListFilter) { f.ReviewedBefore = Of(reviewTime(1)) },
		func(m memory.Memory) bool { return m.LastReviewedAt == nil || m.LastReviewedAt.Before(reviewTime(1)) }},
}

func hasTag(m memory.Memory, tag string) bool {
	for _, t := range m.Tags {
		if t == tag {
			return true
		}
	}
	return false
}

func eventTime(i int) time.Time  { return Start.AddDate(-1, 0, i) }
func reviewTime(i int) time.Time { return Start.Add(time.Duration(i) * time.Hour) }

// filterCorpus stores memories in which every field takes every kind of value,
// null and near misses too, beside every kind of the next fields.
func (x *subject) filterCorpus() []memory.Memory {
	x.Helper()
	frames := []*string{nil, Of("home"), Of(""), Of("Home"), Of("home ")}
	sources := []*string{Of("Ada"), nil, Of("ada"), Of("Ada")}
	sessions := []*string{Of("s1"), Of("s2"), nil}
	tags := [][]string{{"x"}, {"y", "x"}, nil, {"y"}, {"X", "xx"}, {"x", "z", "y"}}
	tiers := []memory.Tier{memory.Archive, memory.Interpretation, memory.Testimony}
	places := []*memory.Place{Here(52.521, 13.401), nil, Here(52.30, 13.40), Here(52.523, 13.398)}
	var all []memory.Memory
	for i := range 60 {
		m := x.Memory(fmt.Sprintf("memory %d", i))
		m.CreatedAt = Start.Add(time.Duration(i) * time.Minute)
		m.Frame, m.Source, m.SessionID = frames[i%5], sources[i/2%4], sessions[i%3]
		m.Tags, m.Tier, m.Place = tags[i/3%6], tiers[i/4%3], places[i/5%4]
		if i%2 == 0 {
			m.Status, m.ConsolidatedAt, m.ConsolidationReason = memory.Consolidated, Of(m.CreatedAt), Of("keep")
		}
		if e := i % 7; e < 5 {
			m.EventAt, m.EventPrecision = Of(eventTime(e)), Of(memory.PreciseInstant)
		}
		if m.Tier == memory.Interpretation {
			m.ReviewStatus = Of(memory.ReviewCurrent)
			if r := i % 4; r < 3 {
				m.LastReviewedAt = Of(reviewTime(r))
			}
		}
		if i%11 < 3 {
			m.ForgottenAt, m.ForgottenReason = Of(m.CreatedAt.Add(time.Hour)), Of("over")
		}
		all = append(all, m)
	}
	return x.put(all...)
}

// holds lists and counts with a filter and compares with what passes the cases.
func (x *subject) holds(corpus []memory.Memory, cases ...filterCase) {
	x.Helper()
	var f memory.ListFilter
	var name string
	for _, c := range cases {
		c.set(&f)
		name += c.name + " "
	}
	var want []memory.Memory
	for _, m := range corpus {
		passes := f.Forgotten != memory.ActiveOnly || m.ForgottenAt == nil
		for _, c := range cases {
			passes = passes && c.want(m)
		}
		if passes {
			want = append(want, m)
		}
	}
	x.view(func(r memory.Reader) {
		got := must[[]memory.Memory](x)(r.List(x.ctx, memory.ListQuery{Filter: f, Order: memory.OldestCaptured}))
		x.same(name+"list", idsOf(got), idsOf(want))
		if n := must[int](x)(r.Count(x.ctx, f)); n != len(want) {
			x.Errorf("%scount: %d, want %d", name, n, len(want))
		}
	})
}

func listFilters(x *subject) {
	corpus := x.filterCorpus()
	x.holds(corpus)
	for _, c := range filterCases {
		x.holds(corpus, c)
	}
}

func listFilterPairs(x *subject) {
	corpus := x.filterCorpus()
	for i, a := range filterCases {
		for _, b := range filterCases[i+1:] {
			if a.field != b.field {
				x.holds(corpus, a, b)
			}
		}
	}
}

// Near works across the date line, at the pole, and to the metre.
func listNear(x *subject) {
	put := func(content string, lat, lon float64) {
		m := x.Memory(content)
		m.Place = Here(lat, lon)
		x.put(m)
	}
	put("west of the line ", -17, 179.9995)
	put("east of the line ", -17, -179.9995)
	put("pole ", 89.9999, 12)
	put("across the pole ", 89.9999, -168)
	put("far ", -17, 0)
	x.put(x.Memory("nowhere "))
	for _, c := range []struct {
		near memory.Near
		want string
	}{
		{memory.Near{Lat: -17, Lon: 179.9995, RadiusM: 1}, "west of the line "},
		{memory.Near{Lat: -17, Lon: 179.9995, RadiusM: 105}, "west of the line "},
		{memory.Near{Lat: -17, Lon: 179.9995, RadiusM: 108}, "west of the line east of the line "},
		{memory.Near{Lat: 90, Lon: 0, RadiusM: 12}, "pole across the pole "},
		{memory.Near{Lat: 0, Lon: 0, RadiusM: 2_000_000}, "far "},
		{memory.Near{Lat: 0, Lon: 0, RadiusM: 21_000_000}, "west of the line east of the line pole across the pole far "},
		{memory.Near{Lat: -17, Lon: 0, RadiusM: 0}, "far "},
	} {
		got := contents(x.list(memory.ListQuery{Order: memory.OldestCaptured, Filter: memory.ListFilter{Near: &c.near}}))
		if got != c.want {
			x.Errorf("%+v: %q, want %q", c.near, got, c.want)
		}
	}
}
