package benchmark

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"combray/internal/memory"
)

// bench measures what needs no process.
func bench(t *testing.T, b *Builder, folder string) *Bench {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	return &Bench{Builder: *b, Folder: folder, Runs: 2, Asks: 20, Parts: []string{"disk", "quality"}, Neighbours: "scan"}
}

func TestStoresAreKept(t *testing.T) {
	folder := t.TempDir()
	for _, built := range []bool{true, false} {
		report, err := bench(t, builder(t, 500, 50), folder).Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if report.Store.Built != built || len(report.Notes) != 1 {
			t.Errorf("built %t, want %t; notes %q", report.Store.Built, built, report.Notes)
		}
		if f, ok := report.find("recall_at_10"); !ok || f.Value != 1 || len(f.Runs) != 1 {
			t.Errorf("recall@10 of 500: %+v", f)
		}
		if f, ok := report.find("disk_database"); !ok || f.Value < 1000 || f.Value > 10_000 {
			t.Errorf("disk: %+v", f)
		}
		if _, ok := report.find("build_write"); ok != built {
			t.Errorf("building was measured: %t, want %t", ok, built)
		}
	}
	left, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range left {
		names = append(names, entry.Name())
	}
	if !slices.Equal(names, []string{storeName, storeName + ".index", stampName}) {
		t.Errorf("the folder holds %q", names)
	}
}

// TestKeptStoresOfOtherVectors holds that a store whose vectors are not those that
// would be looked for is not measured.
func TestKeptStoresOfOtherVectors(t *testing.T) {
	b, folder := builder(t, 20, 5), t.TempDir()
	words := builder(t, 20, 0)
	if _, err := words.Build(t.Context(), filepath.Join(folder, storeName)); err != nil {
		t.Fatal(err)
	}
	if err := b.keep(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := bench(t, b, folder).Run(t.Context()); err == nil || !strings.Contains(err.Error(), "vectors of another kind") {
		t.Errorf("measured: %v", err)
	}
}

// TestStoppingLeavesNothing stops at everything that is told of progress.
func TestStoppingLeavesNothing(t *testing.T) {
	for stopAt := 1; ; stopAt++ {
		b, folder, told := bench(t, builder(t, 300, 300), t.TempDir()), t.TempDir(), 0
		b.Folder = folder
		ctx, stop := context.WithCancel(t.Context())
		b.Progress = func(string, int, int) {
			if told++; told == stopAt {
				stop()
			}
		}
		_, err := b.Run(ctx)
		stop()
		if told < stopAt {
			if err != nil || stopAt < 4 {
				t.Errorf("told %d times of progress: %v", told, err)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("stopped at %d: %v", stopAt, err)
		}
		if there, err := b.kept(folder); err != nil {
			t.Errorf("stopped at %d, kept %t: %v", stopAt, there, err)
		}
		for _, where := range []string{folder, os.Getenv("TMPDIR")} {
			if left, err := filepath.Glob(filepath.Join(where, "combray-bench-*")); err != nil || len(left) > 0 {
				t.Errorf("stopped at %d: %q is left (%v)", stopAt, left, err)
			}
		}
	}
}

func TestProgramsThatCannotServe(t *testing.T) {
	b := bench(t, builder(t, 10, 0), "")
	b.Parts = []string{"recall"}
	for want, line := range map[string][]string{"no such file": {"/nonexistent/combray"}, "initialize of the program that is measured": {"false"}} {
		b.Program = line
		if _, err := b.Run(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", line, err)
		}
	}
}

func TestChurnOfACopy(t *testing.T) {
	b := bench(t, builder(t, 400, 40), "")
	r := &running{Bench: b, samples: newSamples(), work: t.TempDir()}
	r.path = filepath.Join(r.work, storeName)
	if _, err := b.Build(t.Context(), r.path); err != nil {
		t.Fatal(err)
	}
	mixed, err := r.mixerOf(t.Context(), r.path)
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(r.work, "churn", storeName)
	if err := copyStore(t.Context(), r.path, copied); err != nil {
		t.Fatal(err)
	}
	l, err := b.Open(t.Context(), copied, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := r.replace(t.Context(), l, mixed); err != nil {
		t.Fatal(err)
	}
	stats, err := l.Store.Stats(t.Context(), l.VectorIdentity())
	if err != nil || stats.Memories != 440 || stats.Forgotten != 200 || stats.Embedded != 440 {
		t.Errorf("%+v (%v)", stats, err)
	}
	if err := r.recallOf(t.Context(), l, afterChurn); err != nil {
		t.Fatal(err)
	}
	if f := r.figures(); f[len(f)-1].Name != "churn_recall_at_10" || f[len(f)-1].Value != 1 {
		t.Errorf("%+v", f[len(f)-1])
	}
}

// TestRecallCountsWhatIsNear holds the judgement of what an index found: ties
// count, what is gone does not.
func TestRecallCountsWhatIsNear(t *testing.T) {
	a := asked{found: []int64{1, 2, 3, 4}, scores: map[int64]float64{}}
	for doc := int64(1); doc <= 14; doc++ {
		if doc != 4 { // forgotten
			a.see(doc, 1-float64(doc)/100)
		}
	}
	a.see(3, a.best[nearestWanted-1]-alike/2)
	if len(a.best) != nearestWanted || a.recall() != 0.3 {
		t.Errorf("recall %v of %v", a.recall(), a.best)
	}
	a.see(2, 0)
	if a.recall() != 0.2 {
		t.Errorf("recall %v with one that is far", a.recall())
	}
	rows := []memory.Changed{{Memory: memory.Memory{Number: 4}, Erased: true}, {Memory: memory.Memory{Number: 1}}}
	if n := found(rows, []asked{a, a}); n != 2 {
		t.Errorf("%d forgotten memories were found", n)
	}
}

func TestFootprints(t *testing.T) {
	const rollup = "55d0-7ffe ---p 00000000 00:00 0 [rollup]\nRss:              145000 kB\nPss:  1 kB\nAnonymous:         48000 kB\nAnonHugePages: 7 kB\n"
	if f, ok := readFootprint(rollup); !ok || f != (footprint{145000 << 10, 48000 << 10}) {
		t.Errorf("%+v, %t", f, ok)
	}
	for _, text := range []string{"", "Rss: many kB\n", "Rss: 99999999999999999999 kB\n"} {
		if _, ok := readFootprint(text); ok {
			t.Errorf("%q is a footprint", text)
		}
	}
}

// TestProcessorTimeGrows holds that work shows where the system tells of it.
func TestProcessorTimeGrows(t *testing.T) {
	before, known := processorTime(os.Getpid())
	if !known {
		if runtime.GOOS == "linux" {
			t.Error("this system tells, and nothing is known")
		}
		return
	}
	sum := float32(0)
	for v := []float32{1, 2, 3, 4}; ; {
		for range 100_000 {
			sum += dot(v, v)
		}
		if after, _ := processorTime(os.Getpid()); after > before {
			return
		}
	}
}

func TestPartsAreKnown(t *testing.T) {
	if slices.Contains(Usual(), "churn") || !slices.Contains(Parts(), "churn") || len(Parts()) != len(parts) {
		t.Errorf("usual %q of %q", Usual(), Parts())
	}
}
