package predecessor

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"combray/internal/memory"
)

func at(text string) time.Time {
	t, _, err := memory.ParseInstant("at", text)
	if err != nil {
		panic(err)
	}
	return t
}

func of[V any](v V) *V { return &v }

// first gives the row with an id.
func first[R any](t *testing.T, rows []R, id memory.ID, idOf func(R) memory.ID) R {
	t.Helper()
	i := slices.IndexFunc(rows, func(r R) bool { return idOf(r) == id })
	if i < 0 {
		t.Fatalf("row %s is not there", id)
	}
	return rows[i]
}

// TestEveryColumnIsRead compares a full row of every table, field by field.
func TestEveryColumnIsRead(t *testing.T) {
	in := read(t, full(t))
	for _, c := range []struct{ got, want any }{
		{in.Memories[0], memory.Memory{ID: "0a0000000001", Content: "The mill by the river grinds on Tuesdays", Source: of("Ada"),
			Status: memory.Consolidated, Tier: memory.Testimony, CreatedAt: at("2026-01-05T10:00:00.000001Z"),
			ConsolidatedAt: of(at("2026-01-05T10:05:00.25Z")), ConsolidationReason: of("asked for"), Frame: of("village"),
			EventAt: of(at("2025-12-30T08:00:00Z")), EventPrecision: of(memory.PreciseInstant), SessionID: of("s1"), SessionPosition: of(int64(0)),
			MaterialType: "utterance", OriginID: of("letter-1"), CaptureContext: of("at the kitchen table"), Salience: memory.DefaultSalience}},
		{first(t, in.Memories, "0a0000000005", memoryID).ForgottenReason, of("it burnt down")},
		{first(t, in.Memories, "0a0000000005", memoryID).ForgottenAt, of(at("2026-02-01T12:00:00.00001Z"))},
		{first(t, in.Memories, "0a0000000004", memoryID).SecuritySensitive, true},
		{first(t, in.Memories, "0a0000000003", memoryID).LastReviewedAt, of(at("2999-11-29T09:00:00Z"))},
		{first(t, in.Memories, "123456789012", memoryID).ReviewStatus, of(memory.ReviewStale)},
		{first(t, in.Memories, "0a0000000006", memoryID).Source, of("")},
		{in.Corroborations[0], memory.Corroboration{ID: "0b0000000001", MemoryID: "0a0000000001", Source: " Ben ", At: at("2026-01-06T10:00:00Z")}},
		{in.Anchors, []memory.Anchor{{MemoryID: "0a0000000001", Reason: "the village clock", PinnedAt: at("2026-01-07T10:00:00Z")}}},
		{in.Canon[1], memory.CanonEntry{ID: "0c0000000002", MemoryID: "0a0000000005", Scope: "tour", Reason: "on the route",
			CanonizedAt: at("2026-01-08T10:01:00Z"), DecommissionedAt: of(at("2026-01-31T10:00:00Z"))}},
		{in.Conflicts[1], memory.Conflict{ID: "0d0000000002", A: "0a0000000002", B: "0a0000000005", Reason: "crossing", CreatedAt: at("2026-01-09T10:01:00Z"),
			ResolvedAt: of(at("2026-01-10T10:00:00Z")), ResolutionReason: of("the bridge is gone"), AdoptedMemoryID: of(memory.ID("0a0000000002"))}},
		{in.Links[1], memory.Link{ID: "0e0000000002", From: "0a0000000002", To: "0a0000000005", Relation: "related", Reason: "crossings",
			CreatedAt: at("2026-01-09T11:01:00Z"), RetiredAt: of(at("2026-01-11T10:00:00Z")), RetirementReason: of("no bridge any more")}},
		{in.Claims[0], memory.Claim{ID: "0f0000000001", Content: "The mill grinds once a week", Kind: "assertion", Scope: "global", AssertedBy: of("Ada"),
			StatementAt: of(at("2026-01-01T00:00:00Z")), ValidFrom: of(at("2025-01-01T00:00:00Z")), ValidUntil: of(at("2027-01-01T00:00:00Z")), RecordedAt: at("2026-01-12T10:00:00Z")}},
		{in.Claims[3].SecuritySensitive, true},
		{in.Events[11], memory.ClaimEvent{ClaimID: "0f0000000002", Action: memory.ClaimSuperseded, Reason: "the river froze",
			RecordedAt: at("2026-01-15T10:00:00Z"), ReplacementID: of(memory.ID("0f0000000003"))}},
		{in.Evidence[0], memory.Evidence{ID: "1f0000000001", ClaimID: "0f0000000001", MemoryID: "0a0000000001", Stance: "supports", Reason: "she said so",
			Quote: of("grinds on Tuesdays"), Locator: of("line 1"), OriginID: of("letter-1"), RecordedAt: at("2026-01-13T10:00:00Z")}},
		{in.Evidence[3].RetractedAt, of(at("2026-01-16T10:01:00Z"))},
		{in.Evidence[3].RetractionReason, of("wrong bridge")},
		{in.Narratives[0], memory.Narrative{ID: "2a0000000002", Content: "A village with a mill and a ferry.", Reason: "spring",
			MemoryIDs: []memory.ID{"0a0000000001", "0a0000000002"}, ClaimIDs: []memory.ID{"0f0000000001"}, LinkIDs: []memory.ID{"0e0000000001"},
			CreatedAt: at("2026-03-01T10:00:00Z"), LastReviewedAt: of(at("2026-03-02T10:00:00Z")), ReviewNote: of("still so"),
			Scope: "global", Perspective: of("a visitor"), Coverage: of("2026")}},
		{in.Narratives[1].SupersededBy, of(memory.ID("2a0000000002"))},
		{in.Narratives[2].ReviewReason, of("source forgotten")},
		{in.Audit[1], memory.AuditRow{ID: "3a0000000002", Subject: "0a0000000001", Action: memory.ActPromote, Reason: "asked for", At: at("2026-01-05T10:05:00.25Z")}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("got  %+v\nwant %+v", c.got, c.want)
		}
	}
}

func memoryID(m memory.Memory) memory.ID { return m.ID }

// TestRowsComeInTheirOrder holds the order of writing, which is not that of ids
// or times.
func TestRowsComeInTheirOrder(t *testing.T) {
	in := read(t, full(t))
	var events []string
	for _, e := range in.Events {
		events = append(events, string(e.ClaimID[11:])+" "+string(e.Action))
	}
	if want := []string{"1 proposed", "2 proposed", "3 proposed", "4 proposed", "5 proposed", "1 evidence_added", "2 evidence_added",
		"3 evidence_added", "1 adopted", "2 adopted", "3 adopted", "2 superseded", "5 withdrawn", "4 evidence_added", "4 evidence_retracted",
		"4 source_changed"}; !slices.Equal(events, want) {
		t.Errorf("events %q, want %q", events, want)
	}
	var actions []memory.Action
	for _, a := range in.Audit {
		actions = append(actions, a.Action)
	}
	if want := []memory.Action{"auto_flag_sensitive", "promote", "corroborate", "corroborate_upgrade", "pin", "narrate_denied", "unpin_noop",
		"narrate", "aml_screened", "adopt_claim"}; !slices.Equal(actions, want) {
		t.Errorf("audit %q, want %q", actions, want)
	}
}

// TestListsOfIDs holds how each form of a list is read: as the system reads it.
func TestListsOfIDs(t *testing.T) {
	for _, c := range []struct {
		stored string // SQL
		ids    []memory.ID
		ok     bool
	}{
		{"NULL", nil, true},
		{"''", nil, true},
		{"'null'", nil, true},
		{"'[]'", nil, true},
		{`'["a", "b", "a"]'`, []memory.ID{"a", "b"}, true},
		{`'[" a"]'`, []memory.ID{" a"}, true},
		{`'{}'`, nil, false},
		{`'[1]'`, nil, false},
		{`'["a", 1]'`, nil, false},
		{`'["a", null]'`, nil, false},
		{`'[""]'`, nil, false},
		{`'[" "]'`, nil, false},
		{`'"a"'`, nil, false},
		{`'["a"] x'`, nil, false},
		{`'not json'`, nil, false},
	} {
		in := read(t, full(t, "UPDATE narratives SET memory_ids = "+c.stored+", claim_ids = NULL, link_ids = NULL WHERE id = '2a0000000002'"))
		n := in.Narratives[0]
		var want []string
		if !c.ok {
			want = []string{"memory_ids"}
		}
		if !slices.Equal(n.MemoryIDs, c.ids) || !slices.Equal(n.Unreadable, want) {
			t.Errorf("%s: ids %q, unreadable %q; want %q, %q", c.stored, n.MemoryIDs, n.Unreadable, c.ids, want)
		}
	}
	damaged := first(t, read(t, full(t)).Narratives, "2a0000000004", func(n memory.Narrative) memory.ID { return n.ID })
	if want := []string{"memory_ids", "claim_ids", "link_ids"}; !slices.Equal(damaged.Unreadable, want) {
		t.Errorf("unreadable %q, want %q", damaged.Unreadable, want)
	}
}

// TestOlderShapesAreFilled takes away what versions after 1.0 added, all of it or
// a column each, and wants what the system's own migration gives.
func TestOlderShapesAreFilled(t *testing.T) {
	in := read(t, makeFile(t, schema10))
	m, n := in.Memories[0], in.Narratives[1]
	if m.MaterialType != "unspecified" || m.EventAt != nil || m.SessionID != nil || m.OriginID != nil || m.CaptureContext != nil || m.Tier != memory.Testimony {
		t.Errorf("memory %+v", m)
	}
	if n.Scope != memory.GlobalScope || n.SecuritySensitive || n.ReviewRequiredAt != nil || n.Unreadable != nil || n.SupersededAt != nil {
		t.Errorf("narrative %+v", n)
	}
	if len(in.Links)+len(in.Claims)+len(in.Events)+len(in.Evidence) != 0 || len(in.Anchors) != 1 || len(in.Audit) != 1 {
		t.Errorf("rows %+v", in)
	}

	newest := read(t, full(t))
	for _, column := range []string{"material_type", "origin_id", "capture_context"} {
		in := read(t, full(t, "ALTER TABLE memories DROP COLUMN "+column))
		if len(in.Memories) != len(newest.Memories) || in.Memories[0].Content != newest.Memories[0].Content {
			t.Errorf("without %s: %+v", column, in.Memories[0])
		}
	}
	for _, column := range []string{"scope", "perspective", "coverage", "claim_ids", "link_ids"} {
		if in := read(t, full(t, "ALTER TABLE narratives DROP COLUMN "+column)); in.Narratives[2].Content != newest.Narratives[2].Content {
			t.Errorf("without %s: %+v", column, in.Narratives[2])
		}
	}
}

// TestColumnOrderDoesNotMatter: a migrated file has its columns in another order
// than a new one.
func TestColumnOrderDoesNotMatter(t *testing.T) {
	path := full(t, "ALTER TABLE memories DROP COLUMN frame", "ALTER TABLE memories ADD COLUMN frame TEXT", "UPDATE memories SET frame = 'late'")
	if m := read(t, path).Memories[0]; m.Frame == nil || *m.Frame != "late" || m.Content != "The mill by the river grinds on Tuesdays" {
		t.Errorf("memory %+v", m)
	}
}
