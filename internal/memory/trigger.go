package memory

import (
	"cmp"
	"slices"
	"time"
)

// SenseSettings are what a person may change of involuntary memory. The zero
// value is the default.
type SenseSettings struct {
	Threshold   float64       // 0: DefaultThreshold
	MinAge      time.Duration // a memory younger than this never fires
	MinChannels int           // how many channels must carry a memory; 0: 1
	QueueMax    int           // 0: DefaultQueue
	Unfamiliar  bool          // keep no history of what is usual
	Channels    []Channel     // that are on; empty: all
	Without     Part          // switched off, for a measurement
}

func (s SenseSettings) threshold() float64 { return cmp.Or(s.Threshold, DefaultThreshold) }
func (s SenseSettings) minChannels() int   { return max(s.MinChannels, 1) }
func (s SenseSettings) queueMax() int      { return cmp.Or(s.QueueMax, DefaultQueue) }

// SilenceGate is what stopped a memory from coming back.
type SilenceGate string

// The gates, in the order in which they are tried (contract/surface.md 8).
const (
	GateForgotten      SilenceGate = "forgotten"
	GateFlagged        SilenceGate = "flagged"
	GateTooYoung       SilenceGate = "too_young"
	GateNoChannel      SilenceGate = "no_common_channel"
	GateBelowThreshold SilenceGate = "below_threshold"
	GateSilent         SilenceGate = "silent"
	GateSameVisit      SilenceGate = "same_visit"
	GateRepeatedCue    SilenceGate = "repeated_cue"
	GateCompetition    SilenceGate = "competition"
	GateDailyBudget    SilenceGate = "daily_budget"
)

// Silence is why a memory does or does not come back for a cue.
type Silence struct {
	Fires       bool
	Gate        SilenceGate // "" when it fires
	Score       float64
	Threshold   float64
	Channels    map[Channel]float64
	Via         []Channel
	SilentUntil *time.Time // nil while the memory is not silent
}

// occasion is what else bears on a cue besides its backdrop.
type occasion struct {
	settings SenseSettings
	visit    *Visit // the source's last cue; nil for none
	fired    int    // within budgetWindow before the cue
	// alike says whether two memories say nearly the same.
	alike func(a, b Memory) bool
}

// decide says of each memory whether it comes back (contract/sense.md 4.6 to 4.11
// with the rule of 4.15b). It changes the order of nothing: verdict i is of rival i.
func decide(b *backdrop, o occasion, rivals []rival) []Silence {
	verdicts := make([]Silence, len(rivals))
	var standing []int
	for i, r := range rivals {
		verdicts[i] = b.judge(o, r)
		if verdicts[i].Gate == "" {
			standing = append(standing, i)
		}
	}
	slices.SortFunc(standing, func(i, j int) int {
		return cmp.Or(
			cmp.Compare(verdicts[j].Score, verdicts[i].Score),
			cmp.Compare(rivals[j].memory.Salience, rivals[i].memory.Salience),
			cmp.Compare(activation(rivals[j].memory, rivals[j].firings, b.cue.at), activation(rivals[i].memory, rivals[i].firings, b.cue.at)),
			cmp.Compare(rivals[i].memory.ID, rivals[j].memory.ID))
	})
	var taken []int
	for _, i := range standing {
		rival := !o.settings.Without.has(PartCompetition) && (len(taken) == mostAtOnce || slices.ContainsFunc(taken, func(j int) bool { return o.alike(rivals[i].memory, rivals[j].memory) }))
		switch {
		case rival:
			verdicts[i].Gate = GateCompetition
		case !o.settings.Without.has(PartBudget) && !affordable(verdicts[i], o.fired+len(taken)):
			verdicts[i].Gate = GateDailyBudget
		default:
			verdicts[i].Fires = true
			taken = append(taken, i)
		}
	}
	return verdicts
}

// affordable says whether a day that brought so many memories back has room for
// another: the bar rises above budgetSoft and closes at budgetHard.
func affordable(v Silence, fired int) bool {
	over := max(0, fired-budgetSoft)
	return fired < budgetHard && v.Score >= v.Threshold+budgetStep*float64(over)
}

// judge tries the gates that concern one memory alone.
func (b *backdrop) judge(o occasion, r rival) Silence {
	all := b.evidenceFor(r)
	v := Silence{Score: joined(all), Threshold: o.settings.threshold() - o.settings.Without.or(PartSalience, salienceWeight*(r.memory.Salience-DefaultSalience), 0),
		Channels: map[Channel]float64{}, Via: carriers(all)}
	for _, e := range all {
		v.Channels[e.channel] = e.similarity
	}
	until, silent := silence(r.firings, b.cue.at)
	if silent {
		v.SilentUntil = &until
	}
	switch {
	case r.memory.Forgotten():
		v.Gate = GateForgotten
	case !MayRank(r.memory, r.labels):
		v.Gate = GateFlagged
	case b.cue.at.Sub(madeAt(r.memory)).Abs() < o.settings.MinAge:
		v.Gate = GateTooYoung
	case len(all) == 0:
		v.Gate = GateNoChannel
	case v.Score < v.Threshold || len(v.Via) < o.settings.minChannels():
		v.Gate = GateBelowThreshold
	case silent && !o.settings.Without.has(PartSilence):
		v.Gate = GateSilent
	case b.cue.sameVisit(o.visit) && !o.settings.Without.has(PartVisits):
		v.Gate = GateSameVisit
	case b.cue.repeats(o.visit):
		v.Gate = GateRepeatedCue
	}
	return v
}

func madeAt(m Memory) time.Time {
	if m.EventAt != nil {
		return *m.EventAt
	}
	return m.CreatedAt
}
