package local

import (
	"context"
	"time"
)

const (
	// followAgain is how often a process looks whether others have written.
	followAgain = 2 * time.Second
	// settleAfter is after how many looks at a store that nobody writes, half a minute,
	// the newest rows go into the index files.
	settleAfter = 15
)

// keepIndex brings into the index what the store has, at the start and whenever other
// processes have written and pause, so that no question has to wait for many rows. While
// they write it waits: each of ten processes would take in every row of an import beside
// it. When they are done one of them writes the index files, so that none goes on with
// many rows in its own memory.
func (l *Local) keepIndex(ctx context.Context) {
	var p pause
	keep := func() {
		if err := l.followOnce(ctx, &p); err != nil && ctx.Err() == nil {
			l.log.Debug("the index is behind", "err", err)
		}
	}
	keep()
	every(ctx, followAgain, keep)
}

// pause is what keepIndex saw before. The zero pause is that of the start.
type pause struct {
	looked   bool
	sequence int64 // of the store
	looks    int   // that found the same
}

func (l *Local) followOnce(ctx context.Context, p *pause) error {
	sequence, err := l.Store.Sequence(ctx)
	if err != nil {
		return err
	}
	moved := p.looked && sequence != p.sequence
	p.looked, p.sequence = true, sequence
	if moved {
		p.looks = 0
		return nil
	}
	if p.looks++; p.looks == settleAfter {
		return l.Index.Settle(ctx)
	}
	return l.Index.Follow(ctx)
}
