package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"

	"combray/internal/local"
	"combray/internal/memory"
)

// openToOthers are the rights that nobody but the owner may have
// (contract/surface.md 7: file 0600, folder 0700).
const openToOthers fs.FileMode = 0o077

// checkRights looks who can read the memories, and whether they can be written.
func checkRights(_ context.Context, d *doctor) []finding {
	path := d.set.DB
	if path == local.Memory {
		return worth("Give --db a file, or unset COMBRAY_DB, to keep memories.", "the store is :memory: and ends with each process")
	}
	folder := filepath.Dir(path)
	var out []finding
	if info, err := os.Stat(folder); err == nil && keepsRights && folder == dataFolder() && info.Mode().Perm()&openToOthers != 0 {
		out = append(out, bad("chmod 700 "+folder, "others can look into %s (%04o)", folder, info.Mode().Perm())...)
	}
	for _, file := range []string{path, path + "-wal", path + "-shm", path + ".index"} {
		info, err := os.Stat(file)
		if err == nil && keepsRights && info.Mode().Perm()&openToOthers != 0 {
			out = append(out, bad("chmod go= "+file, "others can read %s (%04o)", file, info.Mode().Perm())...)
		}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return append(out, ok("%s is not there yet; the first memory makes it", path)...)
	case err != nil:
		return append(out, badly(err, "Look at the rights of the folders above it.")...)
	case !d.set.ReadOnly && !canWrite(path):
		return append(out, bad("Change the owner or the rights of the file, or set COMBRAY_READ_ONLY=on.", "%s cannot be written", path)...)
	}
	if len(out) > 0 {
		return out
	}
	return ok("%s, %s, for its owner alone", path, humanize.IBytes(uint64(info.Size())))
}

// checkErased looks for an erasure whose files were not rewritten.
func checkErased(ctx context.Context, d *doctor) []finding {
	l, err := d.store(ctx)
	if l == nil || err != nil {
		return nil
	}
	switch left, err := l.Store.NeedsScrub(ctx); {
	case err != nil:
		return badly(err, "Run combray check.")
	case left:
		return bad("Run combray check when no other process reads the store: it rewrites them.", "some bytes of what was erased may still be in the files")
	}
	return ok("nothing of what was erased is left in the files")
}

func canWrite(path string) bool {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return false
	}
	return f.Close() == nil
}

func checkSchema(ctx context.Context, d *doctor) []finding {
	l, err := d.store(ctx)
	if err != nil {
		return badly(err, "combray check reads everything and names what does not fit.")
	}
	if l == nil {
		return ok("no store yet")
	}
	s, err := l.Stats(ctx)
	if err != nil {
		return badly(err, "combray check reads everything and names what does not fit.")
	}
	return ok("version %d, %s", s.Store.Schema, counted(s.Store.Memories, "memory", "memories"))
}

// checkIndex compares what the index stands for with the store.
func checkIndex(ctx context.Context, d *doctor) []finding {
	l, err := d.store(ctx)
	if l == nil || err != nil {
		return nil
	}
	const anew = "Remove the folder beside the store; it is made anew: "
	if err := l.Index.CatchUp(ctx); err != nil {
		return badly(err, anew+d.set.DB+".index")
	}
	sequence, err := l.Store.Sequence(ctx)
	if err != nil {
		return badly(err, "combray check reads everything and names what does not fit.")
	}
	s, err := l.Index.Stats(ctx)
	switch {
	case err != nil:
		return badly(err, anew+d.set.DB+".index")
	case s.Seq < sequence:
		return bad(anew+d.set.DB+".index", "it stands for change %d of %d and does not catch up", s.Seq, sequence)
	case s.RefusedVectors > 0:
		return worth("combray check names them.", "%d rows have vectors that cannot be used", s.RefusedVectors)
	case s.Generation == 0 && len(indexFiles(d.set.DB)) > 0:
		return worth("The next combray mcp or combray serve makes it anew; until then each start reads the whole store.",
			"its file is not used: it is damaged, or made for another model")
	case s.FileSeq < sequence:
		return ok("%d of %d rows are newer than the file; the next writing server settles them", s.DeltaRows, s.Rows)
	}
	return ok("fresh, %d rows", s.Rows)
}

// indexFiles are those beside a store.
func indexFiles(db string) []string {
	files, err := filepath.Glob(filepath.Join(db+".index", "*.index"))
	if err != nil { // a pattern is wrong only where a folder's name has brackets
		return nil
	}
	return files
}

// checkVectors counts memories that can be found by words only.
func checkVectors(ctx context.Context, d *doctor) []finding {
	l, err := d.store(ctx)
	if l == nil || err != nil {
		return nil
	}
	s, err := l.Stats(ctx)
	if err != nil {
		return badly(err, "combray check reads everything and names what does not fit.")
	}
	if c := s.Change; c != nil {
		return worth("combray stats shows how far it is; combray models use "+c.From+" takes the choice back.",
			"%s is to answer, %d of %d memories have its vectors; %s", c.To, c.Embedded, c.Memories, cmp.Or(c.Waits, "they are being made"))
	}
	if d.model(ctx) == local.ModelNone {
		return nil
	}
	if missing := s.Store.Memories - s.Store.Embedded; missing > 0 {
		return worth("A running server makes them: use it for a while, or keep combray serve running.",
			"%d of %d memories have no vector of this model yet; words find them", missing, s.Store.Memories)
	}
	return ok("every memory has one")
}

// clockPatience is how far clocks of machines that share a store may differ.
const clockPatience = 5 * time.Minute

// checkClock compares this moment with the newest memory: silences and reviews
// are counted from it.
func checkClock(ctx context.Context, d *doctor) []finding {
	l, err := d.store(ctx)
	if l == nil || err != nil {
		return nil
	}
	page, err := l.ListMemories(ctx, memory.ListInput{Limit: 1, IncludeForgotten: true})
	if err != nil {
		return badly(err, "combray check reads everything and names what does not fit.")
	}
	if len(page.Memories) == 0 {
		return ok("no memory to compare it with")
	}
	return judgeClock(time.Now(), page.Memories[0].CreatedAt)
}

func judgeClock(now, newest time.Time) []finding {
	if newest.After(now.Add(clockPatience)) {
		return bad("Set the clock right. If it was ahead when the memory was stored, nothing needs to be done but wait.",
			"the clock says %s, and the newest memory is from %s", now.UTC().Format(time.DateTime), newest.UTC().Format(time.DateTime))
	}
	return ok("not before the newest memory")
}

// A store that is rewritten (an erased memory, the index) needs its own size once
// more; below leastFree not even a write-ahead log has room.
const (
	leastFree   = 16 << 20
	comfortable = 256 << 20
)

func checkDisk(_ context.Context, d *doctor) []finding {
	if d.set.DB == local.Memory {
		return nil
	}
	folder := nearestFolder(filepath.Dir(d.set.DB))
	free, err := freeBytes(folder)
	if err != nil {
		return worth("Look at the disk of "+folder+".", "its free space cannot be read: %v", err)
	}
	var size uint64
	if info, err := os.Stat(d.set.DB); err == nil {
		size = uint64(info.Size())
	}
	return judgeDisk(folder, free, size)
}

func judgeDisk(folder string, free, size uint64) []finding {
	text := humanize.IBytes(free) + " free in " + folder
	switch {
	case free < leastFree:
		return bad("Make room: combray cannot store anything here.", "%s", text)
	case free < max(comfortable, 2*size):
		return worth("Make room before the store grows: rewriting it takes its own size, "+humanize.IBytes(size)+".", "%s", text)
	}
	return ok("%s", text)
}

// nearestFolder is the folder, or the first above it that exists.
func nearestFolder(folder string) string {
	for {
		if info, err := os.Stat(folder); err == nil && info.IsDir() {
			return folder
		}
		above := filepath.Dir(folder)
		if above == folder {
			return folder
		}
		folder = above
	}
}
