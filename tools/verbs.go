package tools

import (
	"context"

	"combray/internal/memory"
)

// Verbs is what the tools need of memory.Service, a family of verbs each.
type Verbs interface {
	capturing
	recalling
	lifecycling
	trusting
	prioritising
	placing
	contradicting
	linking
	narrating
	claiming
	looking
	listing
	auditing
	perceiving
}

var _ Verbs = (*memory.Service)(nil)

type capturing interface {
	Remember(context.Context, memory.RememberInput) (memory.Remembered, error)
	RememberMany(context.Context, []memory.RememberInput) ([]memory.Remembered, error)
}

type recalling interface {
	Recall(context.Context, memory.RecallInput) (memory.RecallResult, error)
	Search(context.Context, memory.RecallInput) (memory.RecallResult, error)
}
