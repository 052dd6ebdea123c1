package memtest

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"time"

	"combray/internal/memory"
)

// state is everything that a Store holds.
type state struct {
	memories       map[memory.ID]memory.Memory
	vectors        map[int64]map[string][][]float32 // number → identity → windows
	tombstones     map[int64]int64                  // number of an erased memory → change sequence
	anchors        map[memory.ID]memory.Anchor
	corroborations map[memory.ID]memory.Corroboration
	canon          map[memory.ID]memory.CanonEntry
	conflicts      map[memory.ID]memory.Conflict
	links          map[memory.ID]memory.Link
	narratives     map[memory.ID]memory.Narrative
	claims         map[memory.ID]memory.Claim
	events         []memory.ClaimEvent // by Sequence
	evidence       map[memory.ID]memory.Evidence
	audit          []memory.AuditRow // by Sequence
	perceived

	number   int64           // of the newest memory
	sequence int64           // newest change sequence
	identity string          // of the newest vectors: the present encoder
	cues     map[string]bool // identities met, true for those of cues
}

func newState() *state {
	return &state{
		memories:       map[memory.ID]memory.Memory{},
		vectors:        map[int64]map[string][][]float32{},
		tombstones:     map[int64]int64{},
		anchors:        map[memory.ID]memory.Anchor{},
		corroborations: map[memory.ID]memory.Corroboration{},
		canon:          map[memory.ID]memory.CanonEntry{},
		conflicts:      map[memory.ID]memory.Conflict{},
		links:          map[memory.ID]memory.Link{},
		narratives:     map[memory.ID]memory.Narrative{},
		claims:         map[memory.ID]memory.Claim{},
		evidence:       map[memory.ID]memory.Evidence{},
		perceived:      newPerceived(),
		cues:           map[string]bool{},
	}
}

// clone copies the tables. Rows are shared: nothing changes a stored row in
// place, it is replaced by another.
func (s *state) clone() *state {
	c := *s
	c.memories = maps.Clone(s.memories)
	c.vectors = maps.Clone(s.vectors)
	c.tombstones = maps.Clone(s.tombstones)
	c.anchors = maps.Clone(s.anchors)
	c.corroborations = maps.Clone(s.corroborations)
	c.canon = maps.Clone(s.canon)
	c.conflicts = maps.Clone(s.conflicts)
	c.links = maps.Clone(s.links)
	c.narratives = maps.Clone(s.narratives)
	c.claims = maps.Clone(s.claims)
	c.events = slices.Clone(s.events)
	c.evidence = maps.Clone(s.evidence)
	c.audit = slices.Clone(s.audit)
	c.perceived = s.perceived.clone()
	c.cues = maps.Clone(s.cues)
	return &c
}

// changes gives every memory and tombstone above a sequence, by sequence.
func (s *state) changes(after int64, identity string) []memory.Changed {
	var out []memory.Changed
	for _, m := range s.memories {
		if m.Seq > after {
			out = append(out, memory.Changed{Memory: s.shown(m), Vectors: copied(s.vectors[m.Number][identity])})
		}
	}
	for number, seq := range s.tombstones {
		if seq > after {
			out = append(out, memory.Changed{Memory: memory.Memory{Number: number, Seq: seq}, Erased: true})
		}
	}
	slices.SortFunc(out, func(a, b memory.Changed) int { return cmp.Compare(a.Memory.Seq, b.Memory.Seq) })
	return out
}

// shown is a stored memory as a caller gets it: a copy that says how many
// windows the present encoder made of it, and what was perceived with it.
func (s *state) shown(m memory.Memory) memory.Memory {
	m = copied(m)
	m.Windows = nil
	if n := len(s.vectors[m.Number][s.identity]); n > 0 {
		m.Windows = &n
	}
	m.Perceived = nil
	for _, f := range s.fingerprints[m.ID] {
		if f.Data != nil && !slices.Contains(m.Perceived, f.Channel) {
			m.Perceived = append(m.Perceived, f.Channel)
		}
	}
	slices.Sort(m.Perceived)
	return m
}

func (s *state) stats(identity string) memory.StoreStats {
	out := memory.StoreStats{
		Memories: len(s.memories), Anchors: len(s.anchors), Canon: len(s.canon),
		Conflicts: len(s.conflicts), Links: len(s.links), Narratives: len(s.narratives),
		Claims: len(s.claims), Evidence: len(s.evidence), Audit: len(s.audit),
		Recollections: len(s.recollections), Heard: len(s.heard),
	}
	for _, r := range s.recollections {
		if r.Queued {
			out.Queued++
		}
	}
	for _, list := range s.fingerprints {
		out.Fingerprints += len(list)
	}
	for _, m := range s.memories {
		if m.Forgotten() {
			out.Forgotten++
		}
		if len(s.vectors[m.Number][identity]) > 0 {
			out.Embedded++
		}
	}
	return out
}

// copied is a deep copy, so that a caller and the store never share memory.
// Times become what can be stored: microseconds in UTC.
func copied[T any](v T) T {
	return copyOf(reflect.ValueOf(&v).Elem()).Interface().(T)
}

func copyOf(v reflect.Value) reflect.Value {
	if v.Type() == reflect.TypeFor[time.Time]() {
		return reflect.ValueOf(memory.Micro(v.Interface().(time.Time)))
	}
	out := reflect.New(v.Type()).Elem()
	switch {
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			out.Field(i).Set(copyOf(v.Field(i)))
		}
	case v.Kind() == reflect.Pointer && !v.IsNil():
		out.Set(reflect.New(v.Type().Elem()))
		out.Elem().Set(copyOf(v.Elem()))
	case v.Kind() == reflect.Slice && !v.IsNil():
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(copyOf(v.Index(i)))
		}
	case v.Kind() == reflect.Map && !v.IsNil():
		out.Set(reflect.MakeMap(v.Type()))
		for key, value := range v.Seq2() {
			out.SetMapIndex(key, copyOf(value))
		}
	default:
		out.Set(v)
	}
	return out
}

// cut keeps the first limit elements; 0 and less mean no limit.
func cut[V any](list []V, limit int) []V {
	if limit > 0 && limit < len(list) {
		return list[:limit]
	}
	return list
}
