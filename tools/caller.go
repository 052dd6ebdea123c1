package tools

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"combray/internal/memory"
)

// Scope is what a caller may use a tool for.
type Scope string

// The scopes. Every tool has exactly one; none contains another.
const (
	ScopeRead  Scope = "read"  // tools that change nothing
	ScopeWrite Scope = "write" // tools that change memories
	ScopeSense Scope = "sense" // cues in, recollections out
)

// Scopes lists every scope.
func Scopes() []Scope { return []Scope{ScopeRead, ScopeWrite, ScopeSense} }

// sensing are the tools of ScopeSense: they change the queue and its history,
// never a memory.
var sensing = []string{"sense", pendingToolName, "feedback"}

// ScopeOf gives the scope that a call of the tool needs.
func ScopeOf(tool string) Scope {
	t := find(tool)
	switch {
	case slices.Contains(sensing, tool):
		return ScopeSense
	case t != nil && t.hints.readOnly:
		return ScopeRead
	}
	return ScopeWrite
}

// Caller is who calls through a door that gives callers rights of their own.
type Caller struct {
	Scopes []Scope    // what it may do
	Limit  *CallLimit // its own calls a minute; nil: no limit
}

type callerKey struct{}

// WithCaller puts who calls into the context of a call. Its scopes and its limit
// then decide, in place of the server's limit.
func WithCaller(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, c)
}

// CallerOf gives the caller of a context, if the door set one.
func CallerOf(ctx context.Context) (c Caller, ok bool) {
	c, ok = ctx.Value(callerKey{}).(Caller)
	return c, ok
}

// Admit counts a call of a tool at now. Not admitted, the reply says why: denied
// for a scope that the caller lacks, or a limit with the time to wait.
func (c Caller) Admit(tool string, now time.Time) (refused Reply, admitted bool) {
	if need := ScopeOf(tool); !slices.Contains(c.Scopes, need) {
		return Refusal(memory.Denied("Use a token with the scope "+string(need)+", or call a tool of the scopes it has.",
			"%s needs the scope %s; this token has %s", tool, need, named(c.Scopes))), false
	}
	return c.Limit.admit(now)
}

func named(scopes []Scope) string {
	if len(scopes) == 0 {
		return "none"
	}
	names := mapped(scopes, func(s Scope) string { return string(s) })
	return strings.Join(names, " and ")
}

// admit is take with the reply for a call that comes too early.
func (l *CallLimit) admit(now time.Time) (refused Reply, admitted bool) {
	wait, ok := l.take(now)
	if ok {
		return Reply{}, true
	}
	seconds := int(math.Ceil(wait.Seconds()))
	r := Refusal(memory.Limit("", fmt.Sprintf("Wait %d seconds, then call again.", seconds),
		"more than %d calls in a minute", len(l.times)))
	r.Wait = wait
	return r, false
}

// Refusal is the reply of a call that a door refuses by itself.
func Refusal(err error) Reply { return failed(err, nil, "") }
