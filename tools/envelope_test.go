package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"combray/internal/memory"
)

func TestErrorTable(t *testing.T) {
	notFound := memory.NotFound("memory", "0123456789ab")
	for _, c := range []struct {
		err   error
		notes []string
		want  string
	}{
		{memory.Invalid("tier", "Use archive.", "tier must be one of archive"), nil, `{"error":"ValueError","code":"invalid","message":"tier must be one of archive","hint":"Use archive.","field":"tier"}`},
		{memory.Forbidden("promote() first.", "not consolidated"), nil, `{"error":"ValueError","code":"conflict","message":"not consolidated","hint":"promote() first."}`},
		{memory.Limit("content", "Split.", "too long"), nil, `{"error":"ValueError","code":"limit","message":"too long","hint":"Split.","field":"content"}`},
		{memory.Denied("Call corroborate.", "no"), nil, `{"error":"PermissionError","code":"denied","message":"no","hint":"Call corroborate."}`},
		{notFound, nil, `{"error":"KeyError","code":"not_found","message":"'no such memory: 0123456789ab'","hint":"` + notFound.Hint + `","field":"memory_id"}`},
		{memory.Unavailable("Wait.", errors.New("secret path"), "locked"), nil, `{"error":"RuntimeError","code":"unavailable","message":"locked","hint":"Wait."}`},
		{&memory.Error{Code: memory.CodeCorrupt, Message: "damaged"}, nil, `{"error":"RuntimeError","code":"corrupt","message":"damaged","hint":"` + genericHint + `"}`},
		{fmt.Errorf("wrapped: %w", memory.Denied("h", "m")), []string{"The argument x was ignored."}, `{"error":"PermissionError","code":"denied","message":"m (The argument x was ignored.)","hint":"h"}`},
		{&memory.BatchError{Total: 3, Items: []memory.ItemError{{Index: 1, Err: memory.Invalid("tags", "h", "bad")}}}, nil,
			`{"error":"ValueError","code":"invalid","message":"nothing was stored: 1 of 3 items were refused. The first: bad","hint":"h","field":"tags","errors":[{"index":1,"error":"ValueError","code":"invalid","message":"bad","hint":"h","field":"tags"}]}`},
	} {
		r := failed(c.err, c.notes, "")
		if string(r.Body) != c.want {
			t.Errorf("got  %s\nwant %s", r.Body, c.want)
		}
		result := r.result()
		if !result.IsError || result.RawStructuredContent != nil || result.StructuredContent != nil || len(result.Content) != 1 {
			t.Errorf("%v: not in the form of an error", c.err)
		}
	}
	batch := &memory.BatchError{Total: 1, Items: []memory.ItemError{{Err: &memory.Error{Code: memory.CodeInvalid, Field: "tags"}}}}
	if err := hinted(batch, "remember_many"); err != batch || asError(err).Code != memory.CodeInvalid {
		t.Errorf("a refused batch became %v, which is logged as %s", err, asError(err).Code)
	}
	var f failure
	r := failed(errors.New("select * from secrets"), nil, "ab12")
	if err := json.Unmarshal(r.Body, &f); err != nil || f.Code != memory.CodeInternal || f.Ref != "ab12" || f.Message == "" || f.Hint == "" {
		t.Errorf("internal: %s", r.Body)
	}
	if f := asError(context.Canceled); f.Code != memory.CodeUnavailable {
		t.Errorf("cancelled: %s", f.Code)
	}
}

func TestCallLimit(t *testing.T) {
	l := NewCallLimit(2)
	now := time.Unix(1000, 0)
	for i, c := range []struct {
		after time.Duration
		ok    bool
	}{{0, true}, {10 * time.Second, true}, {59 * time.Second, false}, {60 * time.Second, true}, {69 * time.Second, false}, {70 * time.Second, true}} {
		if wait, ok := l.take(now.Add(c.after)); ok != c.ok || !ok && wait <= 0 {
			t.Errorf("call %d: got %v, wait %v", i, ok, wait)
		}
	}
	if _, ok := NewCallLimit(0).take(now); !ok {
		t.Error("no limit must allow")
	}
}
