package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Endings of the names of index files and of those that are being written.
const (
	fileEnding = ".index"
	tempEnding = ".index.tmp"
)

// filePath returns the name of the file of the encoder of a config.
func filePath(config *Config) string {
	sum := sha256.Sum256([]byte(config.Identity))
	return filepath.Join(config.Dir, hex.EncodeToString(sum[:8])+fileEnding)
}

// writes reports whether this index may write files.
func (ix *Index) writes() bool {
	return ix.config.Dir != "" && !ix.config.ReadOnly
}

// Rewrite catches up and writes the files anew, waiting for another process
// that does so. When it returns, no index file in the folder holds anything of
// a row that was Gone when it was called: files of other encoders are removed,
// and no process that is behind can write them again
// (TestErasedTermsLeaveTheFiles). Without a folder it drops them from
// memory. A read-only index cannot rewrite.
func (ix *Index) Rewrite(ctx context.Context) error {
	if ix.config.ReadOnly {
		return errors.New("index: a read-only index cannot rewrite its files, open it for writing")
	}
	if ix.config.Dir == "" {
		return ix.compact(ctx)
	}
	lock, err := takeLock(ctx, ix.config.Dir, true)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	defer lock.release()
	if err := ix.rewriteLocked(ctx); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	var floor int64
	if err := ix.read(ctx, func(s *state) error { floor = s.fileSeq(); return nil }); err != nil {
		return err
	}
	if err := lock.setFloor(floor); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	return ix.removeOthers()
}

// Settle is CatchUp for those who wrote many rows and end: it writes the files anew, or
// waits for who does, if more than one row in a hundred, 4,096 at most, waits in memory,
// so that who comes next has little to catch up (TestSettleLeavesLittle).
func (ix *Index) Settle(ctx context.Context) error {
	if err := ix.CatchUp(ctx); err != nil || !ix.writes() {
		return err
	}
	waiting, err := ix.waiting(ctx)
	if err != nil || !waiting {
		return err
	}
	lock, err := takeLock(ctx, ix.config.Dir, true)
	if err != nil {
		return fmt.Errorf("index: %w", err)
	}
	defer lock.release()
	if err := ix.CatchUp(ctx); err != nil {
		return err
	}
	if waiting, err = ix.waiting(ctx); err != nil || !waiting {
		return err
	}
	if err := ix.rewriteLocked(ctx); err != nil {
		return fmt.Errorf("index: %w", err)
	}
	return nil
}

// waiting reports whether so many rows wait in memory that Settle writes them.
func (ix *Index) waiting(ctx context.Context) (bool, error) {
	if err := ix.hold(ctx); err != nil {
		return false, err
	}
	defer ix.catch.leave()
	enough := max(ix.config.RewriteRows, min(ix.state.rows()/settlePart, maxSettleRows))
	return ix.state.delta.columns.len() >= enough, nil
}

// rewriteInBackground writes the files anew if no other process does. What they will
// hold is settled when it returns. Index.catch is held.
func (ix *Index) rewriteInBackground(ctx context.Context) {
	if !ix.rewriting.CompareAndSwap(false, true) {
		return
	}
	lock, frozen, err := ix.beginRewrite(ctx)
	if err != nil {
		ix.rewriting.Store(false)
		if !errors.Is(err, errBusy) {
			ix.postpone(err)
		}
		return
	}
	if !ix.due() { // another process has just written them
		frozen.release()
		lock.release()
		ix.rewriting.Store(false)
		return
	}
	ix.rewrites.Add(1)
	ix.background.Go(func() {
		defer ix.rewrites.Done()
		defer ix.rewriting.Store(false)
		defer lock.release()
		if err := ix.writeAndUse(ix.writing, frozen); err != nil && ix.hold(ix.ctx) == nil {
			defer ix.catch.leave()
			ix.postpone(err)
		}
	})
}

// beginRewrite takes the lock unless another process has it. Only after that it is known
// that nothing is brought back that another has erased from its files. Index.catch is held.
func (ix *Index) beginRewrite(ctx context.Context) (*fileLock, *snapshot, error) {
	lock, err := takeLock(ctx, ix.config.Dir, false)
	if err != nil {
		return nil, nil, err
	}
	if err := ix.follow(ctx); err != nil {
		lock.release()
		return nil, nil, err
	}
	return lock, ix.state.freeze(), nil
}

// rewriteLocked catches up and writes the files while the lock is held. Changes
// go on coming in, and searches answering, while it writes.
func (ix *Index) rewriteLocked(ctx context.Context) error {
	frozen, err := ix.catchUpAndFreeze(ctx)
	if err != nil {
		return err
	}
	return ix.writeAndUse(ctx, frozen)
}

// writeAndUse writes a snapshot, releases it, and takes the file into use.
func (ix *Index) writeAndUse(ctx context.Context, frozen *snapshot) error {
	defer frozen.release()
	if err := ix.write(ctx, frozen); err != nil {
		return err
	}
	if err := ix.hold(ctx); err != nil {
		return err
	}
	defer ix.catch.leave()
	if err := ix.refresh(ctx); err != nil {
		return err
	}
	if ix.missing {
		return errors.New("the file just written cannot be read")
	}
	return nil
}

func (ix *Index) catchUpAndFreeze(ctx context.Context) (*snapshot, error) {
	if err := ix.hold(ctx); err != nil {
		return nil, err
	}
	defer ix.catch.leave()
	if err := ix.follow(ctx); err != nil {
		return nil, err
	}
	return ix.state.freeze(), nil
}

// rewriteInBulk writes the files in the middle of a long catch-up, with
// Index.catch held, so that the delta does not grow without bounds.
func (ix *Index) rewriteInBulk(ctx context.Context) error {
	lock, err := takeLock(ctx, ix.config.Dir, false)
	if errors.Is(err, errBusy) {
		return nil
	}
	if err != nil {
		return err
	}
	defer lock.release()
	if floor := lock.floor(); floor > ix.state.seq && floor <= ix.state.target {
		return nil // what was erased may still be in this state
	}
	frozen := ix.state.freeze()
	defer frozen.release()
	// Making all codes anew each time would cost more than all the rest.
	frozen.moved = frozen.moved && frozen.centre.size*bulkPatience < frozen.embedded
	if err := ix.write(ctx, frozen); err != nil {
		return err
	}
	return ix.refresh(ctx)
}

// write writes a snapshot to the file of this index's encoder: a temporary file,
// synced, renamed, the folder synced. A file that is newer stays.
func (ix *Index) write(ctx context.Context, frozen *snapshot) error {
	if err := removeTemps(ix.config.Dir); err != nil {
		return err
	}
	target := filePath(&ix.config)
	generation := uint64(1)
	if there, err := readHeader(target, &ix.config); err == nil {
		if there.Seq > frozen.seq && there.Seq <= frozen.target {
			return nil
		}
		generation = there.Generation + 1
	}
	temp, err := os.CreateTemp(ix.config.Dir, "*"+tempEnding)
	if err != nil {
		return err
	}
	err = ix.writeTo(ctx, temp, frozen, generation)
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temp.Name(), target)
	}
	if err != nil {
		os.Remove(temp.Name())
		return err
	}
	// The graph of the file before is of no use any more.
	if err := os.Remove(graphPath(&ix.config)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return syncDir(ix.config.Dir)
}

// writeTo writes a snapshot to an open file.
func (ix *Index) writeTo(ctx context.Context, file *os.File, frozen *snapshot, generation uint64) error {
	c, err := frozen.nextCentre(ctx, ix.source, ix.config.sampleDocs)
	if err != nil {
		return err
	}
	out := newFileWriter(file)
	defer out.drop()
	m := newMerge(frozen, out)
	if m.rows >= maxSlots {
		return fmt.Errorf("index: %d rows, at most %d fit in a file", m.rows, maxSlots-1)
	}
	m.stamp(&ix.config, generation)
	for _, write := range []func(){m.writeColumns, m.writeSessions, m.writeFacets, m.writeTerms} {
		if err := ctx.Err(); err != nil {
			return err
		}
		write()
	}
	if err := m.writeVectors(ctx, ix.source, c); err != nil {
		return err
	}
	return out.finish()
}

// readHeader reads the header of a file made with config.
func readHeader(path string, config *Config) (*header, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	page := make([]byte, headerBytes)
	if _, err := io.ReadFull(file, page); err != nil {
		return nil, err
	}
	return decodeHeader(page, info.Size(), &indexFormat, config)
}

// removeTemps removes what writers left that did not come to an end. Only the
// holder of the lock may call it.
func removeTemps(dir string) error {
	return removeFiles(dir, func(name string) bool { return strings.HasSuffix(name, tempEnding) })
}

// removeOthers removes the files of other encoders.
func (ix *Index) removeOthers() error {
	own := strings.TrimSuffix(filepath.Base(filePath(&ix.config)), fileEnding)
	return removeFiles(ix.config.Dir, func(name string) bool {
		return name != own+fileEnding && strings.HasSuffix(name, fileEnding) ||
			name != own+graphEnding && strings.HasSuffix(name, graphEnding)
	})
}

func removeFiles(dir string, doomed func(name string) bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if doomed(entry.Name()) {
			if err := os.Remove(filepath.Join(dir, entry.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	return nil
}
