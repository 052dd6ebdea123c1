package memtest

import (
	"context"
	"fmt"
	"io"
	"maps"

	"combray/internal/memory"
)

// tx is a reader of the state that Update is making.
type tx struct {
	reader
	random io.Reader
}

// Apply implements memory.Tx: the changes in order, then the audit rows in order.
func (t *tx) Apply(ctx context.Context, p memory.Plan) error {
	if err := ctx.Err(); err != nil {
		return cancelled(err)
	}
	for _, c := range p.Changes {
		if err := t.write(c); err != nil {
			return err
		}
	}
	for _, row := range p.Audit {
		t.record(copied(row), memory.ActorOf(ctx), t.random)
	}
	return nil
}

func (s *state) write(change memory.Change) error {
	switch c := change.(type) {
	case memory.PutMemory:
		return s.putMemory(copied(c.Memory))
	case memory.PutVectors:
		return s.putVectors(copied(c))
	case memory.PutAnchor:
		s.anchors[c.Anchor.MemoryID] = copied(c.Anchor)
	case memory.RemoveAnchor:
		delete(s.anchors, c.MemoryID)
	case memory.PutCorroboration:
		return insert(s.corroborations, c.Corroboration.ID, c.Corroboration)
	case memory.PutCanon:
		return put(s.canon, c.Entry.ID, c.Entry, canonKey)
	case memory.PutConflict:
		return put(s.conflicts, c.Conflict.ID, c.Conflict, conflictKey)
	case memory.PutLink:
		return put(s.links, c.Link.ID, c.Link, linkKey)
	case memory.PutNarrative:
		return put(s.narratives, c.Narrative.ID, c.Narrative, narrativeKey)
	case memory.PutClaim:
		return insert(s.claims, c.Claim.ID, c.Claim)
	case memory.PutClaimEvent:
		event := copied(c.Event)
		event.Sequence = int64(len(s.events)) + 1
		s.events = append(s.events, event)
	case memory.PutEvidence:
		return put(s.evidence, c.Evidence.ID, c.Evidence, evidenceKey)
	case memory.EraseMemory:
		return s.erase(c.MemoryID)
	default:
		return s.writeSense(change)
	}
	return nil
}

// putMemory inserts, or overwrites all but what never changes: the number, the
// text, and how it was captured.
func (s *state) putMemory(m memory.Memory) error {
	old, known := s.memories[m.ID]
	switch {
	case m.Number == 0 && known:
		return taken("memory", string(m.ID))
	case m.Number == 0:
		s.number++
		m.Number = s.number
	case m.Number != old.Number:
		return memory.NotFound("memory", m.ID)
	default:
		m.Content, m.CreatedAt = old.Content, old.CreatedAt
		m.RecordedBy, m.IdempotencyKey = old.RecordedBy, old.IdempotencyKey
	}
	s.sequence++
	m.Seq = s.sequence
	return put(s.memories, m.ID, m, positionKey, idempotencyKey)
}

func (s *state) putVectors(p memory.PutVectors) error {
	if cue, met := s.cues[p.Identity]; met && cue != p.Cue {
		return memory.Invalid("identity", "Give vectors for cues an identity of their own.", "%q was first met as another kind of encoder", p.Identity)
	}
	for id, m := range s.memories {
		if m.Number != p.Number {
			continue
		}
		s.sequence++
		m.Seq = s.sequence
		s.memories[id] = m
		byIdentity := maps.Clone(s.vectors[p.Number])
		if byIdentity == nil {
			byIdentity = map[string][][]float32{}
		}
		if p.Reworded {
			maps.DeleteFunc(byIdentity, func(identity string, _ [][]float32) bool { return !s.cues[identity] })
		}
		s.vectors[p.Number] = byIdentity
		if _, met := s.cues[p.Identity]; len(p.Windows) == 0 && !met {
			return nil
		}
		byIdentity[p.Identity] = p.Windows
		s.cues[p.Identity] = p.Cue
		if !p.Cue && !p.Next {
			s.identity = p.Identity
		}
		return nil
	}
	return memory.NotFound("memory", memory.ID(fmt.Sprintf("number %d", p.Number)))
}

// insert adds a row that must be new.
func insert[V any](table map[memory.ID]V, id memory.ID, row V) error {
	if _, known := table[id]; known {
		return taken("id", string(id))
	}
	table[id] = copied(row)
	return nil
}

// put inserts or overwrites a row. Each key must be its own in the table; a row
// without that key has "".
func put[V any](table map[memory.ID]V, id memory.ID, row V, keys ...func(V) string) error {
	for _, key := range keys {
		mine := key(row)
		if mine == "" {
			continue
		}
		for other, v := range table {
			if other != id && key(v) == mine {
				return taken("key", mine)
			}
		}
	}
	table[id] = copied(row)
	return nil
}

func taken(what, value string) *memory.Error {
	return memory.Forbidden("Read the present state and decide again.", "the %s %q is taken", what, value)
}

// Two memories never share a session position, nor an idempotency key.
func positionKey(m memory.Memory) string {
	if m.SessionID == nil || m.SessionPosition == nil {
		return ""
	}
	return fmt.Sprintf("position %q %d", *m.SessionID, *m.SessionPosition)
}

func idempotencyKey(m memory.Memory) string {
	if m.IdempotencyKey == nil {
		return ""
	}
	return fmt.Sprintf("idempotency %q", *m.IdempotencyKey)
}

// A memory is in a scope once while it is active there.
func canonKey(e memory.CanonEntry) string {
	if e.DecommissionedAt != nil {
		return ""
	}
	return fmt.Sprintf("canon %q %q", e.Scope, e.MemoryID)
}

// A pair has one open conflict, in whatever order it is named.
func conflictKey(c memory.Conflict) string {
	if c.ResolvedAt != nil {
		return ""
	}
	return fmt.Sprintf("conflict %q %q", min(c.A, c.B), max(c.A, c.B))
}

func linkKey(l memory.Link) string {
	if l.RetiredAt != nil {
		return ""
	}
	return fmt.Sprintf("link %q %q %q", l.From, l.To, l.Relation)
}

// A scope has one current narrative.
func narrativeKey(n memory.Narrative) string {
	if n.SupersededAt != nil {
		return ""
	}
	return fmt.Sprintf("narrative %q", n.Scope)
}

func evidenceKey(e memory.Evidence) string {
	if e.RetractedAt != nil {
		return ""
	}
	return fmt.Sprintf("evidence %q %q %q", e.ClaimID, e.MemoryID, e.Stance)
}
