package index

import (
	"io"
	"os"
	"path/filepath"
	"unsafe"
)

// asideBytes is how much of a section waits in memory before it goes to a file.
const asideBytes = 32 << 10

// aside is a section that comes to be while another is written. It waits in a file
// of its own, so that writing takes as much memory for a million rows as for a
// thousand (TestRewriteTakesLittleMemory).
type aside[T any] struct {
	out   *fileWriter
	batch []T
	n     int      // items so far
	file  *os.File // nil while all of it is in batch
}

func newAside[T any](out *fileWriter) *aside[T] { return &aside[T]{out: out} }

// add appends an item.
func (a *aside[T]) add(item T) {
	a.batch = append(a.batch, item)
	a.n++
	a.spill()
}

// addAll appends items.
func (a *aside[T]) addAll(items []T) {
	a.batch = append(a.batch, items...)
	a.n += len(items)
	a.spill()
}

// spill empties a full batch into the file.
func (a *aside[T]) spill() {
	var item T
	if len(a.batch)*int(unsafe.Sizeof(item)) < asideBytes {
		return
	}
	if a.file == nil && a.out.err == nil {
		a.file, a.out.err = a.out.temp()
	}
	if a.out.err == nil {
		_, a.out.err = a.file.Write(bytesOf(a.batch))
	}
	a.batch = a.batch[:0]
}

// place writes the section. There must be no other that was begun and not ended.
func (a *aside[T]) place(id int) {
	a.out.begin(id)
	if a.file != nil && a.out.err == nil {
		if _, a.out.err = a.file.Seek(0, io.SeekStart); a.out.err == nil {
			_, err := io.CopyBuffer(struct{ io.Writer }{a.out}, struct{ io.Reader }{a.file}, make([]byte, asideBytes))
			if a.out.err == nil {
				a.out.err = err
			}
		}
	}
	a.out.Write(bytesOf(a.batch))
	a.out.end(id)
	a.batch = nil
}

// temp makes a file for an aside. It lies where removeTemps finds it when this process
// is killed.
func (w *fileWriter) temp() (*os.File, error) {
	file, err := os.CreateTemp(filepath.Dir(w.file.Name()), "*"+tempEnding)
	if err == nil {
		w.temps = append(w.temps, file)
	}
	return file, err
}

// drop removes the files of asides.
func (w *fileWriter) drop() {
	for _, file := range w.temps {
		file.Close()
		os.Remove(file.Name()) // what stays is removed before the next file is written
	}
	w.temps = nil
}
