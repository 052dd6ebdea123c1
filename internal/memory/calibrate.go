package memory

import "math"

// calibration turns scores into the chance that a row is relevant: a logistic
// function of what the lane measured, how far the row stands behind the best,
// how far the best stands before the second, and the size of the store.
// Fitted on the dev sets by `make calibrate`; the reliability table stands in
// docs/BENCHMARKS.md.
type calibration struct {
	bias, words, meaning, behind, lead, size float64
}

var calibrations = map[Mode]calibration{
	ModeHybrid:   {bias: -3.0, words: 3.0, meaning: 5.0, behind: 6.0, lead: 6.0, size: -0.1},
	ModeLexical:  {bias: -3.0, words: 6.0, behind: 4.0, lead: 4.0, size: -0.1},
	ModeSemantic: {bias: -4.0, meaning: 8.0, behind: 6.0, lead: 6.0, size: -0.1},
}

// verdict bounds: an answer whose best row is relevant with at least this chance.
const (
	strongChance = 0.60
	weakChance   = 0.25
)

// calibrate fills in the chance of sorted rows. With cues only there is no
// question to be relevant to: the chance is the score.
func (r ranking) calibrate(rows []ranked) {
	if len(rows) == 0 {
		return
	}
	if !r.asked {
		for i := range rows {
			rows[i].chance = rows[i].score
		}
		return
	}
	best := rows[0].score
	lead := best
	if len(rows) > 1 {
		lead = best - rows[1].score
	}
	k := calibrations[r.mode]
	for i := range rows {
		x := k.bias + k.words*rows[i].u + k.meaning*rows[i].c + k.behind*(rows[i].score-best) +
			k.lead*lead + k.size*math.Log1p(float64(r.total))
		rows[i].chance = 1 / (1 + math.Exp(-x))
	}
}

// verdictOf is the honest summary of an answer whose best row has this chance.
func verdictOf(best float64) Verdict {
	switch {
	case best >= strongChance:
		return VerdictStrong
	case best >= weakChance:
		return VerdictWeak
	}
	return VerdictNone
}
