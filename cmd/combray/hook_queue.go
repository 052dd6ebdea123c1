package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"combray/internal/local"
	"combray/internal/loopback"
	"combray/internal/memory"
	"combray/tools"
)

// queue is where recollections wait, here or behind a server.
type queue interface {
	cue(ctx context.Context, text string) error
	waiting(ctx context.Context) ([]waitingItem, error)
	take(ctx context.Context, ids []string) error
	close()
}

// hookSource is who reports a prompt.
const hookSource = "hook"

// queue opens the queue. nil: there is no memory, or nothing may be taken from it,
// so that the same would be said with every prompt.
func (a *app) queue(ctx context.Context, o hooking) (queue, error) {
	if o.url != "" {
		token, err := a.senseToken()
		if err != nil {
			return nil, err
		}
		served, err := loopback.At(o.url, token)
		return servedQueue{served}, err
	}
	if _, err := os.Stat(a.set.DB); err != nil || a.set.ReadOnly {
		return nil, nil
	}
	l, err := a.open(ctx)
	if err != nil {
		return nil, err
	}
	return localQueue{l, o.cue}, nil
}

// localQueue is the queue of the store on this machine.
type localQueue struct {
	opened *local.Local
	how    string // cueWords or cueFull
}

func atTheHook(ctx context.Context) context.Context {
	return memory.WithActor(ctx, memory.Actor{Client: "combray", Version: versionString(), Door: memory.DoorHook})
}

func (q localQueue) cue(ctx context.Context, text string) error {
	_, err := q.opened.Sense(atTheHook(ctx), memory.SenseInput{Text: &text, Source: hookSource, WordsOnly: q.how == cueWords})
	if errors.Is(err, context.DeadlineExceeded) {
		// Where nobody sensed before, the folder that was made now tells a server to.
		return errors.New("there was no time for it; where many memories are new to cues, a server (combray mcp, combray serve) takes them in " +
			"within a minute, or combray sense once")
	}
	return err
}

func (q localQueue) waiting(ctx context.Context) ([]waitingItem, error) {
	rows, _, err := q.opened.Pending(ctx, memory.PendingInput{Limit: hookItems})
	items := make([]waitingItem, len(rows))
	for i, r := range rows {
		items[i] = waitingItem{string(r.Recollection.ID), r.PromptLine("combray", true)}
	}
	return items, err
}

func (q localQueue) take(ctx context.Context, shown []string) error {
	ids := make([]memory.ID, len(shown))
	for i, id := range shown {
		ids[i] = memory.ID(id)
	}
	_, _, err := q.opened.Pending(atTheHook(ctx), memory.PendingInput{Drain: true, Only: ids})
	return err
}

func (q localQueue) close() { _ = q.opened.Close() } // what fails now was shown already, and comes again

// servedQueue is the queue behind a running combray serve.
type servedQueue struct{ memory loopback.Memory }

func (q servedQueue) cue(ctx context.Context, text string) error {
	return q.memory.Cue(ctx, text, hookSource)
}

func (q servedQueue) waiting(ctx context.Context) ([]waitingItem, error) {
	all, err := q.memory.Waiting(ctx, hookItems)
	items := make([]waitingItem, len(all))
	for i, r := range all {
		items[i] = waitingItem{r.ID, r.PromptLine}
		if !r.Verified {
			items[i].line = strings.Replace(r.PromptLine, "]", ", unverified]", 1)
		}
	}
	return items, err
}

func (q servedQueue) take(ctx context.Context, shown []string) error {
	return q.memory.Take(ctx, shown)
}

func (q servedQueue) close() {}

// senseToken is the first token of the token file that may sense, or that of the
// variable that stands in for the file.
func (a *app) senseToken() (string, error) {
	path := a.set.TokenFile
	if secret := os.Getenv(madeleineToken); path == "" && secret != "" {
		return strings.TrimSpace(secret), nil
	}
	if path == "" {
		path = filepath.Join(dataFolder(), "token")
	}
	if _, err := readTokenFile(path); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("there is no token file %s; combray serve writes it", path)
		}
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) == 1 || slices.Contains(strings.Split(fields[0], ","), string(tools.ScopeSense)) {
			return fields[len(fields)-1], nil
		}
	}
	return "", fmt.Errorf("the token file %s has no token with the scope sense", path)
}
