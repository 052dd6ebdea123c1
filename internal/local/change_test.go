package local

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"combray/encoder"
	"combray/encoder/encodertest"
	"combray/internal/memory"
	"combray/internal/models"
	"combray/store"
)

// Models of these tests: one graph, whose vectors are cut to four and to two
// numbers, so that no vector of the one passes for one of the other.
const (
	modelFour = "rows-four" // stands for the encoder in the box
	modelTwo  = "rows-two"
)

const catalogueFile = "catalogue.json"

// installRows installs the models of these tests beside a store, with their
// catalogue, so that another process finds them too.
func installRows(t *testing.T, folder string) {
	t.Helper()
	const testdata = "../../encoder/testdata"
	lock := models.Lock{Version: 1, Models: []models.Model{
		encodertest.InstallRows(t, testdata, folder, modelFour, 4), encodertest.InstallRows(t, testdata, folder, modelTwo, 2)}}
	data, err := json.Marshal(lock)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, catalogueFile), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// rowsConfig is the configuration of a store beside which installRows was called.
func rowsConfig(ctx context.Context, path, library string) (Config, error) {
	folder := filepath.Dir(path)
	var lock models.Lock
	data, err := os.ReadFile(filepath.Join(folder, catalogueFile))
	if err != nil {
		return Config{}, err
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return Config{}, err
	}
	c := Config{Path: path, Models: models.Store{Dir: folder, Lock: &lock, Library: library}}
	c.Bundled, err = encoder.FromStore(ctx, c.Models, modelFour, 0)
	return c, err
}

// rowsWorld is a store with texts of one to three letters and vectors of modelFour.
func rowsWorld(t *testing.T, memories int) Config {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	installRows(t, filepath.Dir(path))
	c, err := rowsConfig(t.Context(), path, encodertest.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	l := openRows(t, c)
	var items []memory.RememberInput
	for i := range memories {
		items = append(items, memory.RememberInput{Content: letterText(i)})
	}
	for batch := range slices.Chunk(items, 100) {
		if _, err := l.RememberMany(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := l.Backfill(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return c
}

// letterText is another text for each number below 26 * 26 * 26.
func letterText(i int) string {
	return string([]byte{'a' + byte(i%26), ' ', 'a' + byte(i/26%26), ' ', 'a' + byte(i/676%26)})
}

func openRows(t *testing.T, c Config) *Local {
	t.Helper()
	l, err := Open(t.Context(), c)
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

func serveRows(t *testing.T, c Config) *Serving {
	t.Helper()
	s, err := Serve(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func choose(t *testing.T, c Config, model string) {
	t.Helper()
	if err := Choose(t.Context(), c, model); err != nil {
		t.Fatal(err)
	}
}

func look(t *testing.T, s *Serving) {
	t.Helper()
	if err := s.look(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// answer is what a search by meaning says: the model and each memory with its
// cosine.
func answer(t *testing.T, s *Serving, query string) string {
	t.Helper()
	l := s.Take()
	defer l.Release()
	return answerOf(t, l.Service, query)
}

func answerOf(t *testing.T, s *memory.Service, query string) string {
	t.Helper()
	got, err := s.Recall(context.Background(), memory.RecallInput{Query: &query, Mode: memory.ModeSemantic, Limit: 40})
	if err != nil {
		t.Error(err)
		return ""
	}
	var out strings.Builder
	if got.Retrieval.Backend != nil {
		out.WriteString(got.Retrieval.Backend.Model)
	}
	for _, r := range got.Memories {
		fmt.Fprintf(&out, " %s", r.Memory.Content)
		if r.SemanticSimilarity != nil {
			fmt.Fprintf(&out, " %.5f", *r.SemanticSimilarity)
		}
	}
	return out.String()
}

func keptOfEach(t *testing.T, c Config) map[string]int {
	t.Helper()
	l := openRows(t, c)
	sets, err := l.Kept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for _, set := range sets {
		name, _, _ := strings.Cut(set.Identity, ":")
		if set.Cue {
			name += "#"
		}
		out[name] += set.Memories
	}
	return out
}

func mustBeSound(t *testing.T, c Config) {
	t.Helper()
	faults, err := openRows(t, c).Check(t.Context())
	if err != nil || len(faults) > 0 {
		t.Errorf("Check: %v, %v", faults, err)
	}
}

// told collects what a change says of itself.
type told struct {
	mu   sync.Mutex
	said []ChangeProgress
}

func (t *told) hear(p ChangeProgress) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.said = append(t.said, p)
}

func (t *told) first() ChangeProgress { return t.said[0] }

// before is what was told last but one.
func (t *told) before() ChangeProgress { return t.said[len(t.said)-2] }

func (t *told) last() ChangeProgress { return t.said[len(t.said)-1] }

func TestTheEncoderChangesAndChangesBack(t *testing.T) {
	c := rowsWorld(t, 80)
	s := serveRows(t, c)
	before := answer(t, s, "m")
	choose(t, c, modelTwo)
	if got := answer(t, s, "m"); got != before {
		t.Errorf("chosen and not made: %s", got)
	}
	if change := changeSeen(t, s); change == nil || change.To != modelTwo || change.Embedded != 0 || change.Memories != 80 {
		t.Errorf("stats tell %+v", change)
	}
	var progress told
	s.config.Changing = progress.hear
	look(t, s)
	if got := answer(t, s, "m"); !strings.HasPrefix(got, modelTwo+" ") || got == before {
		t.Errorf("after the change: %s", got)
	}
	if progress.first().Done != 0 || progress.before() != (ChangeProgress{Model: modelTwo, Done: 80, Total: 80}) || progress.last() != (ChangeProgress{Model: modelTwo, Answers: true}) {
		t.Errorf("it told %+v", progress.said)
	}
	if change := changeSeen(t, s); change != nil {
		t.Errorf("stats still tell of %+v", change)
	}
	l := s.Take()
	if _, err := l.Remember(t.Context(), memory.RememberInput{Content: "z z z"}); err != nil {
		t.Fatal(err)
	}
	l.Release()
	if kept := keptOfEach(t, c); kept[modelFour] != 80 || kept[modelTwo] != 81 {
		t.Errorf("the store keeps %v", kept)
	}
	choose(t, c, ModelBundled)
	progress.said = nil
	look(t, s)
	if progress.first().Done != 80 {
		t.Errorf("the way back began with %+v: only the new memory had no vector", progress.first())
	}
	if got := answer(t, s, "m"); !strings.HasPrefix(got, modelFour+" ") || !strings.Contains(got, "z z z") {
		t.Errorf("after the way back: %s", got)
	}
	mustBeSound(t, c)
}

func changeSeen(t *testing.T, s *Serving) *memory.EncoderChange {
	t.Helper()
	l := s.Take()
	defer l.Release()
	stats, err := l.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return stats.Change
}

// TestNothingIsMixedWhileTheEncoderChanges asks without a pause: each answer is
// wholly the one of the old encoder or wholly that of the new.
func TestNothingIsMixedWhileTheEncoderChanges(t *testing.T) {
	c := rowsWorld(t, 120)
	s := serveRows(t, c)
	held := s.Take() // a call that lasts longer than the change
	before := answerOf(t, held.Service, "q r")
	ctx, stop := context.WithCancel(t.Context())
	var asking sync.WaitGroup
	var mu sync.Mutex
	seen := map[string]int{}
	for range 2 {
		asking.Go(func() {
			for ctx.Err() == nil {
				got := answer(t, s, "q r")
				mu.Lock()
				seen[got]++
				mu.Unlock()
			}
		})
	}
	choose(t, c, modelTwo)
	look(t, s)
	after := answer(t, s, "q r")
	if got := answerOf(t, held.Service, "q r"); got != before {
		t.Errorf("a call that began before the change was answered by %s", got)
	}
	held.Release()
	stop()
	asking.Wait()
	if delete(seen, before); before == after {
		t.Fatal("both encoders answer alike, so the test shows nothing")
	}
	delete(seen, after)
	for got := range seen {
		t.Errorf("neither the old answer nor the new: %s", got)
	}
}

func TestServersTakeTheChangeOfAnother(t *testing.T) {
	c := rowsWorld(t, 40)
	a, b := serveRows(t, c), serveRows(t, c)
	choose(t, c, modelTwo)
	release, held := takeLock(indexFolder(c.Path), changeLock)
	if !held {
		t.Fatal("somebody changes the encoder")
	}
	look(t, b)
	if change := changeSeen(t, b); change == nil || change.Waits != "" {
		t.Errorf("another process makes the vectors, and stats tell %+v", change)
	}
	release()
	if change := changeSeen(t, b); change == nil || !strings.Contains(change.Waits, "no process makes the vectors") {
		t.Errorf("nobody makes the vectors, and stats tell %+v", change)
	}
	look(t, a)
	if change := changeSeen(t, b); change == nil || !strings.Contains(change.Waits, "in a moment") {
		t.Errorf("the vectors are complete, and stats tell %+v", change)
	}
	look(t, b)
	if got := answer(t, b, "m"); !strings.HasPrefix(got, modelTwo) || got != answer(t, a, "m") {
		t.Errorf("the other server answers %s", got)
	}
	if l := openRows(t, c); l.Model() != modelTwo {
		t.Errorf("a new process answers with %s", l.Model())
	}
}

// TestWhoServesIsSeen looks for servers as combray models use does: one that was told
// its model makes no vectors of another.
func TestWhoServesIsSeen(t *testing.T) {
	if !seesLocks {
		t.Log("this system has no locks that another process sees")
		return
	}
	c := rowsWorld(t, 1)
	told := c
	told.Model, told.Fill = ModelBundled, true
	serveRows(t, told)
	if Served(c.Path) {
		t.Error("a server that was told its model is taken for one that follows")
	}
	c.Fill = true
	s, err := Serve(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if !Served(c.Path) {
		t.Error("a server is not seen")
	}
	if err := s.Close(); err != nil || Served(c.Path) {
		t.Errorf("a server that has ended is seen: %v", err)
	}
}

// TestASettingWinsOverTheChoice is a process that was told its model: it stays, and
// says so.
func TestASettingWinsOverTheChoice(t *testing.T) {
	c := rowsWorld(t, 3)
	choose(t, c, modelTwo)
	if err := Change(t.Context(), c, modelTwo, nil); err != nil {
		t.Fatal(err)
	}
	told := c
	told.Model = ModelBundled
	s := serveRows(t, told)
	if s.follows() {
		t.Error("a process that was told its model follows another")
	}
	if change := changeSeen(t, s); change == nil || change.From != ModelBundled || !strings.Contains(change.Waits, "COMBRAY_MODEL") {
		t.Errorf("stats tell %+v", change)
	}
	if got := answer(t, s, "m"); !strings.HasPrefix(got, modelFour) {
		t.Errorf("it answers %s", got)
	}
}

func TestVectorsForCuesFollowTheChange(t *testing.T) {
	c := rowsWorld(t, 40)
	l := openRows(t, c)
	text := "m m"
	if _, err := l.Sense(t.Context(), memory.SenseInput{Text: &text}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.BackfillCues(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	choose(t, c, modelTwo)
	var progress told
	if err := Change(t.Context(), c, modelTwo, progress.hear); err != nil {
		t.Fatal(err)
	}
	if kept := keptOfEach(t, c); kept[modelTwo+"#"] != 40 || kept[modelFour+"#"] != 40 {
		t.Errorf("the store keeps %v", kept)
	}
	if !slices.ContainsFunc(progress.said, func(p ChangeProgress) bool { return p.Cues && p.Done == 40 }) {
		t.Errorf("it told %+v", progress.said)
	}
	after := openRows(t, c)
	if _, err := after.Sense(t.Context(), memory.SenseInput{Text: &text}); err != nil {
		t.Error(err)
	}
}

func TestWhatCannotBeChosenIsNamed(t *testing.T) {
	c := rowsWorld(t, 1)
	graph := func() string { return filepath.Join(c.Models.Dir, modelTwo, "onnx", "rows.onnx") }
	for name, x := range map[string]struct {
		model  string
		change func()
		says   []string
	}{
		"unknown": {"other", func() {}, []string{`no model "other"`, modelFour, modelTwo}},
		"no encoder": {"eyes", func() {
			c.Models.Lock.Models = append(c.Models.Lock.Models, models.Model{Name: "eyes", Kind: models.KindPicture})
		}, []string{"not a text encoder"}},
		"too many dims": {modelTwo, func() { c.Models.Lock.Models[1].Dims = 5 }, []string{"vectors of length 4, 5 are asked for"}},
		"damaged":       {modelTwo, func() { _ = os.Truncate(graph(), 100) }, []string{"damaged", "combray models download " + modelTwo}},
		"not installed": {modelTwo, func() { _ = os.Remove(graph()) }, []string{"not complete", "combray models download " + modelTwo}},
	} {
		before := slices.Clone(c.Models.Lock.Models)
		whole, err := os.ReadFile(graph())
		if err != nil {
			t.Fatal(err)
		}
		x.change()
		err = Choose(t.Context(), c, x.model)
		for _, says := range x.says {
			if err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v does not say %q", name, err, says)
			}
		}
		c.Models.Lock.Models = before
		if err := os.WriteFile(graph(), whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if choice, err := openRows(t, c).Store.Choice(t.Context()); err != nil || choice != (store.Choice{}) {
		t.Errorf("something was chosen: %+v, %v", choice, err)
	}
}

// TestAModelThatGoesLeavesTheOldOneAnswering is a server on a machine that has not
// the model which was chosen elsewhere.
func TestAModelThatGoesLeavesTheOldOneAnswering(t *testing.T) {
	c := rowsWorld(t, 5)
	s := serveRows(t, c)
	choose(t, c, modelTwo)
	if err := c.Models.Remove(modelTwo); err != nil {
		t.Fatal(err)
	}
	if err := s.look(t.Context()); err == nil {
		t.Error("a model that is not there was taken")
	}
	if change := changeSeen(t, s); change == nil || !strings.Contains(change.Waits, "combray models download "+modelTwo) {
		t.Errorf("stats tell %+v", change)
	}
	if got := answer(t, s, "m"); !strings.HasPrefix(got, modelFour) {
		t.Errorf("it answers %s", got)
	}
	if err := s.look(t.Context()); err != nil {
		t.Errorf("it is tried again at once: %v", err)
	}
}

func TestWordsOnlyCanBeChosen(t *testing.T) {
	c := rowsWorld(t, 5)
	s := serveRows(t, c)
	choose(t, c, ModelNone)
	look(t, s)
	if l := s.current(); l.Model() != ModelNone {
		t.Errorf("%s answers", l.Model())
	}
	choose(t, c, ModelBundled)
	look(t, s)
	if got := answer(t, s, "m"); !strings.HasPrefix(got, modelFour) {
		t.Errorf("it answers %s", got)
	}
}

// TestAnotherChoiceEndsTheWorkForTheOne changes its mind in the middle.
func TestAnotherChoiceEndsTheWorkForTheOne(t *testing.T) {
	c := rowsWorld(t, 100)
	choose(t, c, modelTwo)
	err := Change(t.Context(), c, modelTwo, func(p ChangeProgress) {
		if p.Done > 0 && p.Done < 100 {
			choose(t, c, ModelBundled)
		}
	})
	if !errors.Is(err, errOverruled) {
		t.Errorf("error %v", err)
	}
	kept := keptOfEach(t, c)
	if kept[modelTwo] == 0 || kept[modelTwo] == 100 {
		t.Errorf("the store keeps %v, some and not all were expected", kept)
	}
	if l := openRows(t, c); l.Model() != ModelBundled {
		t.Errorf("%s answers", l.Model())
	}
}

// liveChange is a process that changes the encoder and says how far it is.
func liveChange(ctx context.Context, l life) error {
	c, err := rowsConfig(ctx, l.Path, os.Getenv("COMBRAY_ORT_LIB"))
	if err != nil {
		return err
	}
	say := json.NewEncoder(os.Stdout)
	return Change(ctx, c, modelTwo, func(p ChangeProgress) { _ = say.Encode(p) })
}

// TestAChangeIsResumed kills a process in the middle, twice, and lets another end
// the work: nothing that was made is made again.
func TestAChangeIsResumed(t *testing.T) {
	c := rowsWorld(t, 200)
	t.Setenv("COMBRAY_ORT_LIB", encodertest.Library(t))
	choose(t, c, modelTwo)
	made := 0
	for range 2 {
		made = killAt(t, c, made)
	}
	half := openRows(t, c)
	if half.Model() != ModelBundled {
		t.Fatalf("half made, and %s answers", half.Model())
	}
	page, err := half.ListMemories(t.Context(), memory.ListInput{Limit: 200})
	if err != nil || len(page.Memories) != 200 || slices.ContainsFunc(page.Memories, func(m memory.Memory) bool { return !m.Embedded() }) {
		t.Errorf("half made, and memories are shown as not embedded: %d, %v", len(page.Memories), err)
	}
	mustBeSound(t, c)
	var progress told
	if err := Change(t.Context(), c, modelTwo, progress.hear); err != nil {
		t.Fatal(err)
	}
	if progress.first().Done < made || progress.last().Done != 200 {
		t.Errorf("%d were made, and the next began with %+v and ended with %+v", made, progress.first(), progress.last())
	}
	if l := openRows(t, c); l.Model() != modelTwo {
		t.Errorf("%s answers", l.Model())
	}
	mustBeSound(t, c)
}

// killAt kills a process with -9 as soon as it has made more than so many vectors,
// and gives how many it had made.
func killAt(t *testing.T, c Config, made int) int {
	t.Helper()
	p := process(t, life{Path: c.Path, Role: "change"})
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.Stderr = os.Stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	lines := json.NewDecoder(out)
	for at := (ChangeProgress{}); at.Done <= made; {
		if err := lines.Decode(&at); err != nil {
			t.Fatal(err)
		}
		if at.Done > made {
			made = at.Done
			break
		}
	}
	if err := p.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait() // killed
	return made
}

func TestPruningKeepsWhatAnswers(t *testing.T) {
	c := rowsWorld(t, 30)
	choose(t, c, modelTwo)
	if err := Change(t.Context(), c, modelTwo, nil); err != nil {
		t.Fatal(err)
	}
	l := openRows(t, c)
	sets, err := l.Kept(t.Context())
	if err != nil || len(sets) != 2 || sets[0].Needed || !sets[1].Needed || sets[0].Bytes != 30*4*2 {
		t.Fatalf("%+v, %v", sets, err)
	}
	if err := l.Store.Prune(t.Context(), sets[1].Identity); memory.CodeOf(err) != memory.CodeConflict {
		t.Errorf("the vectors that answer can be pruned: %v", err)
	}
	if err := l.Store.Prune(t.Context(), sets[0].Identity); err != nil {
		t.Fatal(err)
	}
	if kept := keptOfEach(t, c); len(kept) != 1 || kept[modelTwo] != 30 {
		t.Errorf("the store keeps %v", kept)
	}
	mustBeSound(t, c)
	choose(t, c, ModelBundled)
	if err := Change(t.Context(), c, ModelBundled, nil); err != nil {
		t.Fatal(err)
	}
	if kept := keptOfEach(t, c); kept[modelFour] != 30 {
		t.Errorf("made again: %v", kept)
	}
}

// TestPruningTellsWhatWentWithoutAnIndex prunes where no index file can be written:
// a file stands where their folder was.
func TestPruningTellsWhatWentWithoutAnIndex(t *testing.T) {
	c := rowsWorld(t, 3)
	choose(t, c, modelTwo)
	if err := Change(t.Context(), c, modelTwo, nil); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	c.Logger = slog.New(slog.NewTextHandler(&said, nil))
	l := openRows(t, c)
	folder := indexFolder(c.Path)
	if err := errors.Join(os.RemoveAll(folder), os.WriteFile(folder, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	gone, err := l.Prune(t.Context(), func(Kept) {})
	if err != nil || len(gone) != 1 || gone[0].Memories != 3 {
		t.Errorf("%+v, %v", gone, err)
	}
	if !strings.Contains(said.String(), "the index files could not be made anew") {
		t.Errorf("said %s", said.String())
	}
}

// TestAnotherEventTimeReachesEveryEncoder moves a memory in time: its line reads
// otherwise then, and what the other encoder had made of it goes.
func TestAnotherEventTimeReachesEveryEncoder(t *testing.T) {
	c := rowsWorld(t, 3)
	choose(t, c, modelTwo)
	if err := Change(t.Context(), c, modelTwo, nil); err != nil {
		t.Fatal(err)
	}
	l := openRows(t, c)
	m := remember(t, l, memory.RememberInput{Content: "q"})
	if _, err := l.SetHistoryContext(t.Context(), memory.HistoryContextInput{MemoryID: m.ID, EventAt: of("2020-05-05T10:00:00Z"), Reason: "it was then"}); err != nil {
		t.Fatal(err)
	}
	if kept := keptOfEach(t, c); kept[modelTwo] != 4 || kept[modelFour] != 3 {
		t.Errorf("the store keeps %v", kept)
	}
	old, err := l.ListMemories(t.Context(), memory.ListInput{Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.SetHistoryContext(t.Context(), memory.HistoryContextInput{MemoryID: old.Memories[3].ID, EventAt: of("2020-05-05T10:00:00Z"), Reason: "it was then"}); err != nil {
		t.Fatal(err)
	}
	if kept := keptOfEach(t, c); kept[modelTwo] != 4 || kept[modelFour] != 2 {
		t.Errorf("a memory that was moved in time: the store keeps %v", kept)
	}
	mustBeSound(t, c)
}

// TestAWriteThatFailsLeavesTheOldEncoderAnswering lets the store refuse vectors in
// the middle of a change, as on a full disk.
func TestAWriteThatFailsLeavesTheOldEncoderAnswering(t *testing.T) {
	c := rowsWorld(t, 100)
	s := serveRows(t, c)
	choose(t, c, modelTwo)
	raw, err := sql.Open("sqlite", c.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	const full = "CREATE TRIGGER full BEFORE INSERT ON vectors WHEN (SELECT count(*) FROM vectors) >= 150 BEGIN SELECT raise(ABORT, 'staged'); END"
	if _, err := raw.Exec(full); err != nil {
		t.Fatal(err)
	}
	before := answer(t, s, "m")
	if err := s.look(t.Context()); err == nil {
		t.Error("nothing was refused")
	}
	if change := changeSeen(t, s); change == nil || change.Waits == "" || change.Embedded == 0 || change.Embedded == 100 {
		t.Errorf("stats tell %+v", change)
	}
	if got := answer(t, s, "m"); got != before {
		t.Errorf("it answers %s", got)
	}
	if _, err := raw.Exec("DROP TRIGGER full"); err != nil {
		t.Fatal(err)
	}
	s.again = time.Time{}
	look(t, s)
	if got := answer(t, s, "m"); !strings.HasPrefix(got, modelTwo) {
		t.Errorf("when there is room again it answers %s", got)
	}
	mustBeSound(t, c)
}
