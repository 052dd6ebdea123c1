package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"combray/internal/local"
)

// TestAServerOpensWhatWasPutRight calls a server whose file is no store, then again
// when that is out of the way.
func TestAServerOpensWhatWasPutRight(t *testing.T) {
	h := newHome(t)
	path := h.data("combray.db")
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, bytes.Repeat([]byte("no store "), 1000), 0o600)); err != nil {
		t.Fatal(err)
	}
	in, send := io.Pipe()
	receive, out := io.Pipe()
	code := make(chan int)
	go func() {
		defer out.Close()
		code <- run(context.Background(), []string{"mcp"}, streams{in: in, out: out, err: io.Discard})
	}()
	lines, id := bufio.NewReader(receive), 0
	ask := func(method, params string) string {
		id++
		fmt.Fprintf(send, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return line
	}
	ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`)
	const remember = `{"name":"remember","arguments":{"content":"The key lies under the pot."}}`
	if answer := ask("tools/call", remember); !strings.Contains(answer, `"isError":true`) {
		t.Errorf("a file that is no store: %s", answer)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if answer := ask("tools/call", remember); strings.Contains(answer, `"isError":true`) {
		t.Errorf("when it was away: %s", answer)
	}
	if err := send.Close(); err != nil {
		t.Fatal(err)
	}
	if got := <-code; got != 0 {
		t.Errorf("the server ended with %d", got)
	}
}

// TestOpeningMakesOneAttemptATime asks many at once while an attempt is under way,
// and polls after it failed.
func TestOpeningMakesOneAttemptATime(t *testing.T) {
	var attempts atomic.Int32
	release, failure := make(chan struct{}), errors.New("locked")
	o := &opening{open: func() (*local.Serving, error) {
		attempts.Add(1)
		<-release
		return nil, failure
	}}
	o.attempt()
	told := make(chan error)
	for range 5 {
		a := o.attempt()
		go func() {
			_, err := a.wait(context.Background())
			told <- err
		}()
	}
	close(release)
	for range 5 {
		if err := <-told; !errors.Is(err, failure) {
			t.Errorf("told %v", err)
		}
	}
	if _, err := o.queueVersion(context.Background()); !errors.Is(err, failure) || attempts.Load() != 1 {
		t.Errorf("%d attempts, polled %v", attempts.Load(), err)
	}
	if _, err := o.verbs(context.Background()); !errors.Is(err, failure) || attempts.Load() != 2 {
		t.Errorf("%d attempts, called %v", attempts.Load(), err)
	}
	if err := o.close(); err != nil {
		t.Errorf("close: %v", err)
	}
}
