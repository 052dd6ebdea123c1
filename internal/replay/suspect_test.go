package replay

import (
	"testing"
	"time"

	"combray/internal/lives"
	"combray/internal/memory"
)

// TestNoSentenceOfALifeIsSuspect keeps the lives free of what a memory flags or
// hides: such a memory could never come back, whatever the rule.
func TestNoSentenceOfALifeIsSuspect(t *testing.T) {
	events := lives.Others(300, 101, time.Date(2023, 1, 9, 0, 0, 0, 0, time.UTC))
	for i, p := range lives.Profiles() {
		events = append(events, lives.Live(p, 101+uint64(i))...)
	}
	seen := map[string]bool{}
	for _, e := range events {
		if e.Op != lives.OpRemember || seen[e.Text] {
			continue
		}
		seen[e.Text] = true
		if hit, found := memory.Screen("content", e.Text); found {
			t.Errorf("%q is flagged: %s", e.Text, hit.Reason())
		}
		if found := memory.FindSecrets(e.Text); len(found) > 0 {
			t.Errorf("%q holds a secret: %+v", e.Text, found)
		}
	}
}
