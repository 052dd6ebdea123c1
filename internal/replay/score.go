package replay

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"combray/internal/lives"
)

// repeatWithin is how soon after its last fire a memory that fires again is a
// repeat (the README of the evaluation data; habituation lasts "a few hours").
const repeatWithin = 4 * time.Hour

// Score is how well what came back fits what was due, on the days from
// lives.ScoredFrom on; Fires, Repeats and Queue count the whole year.
//
// An episode is one due memory on one day. Right is an episode whose memory fired
// for a cue it was due for, false a fire that is neither due nor excused.
type Score struct {
	Streams     int            `json:"streams"`
	Episodes    int            `json:"episodes"`
	Right       int            `json:"right"`
	False       int            `json:"false"`
	Precision   float64        `json:"precision"` // right / (right + false); 0 when nothing fired
	Recall      float64        `json:"recall"`    // right / episodes
	F1          float64        `json:"f1"`
	Days        int            `json:"days"`
	FalsePerDay float64        `json:"false_per_day"`
	Interval    [2]float64     `json:"false_per_day_interval"` // 95 %, bootstrap over days
	Fires       int            `json:"fires"`
	Repeats     int            `json:"repeats"`
	AtFirstCue  float64        `json:"at_first_cue"`    // share of the right ones that fired at the first cue they were due for
	WaitMedian  float64        `json:"wait_median_min"` // minutes from that cue to the fire
	WaitNinety  float64        `json:"wait_p90_min"`
	ByReason    []Tally        `json:"recall_by_reason"` // in alphabetical order
	FalseByKind map[string]int `json:"false_by_kind"`    // of the memory that fired
	PerStream   []Part         `json:"per_stream"`
	Queue       Queue          `json:"queue"`
}

// Tally counts the episodes of one reason.
type Tally struct {
	Reason   string `json:"reason"`
	Right    int    `json:"right"`
	Episodes int    `json:"episodes"`
}

// Part is one stream of a score.
type Part struct {
	Right    int `json:"right"`
	Episodes int `json:"episodes"`
	False    int `json:"false"`
}

// Precision of the stream; 0 when nothing fired.
func (p Part) Precision() float64 { return share(p.Right, p.Right+p.False) }

// Recall of the stream.
func (p Part) Recall() float64 { return share(p.Right, p.Episodes) }

// episode is one due memory on one day.
type episode struct {
	memory string
	day    int
}

// due is an episode as the stream has it.
type due struct {
	reason string
	cue    string // the first one it is due for
	at     time.Time
}

// truth is what a stream says of its cues.
type truth struct {
	cues     map[string]lives.Event
	kinds    map[string]string // of memories
	episodes map[episode]due
	days     []int // scored ones, ascending
}

func truthOf(events []lives.Event) (truth, error) {
	t := truth{cues: map[string]lives.Event{}, kinds: map[string]string{}, episodes: map[episode]due{}}
	days := map[int]bool{}
	for _, e := range events {
		if e.Op == lives.OpRemember {
			t.kinds[e.ID] = e.Kind
			continue
		}
		t.cues[e.ID] = e
		if e.Day < lives.ScoredFrom {
			continue
		}
		days[e.Day] = true
		at, err := e.Time()
		if err != nil {
			return t, err
		}
		for id, reason := range e.Why {
			key := episode{id, e.Day}
			if _, known := t.episodes[key]; !known {
				t.episodes[key] = due{reason: reason, cue: e.ID, at: at}
			}
		}
	}
	for d := range days {
		t.days = append(t.days, d)
	}
	slices.Sort(t.days)
	return t, nil
}

// sums are what a Score is computed from.
type sums struct {
	score   Score
	atFirst int
	waits   []float64 // minutes
	perDay  []int     // false fires of each scored day
	reasons map[string]*Tally
}

// ScoreOf scores runs together, as if they were one life.
func ScoreOf(runs []Run) (Score, error) {
	s := &sums{score: Score{FalseByKind: map[string]int{}}, reasons: map[string]*Tally{}}
	for _, r := range runs {
		if err := s.add(r); err != nil {
			return Score{}, err
		}
	}
	return s.total(), nil
}

func (s *sums) add(r Run) error {
	t, err := truthOf(r.Events)
	if err != nil {
		return err
	}
	before := s.score
	s.addQueue(r.Queue)
	s.countRepeats(r.Firings)
	hit := map[episode]bool{}
	wrong := map[int]int{}
	for _, f := range r.Firings {
		if f.Day < lives.ScoredFrom {
			continue
		}
		s.fire(t, f, hit, wrong)
	}
	for key, d := range t.episodes {
		tally := s.reasons[d.reason]
		if tally == nil {
			tally = &Tally{Reason: d.reason}
			s.reasons[d.reason] = tally
		}
		tally.Episodes++
		if hit[key] {
			tally.Right++
		}
	}
	for _, d := range t.days {
		s.perDay = append(s.perDay, wrong[d])
	}
	s.score.Streams++
	s.score.Episodes += len(t.episodes)
	s.score.PerStream = append(s.score.PerStream, Part{s.score.Right - before.Right, len(t.episodes), s.score.False - before.False})
	return nil
}

// fire counts one scored fire.
func (s *sums) fire(t truth, f Firing, hit map[episode]bool, wrong map[int]int) {
	switch e, key := t.cues[f.Cue], (episode{f.Memory, f.Day}); {
	case e.Why[f.Memory] != "":
		if hit[key] {
			return
		}
		hit[key] = true
		s.score.Right++
		first := t.episodes[key]
		if first.cue == f.Cue {
			s.atFirst++
		}
		s.waits = append(s.waits, f.At.Sub(first.at).Minutes())
	case !slices.Contains(e.OK, f.Memory):
		s.score.False++
		wrong[f.Day]++
		s.score.FalseByKind[cmp.Or(t.kinds[f.Memory], unknown)]++
	}
}

func (s *sums) addQueue(q Queue) {
	s.score.Queue.Items += q.Items
	s.score.Queue.Missing += q.Missing
	s.score.Queue.Extra += q.Extra
	s.score.Queue.Repeated += q.Repeated
}

func (s *sums) countRepeats(firings []Firing) {
	last := map[string]time.Time{}
	for _, f := range firings {
		if before, fired := last[f.Memory]; fired && f.At.Sub(before) < repeatWithin {
			s.score.Repeats++
		}
		last[f.Memory] = f.At
	}
	s.score.Fires += len(firings)
}

func (s *sums) total() Score {
	out := s.score
	out.Precision = share(out.Right, out.Right+out.False)
	out.Recall = share(out.Right, out.Episodes)
	if sum := out.Precision + out.Recall; sum > 0 {
		out.F1 = 2 * out.Precision * out.Recall / sum
	}
	out.Days = len(s.perDay)
	out.FalsePerDay = share(out.False, out.Days)
	out.Interval = bootstrap(s.perDay)
	out.AtFirstCue = share(s.atFirst, out.Right)
	slices.Sort(s.waits)
	out.WaitMedian, out.WaitNinety = quantile(s.waits, .5), quantile(s.waits, .9)
	for _, tally := range s.reasons {
		out.ByReason = append(out.ByReason, *tally)
	}
	slices.SortFunc(out.ByReason, func(a, b Tally) int { return cmp.Compare(a.Reason, b.Reason) })
	return out
}

func share(part, whole int) float64 { return float64(part) / float64(max(1, whole)) }

// quantile of sorted values; 0 of none.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[int(math.Round(q*float64(len(sorted)-1)))]
}

// bootstrap is the 95 % interval of the mean: the 26th and the 975th of a thousand
// means of days drawn with replacement, always the same for the same days.
func bootstrap(days []int) (interval [2]float64) {
	const times, low, high, seed = 1000, 25, 974, 3
	if len(days) == 0 {
		return interval
	}
	r := rand.New(rand.NewPCG(seed, seed))
	means := make([]float64, times)
	for i := range means {
		sum := 0
		for range days {
			sum += days[r.IntN(len(days))]
		}
		means[i] = float64(sum) / float64(len(days))
	}
	slices.Sort(means)
	return [2]float64{means[low], means[high]}
}
