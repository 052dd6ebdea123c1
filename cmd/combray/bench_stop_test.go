package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
)

// TestBenchThatIsStopped holds that a person who interrupts hears what became of it,
// and that nothing is left.
func TestBenchThatIsStopped(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, said bytes.Buffer
	code := run(ctx, []string{"bench", "--model", "none", "-n", "100"}, streams{in: strings.NewReader(""), out: &out, err: &said})
	if code != exitFailed || !strings.Contains(said.String(), "stopped before the end") || out.Len() > 0 {
		t.Errorf("exit code %d, said %q", code, said.String())
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v is left (%v)", left, err)
	}
}
