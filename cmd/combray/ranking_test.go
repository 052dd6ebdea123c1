package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"combray/encoder/encodertest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestRankingOfTheExamples asks the questions of examples/questions.tsv, in a
// dozen languages, of the notes beside them. The rank of each right answer, and
// recall@1, recall@5 and MRR, stand in a golden file that a change of ranking
// must visibly move. Ranks are compared, never scores.
func TestRankingOfTheExamples(t *testing.T) {
	t.Setenv("COMBRAY_ORT_LIB", encodertest.Library(t))
	t.Setenv("COMBRAY_DB", filepath.Join(t.TempDir(), "examples.db"))
	t.Setenv("TZ", "UTC")
	command(t, "import", "../../examples/notes")
	var golden strings.Builder
	var first, five int
	var reciprocal float64
	questions := examples(t)
	for _, q := range questions {
		rank := rankOf(t, q)
		fmt.Fprintf(&golden, "%2d  %s\n", rank, q.text)
		if rank == 1 {
			first++
		}
		if rank >= 1 && rank <= 5 {
			five++
		}
		if rank > 0 {
			reciprocal += 1 / float64(rank)
		}
	}
	n := float64(len(questions))
	fmt.Fprintf(&golden, "recall@1 %.3f  recall@5 %.3f  MRR %.3f\n", float64(first)/n, float64(five)/n, reciprocal/n)
	compareGolden(t, "testdata/ranking.golden", golden.String())
}

type example struct{ text, file, heading string }

func examples(t *testing.T) []example {
	t.Helper()
	data, err := os.ReadFile("../../examples/questions.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var out []example
	for line := range strings.Lines(string(data)) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if !strings.HasPrefix(line, "#") {
			out = append(out, example{fields[0], fields[1], fields[2]})
		}
	}
	return out
}

// rankOf gives the place of the right note, 0 when it is not among the first 20.
func rankOf(t *testing.T, q example) int {
	t.Helper()
	var answer struct {
		Memories []struct {
			Context string `json:"capture_context"`
		}
	}
	out := command(t, "recall", "--json", "--limit", "20", q.text)
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatalf("%q: %v", q.text, err)
	}
	for i, m := range answer.Memories {
		if m.Context == q.file+" > "+q.heading {
			return i + 1
		}
	}
	return 0
}

// command runs a command that succeeds and gives its output.
func command(t *testing.T, args ...string) []byte {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(context.Background(), args, streams{in: strings.NewReader(""), out: &out, err: &errs, inTTY: true}); code != exitDone {
		t.Fatalf("combray %q: exit %d: %s", args, code, errs.String())
	}
	return out.Bytes()
}

func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: run the test with -update", err)
	}
	if got != string(want) {
		t.Errorf("%s has changed; look at the difference, and run with -update if it is meant.\ngot:\n%s\nwant:\n%s", path, got, want)
	}
}
