package replay

import (
	"context"
	"math"
	"os"
	"slices"
	"testing"

	"combray/internal/lives"
	"combray/internal/memory"
)

// scripted is a memory that brings back what a test says.
type scripted struct {
	fires map[string][]string // by the text of the cue: ids of the memories, as stored
	ids   []string
	queue []string
	spoil func(queue []string) []string // what is delivered instead; nil: the queue
	heard []memory.SenseInput
}

func (s *scripted) Remember(_ context.Context, in memory.RememberInput) (memory.Remembered, error) {
	id := []string{"m1", "m2", "m3", "m4"}[len(s.ids)]
	s.ids = append(s.ids, id)
	return memory.Remembered{Memory: memory.Memory{ID: memory.ID("stored-" + id)}}, nil
}

func rowOf(id string) memory.RecollectionRow {
	return memory.RecollectionRow{Memory: memory.Memory{ID: memory.ID("stored-" + id)}, Recollection: memory.Recollection{Score: 0.7}}
}

func (s *scripted) Sense(_ context.Context, in memory.SenseInput) (out memory.Sensed, err error) {
	s.heard = append(s.heard, in)
	for _, id := range s.fires[*in.Text] {
		out.Rows = append(out.Rows, rowOf(id))
		if !slices.Contains(s.queue, id) {
			s.queue = append(s.queue, id)
		}
	}
	return out, nil
}

func (s *scripted) Pending(context.Context, memory.PendingInput) (rows []memory.RecollectionRow, _ []string, _ error) {
	queue := s.queue
	s.queue = nil
	if s.spoil != nil && queue != nil {
		queue = s.spoil(queue)
	}
	for _, id := range queue {
		rows = append(rows, rowOf(id))
	}
	return rows, nil, nil
}

// hand is a stream made by hand, and what fires for its cues.
func hand(t *testing.T, s *scripted) Run {
	t.Helper()
	f, err := os.Open("testdata/hand.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	events, err := lives.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	s.fires = map[string][]string{"early": {"m1"}, "early again": {"m1", "m4"}, "one": {"m4"}, "two": {"m1", "m2"}, "three": {"m1"},
		"flour": {"m4"}, "table": {"m3", "m2"}, "nothing": {"m2", "m3"}, "nothing still": {"m2"}}
	run, err := Play(t.Context(), s, nil, events)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// TestScoreOfAStreamMadeByHand holds the figures that the scorer of the evaluation
// data gives for the same stream and fires, but for the interval, whose draws are
// its own.
func TestScoreOfAStreamMadeByHand(t *testing.T) {
	got, err := ScoreOf([]Run{hand(t, &scripted{})})
	if err != nil {
		t.Fatal(err)
	}
	if got.Right != 3 || got.Episodes != 4 || got.False != 5 || got.Days != 4 || got.Fires != 13 || got.Repeats != 2 {
		t.Errorf("%+v", got)
	}
	if got.Precision != 0.375 || got.Recall != 0.75 || got.F1 != 0.5 || got.FalsePerDay != 1.25 {
		t.Errorf("%+v", got)
	}
	if got.AtFirstCue != 1./3 || got.WaitMedian != 40 || got.WaitNinety != 420 {
		t.Errorf("waits %+v", got)
	}
	if want := []Tally{{"place", 1, 1}, {"ritual", 1, 1}, {"topic-kw", 1, 1}, {"topic-para", 0, 1}}; !slices.Equal(got.ByReason, want) {
		t.Errorf("by reason %v, want %v", got.ByReason, want)
	}
	for kind, n := range map[string]int{"ritual": 2, "place": 1, "routine": 1, "topic": 1} {
		if got.FalseByKind[kind] != n {
			t.Errorf("false by kind %v", got.FalseByKind)
		}
	}
	if got.Queue != (Queue{Items: 10}) || got.PerStream[0] != (Part{Right: 3, Episodes: 4, False: 5}) {
		t.Errorf("queue %+v, streams %+v", got.Queue, got.PerStream)
	}
}

func TestStreamsAreScoredTogether(t *testing.T) {
	got, err := ScoreOf([]Run{hand(t, &scripted{}), hand(t, &scripted{})})
	if err != nil {
		t.Fatal(err)
	}
	if got.Right != 6 || got.Episodes != 8 || got.False != 10 || got.Days != 8 || got.Precision != 0.375 || len(got.PerStream) != 2 || got.Queue.Items != 20 {
		t.Errorf("%+v", got)
	}
	none, err := ScoreOf(nil)
	if err != nil || none.Precision != 0 || none.Recall != 0 || math.IsNaN(none.F1) {
		t.Errorf("nothing scores %+v, %v", none, err)
	}
}

// TestTheQueueIsLookedAt: a queue that loses, invents or repeats is found out.
func TestTheQueueIsLookedAt(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func([]string) []string
		want  Queue
	}{
		"loses":   {func(q []string) []string { return q[1:] }, Queue{Items: 6, Missing: 4}},
		"invents": {func(q []string) []string { return append(q, "m9") }, Queue{Items: 14, Extra: 4}},
		"repeats": {func(q []string) []string { return append(q, q[0]) }, Queue{Items: 14, Repeated: 4}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := hand(t, &scripted{spoil: c.spoil}).Queue; got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

// TestCuesGoInAsTheyAre: with their own time, place and reporter, and nothing of
// the truth.
func TestCuesGoInAsTheyAre(t *testing.T) {
	s := &scripted{}
	hand(t, s)
	first := s.heard[0]
	if *first.Text != "early" || *first.At != "2023-01-22T10:00:00+01:00" || first.Lat != nil || len(s.heard) != 10 {
		t.Errorf("%+v", first)
	}
}

func TestFaultsAreListed(t *testing.T) {
	faults, err := FaultsOf(hand(t, &scripted{}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range faults {
		kind := "false "
		if f.Missed {
			kind = "missed "
		}
		got = append(got, kind+f.Cue.ID+" "+f.Memory.ID)
	}
	want := []string{"false b2 m2", "false b3 m1", "false c1 m4", "false d1 m2", "false d1 m3", "missed e1 m3"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestReliabilityBinsAndArea(t *testing.T) {
	run := hand(t, &scripted{})
	// three fires before the scored days, one that is excused, then on b2 right and wrong, b3, c1 wrong, c2 right
	// twice, d1 wrong twice, and one that is excused
	for i, score := range []float64{.9, .9, .9, .9, .80, .95, .70, .60, .85, .75, .55, .35, .40} {
		run.Firings[i].Score = score
	}
	got, err := ReliabilityOf([]Run{run})
	if err != nil {
		t.Fatal(err)
	}
	fires, dueOnes := [10]int{}, [10]int{}
	for i, b := range got.Bins {
		fires[i], dueOnes[i] = b.Fires, b.Due
	}
	if fires != [10]int{0, 0, 0, 1, 0, 1, 1, 2, 2, 1} || dueOnes != [10]int{0, 0, 0, 0, 0, 0, 0, 1, 2, 0} {
		t.Errorf("fires %v, due %v", fires, dueOnes)
	}
	// .95 wrong, .85 right (1/2), .80 right (2/3), .75 right (3/4), each a quarter of the episodes
	if want := (1./2 + 2./3 + 3./4) / 4; math.Abs(got.Area-want) > 1e-12 {
		t.Errorf("area %g, want %g", got.Area, want)
	}
}

func TestEqualScoresAreOneStep(t *testing.T) {
	if got := averagePrecision([]graded{{.7, true}, {.7, false}, {.7, true}}, 4); math.Abs(got-2./3*.5) > 1e-12 {
		t.Errorf("area %g", got)
	}
	if got := averagePrecision(nil, 0); got != 0 {
		t.Errorf("area of nothing %g", got)
	}
}

func TestBootstrapIsNarrowForLikeDaysAndRepeatable(t *testing.T) {
	same := make([]int, 100)
	for i := range same {
		same[i] = 2
	}
	if got := bootstrap(same); got != [2]float64{2, 2} {
		t.Errorf("%v", got)
	}
	mixed := slices.Concat(make([]int, 90), same[:10])
	got := bootstrap(mixed)
	if got != bootstrap(mixed) || got[0] < .06 || got[0] > .12 || got[1] < .28 || got[1] > .36 {
		t.Errorf("the mean is 0.2 with a deviation of 0.06: %v", got)
	}
}
