package index

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"unsafe"
)

// fileWriter writes a file section by section. After an error the other calls
// do nothing; finish returns it.
type fileWriter struct {
	file   *os.File
	out    *bufio.Writer
	header header
	offset uint64 // of the next byte
	sums   []byte // checksums of the blocks that are complete
	sum    uint32 // of the block that is not
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

func (w *fileWriter) endBlock() {
	w.sums = binary.LittleEndian.AppendUint32(w.sums, w.sum)
	w.sum = 0
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

// column writes a section of n items, item i being at(i).
func column[T any](w *fileWriter, id, n int, at func(i int) T) {
	w.begin(id)
	var item T
	batch := make([]T, 0, 32<<10/unsafe.Sizeof(item))
	for i := range n {
		batch = append(batch, at(i))
		if len(batch) == cap(batch) {
			w.Write(bytesOf(batch))
			batch = batch[:0]
		}
	}
	w.Write(bytesOf(batch))
	w.end(id)
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
