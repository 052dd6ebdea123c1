package memtest

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
)

func openModel(*testing.T) memory.Store { return NewStore(StoreOptions{}) }

func TestSuiteHoldsForTheModel(t *testing.T) { Suite(t, openModel) }

func TestOperationsHoldForTheModel(t *testing.T) { Operations(t, openModel, nil) }

// childEnv makes a run of the test binary the one in which tests must fail.
const childEnv = "MEMTEST_RUN_BROKEN_STORES"

// runBroken runs a test of this binary that must fail and gives its output.
func runBroken(t *testing.T, test string, args ...string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	child := exec.Command(self, append([]string{"-test.run=^" + test + "$"}, args...)...)
	child.Env = append(os.Environ(), childEnv+"=1")
	out, err := child.CombinedOutput()
	if _, failed := err.(*exec.ExitError); !failed {
		t.Fatalf("%s passes on broken stores: %v\n%s", test, err, out)
	}
	if text := string(out); strings.Contains(text, "panic:") || strings.Contains(text, "no tests to run") {
		t.Fatalf("%s does not fail as a test does:\n%s", test, out)
	}
	return string(out)
}

// subtest is the name that testing gives a subtest in its output.
func subtest(name string) string { return strings.ReplaceAll(name, " ", "_") }

// Every promise can fail: for each there is a store that breaks it, and none of
// the broken stores passes.
func TestSuiteFailsOnBrokenStores(t *testing.T) {
	out := runBroken(t, "TestBrokenStores")
	broken := map[string]bool{}
	for _, m := range mutants() {
		broken[m.promise] = true
		if !strings.Contains(out, "--- FAIL: TestBrokenStores/"+m.promise+"/"+subtest(m.fault)+" ") {
			t.Errorf("%s passes on a store where %s", m.promise, m.fault)
		}
	}
	for _, p := range promises() {
		if !broken[p.name] {
			t.Errorf("no broken store shows that %s can fail", p.name)
		}
	}
}

// TestBrokenStores is the child of TestSuiteFailsOnBrokenStores.
func TestBrokenStores(t *testing.T) {
	if os.Getenv(childEnv) == "" {
		return
	}
	patience = 50 * time.Millisecond
	for _, p := range promises() {
		t.Run(p.name, func(t *testing.T) {
			for _, m := range mutants() {
				if m.promise != p.name {
					continue
				}
				t.Run(m.fault, func(t *testing.T) {
					model := openModel(t)
					p.examine(t, broken{model, m.hooks(model)})
				})
			}
		})
	}
}

// observable are faults that random plans must find too, by promise.
var observable = []string{"memory-overwrite", "memory-labels", "list-order", "anchors", "conflicts", "links", "narratives-citing",
	"claims", "evidence", "audit-newest-first", "audit-chain", "audit-actor", "vectors-replaced", "changes-with-tombstones",
	"erase-spares-the-rest", "update-rolls-back-an-error", "constraints-refuse",
	"firings-by-cue-time", "queue-in-order", "recollection-wall-clock", "fingerprints-replaced", "cue-vectors-follow-the-words",
	"heard-once", "heard-forgotten", "heard-wiped"}

func TestOperationsFailOnBrokenStores(t *testing.T) {
	out := runBroken(t, "TestBrokenOperations", "-rapid.shrinktime=0s", "-rapid.seed=1")
	for _, promise := range observable {
		if !strings.Contains(out, "--- FAIL: TestBrokenOperations/"+promise+" ") {
			t.Errorf("random plans pass on a store that breaks %s", promise)
		}
	}
}

// TestBrokenOperations is the child of TestOperationsFailOnBrokenStores.
func TestBrokenOperations(t *testing.T) {
	if os.Getenv(childEnv) == "" {
		return
	}
	for _, promise := range observable {
		t.Run(promise, func(t *testing.T) {
			for _, m := range mutants() {
				if m.promise != promise {
					continue
				}
				Operations(t, func(t *testing.T) memory.Store {
					model := openModel(t)
					return broken{model, m.hooks(model)}
				}, nil)
				return
			}
		})
	}
}
