package memtest

import (
	"strings"
	"testing"

	"combray/internal/memory"
)

// Check finds what is wrong with a state that no plan can make.
func TestCheckFindsFaults(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(*state, scene)
		want  string
	}{
		"nothing":                 {func(*state, scene) {}, ""},
		"memory under another id": {func(s *state, sc scene) { s.memories["x"] = sc.other }, "memories: memory x has the wrong id"},
		"two of one number": {func(s *state, sc scene) {
			sc.other.Number = sc.doomed.Number
			s.memories[sc.other.ID] = sc.other
		}, "wrong id or number"},
		"sequence too high": {func(s *state, sc scene) {
			sc.other.Seq = 1 << 40
			s.memories[sc.other.ID] = sc.other
		}, "wrong change sequence"},
		"position without session": {func(s *state, sc scene) {
			sc.other.SessionPosition = Of(int64(3))
			s.memories[sc.other.ID] = sc.other
		}, "position without a session"},
		"vectors of nothing":     {func(s *state, _ scene) { s.vectors[999] = nil }, "vectors: number 999 has vectors and no memory"},
		"vector of length 2":     {func(s *state, sc scene) { s.vectors[sc.other.Number]["a"] = [][]float32{{2}} }, "not of length 1"},
		"tombstone of the alive": {func(s *state, sc scene) { s.tombstones[sc.other.Number] = 1 }, "tombstones: number"},
		"lost memory":            {func(s *state, sc scene) { delete(s.memories, sc.other.ID) }, "anchors: row " /* and others */},
		"lost claim":             {func(s *state, sc scene) { delete(s.claims, sc.claim.ID) }, "claim_events: row 1 speaks of claim"},
		"lost successor": {func(s *state, sc scene) {
			sc.narrative.SupersededBy = Of(memory.ID("x"))
			s.narratives[sc.narrative.ID] = sc.narrative
		}, "superseded by x"},
		"two in one place": {func(s *state, sc scene) {
			sc.narrative.ID = "x"
			s.narratives["x"] = sc.narrative
		}, "narratives: two rows share"},
		"lost recollected": {func(s *state, sc scene) { delete(s.memories, sc.other.ID) }, "recollections: a row speaks of memory"},
		"lost perceived":   {func(s *state, sc scene) { delete(s.memories, sc.other.ID) }, "fingerprints: a row speaks of memory"},
		"lost pictured":    {func(s *state, sc scene) { delete(s.memories, sc.other.ID) }, "media: a row speaks of memory"},
		"place never given": {func(s *state, sc scene) {
			sc.recollection.Sequence = 1 << 40
			s.recollections[sc.recollection.ID] = sc.recollection
		}, "wrong id or place"},
		"present encoder for cues": {func(s *state, _ scene) { s.cues[s.identity] = true }, "is one for cues"},
		"heard out of order":       {func(s *state, _ scene) { s.heard[0].Row = 9 }, "heard: row"},
		"heard twice":              {func(s *state, _ scene) { s.heard[1].Key = s.heard[0].Key }, "was heard already"},
		"heard after midnight":     {func(s *state, _ scene) { s.heard[0].Half = 48 }, "has half-hour 48"},
		"changed reason":           {func(s *state, _ scene) { s.audit[1].Reason += "!" }, "not the one that was digested"},
		"changed actor":            {func(s *state, _ scene) { s.audit[1].By.Client = "somebody else" }, "breaks the chain"},
		"lost row":                 {func(s *state, _ scene) { s.audit = append(s.audit[:1], s.audit[2:]...) }, "breaks the chain"},
		"lost salt":                {func(s *state, _ scene) { s.audit[1].Salt = nil }, "a reason and no salt"},
		"swapped rows":             {func(s *state, _ scene) { s.audit[1], s.audit[2] = s.audit[2], s.audit[1] }, "sequence 2 after 3"},
	} {
		t.Run(name, func(t *testing.T) {
			store := NewStore(StoreOptions{})
			x := &subject{T: t, store: store, Sample: &Sample{}, ctx: t.Context()}
			c.spoil(store.current, x.stage())
			faults, err := store.Check(x.ctx)
			if err != nil {
				t.Fatal(err)
			}
			var all strings.Builder
			for _, f := range faults {
				all.WriteString(f.Where + ": " + f.What + "\n")
			}
			if (c.want == "") != (len(faults) == 0) || !strings.Contains(all.String(), c.want) {
				t.Errorf("found %q, want %q", all.String(), c.want)
			}
		})
	}
}

// A store with the same random source makes the same salts, another one others.
func TestStoreIsTheSameOnEveryRun(t *testing.T) {
	salts := func(o StoreOptions) string {
		x := &subject{T: t, store: NewStore(o), Sample: &Sample{}, ctx: t.Context()}
		x.audited()
		var all string
		for _, row := range x.ledger() {
			all += string(row.Salt) + string(row.ID)
		}
		return all
	}
	first, again := salts(StoreOptions{}), salts(StoreOptions{})
	if first != again {
		t.Error("two runs differ")
	}
	if first == salts(StoreOptions{Random: &IDs{}}) {
		t.Error("the random source has no say")
	}
}
