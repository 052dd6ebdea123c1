package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestAsidesComeBack writes sections that wait in memory and in files while others are
// written, and reads them where they were placed.
func TestAsidesComeBack(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := newFileWriter(file)
	few, many := newAside[uint32](w), newAside[uint64](w)
	w.begin(secCodes)
	for i := range 100_000 {
		if i < 3 {
			few.add(uint32(i))
		}
		many.addAll([]uint64{uint64(i)})
		w.Write([]byte{byte(i)})
	}
	w.end(secCodes)
	if temps, _ := filepath.Glob(filepath.Join(dir, "*"+tempEnding)); len(temps) != 1 {
		t.Errorf("asides wait in %v, want one file", temps)
	}
	many.place(secDocs)
	few.place(secSession)
	w.drop()
	if err := w.finish(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(file.Name())
	if err != nil {
		t.Fatal(err)
	}
	section := func(id int) []byte {
		s := w.header.Sections[id]
		return content[s.Offset : s.Offset+s.Length]
	}
	var want bytes.Buffer
	for i := range uint64(100_000) {
		binary.Write(&want, binary.LittleEndian, i)
	}
	if !bytes.Equal(section(secDocs), want.Bytes()) {
		t.Error("what waited in a file came back otherwise")
	}
	if got := section(secSession); !bytes.Equal(got, bytesOf([]uint32{0, 1, 2})) {
		t.Errorf("what waited in memory came back as %v", got)
	}
	if temps, _ := filepath.Glob(filepath.Join(dir, "*"+tempEnding)); len(temps) != 0 {
		t.Errorf("%v is left", temps)
	}
}

// TestAsideWithoutRoom holds that a file that cannot be made is the error of the whole.
func TestAsideWithoutRoom(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "file"))
	if err != nil {
		t.Fatal(err)
	}
	w := newFileWriter(file)
	w.temps = append(w.temps, file) // drop closes it
	broken := errors.New("the disk is full")
	w.err = broken
	a := newAside[byte](w)
	a.addAll(make([]byte, 2*asideBytes))
	a.place(secTermNames)
	w.drop()
	if err := w.finish(); !errors.Is(err, broken) {
		t.Errorf("finish says %v", err)
	}
}

// TestRewriteTakesLittleMemory holds that writing a file takes the four bytes of each
// row and each term that are given new numbers, and beside them the same few buffers
// for any number of rows.
func TestRewriteTakesLittleMemory(t *testing.T) {
	allocated := func(rows int) (bytes, terms uint64) {
		l := newLibrary(rows)
		ix := openCaughtUp(t, libraryConfig(t.TempDir()), l)
		ix.background.Wait()
		rewrite(t, ix)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		rewrite(t, ix)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc, uint64(ix.state.segment.words.names.len())
	}
	few, fewTerms := allocated(2_000)
	many, manyTerms := allocated(20_000)
	numbers := 4*18_000 + 4*(manyTerms-fewTerms)
	// The sample of the centre, and buffers that 2,000 rows do not fill.
	const rest = 1 << 20
	if many > few+numbers+rest {
		t.Errorf("20,000 rows take %d bytes, 2,000 take %d: more than %d for new numbers and %d", many, few, numbers, rest)
	}
	if few > 4<<20 {
		t.Errorf("2,000 rows take %d bytes", few)
	}
	t.Logf("%d bytes for 2,000 rows, %d for 20,000", few, many)
}
