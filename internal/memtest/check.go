package memtest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"combray/internal/memory"
)

// check looks for what does not fit together, table by table; by Where, then What.
func (s *state) check() []memory.Fault {
	var faults []memory.Fault
	fault := func(where, format string, args ...any) {
		faults = append(faults, memory.Fault{Where: where, What: fmt.Sprintf(format, args...)})
	}
	s.checkMemories(fault)
	s.checkReferences(fault)
	s.checkRecalled(fault)
	s.checkHeard(fault)
	duplicates(s.memories, "memories", fault, positionKey, idempotencyKey)
	duplicates(s.canon, "canon", fault, canonKey)
	duplicates(s.conflicts, "conflicts", fault, conflictKey)
	duplicates(s.links, "links", fault, linkKey)
	duplicates(s.narratives, "narratives", fault, narrativeKey)
	duplicates(s.evidence, "evidence", fault, evidenceKey)
	for _, wrong := range verifyChain(s.audit) {
		fault("audit", "%s", wrong)
	}
	slices.SortFunc(faults, func(a, b memory.Fault) int {
		return strings.Compare(a.Where+"\x00"+a.What, b.Where+"\x00"+b.What)
	})
	return faults
}

type faultFunc func(where, format string, args ...any)

func (s *state) checkMemories(fault faultFunc) {
	numbers := map[int64]memory.ID{}
	sequences := map[int64]bool{}
	for _, seq := range s.tombstones {
		sequences[seq] = true
	}
	for id, m := range s.memories {
		if m.ID != id || m.Number < 1 || m.Number > s.number || numbers[m.Number] != "" {
			fault("memories", "memory %s has the wrong id or number %d", id, m.Number)
		}
		if m.Seq < 1 || m.Seq > s.sequence || sequences[m.Seq] {
			fault("memories", "memory %s has the wrong change sequence %d", id, m.Seq)
		}
		if m.SessionPosition != nil && m.SessionID == nil {
			fault("memories", "memory %s has a position without a session", id)
		}
		numbers[m.Number], sequences[m.Seq] = id, true
	}
	for number, byIdentity := range s.vectors {
		if numbers[number] == "" {
			fault("vectors", "number %d has vectors and no memory", number)
		}
		for identity, windows := range byIdentity {
			for i, v := range windows {
				if !isUnit(v) {
					fault("vectors", "window %d of number %d for %q is not of length 1", i, number, identity)
				}
			}
		}
	}
	for number := range s.tombstones {
		if numbers[number] != "" || number > s.number {
			fault("tombstones", "number %d is erased and there, or was never given", number)
		}
	}
}

// checkReferences looks for rows that hang on a row that is not there.
// Narratives may: they report it as an issue.
func (s *state) checkReferences(fault faultFunc) {
	refer := func(where string, id memory.ID, memories ...memory.ID) {
		for _, m := range memories {
			if _, known := s.memories[m]; !known {
				fault(where, "row %s speaks of memory %s, which is not there", id, m)
			}
		}
	}
	claimed := func(where string, row any, claims ...memory.ID) {
		for _, c := range claims {
			if _, known := s.claims[c]; !known {
				fault(where, "row %v speaks of claim %s, which is not there", row, c)
			}
		}
	}
	for id := range s.anchors {
		refer("anchors", id, id)
	}
	for id, c := range s.corroborations {
		refer("corroborations", id, c.MemoryID)
	}
	for id, e := range s.canon {
		refer("canon", id, e.MemoryID)
	}
	for id, c := range s.conflicts {
		refer("conflicts", id, c.A, c.B)
	}
	for id, l := range s.links {
		refer("links", id, l.From, l.To)
	}
	for id, e := range s.evidence {
		claimed("evidence", id, e.ClaimID)
	}
	for _, e := range s.events {
		claimed("claim_events", e.Sequence, e.ClaimID)
		if e.ReplacementID != nil {
			claimed("claim_events", e.Sequence, *e.ReplacementID)
		}
	}
	for id, n := range s.narratives {
		if n.SupersededBy == nil {
			continue
		}
		if _, known := s.narratives[*n.SupersededBy]; !known {
			fault("narratives", "narrative %s is superseded by %s, which is not there", id, *n.SupersededBy)
		}
	}
}

// checkRecalled looks at what hangs on a memory because it was perceived or fired.
func (s *state) checkRecalled(fault faultFunc) {
	if s.cues[s.identity] {
		fault("vectors", "the present encoder %q is one for cues", s.identity)
	}
	refer := func(where string, id memory.ID) {
		if _, known := s.memories[id]; !known {
			fault(where, "a row speaks of memory %s, which is not there", id)
		}
	}
	for id, r := range s.recollections {
		refer("recollections", r.MemoryID)
		if r.ID != id || r.Sequence < 1 || r.Sequence > s.queueVersion {
			fault("recollections", "recollection %s has the wrong id or place %d", id, r.Sequence)
		}
	}
	for id := range s.fingerprints {
		refer("fingerprints", id)
	}
	for id := range s.media {
		refer("media", id)
	}
}

func (s *state) checkHeard(fault faultFunc) {
	var previous int64
	seen := map[[4]int64]bool{}
	for _, h := range s.heard {
		if h.Row <= previous || h.Row > s.row {
			fault("heard", "row %d after %d", h.Row, previous)
		}
		if seen[hearing(h)] {
			fault("heard", "row %d was heard already", h.Row)
		}
		ofDay := h.Kind == memory.HeardPlace || h.Kind == memory.HeardReading
		if ofDay && (h.Half < 0 || h.Half > 47) || !ofDay && h.Half != -1 {
			fault("heard", "row %d has half-hour %d", h.Row, h.Half)
		}
		previous, seen[hearing(h)] = h.Row, true
	}
}

// duplicates looks for keys that two rows of a table share.
func duplicates[V any](table map[memory.ID]V, where string, fault faultFunc, keys ...func(V) string) {
	for _, key := range keys {
		seen := map[string]bool{}
		for _, row := range table {
			k := key(row)
			if k != "" && seen[k] {
				fault(where, "two rows share %s", k)
			}
			seen[k] = true
		}
	}
}

// unitTolerance is how far from 1 the squared length of a vector may lie:
// 11 bits of each component are kept.
const unitTolerance = 2e-3

func isUnit(v []float32) bool { return math.Abs(dot(v, v)-1) <= unitTolerance }

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
