package memory_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

func contents(ms []memory.Memory) (out []string) {
	for _, m := range ms {
		out = append(out, string(m.Content))
	}
	return out
}

func TestListMemoriesPages(t *testing.T) {
	d := newDesk(t)
	for i := range 7 {
		m := d.keep(fmt.Sprintf("note %d", i), func(in *memory.RememberInput) { in.Tags = []string{"t"} })
		if i%2 == 1 {
			d.Clock.Advance(-2 * time.Second) // pairs of one moment: the ID decides
		}
		if i == 6 {
			ok[memory.Memory](d)(d.Forget(d.ctx, m.ID, "r"))
		}
	}
	in := memory.ListInput{Tags: []string{"t"}, Limit: -1}
	all := ok[memory.MemoryPage](d)(d.ListMemories(d.ctx, in))
	if len(all.Memories) != 6 || all.NextCursor != "" {
		t.Fatalf("%d memories, next %q", len(all.Memories), all.NextCursor)
	}
	in.Limit = 4
	page := ok[memory.MemoryPage](d)(d.ListMemories(d.ctx, in))
	d.keep("newer", func(in *memory.RememberInput) { in.Tags = []string{"t"} }) // moves no page
	in.Cursor = page.NextCursor
	rest := ok[memory.MemoryPage](d)(d.ListMemories(d.ctx, in))
	if got := append(contents(page.Memories), contents(rest.Memories)...); !slices.Equal(got, contents(all.Memories)) || rest.NextCursor != "" {
		t.Errorf("pages give %q, the list %q", got, contents(all.Memories))
	}
	in.Tags = nil
	_, err := d.ListMemories(d.ctx, in)
	d.denied(err, memory.CodeInvalid, "cursor")
	in = memory.ListInput{IncludeForgotten: true, Limit: 100}
	if got := ok[memory.MemoryPage](d)(d.ListMemories(d.ctx, in)); len(got.Memories) != 8 {
		t.Errorf("with forgotten ones: %d", len(got.Memories))
	}
	if got := ok[memory.MemoryPage](d)(d.ListMemories(d.ctx, memory.ListInput{})); len(got.Memories) != 0 || got.NextCursor != "" {
		t.Errorf("limit 0: %+v", got)
	}
}

func TestListMemoriesFilters(t *testing.T) {
	d := newDesk(t)
	d.keep("here", func(in *memory.RememberInput) {
		in.Lat, in.Lon, in.Frame, in.SessionID, in.EventAt = memtest.Of(48.0), memtest.Of(2.0), memtest.Of("f"), memtest.Of("s"), memtest.Of("2024-01-01T00:00:00Z")
	})
	d.keepFirm("firm", asReading)
	for name, c := range map[string]struct {
		in   memory.ListInput
		want []string
	}{
		"near":    {memory.ListInput{Near: &memory.Near{Lat: 48, Lon: 2, RadiusM: 10}}, []string{"here"}},
		"frame":   {memory.ListInput{Frame: memtest.Of("f")}, []string{"here"}},
		"session": {memory.ListInput{SessionID: memtest.Of("s")}, []string{"here"}},
		"time":    {memory.ListInput{Since: memtest.Of("2024-01-01T01:00:00+01:00"), Until: memtest.Of("2024-01-01T00:00:00Z")}, []string{"here"}},
		"tier":    {memory.ListInput{Tier: memtest.Of("interpretation")}, []string{"firm"}},
		"status":  {memory.ListInput{Status: memtest.Of("working")}, []string{"here"}},
		"source":  {memory.ListInput{Source: memtest.Of("Ada")}, []string{"firm", "here"}},
	} {
		c.in.Limit = 10
		if got := contents(ok[memory.MemoryPage](d)(d.ListMemories(d.ctx, c.in)).Memories); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestTimeline(t *testing.T) {
	d := newDesk(t)
	at := func(when string) func(*memory.RememberInput) {
		return func(in *memory.RememberInput) { in.EventAt, in.Frame = &when, memtest.Of("f") }
	}
	d.keep("third", at("2024-03-01T00:00:00Z"))
	d.keep("first", at("2024-01-01T00:00:00Z"))
	d.keep("second", at("2024-02-01T00:00:00Z"))
	d.keep("some day", func(in *memory.RememberInput) { in.Frame = memtest.Of("f") })
	gone := d.keep("gone", at("2024-01-15T00:00:00Z"))
	ok[memory.Memory](d)(d.Forget(d.ctx, gone.ID, "r"))
	d.keep("elsewhere")
	in := memory.TimelineInput{Frame: memtest.Of("f"), Limit: 50}
	got := ok[memory.TimelineResult](d)(d.Timeline(d.ctx, in))
	if !slices.Equal(contents(got.Memories), []string{"first", "second", "third", "some day"}) || got.UnknownEventTimes != 1 || got.Eligible != 4 || got.Since != nil {
		t.Errorf("%q, %d unknown, %d eligible", contents(got.Memories), got.UnknownEventTimes, got.Eligible)
	}
	in.Since, in.Limit = memtest.Of("2024-02-01T00:00:00Z"), 1
	got = ok[memory.TimelineResult](d)(d.Timeline(d.ctx, in))
	if !slices.Equal(contents(got.Memories), []string{"second"}) || got.UnknownEventTimes != 1 || got.Eligible != 2 || got.Since == nil || got.Until != nil {
		t.Errorf("since: %q, %d unknown, %d eligible: bounds are inclusive, unknown times are left out and counted before", contents(got.Memories), got.UnknownEventTimes, got.Eligible)
	}
	in.Limit = 0
	if got := ok[memory.TimelineResult](d)(d.Timeline(d.ctx, in)); len(got.Memories) != 0 || got.Eligible != 2 {
		t.Errorf("limit 0: %d shown, %d eligible", len(got.Memories), got.Eligible)
	}
}

func TestAuditLog(t *testing.T) {
	d := newDesk(t)
	a, b := d.keepFirm("a"), d.keepFirm("b")
	for i := range 5 {
		ok[memory.Memory](d)(d.Promote(d.ctx, a.ID, fmt.Sprintf("reason %d", i))) // all at one moment
	}
	id := string(a.ID)
	all := ok[memory.AuditPage](d)(d.AuditLog(d.ctx, memory.AuditInput{MemoryID: &id, Limit: -1}))
	if len(all.Rows) != 6 || all.Rows[0].Reason != "reason 4" || all.Rows[5].Reason != "lasting" || all.Rows[0].By.Client != "desk" {
		t.Fatalf("%+v", all.Rows)
	}
	in := memory.AuditInput{MemoryID: &id, Limit: 4}
	page := ok[memory.AuditPage](d)(d.AuditLog(d.ctx, in))
	in.Cursor = page.NextCursor
	rest := ok[memory.AuditPage](d)(d.AuditLog(d.ctx, in))
	if len(page.Rows) != 4 || len(rest.Rows) != 2 || rest.Rows[0].Reason != "reason 0" || rest.NextCursor != "" {
		t.Errorf("pages of %d and %d, the second from %q", len(page.Rows), len(rest.Rows), rest.Rows[0].Reason)
	}
	in.MemoryID = memtest.Of(string(b.ID))
	_, err := d.AuditLog(d.ctx, in)
	d.denied(err, memory.CodeInvalid, "cursor")
	for name, c := range map[string]struct {
		in   memory.AuditInput
		want int
	}{
		"action":           {memory.AuditInput{Action: memtest.Of("promote")}, 7},
		"unknown action":   {memory.AuditInput{Action: memtest.Of("aml_note")}, 0},
		"captures":         {memory.AuditInput{Captures: true}, 9},
		"captures by name": {memory.AuditInput{Action: memtest.Of("remember")}, 2},
		"none":             {memory.AuditInput{}, 7},
		"later":            {memory.AuditInput{Since: memtest.Of("2100-01-01T00:00:00Z")}, 0},
	} {
		c.in.Limit = 100
		if got := ok[memory.AuditPage](d)(d.AuditLog(d.ctx, c.in)); len(got.Rows) != c.want {
			t.Errorf("%s: %d rows, want %d", name, len(got.Rows), c.want)
		}
	}
	if got := ok[memory.AuditPage](d)(d.AuditLog(d.ctx, memory.AuditInput{})); len(got.Rows) != 0 || got.NextCursor != "" {
		t.Errorf("limit 0: %+v", got)
	}
}
