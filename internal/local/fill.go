package local

import (
	"context"
	"errors"
	"time"
)

// fillAgain is how long a process waits before it looks again for vectors that
// another process may have left undone.
const fillAgain = 30 * time.Second

// wakeFill says that a memory was stored without its vector.
func (l *Local) wakeFill() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// fill makes missing vectors until ctx ends: at the start, when a memory was
// stored without one, and now and then for what other processes left. It loads
// no encoder while nothing is missing.
func (l *Local) fill(ctx context.Context) {
	again := time.NewTicker(fillAgain)
	defer again.Stop()
	for {
		if err := l.fillOnce(ctx); err != nil && ctx.Err() == nil {
			l.log.Debug("vectors not made", "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		case <-again.C:
		}
	}
}

// keepCues keeps the files of the cue index up to date, at the start and now and
// then.
func (l *Local) keepCues(ctx context.Context) {
	keep := func() {
		if err := l.cues.refresh(ctx); err != nil && ctx.Err() == nil {
			l.log.Debug("the cue index is behind", "err", err)
		}
	}
	keep()
	every(ctx, fillAgain, keep)
}

// keepErased finishes what an erasure left, at the start and now and then.
func (l *Local) keepErased(ctx context.Context) {
	finish := func() {
		if err := l.FinishErasure(ctx); err != nil && ctx.Err() == nil {
			l.log.Warn("an erased memory may still leave bytes in the files; this is tried again", "err", err)
		}
	}
	finish()
	every(ctx, fillAgain, finish)
}

// FinishErasure rewrites what an erasure left in the files when the process that
// erased was killed before it had done so, or another read an older state. The
// error says why bytes may still be there.
func (l *Local) FinishErasure(ctx context.Context) error {
	needed, err := l.Store.NeedsScrub(ctx)
	if err != nil || !needed {
		return err
	}
	if !l.readOnly {
		if err := errors.Join(l.Index.Rewrite(ctx), l.cues.Scrub(ctx)); err != nil {
			return err
		}
	}
	return l.Store.Scrub(ctx)
}

// fillOnce makes what is missing now: vectors of memories, and behind them those
// for cues, which only a process needs that was asked to sense.
func (l *Local) fillOnce(ctx context.Context) error {
	err := l.fillOf(ctx, l.vectors, l.Backfill)
	if err != nil || !l.cues.used() {
		return err
	}
	return l.fillOf(ctx, l.cues.Identity(), l.BackfillCues)
}

func (l *Local) fillOf(ctx context.Context, identity string, backfill func(context.Context, func(int)) (int, error)) error {
	missing, err := l.Store.Unembedded(ctx, identity, 1)
	if err != nil || len(missing) == 0 {
		return err
	}
	release, held := l.takeTurn()
	if !held {
		return nil
	}
	defer release()
	_, err = backfill(ctx, nil)
	return err
}

// takeTurn lets one process at a time make vectors, so that many servers of one
// store do not all do the same work. The lock goes with the process.
func (l *Local) takeTurn() (release func(), held bool) {
	return takeLock(l.folder, fillLock)
}
