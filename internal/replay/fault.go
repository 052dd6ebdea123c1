package replay

import (
	"cmp"
	"slices"

	"combray/internal/lives"
)

// Fault is a false fire, or an episode that was missed.
type Fault struct {
	Missed bool        `json:"missed"`
	Score  float64     `json:"score,omitempty"`  // of a false fire
	Reason string      `json:"reason,omitempty"` // of a missed episode
	Cue    lives.Event `json:"cue"`              // that fired it, or the first that should have
	Memory lives.Event `json:"memory"`
}

// FaultsOf lists what a run did wrong on the scored days, in the order of the cues,
// then of the memories.
func FaultsOf(r Run) ([]Fault, error) {
	t, err := truthOf(r.Events)
	if err != nil {
		return nil, err
	}
	events, order := map[string]lives.Event{}, map[string]int{}
	for i, e := range r.Events {
		events[e.ID], order[e.ID] = e, i
	}
	var out []Fault
	hit := map[episode]bool{}
	for _, f := range r.Firings {
		cue := events[f.Cue]
		hit[episode{f.Memory, f.Day}] = hit[episode{f.Memory, f.Day}] || cue.Why[f.Memory] != ""
		if f.Day >= lives.ScoredFrom && cue.Why[f.Memory] == "" && !slices.Contains(cue.OK, f.Memory) {
			out = append(out, Fault{Score: f.Score, Cue: cue, Memory: events[f.Memory]})
		}
	}
	for key, d := range t.episodes {
		if !hit[key] {
			out = append(out, Fault{Missed: true, Reason: d.reason, Cue: events[d.cue], Memory: events[key.memory]})
		}
	}
	slices.SortFunc(out, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(order[a.Cue.ID], order[b.Cue.ID]), cmp.Compare(order[a.Memory.ID], order[b.Memory.ID]))
	})
	return out, nil
}
