package index

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const smallDims = 10

// smallStore has rows of every kind.
func smallStore() *store {
	s, c := newStore(), newCloud(9, smallDims, 3)
	for i := range 40 {
		row := Row{
			Live: i%7 != 3, Class: uint8(i % 3), Captured: int64(i), Event: int64(-i), HasEvent: i%2 == 0, Position: int64(i%5 - 1),
			Lat: float64(i), Lon: float64(-i), HasPlace: i%3 == 0, Facets: []string{fmt.Sprintf("tag=%d", i%4)},
			Terms: words("(may)", "tea", fmt.Sprintf("w%d", i)), Session: []string{"", "a", "b"}[i%3],
		}
		for range i % 3 {
			row.Vectors = append(row.Vectors, c.vector())
		}
		s.put(row)
	}
	return s
}

func smallConfig(dir string) Config {
	return Config{Dir: dir, StoreID: "s", Identity: "e", Dims: smallDims, RewriteRows: 8}
}

// someQueries look at everything that a file has.
func someQueries() []Query {
	c := newCloud(9, smallDims, 3)
	return []Query{
		{Terms: []string{"tea", "may", "w7"}, Vector: c.vector(), Neighbours: true, Filter: Filter{State: Any}},
		{Terms: []string{"tea"}, Field: Content, Filter: Filter{All: []string{"tag=1"}, EventSince: new(int64(-20))}},
		{Vector: c.vector(), Filter: Filter{Near: &Near{10, -10, 1e6}}},
		{Terms: []string{"w39"}, Filter: Filter{State: NotLive, CapturedUntil: new(int64(30))}, Neighbours: true},
	}
}

// answers returns what an index says to someQueries.
func answers(t testing.TB, ix *Index) string {
	t.Helper()
	var text strings.Builder
	for _, q := range someQueries() {
		text.WriteString(show(ask(t, ix, q)))
		recent, err := ix.Recent(context.Background(), q.Filter, 100)
		fmt.Fprintln(&text, recent, err)
	}
	return text.String()
}

// writtenFile returns the bytes of a file made from a store.
func writtenFile(t testing.TB, config Config, s Source) []byte {
	t.Helper()
	ix := openCaughtUp(t, config, s)
	rewrite(t, ix)
	ix.Close()
	bytes, err := os.ReadFile(filePath(&config))
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

// logTo returns a logger and what it has logged.
func logTo() (*slog.Logger, *bytes.Buffer) {
	var log bytes.Buffer
	return slog.New(slog.NewTextHandler(&log, nil)), &log
}

// damage is a way to spoil a file of so many bytes.
type damage struct {
	name  string
	spoil func(path string, good []byte) error
}

// damages lists deletions, truncations and flips of bits: all bits of the
// header's used part in steps, every 97th byte of the rest, the end.
func damages(good []byte) []damage {
	all := []damage{{"deleted", func(path string, _ []byte) error { return os.Remove(path) }}}
	for _, size := range []int{0, 1, headerBytes - 1, headerBytes, headerBytes + 1, len(good) / 2, len(good) - 1} {
		all = append(all, damage{fmt.Sprintf("cut to %d bytes", size), func(path string, _ []byte) error { return os.Truncate(path, int64(size)) }})
	}
	all = append(all, damage{"one byte more", func(path string, good []byte) error { return os.WriteFile(path, append(bytes.Clone(good), 0), 0o600) }})
	flip := func(at, bit int) {
		all = append(all, damage{fmt.Sprintf("bit %d of byte %d flipped", bit, at), func(path string, good []byte) error {
			bad := bytes.Clone(good)
			bad[at] ^= 1 << bit
			return os.WriteFile(path, bad, 0o600)
		}})
	}
	for at := 0; at < len(good); at += 97 {
		flip(at, at%8)
	}
	for _, at := range []int{0, 8, 12, 16, 24, headerBytes - 1, headerBytes, len(good) - 1} {
		flip(at, 0)
	}
	return all
}

// TestDamageIsNoticed spoils a file in many ways, while nobody uses it and while
// an index does: the answers stay the same, and a good file takes its place.
func TestDamageIsNoticed(t *testing.T) {
	choosesKind(t)
	s := smallStore()
	for _, open := range []bool{false, true} {
		config := smallConfig(t.TempDir())
		good := writtenFile(t, config, s)
		want := answers(t, openCaughtUp(t, Config{StoreID: "s", Identity: "e", Dims: smallDims}, s))
		for _, damage := range damages(good) {
			if err := os.WriteFile(filePath(&config), good, 0o600); err != nil {
				t.Fatal(err)
			}
			log := new(bytes.Buffer)
			config.Logger, log = logTo()
			ix, err := Open(config, s)
			if err != nil {
				t.Fatal(err)
			}
			if !open {
				ix.Close()
			} else if got := answers(t, ix); got != want {
				t.Fatalf("before: %s\nwant %s", got, want)
			}
			if err := damage.spoil(filePath(&config), good); err != nil {
				t.Fatal(err)
			}
			if !open {
				if ix, err = Open(config, s); err != nil {
					t.Fatal(err)
				}
			}
			if err := ix.CatchUp(context.Background()); err != nil {
				t.Fatalf("%s: %v", damage.name, err)
			}
			if got := answers(t, ix); got != want {
				t.Fatalf("%s (open: %v): answers %s\nwant %s", damage.name, open, got, want)
			}
			ix.background.Wait()
			ix.Close()
			if damage.name != "deleted" && !strings.Contains(log.String(), "level=WARN") {
				t.Errorf("%s (open: %v): the log says nothing", damage.name, open)
			}
			if again := openCaughtUp(t, config, s); stats(t, again).FileSeq != s.seq || answers(t, again) != want {
				t.Errorf("%s (open: %v): the file was not made anew: %+v", damage.name, open, stats(t, again))
			}
		}
	}
}

// TestLargeFilesAreCheckedLater holds that a damaged file that answers already
// is dropped, and made anew.
func TestLargeFilesAreCheckedLater(t *testing.T) {
	choosesKind(t)
	s := smallStore()
	config := smallConfig(t.TempDir())
	good := writtenFile(t, config, s)
	config.verifyAtOpen, config.verifyAfter = 1, 1
	before := openCaughtUp(t, config, s)
	want := answers(t, before)
	before.background.Wait()
	before.Close()
	bad := bytes.Clone(good)
	bad[headerBytes+3] ^= 4
	if err := os.WriteFile(filePath(&config), bad, 0o600); err != nil {
		t.Fatal(err)
	}
	logger, log := logTo()
	config.Logger = logger
	ix := open(t, config, s)
	ix.background.Wait()
	if got := answers(t, ix); got != want || !strings.Contains(log.String(), "block 0 is damaged") {
		t.Errorf("answers %s\nwant %s\nlog %s", got, want, log)
	}
	if now, err := os.ReadFile(filePath(&config)); err != nil || bytes.Equal(now, bad) {
		t.Errorf("the damaged file is still there (%v)", err)
	}
}

// reseal makes the checksums of a file right again after its bytes were changed.
func reseal(file []byte) {
	var h header
	if _, err := binary.Decode(file, binary.LittleEndian, &h); err != nil || h.SumsAt > uint64(len(file)) {
		return
	}
	sums := file[h.SumsAt:]
	for i := 0; i*4+4 <= len(sums); i++ {
		start := min(uint64(headerBytes+i*blockBytes), h.SumsAt)
		block := file[start:min(start+blockBytes, h.SumsAt)]
		binary.LittleEndian.PutUint32(sums[i*4:], crc32.Checksum(block, castagnoli))
	}
	copy(file, h.encode())
}

// TestFilesReadIntoMemory looks at a file the way systems do that cannot map it.
func TestFilesReadIntoMemory(t *testing.T) {
	s := smallStore()
	config := smallConfig(t.TempDir())
	writtenFile(t, config, s)
	want := answers(t, open(t, config, s))
	file, err := os.Open(filePath(&config))
	if err != nil {
		t.Fatal(err)
	}
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	m, err := readAll(file, info)
	if err != nil {
		t.Fatal(err)
	}
	ix := open(t, smallConfig(""), s)
	h, err := decodeHeader(m.data, info.Size(), &indexFormat, &ix.config)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.verify(h, t.Context().Err); err != nil {
		t.Error(err)
	}
	segment, err := newSegment(h, m)
	if err != nil {
		t.Fatal(err)
	}
	ix.replace(newState(segment, &ix.config))
	if got := answers(t, ix); got != want {
		t.Errorf("answers %s\nwant %s", got, want)
	}
}

// TestFilesOfOthersAreNotUsed holds what a file must match to be used.
func TestFilesOfOthersAreNotUsed(t *testing.T) {
	s := smallStore()
	dir := t.TempDir()
	good := writtenFile(t, smallConfig(dir), s)
	reheaded := func(change func(h *header)) []byte {
		file := bytes.Clone(good)
		var h header
		if _, err := binary.Decode(file, binary.LittleEndian, &h); err != nil {
			t.Fatal(err)
		}
		change(&h)
		copy(file, h.encode())
		return file
	}
	for name, test := range map[string]struct {
		file   []byte
		config func(*Config)
		says   string
	}{
		"as written":       {good, func(*Config) {}, ""},
		"another store":    {good, func(c *Config) { c.StoreID = "other" }, "another store"},
		"another version":  {reheaded(func(h *header) { h.Version++ }), func(*Config) {}, "version 2"},
		"another encoder":  {reheaded(func(h *header) { h.Identity[0]++ }), func(*Config) {}, "another encoder"},
		"other dimensions": {reheaded(func(h *header) { h.Dims++ }), func(*Config) {}, "another encoder"},
		"another kind":     {reheaded(func(h *header) { h.Magic[0]++ }), func(*Config) {}, "not an index file"},
		"too many rows":    {reheaded(func(h *header) { h.Slots = maxSlots }), func(*Config) {}, "at most"},
		"a section gone":   {reheaded(func(h *header) { h.Sections[secSigns].Length-- }), func(*Config) {}, "a section has"},
		"a section beyond": {reheaded(func(h *header) { h.Sections[secTermLists].Offset = 1 << 40 }), func(*Config) {}, "outside"},
		"sums elsewhere":   {reheaded(func(h *header) { h.SumsAt -= 64 }), func(*Config) {}, "checksums"},
	} {
		config := smallConfig(dir)
		test.config(&config)
		logger, log := logTo()
		config.Logger, config.ReadOnly = logger, true
		if err := os.WriteFile(filePath(&config), test.file, 0o600); err != nil {
			t.Fatal(err)
		}
		ix := open(t, config, s)
		if used := stats(t, ix).FileRows > 0; used != (test.says == "") || !strings.Contains(log.String(), test.says) {
			t.Errorf("%s: used %v, log %s", name, used, log)
		}
	}
}

// TestEncodersHaveFilesOfTheirOwn holds that going back to an encoder finds its
// file again.
func TestEncodersHaveFilesOfTheirOwn(t *testing.T) {
	s := smallStore()
	one, other := smallConfig(t.TempDir()), Config{}
	other = one
	other.Identity, other.Dims = "f", smallDims+1 // the rows' vectors do not fit
	for _, config := range []Config{one, other} {
		ix := openCaughtUp(t, config, s)
		ix.background.Wait()
		ix.Close()
	}
	if ix := open(t, one, s); stats(t, ix).FileRows != 40 {
		t.Errorf("the file of the first encoder is gone: %+v", stats(t, ix))
	}
	got := stats(t, openCaughtUp(t, other, s))
	if got.FileRows != 40 || got.Embedded != 0 {
		t.Errorf("the file of the other encoder: %+v", got)
	}
	files, _ := filepath.Glob(filepath.Join(one.Dir, "*"+fileEnding))
	if len(files) != 2 {
		t.Errorf("files %v", files)
	}
}

// TestStoreThatWentBack holds that an index ahead of its store is made anew: the
// store came from a backup.
func TestStoreThatWentBack(t *testing.T) {
	old := smallStore()
	s := smallStore()
	for doc := int64(1); doc <= 20; doc++ {
		s.change(doc, func(row *Row) { row.Terms = words("later") })
	}
	config := smallConfig(t.TempDir())
	writtenFile(t, config, s)
	want := answers(t, openCaughtUp(t, Config{StoreID: "s", Identity: "e", Dims: smallDims}, old))
	ix := openCaughtUp(t, config, old)
	if got := answers(t, ix); got != want {
		t.Errorf("answers %s\nwant %s", got, want)
	}
	ix.background.Wait()
	ix.Close()
	if got := stats(t, open(t, config, old)); got.FileSeq != old.seq {
		t.Errorf("the file was not made anew: %+v", got)
	}
}

// TestSameRowsSameFile holds that a file depends on the rows and not on the way
// they came, but for its generation.
func TestSameRowsSameFile(t *testing.T) {
	s := smallStore()
	config := smallConfig(t.TempDir())
	ix := openCaughtUp(t, config, s)
	for doc := int64(1); doc < 20; doc += 3 {
		s.change(doc, func(row *Row) { row.Live = !row.Live })
		catchUp(t, ix)
	}
	s.erase(5)
	rewrite(t, ix)
	ix.Close()
	lived, err := os.ReadFile(filePath(&config))
	if err != nil {
		t.Fatal(err)
	}
	atOnce := writtenFile(t, smallConfig(t.TempDir()), s)
	if !bytes.Equal(lived[headerBytes:], atOnce[headerBytes:]) {
		t.Error("the files differ")
	}
}

func FuzzOpenFile(f *testing.F) {
	s := smallStore()
	config := smallConfig(f.TempDir())
	good := writtenFile(f, config, s)
	var h header
	if _, err := binary.Decode(good, binary.LittleEndian, &h); err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), []byte{})
	for _, section := range h.Sections {
		f.Add(uint32(section.Offset), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
		f.Add(uint32(section.Offset), make([]byte, section.Length))
		f.Add(uint32(section.Offset+section.Length/2), []byte{0xfe, 0xff, 0xff, 0x7f})
	}
	for at := range binary.Size(h) / 4 {
		f.Add(uint32(at*4), []byte{0xff, 0xff, 0xff, 0x7f})
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, at uint32, change []byte) {
		file := bytes.Clone(good)
		copy(file[min(int(at), len(file)):], change)
		reseal(file)
		config := smallConfig(dir)
		if err := os.WriteFile(filePath(&config), file, 0o600); err != nil {
			t.Fatal(err)
		}
		config.ReadOnly = true
		ix := open(t, config, s)
		answers(t, ix)
		for doc := int64(1); doc <= 40; doc++ {
			s.mu.Lock()
			row := s.rows[doc]
			s.mu.Unlock()
			ix.state.apply(&row)
		}
		answers(t, ix)
		// A file that can be read can be written again, whatever it says.
		mergeHostile(t, ix, filepath.Join(dir, "merged"))
		ix.Close()
	})
}

// mergeHostile writes what an index knows to a file nobody reads.
func mergeHostile(t *testing.T, ix *Index, path string) {
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	out := newFileWriter(file)
	defer out.drop()
	m := newMerge(ix.state.snapshot(), out)
	m.writeColumns()
	m.writeSessions()
	m.writeFacets()
	m.writeTerms()
	if err := m.writeVectors(t.Context(), ix.source, ix.state.centre); err != nil {
		t.Fatal(err)
	}
}

// TestClosingWhileAFileIsCheckedIsNoDamage: a process that ends while it looks at a
// file says nothing of it, and the file stays.
func TestClosingWhileAFileIsCheckedIsNoDamage(t *testing.T) {
	s, c := newStore(), newCloud(3, 32, 4)
	for range 40 {
		s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
	}
	config := Config{Dir: t.TempDir(), Identity: "e", Dims: 32}
	rewrite(t, openCaughtUp(t, config, s))
	var log *bytes.Buffer
	config.Logger, log = logTo()
	ix := openCaughtUp(t, config, s)
	s.put(Row{Live: true, Vectors: [][]float32{c.vector()}})
	rewrite(t, openCaughtUp(t, Config{Dir: config.Dir, Identity: "e", Dims: 32}, s))
	ix.cancel()
	if err := ix.CatchUp(context.Background()); !errors.Is(err, context.Canceled) || log.Len() > 0 {
		t.Errorf("%v; logged %q", err, log)
	}
	if files, _ := filepath.Glob(filepath.Join(config.Dir, "*.index")); len(files) != 1 {
		t.Errorf("files %q", files)
	}
}
