package memory

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"combray/internal/sense"
)

func clock(t *testing.T, s string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// moment is a memory of a place and an hour.
func moment(t *testing.T, id ID, lat, lon float64, at string) Memory {
	t.Helper()
	when := clock(t, at)
	_, seconds := when.Zone()
	offset, instant := seconds/60, PreciseInstant
	utc := when.UTC()
	return Memory{ID: id, Number: 1, Content: "a walk", EventAt: &utc, EventOffset: &offset, EventPrecision: &instant,
		Place: &Place{Lat: lat, Lon: lon, Geohash: hashOf(lat, lon)}, Salience: DefaultSalience, CreatedAt: utc, Status: Working}
}

// fresh is a cue that nothing is familiar to.
func fresh(t *testing.T, lat, lon float64, at string) *backdrop {
	t.Helper()
	return &backdrop{cue: perception{place: &Place{Lat: lat, Lon: lon, Geohash: hashOf(lat, lon)}, at: clock(t, at), source: "phone"},
		place: 1, slot: 1, topic: 1, unknown: 1}
}

func calm(o *occasion) { o.alike = sameText }

func TestRarityHasTheValuesOfTheContract(t *testing.T) {
	for v, want := range map[float64]float64{0: 1, 1: .83, 3: .66, 5: .56, 10: .42, 20: .26, 30: .16, 60: 0, 200: 0} {
		if got := rarityOf(v); math.Abs(got-want) > .0075 {
			t.Errorf("rarityOf(%g) = %.4f, want %.2f", v, got, want)
		}
	}
}

// TestTheDemoScoresAsTheContractSays: 30 m away, on another Sunday afternoon.
func TestTheDemoScoresAsTheContractSays(t *testing.T) {
	m := moment(t, "a00000000001", 48.2, 16.37, "2019-04-14T15:00:00+02:00")
	b := fresh(t, 48.2+30/111195.0, 16.37, "2026-06-07T15:40:00+02:00")
	var o occasion
	calm(&o)
	v := decide(b, o, []rival{{memory: m}})[0]
	if !v.Fires || math.Abs(v.Score-.80) > .03 || !slices.Equal(v.Via, []Channel{ChannelGeo, ChannelTime}) {
		t.Errorf("verdict %+v", v)
	}
}

func TestGatesAreTriedInTheContractsOrder(t *testing.T) {
	const here, there = 48.2, 48.9
	at := "2026-06-07T15:00:00+02:00"
	forgotten := clock(t, at)
	base := func() (Memory, *backdrop, occasion, *rival) {
		b := fresh(t, here, 16.37, at)
		o := occasion{alike: sameText}
		r := &rival{}
		return moment(t, "a00000000001", here, 16.37, "2026-05-31T15:00:00+02:00"), b, o, r
	}
	// Each case also holds everything that the later gates would refuse.
	spoil := []struct {
		gate SilenceGate
		do   func(*Memory, *backdrop, *occasion, *rival)
	}{
		{GateForgotten, func(m *Memory, _ *backdrop, _ *occasion, _ *rival) { m.ForgottenAt = &forgotten }},
		{GateFlagged, func(m *Memory, _ *backdrop, _ *occasion, _ *rival) { m.SecuritySensitive = true }},
		{GateTooYoung, func(_ *Memory, _ *backdrop, o *occasion, _ *rival) { o.settings.MinAge = 30 * 24 * time.Hour }},
		{GateNoChannel, func(m *Memory, _ *backdrop, _ *occasion, _ *rival) { m.Place = nil }},
		{GateBelowThreshold, func(_ *Memory, b *backdrop, _ *occasion, _ *rival) { b.place, b.slot = .1, .1 }},
		{GateSilent, func(m *Memory, _ *backdrop, _ *occasion, r *rival) {
			r.firings = []Recollection{{MemoryID: m.ID, At: clock(t, "2026-06-07T09:00:00+02:00")}}
		}},
		{GateSameVisit, func(_ *Memory, _ *backdrop, o *occasion, _ *rival) {
			o.visit = &Visit{Source: "phone", HasPlace: true, Lat: here, Lon: 16.37, At: clock(t, "2026-06-07T14:45:00+02:00")}
		}},
		{GateRepeatedCue, func(_ *Memory, b *backdrop, o *occasion, _ *rival) {
			o.visit = &Visit{Source: "phone", At: b.cue.at.Add(-time.Second), Cue: b.cue.key}
		}},
		{GateDailyBudget, func(_ *Memory, _ *backdrop, o *occasion, _ *rival) { o.fired = budgetHard }},
	}
	for i, first := range spoil {
		t.Run(string(first.gate), func(t *testing.T) {
			m, b, o, r := base()
			for _, s := range slices.Backward(spoil[i:]) {
				s.do(&m, b, &o, r)
			}
			r.memory = m
			if v := decide(b, o, []rival{*r})[0]; v.Gate != first.gate || v.Fires {
				t.Errorf("gate %q, want %q", v.Gate, first.gate)
			}
		})
	}
	m, b, o, r := base()
	r.memory = m
	if v := decide(b, o, []rival{*r})[0]; !v.Fires {
		t.Errorf("without a gate it fires: %+v", v)
	}
}

func TestAtMostThreeComeBackAndLikeOnesInhibitEachOther(t *testing.T) {
	b := fresh(t, 48.2, 16.37, "2026-06-07T15:00:00+02:00")
	var rivals []rival
	for i := range 6 {
		m := moment(t, ID(fmt.Sprintf("a0000000000%d", i)), 48.2+float64(i)*5/111195, 16.37, "2026-05-31T15:00:00+02:00")
		m.Number, m.Content = int64(i+1), Text(fmt.Sprint("text ", i))
		rivals = append(rivals, rival{memory: m})
	}
	rivals[1].memory.Content = rivals[0].memory.Content
	var o occasion
	calm(&o)
	var fired []int
	verdicts := decide(b, o, rivals)
	for i, v := range verdicts {
		if v.Fires {
			fired = append(fired, i)
		}
	}
	if !slices.Equal(fired, []int{0, 2, 3}) {
		t.Errorf("fired %v: the nearest three that differ were expected", fired)
	}
	for _, i := range []int{1, 4, 5} {
		if verdicts[i].Gate != GateCompetition {
			t.Errorf("memory %d: gate %q", i, verdicts[i].Gate)
		}
	}
}

func TestSalienceMovesTheBarAndNotTheScore(t *testing.T) {
	b := fresh(t, 48.2, 16.37, "2026-06-07T15:00:00+02:00")
	m := moment(t, "a00000000001", 48.2, 16.37, "2026-05-31T15:00:00+02:00")
	var o occasion
	calm(&o)
	var scores []float64
	for salience, want := range map[float64]float64{0: .675, .5: .60, 1: .525} {
		m.Salience = salience
		v := decide(b, o, []rival{{memory: m}})[0]
		scores = append(scores, v.Score)
		if math.Abs(v.Threshold-want) > 1e-9 {
			t.Errorf("salience %g: threshold %g, want %g", salience, v.Threshold, want)
		}
	}
	if scores[0] != scores[1] || scores[1] != scores[2] {
		t.Errorf("scores differ: %v", scores)
	}
}

func TestTheBarRisesWithTheDay(t *testing.T) {
	for fired, want := range map[int]bool{0: true, 6: true, 10: true, 11: false, 19: false} {
		if got := affordable(Silence{Score: .82, Threshold: .6}, fired); got != want {
			t.Errorf("%d fires before: %v", fired, got)
		}
	}
	if affordable(Silence{Score: 2, Threshold: .6}, budgetHard) {
		t.Error("no score opens a day that is full")
	}
}

func TestSilenceGrowsOnNoiseOnly(t *testing.T) {
	start := clock(t, "2026-01-01T12:00:00Z")
	yes, no := true, false
	fire := func(days float64, useful *bool) Recollection {
		return Recollection{At: start.Add(time.Duration(days * 24 * float64(time.Hour))), Useful: useful}
	}
	for name, c := range map[string]struct {
		firings []Recollection
		want    time.Duration
	}{
		"the first firing":                   {[]Recollection{fire(0, nil)}, 12 * time.Hour},
		"again, and nobody said anything":    {[]Recollection{fire(0, nil), fire(1, nil), fire(2, nil)}, 12 * time.Hour},
		"noise":                              {[]Recollection{fire(0, &no)}, 48 * time.Hour},
		"noise twice":                        {[]Recollection{fire(0, &no), fire(3, &no)}, 192 * time.Hour},
		"useful forgives":                    {[]Recollection{fire(0, &no), fire(3, &no), fire(9, &yes)}, 12 * time.Hour},
		"thirty silent days are a step back": {[]Recollection{fire(0, &no), fire(31, nil)}, 24 * time.Hour},
		"it never lasts longer than ninety":  {[]Recollection{fire(0, &no), fire(1, &no), fire(2, &no), fire(3, &no), fire(4, &no), fire(5, &no)}, 90 * 24 * time.Hour},
	} {
		last := c.firings[len(c.firings)-1].At
		if until, silent := silence(c.firings, last.Add(c.want-time.Second)); !silent || until.Before(last.Add(c.want)) {
			t.Errorf("%s: silent %v until %v", name, silent, until)
		}
		if _, silent := silence(c.firings, last.Add(c.want)); silent {
			t.Errorf("%s: still silent after %v", name, c.want)
		}
	}
	next := fire(5, nil).At
	for name, firings := range map[string][]Recollection{"alone": {fire(5, nil)}, "after one long past": {fire(0, nil), fire(5, nil)}} {
		if until, silent := silence(firings, next.Add(-time.Hour)); !silent || !until.Equal(next.Add(12*time.Hour)) {
			t.Errorf("a log replayed out of order, %s: silent %v until %v; it keeps the distance too", name, silent, until)
		}
	}
}

func TestAPlaceMetOftenProvesLittleUnlessTheHourIsRare(t *testing.T) {
	f := newFamiliarity(0)
	today := sense.Day(clock(t, "2026-06-07T10:00:00+02:00")) // a Sunday
	home := sense.Cell(48.2, 16.37)
	for day := today - 60; day < today; day++ {
		if !sense.WeekendDay(day) {
			f.take(Heard{Kind: HeardPlace, Key: home, Day: day, Half: 20})
		}
	}
	cells := sense.CellAndNeighbours(48.2, 16.37)
	if v := f.placeDays(cells, today); v != 43 && v != 42 {
		t.Errorf("%d days here", v)
	}
	if same, other := f.slotDays(cells, today, 10.25); same != 0 || other < 41 {
		t.Errorf("no weekend was spent here and every workday, yet %g and %g", same, other)
	}
	if _, other := f.slotDays(cells, today, 13); other > .02 {
		t.Errorf("workdays at ten say nothing of Sunday at one, yet %g", other)
	}
	if same, _ := f.slotDays(cells, today+1, 10.25); same < 41 {
		t.Errorf("workday mornings are usual here, yet %g", same)
	}
	if same, _ := f.slotDays(cells, today+1, 22.25); same > .2 {
		t.Errorf("workday nights are not usual here, yet %g", same)
	}
	d := f.slotRarity(cells, today, 10.25, 0)
	if e := 1 - (1-reliabilitySlot*d)*(1-reliabilityTime*d); e < DefaultThreshold {
		t.Errorf("a Sunday at the office does not bring back what happened there on another: %.2f", e)
	}
	if without := f.slotRarity(cells, today, 10.25, PartOtherDays); d >= without || without != 1 {
		t.Errorf("workdays at the very hour change nothing: %.2f, %.2f without them", d, without)
	}
}

func TestAYoungHistoryIsReadAsIfItWentOn(t *testing.T) {
	f := newFamiliarity(0)
	if f.rarity(0, 100) != 1 {
		t.Error("without a history everything is rare")
	}
	f.take(Heard{Kind: HeardWord, Key: 1, Day: 90, Half: -1})
	if got, want := f.rarity(5, 100), rarityOf(30); math.Abs(got-want) > 1e-12 {
		t.Errorf("5 days of 10: %g, want %g", got, want)
	}
	if got, want := f.rarity(1, 92), rarityOf(60.0/7); math.Abs(got-want) > 1e-12 {
		t.Errorf("a history of two days is read as seven: %g, want %g", got, want)
	}
}

func TestWhatIsForgottenIsAsIfNeverHeard(t *testing.T) {
	f := newFamiliarity(0)
	rows := []Heard{
		{Kind: HeardPlace, Key: 1, Day: 10, Half: 3}, {Kind: HeardPlace, Key: 1, Day: 50, Half: 3}, {Kind: HeardPlace, Key: 2, Day: 10, Half: 3},
		{Kind: HeardWord, Key: 7, Day: 10, Half: -1}, {Kind: HeardWord, Key: 7, Day: 50, Half: -1},
		{Kind: HeardText, Key: 8, Day: 10, Half: -1, Vector: []float32{1}}, {Kind: HeardText, Key: 9, Day: 50, Half: -1, Vector: []float32{1}},
		{Kind: HeardReading, Key: 0, Day: 10, Half: 4, Value: 70},
	}
	for _, h := range rows {
		f.take(h)
	}
	f.forget(40)
	for _, h := range rows {
		if f.knows(h) != (h.Day >= 40) {
			t.Errorf("%+v: known %v", h, f.knows(h))
		}
	}
	if len(f.places) != 1 || len(f.texts) != 1 || len(f.bodies()) != 0 || f.first != 40 {
		t.Errorf("%d places, %d texts, %d readings, first day %d", len(f.places), len(f.texts), len(f.bodies()), f.first)
	}
}

// TestTheBestTextMustStandOut: chance alone brings the best of many texts far above
// their mean.
func TestTheBestTextMustStandOut(t *testing.T) {
	survey := func(n int, best float64) Survey {
		mean := best / float64(n)
		return Survey{Memories: n, Compared: n, Distinct: n, Mean: mean, Deviation: math.Sqrt(.01 + best*best/float64(n) - mean*mean), Centred: true,
			Best: []Candidate{{Scores: Scores{Meaning: best, HasVector: true}}}}
	}
	s := func(n int, best float64) float64 { return logistic(standsOut(survey(n, best), 0) + topicShift) }
	if got := s(200, .25); got > .5 {
		t.Errorf("2.5 deviations among 200 are chance: %.2f", got)
	}
	if got := s(200, .60); got < .95 {
		t.Errorf("6 deviations among 200 stand out: %.2f", got)
	}
	if a, b := s(100, .45), s(10000, .45); a <= b {
		t.Errorf("more memories, more chance: %.3f at 100, %.3f at 10,000", a, b)
	}
}

// TestAMemoryThatIsNearToWhateverIsSaidIsCalledByNothing: of fifty sentences in its
// own language, say.
func TestAMemoryThatIsNearToWhateverIsSaidIsCalledByNothing(t *testing.T) {
	heard := func(c float64) (all []float64) {
		for i := range 50 {
			all = append(all, c+.1*math.Sin(float64(i)))
		}
		return all
	}
	if s := logistic(standsOutAmongHeard(.40, heard(.35), true, 0) + heardShift); s > .3 {
		t.Errorf("one more sentence like the others: %.2f", s)
	}
	if s := logistic(standsOutAmongHeard(.40, heard(0), true, 0) + heardShift); s < .9 {
		t.Errorf("the first one that is near: %.2f", s)
	}
	if s := logistic(standsOutAmongHeard(.40, nil, true, 0) + heardShift); s < .9 {
		t.Errorf("nothing was heard yet: %.2f", s)
	}
}

// TestATerseMemoryMustStandOutFurther, and yet what repeats its words brings it back.
func TestATerseMemoryMustStandOutFurther(t *testing.T) {
	long, short := ownWords(100, []int{1, 1, 1, 1, 2, 1, 1, 3, 1, 1, 2, 1}), ownWords(100, []int{4, 9, 2})
	if terse(long) != 0 || terse(short) > -2 {
		t.Errorf("%.1f words cost %.2f, %.1f words %.2f", long, terse(long), short, terse(short))
	}
	const z = 4 // of "Where is the spare key?" beside "The spare key is under the blue pot."
	if s := logistic(z + topicShift + terse(short)); s < .95 {
		t.Errorf("its own words: %.2f", s)
	}
	if terse(0) != terse(1) {
		t.Error("a memory without words costs more than one of a single word")
	}
	if got := ownWords(1, []int{1, 1}); got != 2 {
		t.Errorf("in a store of one memory all words are its own, yet %g", got)
	}
	if got := ownWords(5000, []int{40, 2500}); got < 1 || got > 1.3 {
		t.Errorf("one word of a hundredth of a large store and one of half of it: %g", got)
	}
}

func TestNamesAreTagsAndCapitalsInsideASentence(t *testing.T) {
	b := fresh(t, 0, 0, "2026-06-07T10:00:00+02:00")
	b.cue.place, b.cue.text = nil, "x"
	b.unknown, b.nearest = 4, map[int64]bool{}
	b.words = []spokenWord{{term: "marta", name: true, idf: 3.6, rarity: 1}, {term: "lunch", idf: 2, rarity: 1}, {term: "oslo", idf: 3.6, rarity: 1}}
	for name, c := range map[string]struct {
		words map[string]bool
		want  float64
	}{
		"a name in the cue":          {map[string]bool{"marta": false}, .9 * .9},
		"a name in the memory":       {map[string]bool{"oslo": true}, .9 * .9},
		"a common word on both":      {map[string]bool{"lunch": false}, 0},
		"no word shared":             {map[string]bool{"walk": true}, 0},
		"the rarest of several wins": {map[string]bool{"marta": false, "lunch": true}, .9 * .9},
	} {
		e, shared := b.text(rival{memory: Memory{Number: 1}, words: c.words})
		if !shared || math.Abs(e.proof-c.want) > 1e-9 {
			t.Errorf("%s: %.3f, want %.3f", name, e.proof, c.want)
		}
	}
}

// TestBeyondReachNothingComesBack: the place lane misses no memory for looking only
// so far.
func TestBeyondReachNothingComesBack(t *testing.T) {
	b := fresh(t, 48.2, 16.37, "2026-06-07T10:00:00+02:00")
	for _, place := range []float64{0, .4, .7, 1} {
		for _, slot := range []float64{0, .6, 1} {
			for _, body := range []map[string]float64{nil, {"heart_rate": 90}} {
				b.place, b.slot, b.familiar, b.cue.body = place, slot, place < 1, body
				reach := b.reach(.525)
				at := func(metres float64) float64 {
					return b.most(Situation{HasPlace: true, Lat: 48.2 + metres/111195.08, Lon: 16.37, EventAt: &b.cue.at})
				}
				if most := at(reach + .01); most >= .525 && reach < placeReachM {
					t.Errorf("D %.1f, %.1f: %.4f at %.0f m", place, slot, most, reach)
				}
				if most := at(reach - 2); most < .525 && reach > 2 {
					t.Errorf("D %.1f, %.1f: reach %.0f m, yet %.4f there", place, slot, reach, most)
				}
			}
		}
	}
	b.place, b.slot, b.familiar, b.cue.body = 1, 1, false, nil
	if reach := b.reach(.525); reach < 150 || reach > 165 {
		t.Errorf("a new place reaches %.0f m", reach)
	}
}
