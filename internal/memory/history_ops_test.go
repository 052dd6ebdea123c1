package memory_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// at puts a capture at a place of a session.
func at(session string, position int64) func(*memory.RememberInput) {
	return func(in *memory.RememberInput) { in.SessionID, in.SessionPosition = &session, &position }
}

func in(frame string) func(*memory.RememberInput) {
	return func(in *memory.RememberInput) { in.Frame = &frame }
}

func when(event string) func(*memory.RememberInput) {
	return func(in *memory.RememberInput) { in.EventAt = &event }
}

// searched gives the contents of an answer, and its paths: "seed>memory".
func (d *desk) searched(in memory.SearchHistoryInput) (contents, paths []string) {
	d.Helper()
	r := ok[memory.HistoryResult](d)(d.SearchHistory(d.ctx, in))
	names := map[memory.ID]string{}
	for _, row := range r.Memories {
		contents = append(contents, string(row.Memory.Content))
		names[row.Memory.ID] = string(row.Memory.Content)
	}
	for _, p := range r.History.Paths {
		paths = append(paths, names[p.SeedID]+">"+names[p.MemoryID])
	}
	return contents, paths
}

// story is a conversation of five turns about a mill, a note elsewhere, and a
// link from the third turn to the note.
func (d *desk) story() (turns []memory.Memory, note memory.Memory) {
	d.Helper()
	note = d.keep("a receipt")
	for i, text := range []string{"good morning", "the mill is old", "it grinds corn", "on every Tuesday", "goodbye"} {
		turns = append(turns, d.keep(text, at("s1", int64(i))))
	}
	ok[memory.Link](d)(d.LinkMemories(d.ctx, turns[1].ID, note.ID, "explains", "r"))
	return turns, note
}

// TestSearchHistoryBringsNeighbours holds seeds, then their neighbours by links
// and places, then the rest, for each way of expanding.
func TestSearchHistoryBringsNeighbours(t *testing.T) {
	for _, c := range []struct {
		expand   string
		limit    int
		contents []string
		paths    []string
	}{
		{"none", 3, []string{"the mill is old", "goodbye", "on every Tuesday"}, nil},
		{"links", 2, []string{"the mill is old", "goodbye"}, nil}, // both places go to seeds
		{"links", 3, []string{"the mill is old", "goodbye", "a receipt"}, []string{"the mill is old>a receipt"}},
		{"session", 3, []string{"the mill is old", "goodbye", "it grinds corn"}, []string{"the mill is old>it grinds corn"}},
		{"both", 5, []string{"the mill is old", "goodbye", "on every Tuesday", "a receipt", "it grinds corn"},
			[]string{"the mill is old>a receipt", "on every Tuesday>it grinds corn"}},
		{"", 4, []string{"the mill is old", "goodbye", "on every Tuesday", "a receipt"}, []string{"the mill is old>a receipt"}},
		{"both", 0, nil, nil},
	} {
		d := newDesk(t)
		d.story()
		contents, paths := d.searched(memory.SearchHistoryInput{Query: "mill", Mode: memory.ModeLexical, Limit: c.limit, Expand: c.expand})
		if !slices.Equal(contents, c.contents) || !slices.Equal(paths, c.paths) {
			t.Errorf("%q with %d places: %q by %q, want %q by %q", c.expand, c.limit, contents, paths, c.contents, c.paths)
		}
	}
}

// TestPathsSayHowANeighbourCame holds the fields of both kinds of path.
func TestPathsSayHowANeighbourCame(t *testing.T) {
	d := newDesk(t)
	turns, note := d.story()
	path := func(expand string) (memory.EvidencePath, memory.HistoryRetrieval) {
		r := ok[memory.HistoryResult](d)(d.SearchHistory(d.ctx, memory.SearchHistoryInput{Query: "mill", Mode: memory.ModeLexical, Limit: 3, Expand: expand}))
		if len(r.History.Paths) != 1 {
			t.Fatalf("%s: paths %+v, want one", expand, r.History.Paths)
		}
		return r.History.Paths[0], r.History
	}
	link, h := path("links")
	place, _ := path("session")
	if link.SeedID != turns[1].ID || link.MemoryID != note.ID || link.LinkID == nil || *link.FromID != turns[1].ID || *link.ToID != note.ID || *link.Relation != "explains" || link.Offset != nil {
		t.Errorf("path of the link %+v", link)
	}
	if place.Kind != memory.PathSession || place.SeedID != turns[1].ID || place.MemoryID != turns[2].ID || place.LinkID != nil || *place.SessionID != "s1" || *place.Offset != 1 {
		t.Errorf("path of the place %+v", place)
	}
	if h.BaseMode != memory.ModeLexical || h.Expand != "links" || h.Retrieval.InferencePerformed || h.Retrieval.Reranked+h.Retrieval.Unranked != 6 || h.Retrieval.Backend != nil {
		t.Errorf("retrieval %+v", h)
	}
}

// TestNeighboursMustPassToo: a memory that is forgotten, of another frame or
// outside the time, an anchor, and the end of a retired link take no place from a
// neighbour that may come. A link leads both ways.
func TestNeighboursMustPassToo(t *testing.T) {
	const event = "2024-05-01T10:00:00Z"
	village, dated := in("village"), when(event)
	for _, c := range []struct {
		name   string
		frame  func(*memory.RememberInput)
		date   func(*memory.RememberInput)
		change func(d *desk, m memory.Memory, link memory.ID) error
		comes  bool
	}{
		{"good", village, dated, nil, true},
		{"forgotten", village, dated, func(d *desk, m memory.Memory, _ memory.ID) error { return failure(d.Forget(d.ctx, m.ID, "r")) }, false},
		{"elsewhere", in("town"), dated, nil, false},
		{"undated", village, func(*memory.RememberInput) {}, nil, false},
		{"an anchor", village, dated, func(d *desk, m memory.Memory, _ memory.ID) error { return failure(d.Pin(d.ctx, m.ID, "r")) }, false},
		{"retired", village, dated, func(d *desk, _ memory.Memory, link memory.ID) error {
			return failure(d.UnlinkMemories(d.ctx, link, "r"))
		}, false},
	} {
		for _, outward := range []bool{true, false} {
			d := newDesk(t)
			linked := d.keepFirm("linked", c.frame, c.date)
			next := d.keep("next", village, dated, at("s", 2))
			seed := d.keep("the mill", village, dated, at("s", 1))
			from, to := seed.ID, linked.ID
			if !outward {
				from, to = to, from
			}
			link := ok[memory.Link](d)(d.LinkMemories(d.ctx, from, to, "related", "r")).ID
			for range 5 { // firm, so that they stand before next in the base order
				d.keepFirm("filler", village, dated)
			}
			if c.change != nil {
				if err := c.change(d, linked, link); err != nil {
					t.Fatal(err)
				}
			}
			limit := 3 // two seeds and one neighbour
			if c.name == "an anchor" {
				limit++
			}
			r := ok[memory.HistoryResult](d)(d.SearchHistory(d.ctx, memory.SearchHistoryInput{Query: "mill", Mode: memory.ModeLexical, Limit: limit,
				Frame: memtest.Of("village"), Since: memtest.Of("2024-01-01T00:00:00Z"), Until: memtest.Of(event)}))
			want := next.ID
			if c.comes {
				want = linked.ID
			}
			if p := r.History.Paths; len(p) != 1 || p[0].MemoryID != want || p[0].SeedID != seed.ID || len(r.Memories) != 3 {
				t.Errorf("%s, outward %t: paths %+v", c.name, outward, p)
			}
			if undated := c.name == "undated"; (r.History.TimeExcluded == 1) != undated {
				t.Errorf("%s: %d rows left out by time", c.name, r.History.TimeExcluded)
			}
		}
	}
}

// meddling is an encoder that lets a test change the store while the question is
// being encoded.
type meddling struct {
	*memtest.Encoder
	meddle func()
}

func (m *meddling) Question(ctx context.Context, text string) ([]float32, error) {
	if m.meddle != nil {
		m.meddle()
	}
	return m.Encoder.Question(ctx, text)
}

// TestHistoryIsFreshAfterEncoding: what was changed while the question was being
// encoded is answered as it now is (contract/history.md 3.4).
func TestHistoryIsFreshAfterEncoding(t *testing.T) {
	const event = "2024-05-01T10:00:00Z"
	for name, c := range map[string]struct {
		change func(*desk, memory.Memory, memory.Memory, memory.ID) error
		gone   string // content that may no longer be there
		path   bool   // the seed's neighbour still comes by its link
	}{
		"nothing": {func(*desk, memory.Memory, memory.Memory, memory.ID) error { return nil }, "", true},
		"forget":  {func(d *desk, _, n memory.Memory, _ memory.ID) error { return failure(d.Forget(d.ctx, n.ID, "r")) }, "the receipt", false},
		"frame": {func(d *desk, _, n memory.Memory, _ memory.ID) error {
			return failure(d.SetFrame(d.ctx, n.ID, "town", "r"))
		}, "the receipt", false},
		"unlink": {func(d *desk, _, _ memory.Memory, l memory.ID) error { return failure(d.UnlinkMemories(d.ctx, l, "r")) }, "", false},
		"context": {func(d *desk, _, n memory.Memory, _ memory.ID) error {
			return failure(d.SetHistoryContext(d.ctx, memory.HistoryContextInput{MemoryID: n.ID, Reason: "r"}))
		}, "the receipt", false},
		"pin": {func(d *desk, s, _ memory.Memory, _ memory.ID) error { return failure(d.Pin(d.ctx, s.ID, "r")) }, "the mill", false},
	} {
		t.Run(name, func(t *testing.T) {
			encoder := &meddling{Encoder: &memtest.Encoder{}}
			d := newDesk(t, func(c *memory.Config) { c.Encoder = encoder })
			seed, far := d.keepFirm("the mill", in("village"), when(event)), d.keep("the receipt", in("village"), when(event))
			link := ok[memory.Link](d)(d.LinkMemories(d.ctx, seed.ID, far.ID, "related", "r")).ID
			encoder.meddle = func() {
				encoder.meddle = nil
				if err := c.change(d, seed, far, link); err != nil {
					t.Error(err)
				}
			}
			r := ok[memory.HistoryResult](d)(d.SearchHistory(d.ctx, memory.SearchHistoryInput{Query: "mill", Limit: 2, Frame: memtest.Of("village"), Since: memtest.Of(event), Expand: "links"}))
			for _, row := range r.Memories {
				if string(row.Memory.Content) == c.gone {
					t.Errorf("%q is still there", c.gone)
				}
			}
			if name == "pin" && (len(r.Anchors) != 1 || len(r.Memories) != 1) {
				t.Errorf("%d anchors and %d memories, want the pinned one apart", len(r.Anchors), len(r.Memories))
			}
			if linked := slices.ContainsFunc(r.History.Paths, func(p memory.EvidencePath) bool { return p.Kind == memory.PathLink }); linked && !c.path {
				t.Errorf("paths %+v", r.History.Paths)
			}
		})
	}
}

// meddlingIndex lets a test change the store after the index was asked.
type meddlingIndex struct {
	memory.Index
	meddle func()
}

func (m *meddlingIndex) Search(ctx context.Context, q memory.IndexQuery) (memory.IndexResult, error) {
	r, err := m.Index.Search(ctx, q)
	if m.meddle != nil {
		m.meddle()
	}
	return r, err
}

// countedIndex meddles after its so many-th count.
type countedIndex struct {
	memory.Index
	left   int
	meddle func()
}

func (m *countedIndex) Count(ctx context.Context, f memory.IndexFilter) (memory.Counted, error) {
	n, err := m.Index.Count(ctx, f)
	if m.left--; m.left == 0 {
		m.meddle()
	}
	return n, err
}

// TestCountsAreThoseOfTheSnapshot: the index counts before the rows are read; what is
// committed in between counts as much as it shows, whether the index knows of it or not.
func TestCountsAreThoseOfTheSnapshot(t *testing.T) {
	for after := range 3 { // 0: nobody meddles
		for _, follows := range []bool{false, true} {
			index := &countedIndex{left: after}
			d := newDesk(t, func(c *memory.Config) { index.Index, c.Index = c.Index, index })
			d.keep("the mill", when("2024-05-01T10:00:00Z"))
			index.meddle = func() {
				d.keep("the mill of the town", when("2024-05-02T10:00:00Z"))
				d.keep("the mill some day")
				if follows {
					if err := index.CatchUp(d.ctx); err != nil {
						t.Error(err)
					}
				}
			}
			want, unknown := 3, 1
			if after == 0 {
				want, unknown = 1, 0
			}
			got := ok[memory.TimelineResult](d)(d.Timeline(d.ctx, memory.TimelineInput{Limit: 9}))
			if len(got.Memories) != want || got.Eligible != want || got.UnknownEventTimes != unknown {
				t.Errorf("timeline, a commit after count %d: %d shown, %d eligible, %d unknown; want %d, %d", after, len(got.Memories), got.Eligible, got.UnknownEventTimes, want, unknown)
			}
			index.left = after
			if after > 0 {
				want, unknown = 5, 2
			}
			archive, shown := d.archived(memory.SearchArchiveInput{Query: "mill", Limit: 9})
			if len(shown) != want || archive.Eligible != want || archive.UnknownEventTimes != unknown || archive.Truncated {
				t.Errorf("archive, a commit after count %d: %q, %d eligible, %d unknown; want %d, %d", after, shown, archive.Eligible, archive.UnknownEventTimes, want, unknown)
			}
		}
	}
}

// TestArchiveIsFreshAfterRanking is the same for a search by words alone.
func TestArchiveIsFreshAfterRanking(t *testing.T) {
	const event = "2024-05-01T10:00:00Z"
	for name, change := range map[string]func(*desk, memory.ID) error{
		"forget": func(d *desk, id memory.ID) error { return failure(d.Forget(d.ctx, id, "r")) },
		"frame":  func(d *desk, id memory.ID) error { return failure(d.SetFrame(d.ctx, id, "town", "r")) },
		"session": func(d *desk, id memory.ID) error {
			return failure(d.SetHistoryContext(d.ctx, memory.HistoryContextInput{MemoryID: id, Reason: "r", EventAt: memtest.Of(event), SessionID: memtest.Of("other")}))
		},
		"time": func(d *desk, id memory.ID) error {
			return failure(d.SetHistoryContext(d.ctx, memory.HistoryContextInput{MemoryID: id, Reason: "r", SessionID: memtest.Of("s")}))
		},
	} {
		index := &meddlingIndex{}
		d := newDesk(t, func(c *memory.Config) { index.Index, c.Index = c.Index, index })
		m := d.keep("the mill", in("village"), at("s", 1), when(event))
		d.keep("the ferry", in("village"), at("s", 2), when(event))
		index.meddle = func() {
			index.meddle = nil
			if err := change(d, m.ID); err != nil {
				t.Error(err)
			}
		}
		_, got := d.archived(memory.SearchArchiveInput{Query: "mill", Limit: 9, Frame: memtest.Of("village"), SessionID: memtest.Of("s"), Since: memtest.Of(event)})
		if !slices.Equal(got, []string{"the ferry"}) {
			t.Errorf("after %s: %q", name, got)
		}
	}
}

// TestSearchHistoryNeedsItsLane: asked for by name, a lane that cannot run is an
// error; words alone need none.
func TestSearchHistoryNeedsItsLane(t *testing.T) {
	d := newDesk(t, func(c *memory.Config) { c.Encoder = nil })
	d.keep("the mill")
	d.denied(failure(d.SearchHistory(d.ctx, memory.SearchHistoryInput{Query: "mill", Limit: 3})), memory.CodeUnavailable, "semantic")
	if contents, _ := d.searched(memory.SearchHistoryInput{Query: "mill", Limit: 3, Mode: memory.ModeLexical}); len(contents) != 1 {
		t.Errorf("words alone found %q", contents)
	}
}

// archived gives the contents of an archive search.
func (d *desk) archived(in memory.SearchArchiveInput) (memory.ArchiveResult, []string) {
	d.Helper()
	r := ok[memory.ArchiveResult](d)(d.SearchArchive(d.ctx, in))
	var out []string
	for _, row := range r.Memories {
		out = append(out, string(row.Memory.Content))
		if row.Relevance == nil {
			d.Errorf("row %q has no relevance", row.Memory.Content)
		}
	}
	return r, out
}

// TestArchiveLooksAtEverything: no places are reserved; filters narrow before the
// ranking; what is left over is counted.
func TestArchiveLooksAtEverything(t *testing.T) {
	d := newDesk(t)
	anchor := d.keepFirm("mill and mill", in("village"), at("s", 1), when("2024-05-01T10:00:00Z"))
	d.keep("the mill", in("village"), at("s", 2))
	d.keep("the ferry", in("village"), when("2024-05-03T10:00:00Z"))
	d.keep("the mill of the town", in("town"), when("2024-05-02T10:00:00Z"))
	gone := d.keep("a mill that burnt")
	ok[memory.Memory](d)(d.Forget(d.ctx, gone.ID, "r"))
	ok[memory.Pinned](d)(d.Pin(d.ctx, anchor.ID, "r"))
	for _, c := range []struct {
		name              string
		in                memory.SearchArchiveInput
		want              []string
		eligible, unknown int
	}{
		{"all", memory.SearchArchiveInput{Query: "mill", Limit: 9}, []string{"mill and mill", "the mill", "the mill of the town", "the ferry"}, 4, 1},
		{"cut", memory.SearchArchiveInput{Query: "mill", Limit: 2}, []string{"mill and mill", "the mill"}, 4, 1},
		{"none", memory.SearchArchiveInput{Query: "mill", Limit: 0}, nil, 4, 1},
		{"a frame", memory.SearchArchiveInput{Query: "mill", Limit: 9, Frame: memtest.Of("village")}, []string{"mill and mill", "the mill", "the ferry"}, 3, 1},
		{"a session", memory.SearchArchiveInput{Query: "mill", Limit: 9, SessionID: memtest.Of("s")}, []string{"mill and mill", "the mill"}, 2, 1},
		{"a time", memory.SearchArchiveInput{Query: "mill", Limit: 9, Since: memtest.Of("2024-05-02T10:00:00Z"), Until: memtest.Of("2024-05-03T10:00:00Z")},
			[]string{"the mill of the town", "the ferry"}, 2, 1},
		{"nowhere", memory.SearchArchiveInput{Query: "mill", Limit: 9, Frame: memtest.Of("nowhere")}, nil, 0, 0},
		{"no words", memory.SearchArchiveInput{Query: "?", Limit: 9}, []string{"the mill of the town", "the ferry", "the mill", "mill and mill"}, 4, 1},
	} {
		r, got := d.archived(c.in)
		if !slices.Equal(got, c.want) || r.Eligible != c.eligible || r.UnknownEventTimes != c.unknown || r.Truncated != (len(c.want) < c.eligible) {
			t.Errorf("%s: %q, %d eligible, %d undated, truncated %t; want %q, %d, %d", c.name, got, r.Eligible, r.UnknownEventTimes, r.Truncated, c.want, c.eligible, c.unknown)
		}
	}
	r, _ := d.archived(memory.SearchArchiveInput{Query: "mill", Limit: memory.MaxList + 1})
	if len(r.Warnings) != 1 || !strings.Contains(r.Warnings[0], "1000") {
		t.Errorf("warnings %q", r.Warnings)
	}
}

// TestEqualsAreCutByTheirAge: of many rows that are equally good the newest are
// shown, however few the limit lets through.
func TestEqualsAreCutByTheirAge(t *testing.T) {
	d := newDesk(t)
	const n = 120
	for i := range n {
		d.keep(fmt.Sprintf("mill %c%c", 'a'+i/26, 'a'+i%26))
	}
	_, got := d.archived(memory.SearchArchiveInput{Query: "mill", Limit: 3})
	var want []string
	for i := n - 1; i >= n-3; i-- {
		want = append(want, fmt.Sprintf("mill %c%c", 'a'+i/26, 'a'+i%26))
	}
	d.same(got, want)
}

// TestHistorySearchesWriteNothing also while an interpretation is overdue.
func TestHistorySearchesWriteNothing(t *testing.T) {
	d := newDesk(t)
	m := d.keep("she likes mornings", asReading)
	d.claim("she is an early bird", m.ID)
	d.tell(memory.NarrateInput{MemoryIDs: ids(m.ID)})
	d.Clock.Advance(memory.ReviewAge + time.Hour)
	before := d.stats()
	for range 3 {
		ok[memory.HistoryResult](d)(d.SearchHistory(d.ctx, memory.SearchHistoryInput{Query: "mornings", Limit: 5}))
		d.archived(memory.SearchArchiveInput{Query: "mornings", Limit: 5})
		ok[memory.RecallClaimsResult](d)(d.RecallClaims(d.ctx, memory.RecallClaimsInput{Limit: 5, IncludeInactive: true}))
		ok[[]memory.NarrativeView](d)(d.NarrativeHistory(d.ctx, 5, nil))
	}
	d.same(d.stats(), before)
}
