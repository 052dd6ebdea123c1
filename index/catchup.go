package index

import (
	"context"
	"fmt"
	"math"
	"slices"
)

const (
	// pullRows is how many rows are asked of the store at a time.
	pullRows = 512
	// applyRows is how many rows are brought in before searches get a turn: some
	// millisecond's work.
	applyRows = 64
	// noLimit lets a pull bring in all rows.
	noLimit = math.MaxInt
)

// CatchUp brings the index up to the store's sequence, takes over files that
// another process wrote, and sees to it that the files are rewritten, in the
// background, when they are due, and that there is a graph if Config.Kind wants
// one. It costs two calls to the system, three with a graph, and one to the store
// when nothing has changed.
func (ix *Index) CatchUp(ctx context.Context) error {
	return ix.catchUp(ctx, true)
}

// Follow is CatchUp for those who write many rows and do not ask: the mean that
// is subtracted from vectors stays as it is, though it may be out of date. The
// next CatchUp puts that right.
func (ix *Index) Follow(ctx context.Context) error {
	return ix.catchUp(ctx, false)
}

func (ix *Index) catchUp(ctx context.Context, settle bool) error {
	if err := ix.hold(ctx); err != nil {
		return err
	}
	defer ix.catch.leave()
	if err := ix.follow(ctx); err != nil {
		return err
	}
	if s := ix.state; !ix.writes() && s.delta.columns.len() > 2*len(s.delta.slots)+bulkRows {
		if err := ix.dropDead(ctx); err != nil {
			return err
		}
	}
	if settle {
		if err := ix.settle(ctx, ix.state); err != nil {
			return err
		}
	}
	if ix.due() {
		ix.rewriteInBackground(ctx)
	} else if settle && !ix.rewriting.Load() {
		ix.followGraph()
	}
	return nil
}

// follow takes over a newer file and brings in the rows after it. Index.catch is held.
func (ix *Index) follow(ctx context.Context) error {
	if err := ix.refresh(ctx); err != nil {
		return err
	}
	target, err := ix.sequence(ctx)
	if err != nil {
		return err
	}
	if target < ix.state.seq {
		ix.log.Warn("the index is ahead of the store, it is made anew", "index", ix.state.seq, "store", target)
		ix.discard()
	}
	for limit := bulkRows; ; limit = ix.state.delta.columns.len() + bulkRows {
		full, err := ix.pull(ctx, ix.state, target, limit)
		if err != nil || !full {
			return err
		}
		if ix.writes() {
			if err := ix.rewriteInBulk(ctx); err != nil {
				ix.postpone(err)
			}
		}
	}
}

// compact is Rewrite for an index without a folder.
func (ix *Index) compact(ctx context.Context) error {
	if err := ix.hold(ctx); err != nil {
		return err
	}
	defer ix.catch.leave()
	if err := ix.follow(ctx); err != nil {
		return err
	}
	return ix.dropDead(ctx)
}

// dropDead makes the delta anew without the rows that stand no more. Where files
// are written, they do that. Index.catch is held.
func (ix *Index) dropDead(ctx context.Context) error {
	file := ix.state.segment
	next := newState(file, &ix.config)
	if _, err := ix.pull(ctx, next, ix.state.seq, noLimit); err != nil {
		return err
	}
	if err := ix.settle(ctx, next); err != nil {
		return err
	}
	file.use()
	ix.replace(next)
	return nil
}

func (ix *Index) sequence(ctx context.Context) (int64, error) {
	seq, err := ix.source.Sequence(ctx)
	if err != nil {
		return 0, fmt.Errorf("index: reading the store's sequence: %w", err)
	}
	return seq, nil
}

// batch is rows of the source, read by a goroutine of its own.
type batch struct {
	read chan struct{} // closed when the rest is there
	rows []Row
	err  error
}

// readBatch starts to read the rows after a sequence.
func (ix *Index) readBatch(ctx context.Context, after int64) *batch {
	b := &batch{read: make(chan struct{})}
	go func() {
		defer close(b.read)
		if b.rows, b.err = ix.source.Rows(ctx, after, pullRows); b.err != nil {
			b.err = fmt.Errorf("index: reading rows after sequence %d: %w", after, b.err)
		}
	}()
	return b
}

// pull brings the rows up to a sequence into a state, while the next ones are read: to
// make a row from what the store has takes longer than to bring it in. It stops,
// full, when the delta has limit rows.
func (ix *Index) pull(ctx context.Context, s *state, target int64, limit int) (full bool, err error) {
	s.target = target
	var next *batch
	defer func() {
		if next != nil {
			<-next.read
		}
	}()
	for s.seq < target {
		if s.delta.columns.len() >= limit {
			return true, nil
		}
		if next == nil {
			next = ix.readBatch(ctx, s.seq)
		}
		<-next.read
		rows, err := next.rows, next.err
		next = nil
		if err != nil {
			return false, err
		}
		if n := len(rows); n == pullRows && rows[n-1].Seq < target && s.delta.columns.len()+n < limit {
			next = ix.readBatch(ctx, rows[n-1].Seq)
		}
		if err := ix.applyAll(s, rows); err != nil {
			return false, err
		}
		if len(rows) < pullRows {
			ix.mu.Lock()
			s.seq = max(s.seq, target)
			ix.mu.Unlock()
		}
	}
	return false, nil
}

// applyAll brings rows into a state, a few at a time.
func (ix *Index) applyAll(s *state, rows []Row) error {
	seq := s.seq
	for i := range rows {
		row := &rows[i]
		if err := row.check(seq); err != nil {
			return err
		}
		seq = row.Seq
		if !areUnits(row.Vectors, ix.config.Dims) && ix.config.Dims > 0 {
			ix.refused.Add(1)
			ix.log.Warn("a row's vectors cannot be used, it counts as not embedded", "row", row.Doc, "dims", ix.config.Dims)
			row.Vectors = nil
		}
	}
	for part := range slices.Chunk(rows, applyRows) {
		ix.mu.Lock()
		for i := range part {
			s.apply(&part[i])
		}
		ix.mu.Unlock()
	}
	return nil
}

// settle brings the centre of a state up to date, which in a large index with files has to
// wait for the next rewrite. Index.catch is held.
func (ix *Index) settle(ctx context.Context, s *state) error {
	if !s.moved || (s.segment != nil && s.embedded > ix.config.sampleDocs) {
		return nil
	}
	now := s.snapshot()
	next, err := now.nextCentre(ctx, ix.source, ix.config.sampleDocs)
	if err != nil {
		return err
	}
	file, added := s.vectors, &s.delta.vectors
	if !next.sameSample(s.centre) {
		if file, err = now.recode(ctx, ix.source, next, slotRange{0, s.file.len()}); err != nil {
			return err
		}
		if added, err = now.recode(ctx, ix.source, next, slotRange{s.split, s.delta.columns.len()}); err != nil {
			return err
		}
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	s.setVectors(file)
	s.delta.vectors = *added
	s.centre, s.embedded = next, s.countEmbedded()
	// The store may have been ahead: a row that it had erased is out of the codes
	// before its erasure is brought in (TestARowErasedWhileTheMeanIsMade).
	s.moved = next.doubtful(s.embedded, ix.config.sampleDocs)
	return nil
}
