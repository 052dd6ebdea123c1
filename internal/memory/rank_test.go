package memory

import (
	"math"
	"testing"
	"time"
)

func scored(number int64, words, c float64) Candidate {
	return Candidate{Number: number, Scores: Scores{Words: words, Meaning: c, HasVector: true}}
}

func TestFusionHasTheRecipesWeights(t *testing.T) {
	r := ranking{mode: ModeHybrid, asked: true, idf: 10}
	near := &Scores{Words: 5, Meaning: 0.5, HasVector: true} // A = .4 * .5 + .6 * .5 = .5
	for name, c := range map[string]struct {
		in   Candidate
		mode Mode
		want float64
	}{
		"A":                         {scored(1, 5, 0.5), ModeHybrid, 0.5},
		"negative C counts as 0":    {scored(1, 5, -0.5), ModeHybrid, 0.2},
		"a row without a vector":    {Candidate{Scores: Scores{Words: 5, Meaning: 0.5}}, ModeHybrid, 0.2},
		"words alone":               {scored(1, 5, 0.5), ModeLexical, 0.5},
		"meaning alone":             {scored(1, 5, 0.7), ModeSemantic, 0.7},
		"B takes the neighbours in": {Candidate{Scores: *near, Previous: near, Next: near}, ModeHybrid, 0.6},
		"and in no other mode":      {Candidate{Scores: *near, Previous: near, Next: near}, ModeLexical, 0.5},
		"nothing asked for is zero": {Candidate{}, ModeHybrid, 0},
	} {
		r.mode = c.mode
		if got := r.scored(c.in).score; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestTiesKeepTheDefaultOrder(t *testing.T) {
	day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	rows := []Candidate{
		{Number: 4, CapturedAt: day}, {Number: 3, CapturedAt: day},
		{Number: 2, CapturedAt: day.Add(time.Hour)}, {Number: 1, CapturedAt: day, Consolidated: true},
		scored(9, 1, 0),
	}
	got := ranking{mode: ModeHybrid, asked: true, idf: 1}.rank(rows)
	for i, want := range []int64{9, 1, 2, 3, 4} {
		if got[i].Number != want {
			t.Errorf("place %d is %d, want %d", i, got[i].Number, want)
		}
	}
}

func TestChancesFallWithTheScoreAndStayBetweenZeroAndOne(t *testing.T) {
	for _, mode := range []Mode{ModeHybrid, ModeLexical, ModeSemantic} {
		rows := ranking{mode: mode, asked: true, idf: 10, total: 1000}.rank([]Candidate{
			scored(1, 10, 0.9), scored(2, 6, 0.5), scored(3, 2, 0.2), scored(4, 0, 0)})
		for i, row := range rows {
			if row.chance <= 0 || row.chance >= 1 || i > 0 && row.chance > rows[i-1].chance {
				t.Errorf("%s: chance %d is %v", mode, i, row.chance)
			}
		}
		if v := verdictOf(rows[0].chance); v != VerdictStrong {
			t.Errorf("%s: a full match is %s", mode, v)
		}
	}
	nothing := ranking{mode: ModeHybrid, asked: true, idf: 10, total: 1000}.rank([]Candidate{scored(1, 0, 0.05), scored(2, 0, 0.04)})
	if v := verdictOf(nothing[0].chance); v != VerdictNone {
		t.Errorf("next to nothing is %s", v)
	}
}

func TestAnIntervalLiftsWhatHappenedInIt(t *testing.T) {
	may := Interval{Since: time.Date(2024, 5, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(2024, 5, 31, 0, 0, 0, 0, time.UTC)}
	inside, outside := scored(1, 5, 0.5), scored(2, 5, 0.5)
	inside.EventAt, outside.EventAt = &may.Until, &time.Time{}
	rows := ranking{mode: ModeHybrid, asked: true, idf: 10, interval: &may}.rank([]Candidate{outside, inside})
	if rows[0].Number != 1 || rows[1].score == 0 {
		t.Errorf("got %+v", rows)
	}
}

func TestRelevanceIsTheContractsBM25(t *testing.T) {
	// N 2, the term in one of them: idf = ln(1 + 1.5/1.5) = 0.6931; tf 2, length
	// 4, mean 3: 2*2.5/(2 + 1.5*(0.25 + 0.75*4/3)) = 1.2903.
	r := newRelevance([]string{"key"}, 2, []int{1}, 3)
	if got := r.of("key key lost ago"); math.Abs(got-0.8943) > 0.0001 {
		t.Errorf("relevance %v", got)
	}
}
