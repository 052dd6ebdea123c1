package memory

import (
	"fmt"
	"testing"
	"time"
)

// TestAnInheritanceComesInParts: no part is large, nothing is twice or missing, and
// whoever wants no more gets none.
func TestAnInheritanceComesInParts(t *testing.T) {
	const memories = 2500
	now := time.Date(2024, 5, 8, 0, 0, 0, 0, time.UTC)
	var in Inheritance
	for i := range memories {
		id := ID(fmt.Sprintf("%012x", i))
		in.Memories = append(in.Memories, Memory{ID: id, Content: "c", CreatedAt: now})
		in.Corroborations = append(in.Corroborations, Corroboration{ID: "b" + id[1:], MemoryID: id, Source: "Ada", At: now})
		in.Audit = append(in.Audit, AuditRow{ID: "a" + id[1:], Subject: id, Action: ActCorroborate, Reason: "r", At: now})
	}
	parts, out := Adopt(in, AdoptFacts{}, Actor{}, now)
	var whole Plan
	for part := range parts {
		if n := len(part.Changes) + len(part.Audit); n == 0 || n > adoptPart {
			t.Errorf("a part of %d rows", n)
		}
		whole.Join(part)
	}
	if len(whole.Changes) != 2*memories || len(whole.Audit) != 2*memories {
		t.Errorf("%d changes and %d audit rows", len(whole.Changes), len(whole.Audit))
	}
	if first, last := whole.Audit[0].Action, whole.Audit[len(whole.Audit)-1].Action; first != ActCorroborate || last != ActRemember {
		t.Errorf("the audit rows run from %s to %s, want the captures behind what came along", first, last)
	}
	if n := len(whole.Changes) + len(whole.Audit); n > in.Rows() {
		t.Errorf("%d rows, and Rows said at most %d", n, in.Rows())
	}
	if out.Counts[0] != (AdoptedCount{Kind: KindMemory, Added: memories}) {
		t.Errorf("told %+v", out.Counts[0])
	}
	seen := 0
	parts, _ = Adopt(in, AdoptFacts{}, Actor{}, now)
	for range parts {
		if seen++; seen == 2 {
			break
		}
	}
	if seen != 2 {
		t.Errorf("%d parts after the second was the last one wanted", seen)
	}
}
