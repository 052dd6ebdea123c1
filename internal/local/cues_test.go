package local

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"combray/index"
	"combray/internal/memory"
	"combray/internal/memtest"
)

// cueFolder is where the cue index of a store has its files.
func cueFolder(path string) string { return filepath.Join(indexFolder(path), "cue") }

// openSensing opens a store with an encoder that needs no model.
func openSensing(t *testing.T, path string) *Local {
	t.Helper()
	l := open(t, path)
	if err := l.Index.Close(); err != nil {
		t.Fatal(err)
	}
	lines := &memtest.Encoder{}
	v, err := lines.Question(context.Background(), "dims")
	if err != nil {
		t.Fatal(err)
	}
	id, err := l.Store.ID(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	settings := index.Config{Dir: l.folder, StoreID: id, Identity: lines.Identity(), Dims: len(v)}
	if err := l.wire(Config{}, settings, lines); err != nil {
		t.Fatal(err)
	}
	return l
}

func sensed(t *testing.T, l *Local, text string) {
	t.Helper()
	if _, err := l.Sense(context.Background(), memory.SenseInput{Text: &text}); err != nil {
		t.Fatal(err)
	}
}

// withCues counts the memories that have vectors for cues.
func withCues(t *testing.T, l *Local) int {
	t.Helper()
	stats, err := l.Store.Stats(context.Background(), l.cues.Identity())
	if err != nil {
		t.Fatal(err)
	}
	return stats.Embedded
}

func TestWhoNeverSensesPaysNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "quiet.db")
	l := openSensing(t, path)
	m := remember(t, l, memory.RememberInput{Content: "the harbour at dusk", Lat: of(48.3), Lon: of(1.25)})
	found(t, l, memory.RecallInput{Query: of("harbour")})
	if err := l.fillOnce(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := l.cues.Follow(context.Background()); err != nil || withCues(t, l) != 0 {
		t.Fatalf("%v; %d cue vectors that nobody needs", err, withCues(t, l))
	}
	if _, err := l.Erase(context.Background(), m.ID, "private", true); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(cueFolder(path)); !errors.Is(err, os.ErrNotExist) || withCues(t, l) != 0 || l.cues.used() {
		t.Errorf("there are traces of a cue index: folder %v, %d vectors, open %v", err, withCues(t, l), l.cues.used())
	}
}

func TestCueVectorsAreMadeFromTheFirstCueOn(t *testing.T) {
	const many = 70
	path := filepath.Join(t.TempDir(), "cues.db")
	l := openSensing(t, path)
	for i := range many {
		remember(t, l, memory.RememberInput{Content: fmt.Sprintf("boat %d in the harbour", i)})
	}
	sensed(t, l, "a boat in the harbour")
	first := withCues(t, l)
	if first == 0 || first == many {
		t.Errorf("%d of %d memories have cue vectors after one cue, want some", first, many)
	}
	select {
	case <-l.wake:
	default:
		t.Error("nobody is told to make the others")
	}
	if err := l.fillOnce(context.Background()); err != nil || withCues(t, l) != many {
		t.Fatalf("%v; %d of %d memories have cue vectors", err, withCues(t, l), many)
	}
	if stats, err := l.Store.Stats(context.Background(), l.vectors); err != nil || stats.Embedded != many {
		t.Errorf("%v; %d memories are embedded", err, stats.Embedded)
	}
	again := openSensing(t, path)
	sensed(t, again, "another boat in the harbour") // the same cue again would be answered without work
	if got := again.cues.Stats(context.Background()); got.Vectors != many || got.Rows != many {
		t.Errorf("after reopening: %+v", got)
	}
}

func TestCuesMeet(t *testing.T) {
	ctx := context.Background()
	l := openSensing(t, Memory)
	for _, text := range []string{"one", "two", "three", "four", "five", "Dinner with Anna"} {
		remember(t, l, memory.RememberInput{Content: text, Source: of("diary"), Tags: []string{"evening"}, Lat: of(48.3), Lon: of(1.25), EventAt: of("2024-05-08T20:00:00+02:00")})
	}
	sensed(t, l, "dinner with Anna")
	cue, err := (&memtest.Encoder{}).Symmetric(ctx, "dinner with Anna")
	if err != nil {
		t.Fatal(err)
	}
	survey, err := l.cues.Survey(ctx, cue)
	if err != nil || survey.Memories != 6 || survey.Compared != 6 || !survey.Centred || survey.Best[0].Scores.Meaning < 0.99 {
		t.Fatalf("%v, %+v", err, survey)
	}
	dinner := survey.Best[0].Number
	if m, err := l.cues.Meaning(ctx, []int64{dinner, 99}, cue); err != nil || m[0] < 0.99 || m[1] != 0 {
		t.Errorf("%v, meaning %v", err, m)
	}
	if c, err := l.cues.Compare(ctx, cue, [][]float32{cue}); err != nil || c[0] < 0.999 {
		t.Errorf("%v, compared %v", err, c)
	}
	n, held, _, err := l.cues.Statistics(ctx, []string{"anna", "even", "diari", "2024"})
	if err != nil || n != 6 || held[0] != 1 || held[1] != 6 || held[2]+held[3] != 0 {
		t.Errorf("%v, %v of %d memories hold the words of text, tag, source and date", err, held, n)
	}
	near, err := l.cues.Search(ctx, memory.IndexQuery{PerLane: 10, Filter: memory.IndexFilter{Near: &memory.Near{Lat: 48.3, Lon: 1.25, RadiusM: 500}},
		Cue: func(s memory.Situation) float64 { return float64(s.EventAt.Hour()) }})
	if err != nil || len(near.Candidates) != 6 || near.Candidates[0].Situation.EventAt.Hour() != 20 {
		t.Errorf("%v, %+v", err, near)
	}
}

func TestCuesWithoutAnEncoder(t *testing.T) {
	ctx := context.Background()
	l := open(t, Memory)
	remember(t, l, memory.RememberInput{Content: "Dinner with Anna"})
	sensed(t, l, "dinner with Anna")
	if l.cues.Identity() != "" {
		t.Errorf("identity %q", l.cues.Identity())
	}
	if survey, err := l.cues.Survey(ctx, nil); err != nil || len(survey.Best) != 0 {
		t.Errorf("%v, %+v", err, survey)
	}
	if m, err := l.cues.Meaning(ctx, []int64{1}, nil); err != nil || m[0] != 0 {
		t.Errorf("%v, %v", err, m)
	}
	if c, err := l.cues.Compare(ctx, nil, [][]float32{{1}}); err != nil || c[0] != 0 {
		t.Errorf("%v, %v", err, c)
	}
	if n, held, _, err := l.cues.Statistics(ctx, []string{"anna"}); err != nil || n != 1 || held[0] != 1 {
		t.Errorf("%v, %d of %d", err, held, n)
	}
}

// TestErasingLeavesNoByteOfCues looks at the files of a cue index that is open, and
// of one that an earlier process left.
func TestErasingLeavesNoByteOfCues(t *testing.T) {
	const secret = "xylographicmarmalade"
	ctx := context.Background()
	for name, reopened := range map[string]bool{"open": false, "left": true} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "erase.db")
			l := openSensing(t, path)
			remember(t, l, memory.RememberInput{Content: "the harbour"})
			m := remember(t, l, memory.RememberInput{Content: secret, Tags: []string{secret}})
			sensed(t, l, "a boat")
			if r, err := l.cues.ranker(); err != nil || r.index.Rewrite(ctx) != nil {
				t.Fatal("the cue index cannot be written", err)
			}
			if holding(t, cueFolder(path), secret[:12]) == 0 {
				t.Fatal("the text was never in a file of the cue index, so the test shows nothing")
			}
			if reopened {
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
				l = openSensing(t, path)
			}
			if _, err := l.Erase(ctx, m.ID, "private", true); err != nil {
				t.Fatal(err)
			}
			if n := holding(t, filepath.Dir(path), secret[:12]); n != 0 || l.cues.used() == reopened {
				t.Errorf("%d files still hold the text or its terms; cue index open: %v", n, l.cues.used())
			}
			if got := withCues(t, l); got != 1 {
				t.Errorf("%d memories have cue vectors", got)
			}
		})
	}
}

// TestAnErasureCutShortIsFinishedInTheCueFiles holds that the next start rewrites
// what a killed process did not.
func TestAnErasureCutShortIsFinishedInTheCueFiles(t *testing.T) {
	const secret = "xylographicmarmalade"
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "killed.db")
	l := openSensing(t, path)
	m := remember(t, l, memory.RememberInput{Content: secret})
	sensed(t, l, "a boat")
	if r, err := l.cues.ranker(); err != nil || r.index.Rewrite(ctx) != nil {
		t.Fatal("the cue index cannot be written", err)
	}
	err := l.Store.Update(ctx, func(tx memory.Tx) error {
		return tx.Apply(ctx, memory.Plan{Changes: []memory.Change{memory.EraseMemory{MemoryID: m.ID}}})
	})
	if err != nil || holding(t, cueFolder(path), secret[:12]) == 0 {
		t.Fatal("nothing is left to be finished", err)
	}
	if err := openSensing(t, path).FinishErasure(ctx); err != nil {
		t.Fatal(err)
	}
	if n := holding(t, filepath.Dir(path), secret[:12]); n != 0 {
		t.Errorf("%d files still hold the text", n)
	}
}

func TestAReadOnlyCueIndexWritesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "read.db")
	remember(t, open(t, path), memory.RememberInput{Content: "the harbour"})
	l := open(t, path, func(c *Config) { c.ReadOnly = true })
	if err := l.cues.CatchUp(context.Background()); err != nil {
		t.Fatal(err)
	}
	if n, err := l.cues.Count(context.Background(), memory.IndexFilter{}); err != nil || n.Memories != 1 {
		t.Errorf("%v, %d rows", err, n)
	}
	if _, err := os.Stat(cueFolder(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a read-only store has a folder for cues: %v", err)
	}
}

// TestCuesEqualThePlainIndex compares the cue index with the plain one, below and
// above the size from which both centre.
func TestCuesEqualThePlainIndex(t *testing.T) {
	ctx := context.Background()
	for _, many := range []int{0, 3, 16} {
		l := openSensing(t, Memory)
		for i := range many {
			remember(t, l, memory.RememberInput{Content: fmt.Sprintf("boat %d of Anna in harbour %d", i, i%3), Tags: []string{"sea"}})
		}
		if _, err := l.BackfillCues(ctx, nil); err != nil {
			t.Fatal(err)
		}
		plain := memtest.NewCueIndex(l.Store, l.cues.Identity())
		if err := errors.Join(l.cues.CatchUp(ctx), plain.CatchUp(ctx)); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{"boat 2", "a harbour at night", "Anna"} {
			cue, err := (&memtest.Encoder{}).Symmetric(ctx, text)
			if err != nil {
				t.Fatal(err)
			}
			got, want := surveyOf(t, l.cues, cue), surveyOf(t, plain, cue)
			if len(got) != len(want) {
				t.Fatalf("%d memories: %v, want %v", many, got, want)
			}
			for i := range got {
				if math.Abs(got[i]-want[i]) > 0.01 {
					t.Errorf("%d memories, %q: %v, want %v", many, text, got, want)
				}
			}
		}
	}
}

// surveyOf puts everything that an index says of a cue into one row of numbers.
func surveyOf(t *testing.T, x memory.CueIndex, cue []float32) []float64 {
	t.Helper()
	ctx := context.Background()
	s, err := x.Survey(ctx, cue)
	meanings, errMeaning := x.Meaning(ctx, []int64{1, 2, 3, 99}, cue)
	other := make([]float32, len(cue))
	other[1] = 1
	compared, errCompared := x.Compare(ctx, cue, [][]float32{cue, other})
	n, held, _, errHeld := x.Statistics(ctx, []string{"anna", "sea", "boat"})
	if err := errors.Join(err, errMeaning, errCompared, errHeld); err != nil {
		t.Fatal(err)
	}
	out := []float64{float64(s.Memories), float64(s.Compared), s.Mean, s.Deviation, float64(n)}
	for _, best := range s.Best {
		out = append(out, best.Scores.Meaning)
	}
	for _, h := range held {
		out = append(out, float64(h))
	}
	return append(append(out, meanings...), compared...)
}

// TestFilesOfCuesAreKeptForTheHook holds that a server brings the files up to date
// once somebody tried to sense, and that nothing is made for who never did.
func TestFilesOfCuesAreKeptForTheHook(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hooked.db")
	l := openSensing(t, path)
	many := make([]memory.RememberInput, memory.MaxBatch)
	for written := 0; written < staleRows; written += len(many) {
		for i := range many {
			many[i].Content = fmt.Sprintf("boat %d in the harbour", written+i)
		}
		if _, err := l.RememberMany(context.Background(), many); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.cues.refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(cueFolder(path)); !errors.Is(err, os.ErrNotExist) {
		t.Fatalf("a cue index was made for nobody: %v", err)
	}
	if err := os.Mkdir(cueFolder(path), 0o700); err != nil { // as a hook leaves it that had no time
		t.Fatal(err)
	}
	if err := l.cues.refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(cueFolder(path), "*.index"))
	if err != nil || len(files) != 1 || l.cues.used() || withCues(t, l) != 0 {
		t.Errorf("%v; files %q, open %v, %d vectors", err, files, l.cues.used(), withCues(t, l))
	}
}
