package memory

import (
	"strings"
	"time"
)

// Subject is what the store knows of the memory that a verb is about, and what
// screening found in the texts of the call. A verb fills in what its rule reads.
type Subject struct {
	ID         ID
	Memory     *Memory // nil: unknown
	Labels     []string
	Anchor     *Anchor
	Canon      []CanonEntry // active memberships, oldest first
	Dependents Dependents
	Waiting    []Recollection // of the memory, in the queue
	Hit        *Hit           // nil: nothing found
	Marked     bool           // this call has marked what rests on it already
}

// known refuses an id that nobody has.
func (x Subject) known() error {
	if x.Memory == nil {
		return NotFound("memory", x.ID)
	}
	return nil
}

// hurt marks those dependents alone that cannot use the memory as it is, so that
// mending it does not silently revive them (contract/history.md 1.3).
func (x Subject) hurt(why string, now time.Time) Plan {
	x.Dependents = x.Dependents.hurt(*x.Memory, x.Labels, now)
	return x.invalidate(why, now)
}

// invalidate marks what rests on the memory, unless this call has done it.
func (x Subject) invalidate(why string, now time.Time) Plan {
	if x.Marked {
		return Plan{}
	}
	return Invalidate(now, SourceChange{Kind: SourceMemory, ID: x.ID, Why: why, Dependents: x.Dependents})
}

// begin checks the texts of a call and the memory's id, in the order that all
// verbs on one memory share, and gives the memory to change. Texts that
// screening found suspicious flag it first.
func (x *Subject) begin(now time.Time, texts ...given) (Memory, Plan, error) {
	if err := need(texts...); err != nil {
		return Memory{}, Plan{}, err
	}
	if err := x.known(); err != nil {
		return Memory{}, Plan{}, err
	}
	m := *x.Memory
	if x.Hit == nil || m.SecuritySensitive {
		return m, Plan{}, nil
	}
	m.SecuritySensitive = true
	plan, _ := x.flagged(x.Hit.Reason(), now)
	plan.Write(PutMemory{m})
	plan.Record(m.ID, ActAutoFlagSensitive, x.Hit.Reason(), now)
	return m, plan, nil
}

// given is an argument that must hold a text.
type given struct{ field, text string }

// need refuses the first argument that is blank.
func need(texts ...given) error {
	for _, g := range texts {
		if strings.TrimSpace(g.text) == "" {
			return Invalid(g.field, needHints[g.field], "%s is required and cannot be empty", g.field)
		}
	}
	return nil
}

// needHints name the next call for each argument that need checks.
var needHints = map[string]string{
	"content": "Call again with the text in content.",
	"reason":  "Call again with a reason: one sentence why, which stays in the audit log.",
	"note":    "Call again with a note that says what was checked.",
	"source":  "Call corroborate again with a stable label of who or what confirms the memory.",
	"frame":   "Call set_frame again with a label; list_frames shows those in use.",
	"scope":   "Call again with the name of a task; active_scopes shows those in use.",
}
