package replay

import (
	"slices"

	"combray/internal/lives"
)

// Reliability says how far a score can be taken for the chance that a memory was
// due. It is meant for runs with a low threshold, so that there are low scores.
type Reliability struct {
	Bins [10]Bin `json:"bins"`
	Area float64 `json:"area"` // under precision over recall, as average precision; an episode that never fired adds nothing
}

// Bin holds the scored fires with a score of a tenth, those that are excused
// aside.
type Bin struct {
	Fires int     `json:"fires"`
	Due   int     `json:"due"`
	Mean  float64 `json:"mean_score"`
}

// graded is a fire with what it turned out to be.
type graded struct {
	score float64
	right bool // the first of its episode
}

// ReliabilityOf looks at runs together.
func ReliabilityOf(runs []Run) (out Reliability, err error) {
	var all []graded
	episodes := 0
	for _, r := range runs {
		t, err := truthOf(r.Events)
		if err != nil {
			return out, err
		}
		episodes += len(t.episodes)
		hit := map[episode]bool{}
		for _, f := range r.Firings {
			if f.Day < lives.ScoredFrom {
				continue
			}
			e, key := t.cues[f.Cue], episode{f.Memory, f.Day}
			wasDue := e.Why[f.Memory] != ""
			if !wasDue && slices.Contains(e.OK, f.Memory) {
				continue
			}
			out.Bins[min(int(f.Score*10), 9)].add(f.Score, wasDue)
			if wasDue && hit[key] {
				continue
			}
			hit[key] = wasDue
			all = append(all, graded{f.Score, wasDue})
		}
	}
	for i := range out.Bins {
		out.Bins[i].Mean /= float64(max(1, out.Bins[i].Fires))
	}
	out.Area = averagePrecision(all, episodes)
	return out, nil
}

func (b *Bin) add(score float64, wasDue bool) {
	b.Fires++
	b.Mean += score
	if wasDue {
		b.Due++
	}
}

// averagePrecision sums precision over the steps of recall, from the highest score
// down. Equal scores are one step.
func averagePrecision(all []graded, episodes int) (area float64) {
	slices.SortFunc(all, func(a, b graded) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return 0
	})
	right, seen := 0, 0
	for i := 0; i < len(all); {
		step := 0
		for first := all[i].score; i < len(all) && all[i].score == first; i++ {
			seen++
			if all[i].right {
				step++
			}
		}
		right += step
		area += share(right, seen) * share(step, episodes)
	}
	return area
}
