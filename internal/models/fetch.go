package models

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// maxAttempts bounds how often a broken transfer is continued. Each further
// attempt needs at least one new byte from the one before.
const maxAttempts = 10

// errStartAgain says that what was fetched so far does not fit the server's file.
var errStartAgain = errors.New("the part fetched earlier does not fit the publisher's file")

// fetch downloads one file into its place, continuing a part file if there is one.
func (s Store) fetch(ctx context.Context, it item, opt Options) error {
	part, err := openPart(it.target + partSuffix)
	if err != nil {
		return err
	}
	defer part.Close()
	client, idle := newClient(), s.newStallTimer()
	defer client.CloseIdleConnections()
	get := &transfer{item: it, part: part, client: client, idle: idle, opt: opt}
	if err := get.all(ctx); err != nil {
		return explain(ctx, it, err)
	}
	return nil
}

// transfer is the fetching of one file.
type transfer struct {
	item   item
	part   *os.File
	client *http.Client
	idle   stallTimer
	opt    Options
}

// all fetches until the file is complete and right. A part from an earlier run
// that turns out wrong is thrown away once.
func (t *transfer) all(ctx context.Context) error {
	info, err := t.part.Stat()
	if err != nil {
		return err
	}
	resumed := info.Size() > 0
	err = t.run(ctx)
	var bad *DamageError
	if !resumed || !(errors.Is(err, errStartAgain) || errors.As(err, &bad)) {
		return err
	}
	// finish may have deleted the part's name; open it anew.
	t.part.Close()
	if t.part, err = openPart(t.part.Name()); err != nil {
		return err
	}
	defer t.part.Close()
	if err := t.restart(); err != nil {
		return err
	}
	return t.run(ctx)
}

// run fetches what is missing and finishes the file.
func (t *transfer) run(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		have, err := t.have()
		if err != nil {
			return err
		}
		if have == t.item.want.Bytes {
			return finish(ctx, t.item, t.part)
		}
		err = t.once(ctx, have)
		if err == nil {
			continue
		}
		var cut *cutError
		now, statErr := t.have()
		if !errors.As(err, &cut) || ctx.Err() != nil || statErr != nil || now <= have || attempt == maxAttempts {
			return err
		}
	}
}

// have returns the length of the part file, which is emptied if it is too long.
func (t *transfer) have() (int64, error) {
	info, err := t.part.Stat()
	if err != nil {
		return 0, err
	}
	if info.Size() > t.item.want.Bytes {
		return 0, t.restart()
	}
	return info.Size(), nil
}

func (t *transfer) restart() error {
	_ = os.Remove(t.part.Name() + validatorSuffix)
	return t.part.Truncate(0)
}

// once makes one request for the bytes from have on and adds them to the part.
func (t *transfer) once(ctx context.Context, have int64) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watch := t.idle.start(func() { cancel(errStalled) })
	defer watch.Stop()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.item.address, nil)
	if err != nil {
		return err
	}
	request.Header.Set("User-Agent", "combray")
	request.Header.Set("Accept-Encoding", "identity")
	if have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", have))
		if v := readSmall(t.part.Name() + validatorSuffix); v != "" {
			request.Header.Set("If-Range", v)
		}
	}
	response, err := t.client.Do(request)
	if err != nil {
		var wrapped *url.Error // repeats the address, sometimes one with a signature in it
		if errors.As(err, &wrapped) {
			err = wrapped.Err
		}
		return withCause(ctx, err)
	}
	defer response.Body.Close()
	if have, err = t.accept(response, have); err != nil {
		return err
	}
	return t.add(ctx, body{response.Body, watch, t.idle}, have)
}

// accept looks at the answer's head and returns where its body starts in the file.
func (t *transfer) accept(response *http.Response, have int64) (int64, error) {
	want := t.item.want.Bytes
	switch {
	case response.StatusCode == http.StatusPartialContent && have > 0:
		if response.Header.Get("Content-Range") != fmt.Sprintf("bytes %d-%d/%d", have, want-1, want) {
			return 0, errStartAgain
		}
		return have, nil
	case response.StatusCode == http.StatusRequestedRangeNotSatisfiable && have > 0:
		return 0, errStartAgain
	case response.StatusCode != http.StatusOK:
		return 0, &statusError{response.Status}
	}
	if err := t.restart(); err != nil {
		return 0, err
	}
	if v := validator(response.Header); v != "" {
		// Without the note the next run continues without it; the hash decides in the end.
		_ = os.WriteFile(t.part.Name()+validatorSuffix, []byte(v), 0o600)
	}
	return 0, nil
}

// validator returns what If-Range may name: a strong ETag or a date.
func validator(h http.Header) string {
	if tag := h.Get("ETag"); tag != "" && !strings.HasPrefix(tag, "W/") && len(tag) < 256 {
		return tag
	}
	return h.Get("Last-Modified")
}

// add writes the body to the part file from offset at on. It never writes more
// than the file should have.
func (t *transfer) add(ctx context.Context, r io.Reader, at int64) error {
	if at == 0 {
		head, _ := io.ReadAll(io.LimitReader(r, 512)) // a failure comes back with the next read
		if what := impostor(head); what != "" {
			return &DamageError{"what the server sent", what}
		}
		r = io.MultiReader(bytes.NewReader(head), r)
	}
	want := t.item.want.Bytes
	sink := &meter{out: io.NewOffsetWriter(t.part, at), opt: t.opt, file: t.item.file, done: at, total: want}
	n, err := io.CopyBuffer(onlyWriter{sink}, io.LimitReader(r, want-at), make([]byte, copyBytes))
	switch {
	case err != nil && sink.failed != nil:
		return fmt.Errorf("write %s: %w", t.part.Name(), sink.failed)
	case err != nil || at+n < want:
		return &cutError{at + n, want, withCause(ctx, err)}
	}
	if extra, _ := io.ReadFull(r, make([]byte, 1)); extra > 0 {
		if err := t.restart(); err != nil {
			return err
		}
		return &DamageError{"what the server sent", "is longer than the " + strconv.FormatInt(want, 10) + " bytes models.lock says"}
	}
	return nil
}

// onlyWriter hides every method but Write, so that io.CopyBuffer uses its buffer.
type onlyWriter struct{ io.Writer }

// cutError is a transfer that ended early; the part file can be continued.
type cutError struct {
	done, want int64
	err        error // nil: the server closed the connection
}

func (e *cutError) Error() string {
	text := fmt.Sprintf("the transfer ended at %d of %d bytes", e.done, e.want)
	if e.err != nil {
		text += ": " + e.err.Error()
	}
	return text
}

func (e *cutError) Unwrap() error { return e.err }

// statusError is an answer that is not the file.
type statusError struct{ status string }

func (e *statusError) Error() string { return "the server answered " + e.status }
