package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"combray/internal/memory"
)

// TestStatsShowTheSampledRecall holds that the share a sample found is shown, and not
// where there is nothing to sample.
func TestStatsShowTheSampledRecall(t *testing.T) {
	for _, c := range []struct {
		index memory.IndexStats
		want  string
	}{
		{memory.IndexStats{Due: 80, Found: 79}, `"recall_at_10":0.9875`},
		{memory.IndexStats{Due: 80}, `"recall_at_10":0`},
		{memory.IndexStats{}, ""},
	} {
		body, err := json.Marshal(newStats(memory.Stats{Index: c.index}))
		if err != nil {
			t.Fatal(err)
		}
		if shown := strings.Contains(string(body), "recall_at_10"); shown != (c.want != "") || !strings.Contains(string(body), c.want) {
			t.Errorf("%+v: %s", c.index, body)
		}
	}
}
