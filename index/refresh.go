package index

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"
)

// refresh takes over the file in the folder if it is another than the one in
// use. A file that cannot be used is an entry in the log and no error.
// Index.catch is held.
func (ix *Index) refresh(ctx context.Context) error {
	if ix.config.Dir == "" {
		return nil
	}
	path := filePath(&ix.config)
	info, err := os.Stat(path)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			ix.log.Warn("the index file cannot be looked at", "file", path, "error", err)
		}
		ix.missing = true
		return nil
	}
	current := ix.state.segment
	if same(ix.rejected, info) || current != nil && same(current.mapping.info, info) {
		return nil
	}
	touched := current != nil && os.SameFile(current.mapping.info, info)
	if touched {
		// Nobody who follows the rules changes a file in place, so what is mapped
		// can be trusted no longer.
		ix.log.Warn("the index file was changed in place, it is checked anew", "file", path)
		ix.discard()
	}
	file, err := ix.load(path, touched)
	if err == nil && ix.state.segment != nil && file.header.Seq < ix.state.segment.header.Seq {
		file.release()
		err = errors.New("it is older than the one in use")
	}
	if stopped := ix.ctx.Err(); err != nil && stopped != nil {
		return stopped // the index is being closed, and the file was not looked at to its end
	}
	if err != nil {
		ix.log.Warn("an index file cannot be used, it will be made anew", "file", path, "reason", err)
		ix.rejected, ix.missing = info, true
		return nil
	}
	return ix.adopt(ctx, file)
}

// same reports whether two looks at a file saw the same file, unchanged.
func same(a, b os.FileInfo) bool {
	return a != nil && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// load maps a file and checks its header, and its blocks if they are few or all
// is set.
func (ix *Index) load(path string, all bool) (*segment, error) {
	m, err := openMapping(path)
	if err != nil {
		return nil, err
	}
	h, err := decodeHeader(m.data, int64(len(m.data)), &indexFormat, &ix.config)
	if err == nil && (all || ix.smallEnough(m)) {
		err = m.verify(h, ix.ctx.Err)
	}
	if err != nil {
		m.close()
		return nil, err
	}
	file, err := newSegment(h, m)
	if err != nil {
		m.close()
		return nil, err
	}
	return file, nil
}

// smallEnough reports whether a file is checked before it is used.
func (ix *Index) smallEnough(m *mapping) bool {
	return int64(len(m.data)) <= ix.config.verifyAtOpen
}

// adopt puts a file in the place of the one in use, with the rows after it that
// the index knows already. Searches go on meanwhile, so the state is settled
// before they see it.
func (ix *Index) adopt(ctx context.Context, file *segment) error {
	next := newState(file, &ix.config)
	_, err := ix.pull(ctx, next, ix.state.seq, noLimit)
	if err == nil {
		err = ix.settle(ctx, next)
	}
	if err != nil {
		file.release()
		return err
	}
	ix.replace(next)
	ix.missing, ix.rejected, ix.retryAt = false, nil, 0
	if !ix.smallEnough(file.mapping) {
		ix.verifyInBackground(file)
	}
	return nil
}

// patience returns what verify asks before each block of a file that answers already: it
// lets first questions go first, and then reads no more than 250 MB a second, so that
// those who open a store with many others do not wait for a disk that checks.
func (ix *Index) patience() func() error {
	wait := ix.config.verifyAfter
	return func() error {
		select {
		case <-ix.ctx.Done():
			return ix.ctx.Err()
		case <-time.After(wait):
			wait = min(wait, verifyPause)
			return nil
		}
	}
}

// verifyInBackground checks the blocks of a file that answers already.
func (ix *Index) verifyInBackground(file *segment) {
	file.use()
	ix.background.Go(func() {
		defer file.release()
		err := file.mapping.verify(file.header, ix.patience())
		if err == nil || ix.ctx.Err() != nil {
			return
		}
		ix.log.Warn("an index file is damaged, it is made anew", "reason", err)
		if ix.hold(ix.ctx) != nil {
			return
		}
		if ix.state.segment == file {
			ix.discard()
		}
		ix.catch.leave()
		if err := ix.CatchUp(ix.ctx); err != nil && ix.ctx.Err() == nil {
			ix.log.Warn("the index could not be made anew, the next catch-up will try again", "error", err)
		}
	})
}

// discard forgets all that the index knows, and does not use its file again.
func (ix *Index) discard() {
	if file := ix.state.segment; file != nil {
		ix.rejected, ix.missing = file.mapping.info, true
	}
	ix.replace(newState(nil, &ix.config))
}

// due reports whether the files should be rewritten. Index.catch is held.
func (ix *Index) due() bool {
	s := ix.state
	added := s.delta.columns.len()
	if !ix.writes() || added < ix.retryAt {
		return false
	}
	rows := s.rows()
	enough := max(ix.config.RewriteRows, min(rows/rewritePart, maxRewriteRows))
	switch {
	case added >= enough:
		return true
	case ix.missing && rows >= ix.config.RewriteRows:
		return true
	}
	// The mean of the file is out of date: every process would have to make codes
	// of its own, or in a large index go on with the old mean.
	return s.segment != nil && s.embedded >= ix.config.RewriteRows && gridSize(s.embedded) != s.segment.centre.size
}

// postpone logs why files could not be written, and puts the next try off until
// the delta has grown. Index.catch is held.
func (ix *Index) postpone(err error) {
	ix.log.Warn("the index files could not be written, the index goes on in memory", "error", err)
	ix.retryAt = ix.state.delta.columns.len() + ix.config.RewriteRows
}
