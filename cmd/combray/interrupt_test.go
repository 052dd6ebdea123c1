package main

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestASignalEndsReading interrupts commands while they wait for text and for an
// answer that never come.
func TestASignalEndsReading(t *testing.T) {
	newHome(t)
	for _, args := range [][]string{{"remember", "-"}, {"recall", "-"}, {"setup", "claude-code"}} {
		in, writer := io.Pipe()
		ctx, interrupt := context.WithCancel(context.Background())
		var out, said bytes.Buffer
		asked := readStarted{in, interrupt}
		if code := run(ctx, args, streams{in: asked, out: &out, err: &said, inTTY: true}); code != exitFailed || ctx.Err() == nil {
			t.Errorf("%v ended with %d: %s", args, code, said.String())
		}
		writer.Close()
	}
}

// readStarted interrupts when it is read from.
type readStarted struct {
	io.Reader
	interrupt func()
}

func (r readStarted) Read(p []byte) (int, error) {
	r.interrupt()
	return r.Reader.Read(p)
}

func TestInterruptibleReadsAll(t *testing.T) {
	const text = "tea, and a madeleine"
	got, err := io.ReadAll(interruptible{context.Background(), iotest.OneByteReader(strings.NewReader(text))})
	if err != nil || string(got) != text {
		t.Errorf("%q, %v", got, err)
	}
}
