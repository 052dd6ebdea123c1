package local

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"combray/index"
	"combray/internal/memory"
	"combray/internal/memtest"
	"combray/internal/verbtest"
	"combray/store"
)

// life is what a process of these tests is told to do, in the environment.
type life struct {
	Path  string
	Role  string
	Seed  uint64
	From  int // number of its first call
	Calls int
	Point string
	Times int
	Epoch time.Time // when the clock of all processes of a store began to run fast
}

const lifeEnv = "COMBRAY_TEST_LIFE"

func TestMain(m *testing.M) {
	if told := os.Getenv(lifeEnv); told != "" {
		var l life
		err := json.Unmarshal([]byte(told), &l)
		if err == nil {
			err = roles[l.Role](context.Background(), l)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var roles = map[string]func(context.Context, life) error{"verbs": liveVerbs, "battery": liveBattery, "change": liveChange}

// process prepares another process of this test binary.
func process(t testing.TB, l life) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	told, err := json.Marshal(l)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), lifeEnv+"="+string(told))
	return c
}

// kept is what a process says on its standard output after each call: the rows
// that the call has committed before it answered.
type kept struct {
	Call  int
	Rows  []string // kind and id
	Audit []keptAudit
}

type keptAudit struct {
	Subject memory.ID
	Action  memory.Action
	Reason  string
}

// fast is how many seconds of a store's clock a second takes, so that reviews
// become overdue in a test of seconds.
const fast = 2_000_000

// liveVerbs makes random calls of every verb until they are made or it dies.
func liveVerbs(ctx context.Context, l life) error {
	fate := newFate(l.Point, l.Times)
	f, err := openFiles(ctx, l.Path, func(s index.Source) index.Source { return deadlySource{s, fate} })
	if err != nil {
		return err
	}
	watched := &deadlyStore{Store: f.store, fate: fate}
	clock := func() time.Time { return l.Epoch.Add(time.Since(l.Epoch) * fast) }
	service := memory.New(memory.Config{Store: watched, Index: deadlyIndex{ranker{f.index}, fate}, Now: clock, Zone: time.UTC})
	ctx = memory.WithActor(ctx, memory.Actor{Client: "random", Version: strconv.FormatUint(l.Seed, 10), Door: memory.DoorMCP})
	say := json.NewEncoder(os.Stdout)
	for n := l.From; n < l.From+l.Calls; n++ {
		hand := verbtest.Hand{Chance: verbtest.NewSeeded(l.Seed, uint64(n)), Reason: fmt.Sprintf("call %d of %d:", n, l.Seed)}
		call, err := hand.Next(ctx, f.store)
		if err != nil {
			return err
		}
		watched.done = memory.Plan{}
		if _, err := call.Run(ctx, service); !expected(err) {
			return fmt.Errorf("%s: %w (%v)", call.Verb, err, errors.Unwrap(err))
		}
		if err := say.Encode(keptOf(n, watched.done)); err != nil {
			return err
		}
	}
	return closing{f.store, f.index}.Close()
}

// expected says whether a call may end so: done, or refused for its arguments or
// the state of things. A lock, a fault or a panic may reach nobody.
func expected(err error) bool {
	var batch *memory.BatchError
	switch {
	case err == nil, errors.As(err, &batch):
		return true
	}
	return slices.Contains([]memory.Code{memory.CodeInvalid, memory.CodeDenied, memory.CodeNotFound, memory.CodeConflict, memory.CodeLimit}, memory.CodeOf(err))
}

func keptOf(n int, p memory.Plan) kept {
	k := kept{Call: n}
	for _, c := range p.Changes {
		switch c := c.(type) {
		case memory.PutMemory:
			k.Rows = append(k.Rows, "memory "+string(c.Memory.ID))
		case memory.PutNarrative:
			k.Rows = append(k.Rows, "narrative "+string(c.Narrative.ID))
		case memory.PutClaim:
			k.Rows = append(k.Rows, "claim "+string(c.Claim.ID))
		case memory.PutEvidence:
			k.Rows = append(k.Rows, "evidence "+string(c.Evidence.ID))
		case memory.PutLink:
			k.Rows = append(k.Rows, "link "+string(c.Link.ID))
		case memory.PutConflict:
			k.Rows = append(k.Rows, "conflict "+string(c.Conflict.ID))
		}
	}
	for _, row := range p.Audit {
		k.Audit = append(k.Audit, keptAudit{row.Subject, row.Action, row.Reason})
	}
	return k
}

// TestProcessesAndDeaths lets eight processes make random calls of every verb on
// one store. Most die with -9 at a named point and others take their place. Then
// the store is sound, its audit chain holds, nothing is half done, no two things
// stand together that must not, and whatever was acknowledged is there. There are
// 2,000 calls, with COMBRAY_SLOW=1 100,000 on 50 stores.
func TestProcessesAndDeaths(t *testing.T) {
	const processes = 8
	stores, calls := 1, 250
	switch {
	case os.Getenv("COMBRAY_SLOW") == "1":
		stores = 50
	case testing.Short():
		calls = 50
	}
	var deaths tally
	for i := range stores {
		path := filepath.Join(t.TempDir(), "memory.db")
		var work sync.WaitGroup
		epoch, all := time.Now().UTC(), make([][]kept, processes)
		for p := range processes {
			work.Go(func() {
				all[p] = liveOn(t, &deaths, life{Path: path, Role: "verbs", Seed: uint64(i*processes + p + 1), Calls: calls, Epoch: epoch})
			})
		}
		work.Wait()
		if judge(t, path, slices.Concat(all...)); t.Failed() {
			t.Fatalf("on store %d", i)
		}
	}
	t.Logf("%d calls; deaths: %s", stores*processes*calls, &deaths)
}

// tally counts deaths by their point.
type tally struct {
	mu sync.Mutex
	at map[string]int
}

func (d *tally) add(point string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.at == nil {
		d.at = map[string]int{}
	}
	d.at[point]++
}

func (d *tally) String() string {
	var out []string
	for _, p := range slices.Sorted(maps.Keys(d.at)) {
		out = append(out, fmt.Sprintf("%d %s", d.at[p], p))
	}
	return strings.Join(out, ", ")
}

// liveOn runs one process after the other, each until it dies, until all calls
// are made. It gives what they acknowledged.
func liveOn(t *testing.T, deaths *tally, l life) (all []kept) {
	random := rand.New(rand.NewPCG(l.Seed, 0))
	for end := l.Calls; l.From < end; l.Calls = end - l.From {
		l.Point, l.Times = points[random.IntN(len(points))], 1+random.IntN(15)
		if strings.Contains(l.Point, "scrub") { // only an erasure comes there
			l.Times = 1
		}
		made, died, err := live(t, l)
		if err != nil {
			t.Errorf("seed %d from call %d, to die %s: %v", l.Seed, l.From, l.Point, err)
			return all
		}
		all, l.From = append(all, made...), l.From+len(made)
		if died {
			deaths.add(l.Point)
			l.From++ // the call in which it died
		}
	}
	return all
}

// live runs a process to its end.
func live(t *testing.T, l life) (made []kept, died bool, err error) {
	c := process(t, l)
	var complaint bytes.Buffer
	c.Stderr = &complaint
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, false, err
	}
	if err := c.Start(); err != nil {
		return nil, false, err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var k kept
		if json.Unmarshal(lines.Bytes(), &k) != nil {
			break // the line on which it died
		}
		made = append(made, k)
	}
	err = c.Wait()
	if died = !c.ProcessState.Exited(); died {
		return made, true, nil
	}
	if err != nil {
		err = fmt.Errorf("%w: %s", err, complaint.String())
	}
	return made, false, err
}

// judge looks for what is wrong in a store after all its processes have ended.
func judge(t *testing.T, path string, acknowledged []kept) {
	t.Helper()
	ctx := t.Context()
	s, err := store.Open(ctx, store.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	faults, err := s.Check(ctx)
	if err != nil || len(faults) > 0 {
		t.Errorf("Check: %v, %v", faults, err)
	}
	half, err := verbtest.Half(ctx, s)
	if err != nil || len(half) > 0 {
		t.Errorf("half done: %q, %v", half, err)
	}
	missing, err := lost(ctx, s, acknowledged)
	if err != nil || len(missing) > 0 {
		t.Errorf("acknowledged and lost: %q, %v", missing, err)
	}
	sameAnswers(t, path, s)
}

// lost names what was acknowledged and is not there: an audit row, or a row that
// no erasure took.
func lost(ctx context.Context, s memory.Store, acknowledged []kept) (out []string, err error) {
	err = s.View(ctx, func(r memory.Reader) error {
		rows, err := r.Audit(ctx, memory.AuditQuery{Captures: true, Limit: math.MaxInt32})
		if err != nil {
			return err
		}
		log, silenced, erased := map[keptAudit]int{}, map[keptAudit]int{}, map[memory.ID]bool{}
		for _, row := range rows {
			if erased[row.Subject] = erased[row.Subject] || row.Action == memory.ActErase; row.Salt == nil {
				silenced[keptAudit{row.Subject, row.Action, ""}]++
				continue
			}
			log[keptAudit{row.Subject, row.Action, row.Reason}]++
		}
		for _, k := range acknowledged {
			for _, row := range k.Audit {
				mute := keptAudit{row.Subject, row.Action, ""}
				switch {
				case log[row] > 0:
					log[row]--
				case silenced[mute] > 0:
					silenced[mute]--
				default:
					out = append(out, fmt.Sprintf("call %d: audit row %v", k.Call, row))
				}
			}
			for _, row := range k.Rows {
				kind, id, _ := strings.Cut(row, " ")
				here, err := present(ctx, r, kind, memory.ID(id), erased)
				if err != nil {
					return err
				}
				if !here {
					out = append(out, fmt.Sprintf("call %d: %s", k.Call, row))
				}
			}
		}
		return nil
	})
	return out, err
}

// present says whether a row is there, or may be gone: links and conflicts go with
// an erased memory, so they are looked for only in a store without erasures.
func present(ctx context.Context, r memory.Reader, kind string, id memory.ID, erased map[memory.ID]bool) (bool, error) {
	switch kind {
	case "memory":
		m, err := r.Memory(ctx, id)
		return m != nil || erased[id], err
	case "narrative":
		n, err := r.Narrative(ctx, id)
		return n != nil, err
	case "claim":
		c, err := r.Claim(ctx, id)
		return c != nil, err
	case "evidence":
		e, err := r.Evidence(ctx, id)
		return e != nil, err
	case "link":
		l, err := r.Link(ctx, id)
		return l != nil || slices.Contains(slices.Collect(maps.Values(erased)), true), err
	case "conflict":
		c, err := r.Conflict(ctx, id)
		return c != nil || slices.Contains(slices.Collect(maps.Values(erased)), true), err
	}
	return false, fmt.Errorf("no such kind: %s", kind)
}

// sameAnswers wants the index that the processes left to answer as one that is
// made anew from the store.
func sameAnswers(t *testing.T, path string, s *store.Store) {
	t.Helper()
	kept, err := openFiles(t.Context(), path, plainly)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = closing{kept.store, kept.index}.Close() }()
	fresh := memtest.NewIndex(s, "")
	for _, query := range []string{"tea", "the lamp", "鐘", "garden", "hawthorn path"} {
		in := memory.RecallInput{Query: &query, Limit: 40, Mode: memory.ModeLexical}
		got, err := memory.New(memory.Config{Store: s, Index: ranker{kept.index}}).Recall(t.Context(), in)
		want, err2 := memory.New(memory.Config{Store: s, Index: fresh}).Recall(t.Context(), in)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		got.Retrieval, want.Retrieval = memory.Retrieval{}, memory.Retrieval{}
		if d := memtest.Diff(want.Memories, got.Memories); d != "" {
			t.Errorf("%q is answered otherwise than from a new index: %s", query, d)
		}
	}
}

// liveBattery keeps and promotes memories, as one process of six does in the
// reliability battery of contract/history.md 5.
func liveBattery(ctx context.Context, l life) error {
	opened, err := Open(ctx, Config{Path: l.Path, Model: ModelNone})
	if err != nil {
		return err
	}
	for n := range l.Calls {
		stored, err := opened.Remember(ctx, memory.RememberInput{Content: fmt.Sprintf("process %d keeps %d", l.Seed, n)})
		if err != nil {
			return err
		}
		if _, err := opened.Promote(ctx, stored.Memory.ID, "it matters"); err != nil {
			return err
		}
	}
	return opened.Close()
}

// TestSixProcessesAtOnce is the other part of that battery: 6 processes of 15
// memories each, on a store that none of them has made before.
func TestSixProcessesAtOnce(t *testing.T) {
	const processes, each = 6, 15
	path := filepath.Join(t.TempDir(), "memory.db")
	errs := make(chan error, processes)
	for p := range processes {
		c := process(t, life{Path: path, Role: "battery", Seed: uint64(p), Calls: each})
		go func() {
			out, err := c.CombinedOutput()
			if err != nil {
				err = fmt.Errorf("process %d: %w: %s", p, err, out)
			}
			errs <- err
		}()
	}
	for range processes {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	l := open(t, path)
	stats, err := l.Store.Stats(t.Context(), "")
	if err != nil || stats.Memories != processes*each || stats.Audit != 2*processes*each {
		t.Errorf("%d memories, %d audit rows, %v", stats.Memories, stats.Audit, err)
	}
	if rows, err := l.DueForConsolidation(t.Context(), 0, -1); err != nil || len(rows) > 0 {
		t.Errorf("%d memories are not promoted, %v", len(rows), err)
	}
	if faults, err := l.Check(t.Context()); err != nil || len(faults) > 0 {
		t.Errorf("Check: %v, %v", faults, err)
	}
}
