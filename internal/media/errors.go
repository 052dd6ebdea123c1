package media

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// Error says why a file or signal cannot be used and what to do about it. It is
// always the fault of what was given, never of the program.
type Error struct {
	Message string // what was wrong and what is allowed
	Hint    string // the next step
	Err     error  // of the decoder; may be nil
}

func (e *Error) Error() string { return e.Message + "; " + e.Hint }

func (e *Error) Unwrap() error { return e.Err }

// refuse returns an Error whose message is formatted; an argument that is an error is
// wrapped too.
func refuse(hint, format string, args ...any) error {
	e := &Error{Message: fmt.Errorf(format, args...).Error(), Hint: hint}
	for _, a := range args {
		if err, ok := a.(error); ok {
			e.Err = err
		}
	}
	return e
}

// decoding lets one file at a time be decoded in a process, so that the memory this
// takes is bounded however many are sent.
var decoding = make(chan struct{}, 1)

// takeTurn waits until no other file is decoded. After nil, the returned function must
// be called.
func takeTurn(ctx context.Context) (leave func(), err error) {
	select {
	case decoding <- struct{}{}:
		return func() { <-decoding }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// fenced runs a decoder on the file of the given format. Its panics and errors become
// an Error; the end of ctx stays itself.
func fenced(ctx context.Context, f format, decode func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = refuse(f.hint(), "the %s cannot be decoded: %v", f.name, r)
		}
	}()
	err = decode()
	var ours *Error
	switch {
	case err == nil:
		return ctx.Err()
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &ours):
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return refuse(f.hint(), "the %s is cut off: %w", f.name, err)
	}
	return refuse(f.hint(), "the %s is damaged: %w", f.name, err)
}

// watched lets a decoder read until ctx ends.
type watched struct {
	ctx context.Context
	r   io.Reader
}

func (w watched) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.r.Read(p)
}
