package local

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"combray/internal/memory"
)

func open(t *testing.T, path string, change ...func(*Config)) *Local {
	t.Helper()
	c := Config{Path: path, Model: ModelNone}
	for _, f := range change {
		f(&c)
	}
	l, err := Open(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

func remember(t *testing.T, l *Local, in memory.RememberInput) memory.Memory {
	t.Helper()
	out, err := l.Remember(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out.Memory
}

func found(t *testing.T, l *Local, in memory.RecallInput) []string {
	t.Helper()
	if in.Limit == 0 {
		in.Limit = 10
	}
	out, err := l.Recall(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, r := range out.Memories {
		texts = append(texts, string(r.Memory.Content))
	}
	return texts
}

func of[V any](v V) *V { return &v }

func TestEveryFieldAFilterAsksForReachesTheIndex(t *testing.T) {
	l := open(t, Memory)
	remember(t, l, memory.RememberInput{Content: "plain"})
	remember(t, l, memory.RememberInput{Content: "full", Source: of("Ada = B"), Frame: of("work"), SessionID: of("s"), SessionPosition: of(int64(0)),
		Tier: "interpretation", Tags: []string{"a", "b=c"}, EventAt: of("2024-05-08T10:00:00+02:00"), Lat: of(-16.8), Lon: of(179.99)})
	interpretation := "interpretation"
	for name, in := range map[string]memory.RecallInput{
		"source": {Source: of("Ada = B")}, "frame": {Frame: of("work")}, "session": {SessionID: of("s")}, "tier": {Tier: &interpretation},
		"tags": {Tags: []string{"b=c", "a"}}, "time": {Since: of("2024-05-08T08:00:00Z"), Until: of("2024-05-08T08:00:00Z")},
		"place over the date line": {Near: &memory.Near{Lat: -16.8, Lon: -179.99, RadiusM: 3000}},
	} {
		if got := found(t, l, in); len(got) != 1 || got[0] != "full" {
			t.Errorf("%s: %q", name, got)
		}
	}
	if got := found(t, l, memory.RecallInput{Lat: of(-16.8), Lon: of(-179.995), Limit: 1}); got[0] != "full" {
		t.Errorf("a place as a cue: %q", got)
	}
	if got := found(t, l, memory.RecallInput{At: of("2025-01-01T10:20:00-08:00"), Limit: 1}); got[0] != "full" {
		t.Errorf("an hour as a cue, on the wall clock of each side: %q", got)
	}
	if got := found(t, l, memory.RecallInput{Query: of("2024 May Ada"), Limit: 1}); got[0] != "full" {
		t.Errorf("date and source are read with the text: %q", got)
	}
}

func TestTwoProcessesSeeEachOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "two.db")
	a, b := open(t, path), open(t, path)
	m := remember(t, a, memory.RememberInput{Content: "the boiler hums"})
	if got := found(t, b, memory.RecallInput{Query: of("boilers")}); len(got) != 1 {
		t.Errorf("the other sees %q", got)
	}
	if _, err := b.Forget(context.Background(), m.ID, "sold"); err != nil {
		t.Fatal(err)
	}
	if got := found(t, a, memory.RecallInput{Query: of("boilers")}); got != nil {
		t.Errorf("forgotten there, shown here: %q", got)
	}
}

func TestTheIndexIsMadeAnewFromTheStore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "again.db")
	l := open(t, path)
	for _, text := range []string{"one key", "two keys and a lamp", "three lamps"} {
		remember(t, l, memory.RememberInput{Content: text})
	}
	before := found(t, l, memory.RecallInput{Query: of("lamp")})
	if err := l.Index.Rewrite(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(indexFolder(path)); err != nil {
		t.Fatal(err)
	}
	if after := found(t, open(t, path), memory.RecallInput{Query: of("lamp")}); strings.Join(after, "|") != strings.Join(before, "|") {
		t.Errorf("before %q, after %q", before, after)
	}
}

func TestErasingLeavesNoByte(t *testing.T) {
	const secret = "xylographicmarmalade"
	path := filepath.Join(t.TempDir(), "erase.db")
	l := open(t, path, func(c *Config) { c.Fill = true })
	m := remember(t, l, memory.RememberInput{Content: strings.Repeat(secret+" ", 400), Source: of(secret), Tags: []string{secret}})
	if err := l.Index.Rewrite(context.Background()); err != nil {
		t.Fatal(err)
	}
	if holding(t, filepath.Dir(path), secret) == 0 {
		t.Fatal("the text was never in a file, so the test shows nothing")
	}
	if _, err := l.Erase(context.Background(), m.ID, "private", true); err != nil {
		t.Fatal(err)
	}
	if n := holding(t, filepath.Dir(path), secret[:12]); n != 0 {
		t.Errorf("%d files still hold the text or its terms", n)
	}
}

// TestManyWritersAtOnce is the reliability battery of contract/history.md 5 in
// one process; store has it over several.
func TestManyWritersAtOnce(t *testing.T) {
	const threads, each = 20, 25
	l := open(t, filepath.Join(t.TempDir(), "many.db"))
	var work sync.WaitGroup
	errs := make(chan error, threads*each)
	for i := range threads {
		work.Go(func() {
			for j := range each {
				errs <- rememberPromoteRecall(l, fmt.Sprintf("thread %d keeps %d", i, j))
			}
		})
	}
	work.Wait()
	close(errs)
	for err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := found(t, l, memory.RecallInput{Limit: 1000}); len(got) != threads*each {
		t.Errorf("%d memories, want %d", len(got), threads*each)
	}
	if faults, err := l.Check(context.Background()); err != nil || len(faults) > 0 {
		t.Errorf("%v, %v", faults, err)
	}
}

func rememberPromoteRecall(l *Local, text string) error {
	ctx := context.Background()
	stored, err := l.Remember(ctx, memory.RememberInput{Content: text})
	if err != nil {
		return err
	}
	if _, err := l.Promote(ctx, stored.Memory.ID, "it matters"); err != nil {
		return err
	}
	_, err = l.Recall(ctx, memory.RecallInput{Query: &text, Limit: 3})
	return err
}

// holding counts the files below a folder that hold a text.
func holding(t *testing.T, folder, text string) int {
	t.Helper()
	n := 0
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(bytes.ToLower(data), []byte(text)) {
			n++
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestAMissingLibraryIsNamedAndWordsGoOn(t *testing.T) {
	l := open(t, Memory, func(c *Config) {
		c.Model = ""
		c.Bundled.Dims, c.Bundled.Name = 384, "bundled"
		c.Models.Library = filepath.Join(t.TempDir(), "nothing.so")
	})
	remember(t, l, memory.RememberInput{Content: "tea in the cupboard"})
	out, err := l.Recall(context.Background(), memory.RecallInput{Query: of("tea"), Limit: 1})
	if err != nil || len(out.Memories) != 1 || !strings.Contains(out.Retrieval.Vectors, "nothing.so") {
		t.Errorf("%v, %+v", err, out.Retrieval)
	}
}

func TestAMissingModelIsNamedAndWordsGoOn(t *testing.T) {
	l := open(t, Memory, func(c *Config) { c.Model, c.Models.Dir = "multilingual-e5-small", t.TempDir() })
	remember(t, l, memory.RememberInput{Content: "tea in the cupboard"})
	out, err := l.Recall(context.Background(), memory.RecallInput{Query: of("tea"), Limit: 1})
	if err != nil || len(out.Memories) != 1 || !strings.Contains(out.Retrieval.Vectors, "multilingual-e5-small") {
		t.Errorf("%v, %+v", err, out.Retrieval)
	}
}
