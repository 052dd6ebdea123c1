package local

import (
	"testing"

	"combray/index"
)

// TestOnlyExactSimilaritiesAreHandedOn: a cosine from codes is near enough to rank by
// and not to be shown.
func TestOnlyExactSimilaritiesAreHandedOn(t *testing.T) {
	if got := candidate(index.Candidate{Cosine: 0.5, Rescored: true}).Similarity; got == nil || *got != 0.5 {
		t.Errorf("rescored: %v, want 0.5", got)
	}
	if got := candidate(index.Candidate{Cosine: 0.5}).Similarity; got != nil {
		t.Errorf("not rescored: %v, want none", *got)
	}
}
