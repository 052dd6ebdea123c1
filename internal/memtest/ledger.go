package memtest

import (
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"combray/internal/memory"
)

// record numbers, salts and chains an audit row. The first row follows the zero
// hash. An ID that the row brings along (from an import) is kept.
func (s *state) record(row memory.AuditRow, by memory.Actor, random io.Reader) {
	var previous memory.AuditRow
	if n := len(s.audit); n > 0 {
		previous = s.audit[n-1]
	}
	if row.ID == "" {
		row.ID = memory.ID(randomHex(random, 6))
	}
	row.Sequence = previous.Sequence + 1
	row.By = by
	if salt := randomBytes(random, 16); row.Reason != "" {
		row.Salt, row.ReasonHash = salt, memory.DigestReason(salt, row.Reason)
	}
	row.Chain = memory.ChainHash(previous.Chain, row)
	s.audit = append(s.audit, row)
}

// erase is EraseMemory. An audit row or claim event speaks of the memory when it
// is its subject, or when its reason names the memory or one of the conflicts,
// links and evidence that go with it (contract/history.md 2.6: reasons begin
// with the ids they are about).
func (s *state) erase(id memory.ID) error {
	m, known := s.memories[id]
	if !known {
		return memory.NotFound("memory", id)
	}
	named := []memory.ID{id}
	for _, c := range s.conflicts {
		if c.A == id || c.B == id {
			named = append(named, c.ID)
		}
	}
	for _, l := range s.links {
		if l.From == id || l.To == id {
			named = append(named, l.ID)
		}
	}
	for _, e := range s.evidence {
		if e.MemoryID == id {
			named = append(named, e.ID)
		}
	}
	s.sequence++
	s.tombstones[m.Number] = s.sequence
	delete(s.memories, id)
	delete(s.vectors, m.Number)
	delete(s.anchors, id)
	s.eraseSense(id)
	maps.DeleteFunc(s.canon, func(_ memory.ID, e memory.CanonEntry) bool { return e.MemoryID == id })
	maps.DeleteFunc(s.corroborations, func(_ memory.ID, c memory.Corroboration) bool { return c.MemoryID == id })
	maps.DeleteFunc(s.conflicts, func(_ memory.ID, c memory.Conflict) bool { return c.A == id || c.B == id })
	maps.DeleteFunc(s.links, func(_ memory.ID, l memory.Link) bool { return l.From == id || l.To == id })
	for evidenceID, e := range s.evidence {
		if e.MemoryID == id { // its claim goes on citing it, and reports it as missing
			e.Reason, e.Quote, e.Locator, e.OriginID, e.RetractionReason = "", nil, nil, nil, nil
			s.evidence[evidenceID] = e
		}
	}
	s.silence(id, named)
	return nil
}

// silence takes the free text out of what speaks of an erased memory.
func (s *state) silence(subject memory.ID, named []memory.ID) {
	speaks := func(reason string) bool {
		return slices.ContainsFunc(named, func(id memory.ID) bool { return strings.Contains(reason, string(id)) })
	}
	for i, row := range s.audit {
		if row.Subject == subject || speaks(row.Reason) {
			s.audit[i].Reason, s.audit[i].Salt = "", nil
		}
	}
	for i, event := range s.events {
		if speaks(event.Reason) {
			s.events[i].Reason = ""
		}
	}
}

// verifyChain names what is wrong with audit rows in the order of Sequence.
func verifyChain(rows []memory.AuditRow) []string {
	var wrong []string
	var previous memory.AuditRow
	for _, row := range rows {
		switch {
		case row.Sequence <= previous.Sequence:
			wrong = append(wrong, fmt.Sprintf("audit row %s: sequence %d after %d", row.ID, row.Sequence, previous.Sequence))
		case row.Salt == nil && row.Reason != "":
			wrong = append(wrong, fmt.Sprintf("audit row %s has a reason and no salt", row.ID))
		case row.Salt != nil && memory.DigestReason(row.Salt, row.Reason) != row.ReasonHash:
			wrong = append(wrong, fmt.Sprintf("audit row %s: the reason is not the one that was digested", row.ID))
		case memory.ChainHash(previous.Chain, row) != row.Chain:
			wrong = append(wrong, fmt.Sprintf("audit row %s breaks the chain", row.ID))
		}
		previous = row
	}
	return wrong
}

func randomBytes(random io.Reader, n int) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(random, b); err != nil {
		panic("memtest: the random source ended: " + err.Error())
	}
	return b
}

func randomHex(random io.Reader, n int) string { return hex.EncodeToString(randomBytes(random, n)) }
