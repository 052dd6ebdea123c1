package memory

import "math"

// calibration turns scores into the chance that a row is relevant: a logistic
// function of what the lane measured, how far the row stands behind the best,
// how far the best stands before the second, and the size of the store.
// The hybrid row was fitted on the dev sets, the lifelog among them, where many
// memories answer one question; each store was asked questions of other sets too,
// which it cannot answer: go run ./scripts/eval -calibrate. Words or meaning alone
// were set beside an earlier fit. The reliability table stands in docs/BENCHMARKS.md.
type calibration struct {
	bias, words, meaning, behind, lead, size float64
}

var calibrations = map[Mode]calibration{
	ModeHybrid:   {bias: -4.42, words: 2.66, meaning: 10.46, behind: 15.09, lead: 2.67, size: -0.17},
	ModeLexical:  {bias: -3.40, words: 9.00, behind: 8.00, lead: 5.50, size: -0.40},
	ModeSemantic: {bias: -3.40, meaning: 10.00, behind: 12.00, lead: 8.00, size: -0.40},
}

// youngStore is below how many memories C is the plain cosine on another scale
// (design/ranking.md: the mean is subtracted from 6 memories on), where unrelated
// texts reach 0.2, related ones 0.3 and more, and a lead says nothing. Set by hand
// on nine questions to stores of one and four notes.
const youngStore = 6

var young = calibration{bias: -5.0, words: 7.0, meaning: 14.0}

func (r ranking) calibration() calibration {
	if r.total < youngStore && r.mode != ModeLexical {
		return young
	}
	return calibrations[r.mode]
}

// verdict bounds: an answer whose best row is relevant with at least this chance.
const (
	strongChance = 0.60
	weakChance   = 0.15
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
	k := r.calibration()
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
