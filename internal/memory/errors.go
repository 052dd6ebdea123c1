package memory

import (
	"errors"
	"fmt"
)

// Code is the closed, append-only set of failures a caller can tell apart.
type Code string

// The codes.
const (
	CodeInvalid     Code = "invalid"     // an argument is wrong
	CodeDenied      Code = "denied"      // a gate refuses
	CodeNotFound    Code = "not_found"   // an id is unknown
	CodeConflict    Code = "conflict"    // the state forbids it
	CodeLimit       Code = "limit"       // too long, too many, too fast
	CodeUnavailable Code = "unavailable" // a lane asked for by name, a locked or full store
	CodeCorrupt     Code = "corrupt"     // a damaged file
	CodeInternal    Code = "internal"    // our fault
)

// Error is every failure that leaves this package.
type Error struct {
	Code    Code
	Op      string // the verb that failed, "" when the caller knows it
	Message string // what was wrong and what is allowed, a sentence for the caller
	Hint    string // never empty: the next call to make
	Field   string // the argument concerned, "" when none
	Err     error  // the cause, never shown to a caller
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// Invalid reports a wrong argument.
func Invalid(field, hint, format string, args ...any) *Error {
	return &Error{Code: CodeInvalid, Field: field, Hint: hint, Message: fmt.Sprintf(format, args...)}
}

// Forbidden reports that the state of things does not allow the call.
func Forbidden(hint, format string, args ...any) *Error {
	return &Error{Code: CodeConflict, Hint: hint, Message: fmt.Sprintf(format, args...)}
}

// Denied reports that the corroboration gate or a right refuses the call.
func Denied(hint, format string, args ...any) *Error {
	return &Error{Code: CodeDenied, Hint: hint, Message: fmt.Sprintf(format, args...)}
}

// NotFound reports an unknown id of the given kind ("memory", "claim" …).
func NotFound(kind string, id ID) *Error {
	return &Error{Code: CodeNotFound, Field: kind + "_id",
		Message: fmt.Sprintf("no such %s: %s", kind, id),
		Hint:    hintForUnknown(kind)}
}

func hintForUnknown(kind string) string {
	switch kind {
	case "claim":
		return "Call recall_claims to find the claim's id."
	case "narrative":
		return "Call narrative_history to find the narrative's id."
	case "conflict":
		return "Call list_conflicts to find the conflict's id."
	case "link":
		return "Call memory_links to find the link's id."
	case "recollection":
		return "Pass the id of a recollection from sense or pending_recollections."
	case "evidence":
		return "Call inspect_claim to find the evidence's id."
	}
	return "Call recall or search to find the memory's id."
}

// Limit reports that something is too long, too many or too fast.
func Limit(field, hint, format string, args ...any) *Error {
	return &Error{Code: CodeLimit, Field: field, Hint: hint, Message: fmt.Sprintf(format, args...)}
}

// Unavailable reports a lane or store that cannot be used now.
func Unavailable(hint string, cause error, format string, args ...any) *Error {
	return &Error{Code: CodeUnavailable, Hint: hint, Err: cause, Message: fmt.Sprintf(format, args...)}
}

// CodeOf gives the code of err, CodeInternal when it is not an Error.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return CodeInternal
}
