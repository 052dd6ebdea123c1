package index

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"iter"
	"math"
	"os"
	"runtime"
	"unsafe"
)

// turnBits makes the bytes, 64 KiB, after which others get their turn at the processor:
// some 0.5 ms of work. The scheduler alone would take 10 ms to see that they wait.
const turnBits = 16

// syncedBlocks blocks go to the disk at a time: some 10 ms of a slow one.
const syncedBlocks = 8

// fileWriter writes a file section by section. After an error the other calls
// do nothing; finish returns it.
type fileWriter struct {
	file   *os.File
	out    *bufio.Writer
	header header
	offset uint64     // of the next byte
	sums   []byte     // checksums of the blocks that are complete
	sum    uint32     // of the block that is not
	temps  []*os.File // of asides
	err    error
}

// newFileWriter starts a file behind the place of its header.
func newFileWriter(file *os.File) *fileWriter {
	w := &fileWriter{file: file, out: bufio.NewWriterSize(file, 256<<10), offset: headerBytes}
	_, w.err = file.Seek(headerBytes, 0)
	return w
}

// Write appends to the section that was begun last.
func (w *fileWriter) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 && w.err == nil {
		room := blockBytes - (w.offset-headerBytes)%blockBytes
		part := p[:min(uint64(len(p)), room)]
		if w.offset>>turnBits != (w.offset+uint64(len(part)))>>turnBits {
			runtime.Gosched()
		}
		w.sum = crc32.Update(w.sum, castagnoli, part)
		_, w.err = w.out.Write(part)
		w.offset += uint64(len(part))
		p = p[len(part):]
		if uint64(len(part)) == room {
			w.endBlock()
		}
	}
	return n, w.err
}

// endBlock ends a block. Now and then the disk gets what there is, so that who syncs a
// small file beside it never waits for all of this one.
func (w *fileWriter) endBlock() {
	w.sums = binary.LittleEndian.AppendUint32(w.sums, w.sum)
	w.sum = 0
	if len(w.sums)%(4*syncedBlocks) != 0 || w.err != nil {
		return
	}
	if w.err = w.out.Flush(); w.err == nil {
		w.err = w.file.Sync()
	}
}

// begin starts a section. It must be ended before the next begins.
func (w *fileWriter) begin(id int) {
	if rest := w.offset % sectionAlign; rest != 0 {
		var padding [sectionAlign]byte
		w.Write(padding[rest:])
	}
	w.header.Sections[id].Offset = w.offset
}

func (w *fileWriter) end(id int) {
	w.header.Sections[id].Length = w.offset - w.header.Sections[id].Offset
}

// mustFit makes the file fail if a section whose places are kept in 32 bits is
// too long for them.
func (w *fileWriter) mustFit(length uint64) {
	if w.err == nil && length > math.MaxUint32 {
		w.err = fmt.Errorf("index: a section of %d bytes, at most %d fit in a file", length, uint32(math.MaxUint32))
	}
}

// slice writes a section of items as they are in memory.
func slice[T any](w *fileWriter, id int, items []T) {
	w.begin(id)
	w.Write(bytesOf(items))
	w.end(id)
}

// column writes a section of items and returns how many they are.
func column[T any](w *fileWriter, id int, items iter.Seq[T]) (n int) {
	w.begin(id)
	var item T
	batch := make([]T, 0, 32<<10/unsafe.Sizeof(item))
	for item := range items {
		n++
		batch = append(batch, item)
		if len(batch) == cap(batch) {
			w.Write(bytesOf(batch))
			batch = batch[:0]
		}
	}
	w.Write(bytesOf(batch))
	w.end(id)
	return n
}

// readBack reads bytes that were written before.
func (w *fileWriter) readBack(p []byte, offset uint64) {
	if w.err == nil {
		w.err = w.out.Flush()
	}
	if w.err == nil {
		_, w.err = w.file.ReadAt(p, int64(offset))
	}
}

// finish writes checksums and header, and returns when the bytes are on the disk.
func (w *fileWriter) finish() error {
	if (w.offset-headerBytes)%blockBytes != 0 {
		w.endBlock()
	}
	w.header.SumsAt = w.offset
	w.header.Size = w.offset + uint64(len(w.sums))
	if w.err == nil {
		_, w.err = w.out.Write(w.sums)
	}
	if w.err == nil {
		w.err = w.out.Flush()
	}
	if w.err == nil {
		_, w.err = w.file.WriteAt(w.header.encode(), 0)
	}
	if w.err == nil {
		w.err = w.file.Sync()
	}
	return w.err
}
