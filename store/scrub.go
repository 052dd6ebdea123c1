package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"

	"combray/internal/memory"
)

// NeedsScrub says whether something was erased, or everything heard was wiped,
// since the last Scrub, by any process, also one that ended in between.
func (s *Store) NeedsScrub(ctx context.Context) (needed bool, err error) {
	err = s.view(ctx, func(r *reader) error {
		_, err := r.c.scan(ctx, []any{&needed}, "SELECT coalesce((SELECT max(seq) FROM erased), 0) > scrubbed OR heard_epoch > scrubbed_epoch FROM store")
		return err
	})
	return needed, err
}

// Scrub makes sure that no byte of what was erased or wiped is left in the
// store's files. It is called after the Update that erased. Three things are needed:
//
//   - secure_delete (on every connection) has overwritten the rows and the pages
//     that became free.
//   - When SQLite moves rows between pages it may leave copies of them in the
//     unused middle of a page, which secure_delete does not overwrite. Scrub does.
//   - The write-ahead log has older states of the pages. Scrub merges and empties it.
//
// It reads the whole file, about 1 s for 1 GB, and writes little. Writers wait
// only for the writing. unavailable: another process still reads an older state,
// so that its log cannot be emptied; NeedsScrub stays true then.
func (s *Store) Scrub(ctx context.Context) error {
	if err := s.writable(); err != nil {
		return err
	}
	dirty, seen, err := s.dirtyPages(ctx)
	if err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.running.Done()
	return s.lend(ctx, s.writer, func(c *conn) error {
		for len(dirty) > 0 {
			batch := dirty[:min(scrubBatch, len(dirty))]
			dirty = dirty[len(batch):]
			if err := c.transact(ctx, func() error { return c.cleanPages(ctx, batch) }); err != nil {
				return err
			}
		}
		if err := s.checkpoint(ctx, c); err != nil {
			return err
		}
		return c.transact(ctx, func() error {
			_, err := c.exec(ctx, "UPDATE store SET scrubbed = max(scrubbed, ?), scrubbed_epoch = max(scrubbed_epoch, ?)", seen.sequence, seen.epoch)
			return err
		})
	})
}

// scrubBatch bounds the pages cleaned in one transaction: 4 MiB of log.
const scrubBatch = 1024

// maxScrubPages is how many pages a file may have for the first byte of a page
// to tell its kind: what is no page of a tree begins with a page number, whose
// highest byte is 0 up to here. 64 GiB with pages of 4 KiB.
const maxScrubPages = 1<<24 - 1

// removed is what had been erased and wiped at a moment: up to a change sequence,
// and up to an epoch.
type removed struct{ sequence, epoch int64 }

// dirtyPages gives the pages whose unused middle is not empty, and what had been
// removed at that moment. What is written later cannot hold it.
func (s *Store) dirtyPages(ctx context.Context) (dirty []int64, seen removed, err error) {
	err = s.view(ctx, func(r *reader) error {
		var pages int64
		if _, err := r.c.scan(ctx, []any{&pages, &seen.sequence}, "SELECT page_count, (SELECT sequence FROM store) FROM pragma_page_count"); err != nil {
			return err
		}
		seen.epoch = r.versions.epoch
		if pages > maxScrubPages {
			return memory.Unavailable("Make a backup with combray backup and use that instead: it holds nothing that was erased.", nil,
				"the store is too large to be cleaned in place")
		}
		return r.c.each(ctx, func(rows *sql.Rows) error {
			var number int64
			var page sql.RawBytes
			if err := rows.Scan(&number, &page); err != nil {
				return err
			}
			if gap := unusedMiddle(number, page); len(bytes.Trim(gap, "\x00")) > 0 {
				dirty = append(dirty, number)
			}
			return nil
		}, "SELECT pgno, data FROM sqlite_dbpage")
	})
	return dirty, seen, err
}

// cleanPages empties the unused middle of pages, as they are now.
func (c *conn) cleanPages(ctx context.Context, numbers []int64) error {
	for _, number := range numbers {
		var page []byte
		found, err := c.scan(ctx, []any{&page}, "SELECT data FROM sqlite_dbpage WHERE pgno = ?", number)
		if err != nil || !found {
			return err
		}
		gap := unusedMiddle(number, page)
		if len(gap) == 0 {
			continue
		}
		clear(gap)
		if _, err := c.exec(ctx, "UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?", page, number); err != nil {
			return err
		}
	}
	return nil
}

// The layout of a page of a tree (https://www.sqlite.org/fileformat.html, 1.6):
// a header, behind the file's header on page 1, then the places of the cells,
// then nothing, then the cells.
const (
	fileHeader     = 100
	leafHeader     = 8
	interiorHeader = 12
	cellCountAt    = 3
	cellsBeginAt   = 5
)

// unusedMiddle gives the bytes between the places and the cells of a page; nil
// for pages of other kinds and for what does not look sound.
func unusedMiddle(number int64, page []byte) []byte {
	at := 0
	if number == 1 {
		at = fileHeader
	}
	if len(page) < at+interiorHeader {
		return nil
	}
	header := page[at:]
	places := at
	switch header[0] {
	case 0x0a, 0x0d: // leaf of an index, of a table
		places += leafHeader
	case 0x02, 0x05: // interior page of an index, of a table
		places += interiorHeader
	default:
		return nil
	}
	begin := places + 2*int(binary.BigEndian.Uint16(header[cellCountAt:]))
	end := int(binary.BigEndian.Uint16(header[cellsBeginAt:]))
	if end == 0 {
		end = 1 << 16
	}
	if begin > end || end > len(page) {
		return nil
	}
	return page[begin:end]
}
