package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"go.uber.org/goleak"

	"combray/internal/memory"
)

// The environment by which this test binary runs itself as another process.
const (
	childRole = "COMBRAY_TEST_CHILD"
	childPath = "COMBRAY_TEST_PATH"
	childArg  = "COMBRAY_TEST_ARG"
)

func TestMain(m *testing.M) {
	if role := os.Getenv(childRole); role != "" {
		arg, err := strconv.Atoi(os.Getenv(childArg))
		if err == nil {
			err = children[role](os.Getenv(childPath), arg)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err, errors.Unwrap(err))
			os.Exit(1)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// children are the things that another process can do.
var children = map[string]func(path string, arg int) error{
	"write":    childWrite,
	"write on": childWriteOn,
	"search":   childSearch,
	"drain":    childDrain,
}

// child prepares a process; its stderr joins ours.
func child(t testing.TB, role, path string, arg int) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env = append(os.Environ(), childRole+"="+role, childPath+"="+path, childArg+"="+strconv.Itoa(arg))
	c.Stderr = os.Stderr
	return c
}

// ownIDs is how many ids one child may use.
const ownIDs = 1 << 20

// childWrites is how often a child writes (issue: four processes, 300 each).
const childWrites = 300

// childWrite opens the store, which may not be there yet, and writes: each time
// a read, a memory with its audit row, and a counter in the memory before.
func childWrite(path string, arg int) error {
	ctx := context.Background()
	s, err := Open(ctx, Options{Path: path})
	if err != nil {
		return err
	}
	for i := range childWrites {
		err := s.Update(ctx, func(tx memory.Tx) error {
			own := note(arg*ownIDs+i, "tea")
			p := capturePlan(own)
			if last, err := tx.Memory(ctx, noteID(arg*ownIDs+i-1)); err != nil {
				return err
			} else if last != nil {
				last.Salience = 1
				p.Write(memory.PutMemory{Memory: *last})
			}
			return tx.Apply(ctx, p)
		})
		if err != nil {
			return err
		}
	}
	return s.Close()
}

func startAll(t *testing.T, n int, role, path string) {
	t.Helper()
	var running []*exec.Cmd
	for i := range n {
		c := child(t, role, path, i)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		running = append(running, c)
	}
	for i, c := range running {
		if err := c.Wait(); err != nil {
			t.Errorf("process %d: %v", i, err)
		}
	}
}

func TestProcessesWriteTogether(t *testing.T) {
	const processes = 4
	path := newPath(t)
	startAll(t, processes, "write", path)
	s := openStore(t, Options{Path: path})
	mustCheckClean(t, s)
	stats, err := s.Stats(context.Background(), "")
	if err != nil || stats.Memories != processes*childWrites || stats.Audit != processes*childWrites {
		t.Errorf("%d memories, %d audit rows, %v", stats.Memories, stats.Audit, err)
	}
	// A memory and, but for the last of each process, one overwrite.
	if n, err := s.Sequence(context.Background()); err != nil || n != processes*(2*childWrites-1) {
		t.Errorf("sequence %d, %v", n, err)
	}
}

// TestManyProcessesStartAtOnce starts on a path where nothing is yet.
func TestManyProcessesStartAtOnce(t *testing.T) {
	path := newPath(t)
	const processes = 20
	errs := make(chan error, processes)
	begin := make(chan struct{})
	// Stores of one process share no connection, so they race as processes do.
	for i := range processes {
		go func() {
			<-begin
			s, err := Open(context.Background(), Options{Path: path})
			if err == nil {
				err = errors.Join(try(s, capturePlan(note(i, "tea"))), s.Close())
			}
			errs <- err
		}()
	}
	close(begin)
	for range processes {
		if err := <-errs; err != nil {
			t.Errorf("%v (%v)", err, errors.Unwrap(err))
		}
	}
	other := newPath(t)
	startAll(t, processes, "write on", other)
	for path, want := range map[string]int{path: processes, other: processes * startWrites} {
		s := openStore(t, Options{Path: path})
		mustCheckClean(t, s)
		if stats, err := s.Stats(context.Background(), ""); err != nil || stats.Memories != want {
			t.Errorf("%d memories, %v, want %d", stats.Memories, err, want)
		}
	}
}

// startWrites is how often a child of TestManyProcessesStartAtOnce writes.
const startWrites = 3

// childWriteOn writes and says on stdout what is acknowledged, until it is
// killed; with a small arg, startWrites times.
func childWriteOn(path string, arg int) error {
	s, err := Open(context.Background(), Options{Path: path})
	if err != nil {
		return err
	}
	limit := startWrites
	if arg >= killBase {
		limit = ownIDs
	}
	for i := range limit {
		n := arg*ownIDs + i
		if err := try(s, capturePlan(note(n, "madeleine"))); err != nil {
			return err
		}
		fmt.Println(n)
	}
	return s.Close()
}

// killBase and more are the args of children that are killed.
const killBase = 100

// TestKilledWritersLoseNothing kills a process with -9 while it writes, again and
// again on one store.
func TestKilledWritersLoseNothing(t *testing.T) {
	kills := 20
	if slow() {
		kills = 200
	}
	path := newPath(t)
	rng := rand.New(rand.NewPCG(3, 4))
	var acknowledged []int
	for kill := range kills {
		acknowledged = append(acknowledged, killAfter(t, path, killBase+kill, 1+rng.IntN(12))...)
		s := openStore(t, Options{Path: path})
		mustCheckClean(t, s)
		for _, n := range acknowledged {
			if load(t, s, noteID(n)) == nil {
				t.Fatalf("kill %d: memory %d was acknowledged and is lost", kill, n)
			}
		}
		if stats, err := s.Stats(context.Background(), ""); err != nil || stats.Memories != stats.Audit {
			t.Fatalf("kill %d: %d memories and %d audit rows, %v", kill, stats.Memories, stats.Audit, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// killAfter kills a writing process once it has acknowledged so many memories,
// and gives all that it acknowledged.
func killAfter(t *testing.T, path string, arg, lines int) (acknowledged []int) {
	t.Helper()
	c := child(t, "write on", path, arg)
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	scanner := bufio.NewScanner(out)
	for scanner.Scan() {
		n, err := strconv.Atoi(scanner.Text())
		if err != nil {
			break // the line on which it died
		}
		acknowledged = append(acknowledged, n)
		if len(acknowledged) == lines {
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = c.Wait() // killed
	if len(acknowledged) < lines {
		t.Fatalf("the process ended by itself after %d memories", len(acknowledged))
	}
	return acknowledged
}
