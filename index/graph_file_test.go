package index

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestGraphDamage spoils the graph file in many ways, while nobody uses it and while
// an index does: the answers are those of a scan, and a good file takes its place.
func TestGraphDamage(t *testing.T) {
	s := smallStore()
	plain := smallConfig(t.TempDir())
	config := graphConfig(plain)
	openGraphed(t, config, s).Close()
	path := graphPath(&config)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := answers(t, openCaughtUp(t, plain, s))
	for i, damage := range damages(good) {
		if i%5 > 0 && i > 20 {
			continue
		}
		for _, used := range []bool{false, true} {
			if err := os.WriteFile(path, good, 0o600); err != nil {
				t.Fatal(err)
			}
			ix := open(t, config, s)
			if used {
				graphed(t, ix)
			}
			if err := damage.spoil(path, good); err != nil {
				t.Fatal(err)
			}
			if got := walkless(answers(t, ix)); got != walkless(want) {
				t.Fatalf("%s (used: %v): answers %s\nwant %s", damage.name, used, got, want)
			}
			graphed(t, ix)
			if got := walkless(answers(t, ix)); got != walkless(want) {
				t.Fatalf("%s (used: %v) and after: answers %s\nwant %s", damage.name, used, got, want)
			}
			ix.Close()
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, good) {
				t.Fatalf("%s (used: %v): the file was not made anew (%v)", damage.name, used, err)
			}
		}
	}
}

// walkless takes out of answers how their rows were found.
func walkless(answers string) string {
	lines := strings.Split(answers, "\n")
	for i, line := range lines {
		if at := strings.Index(line, "vectors {Ran:true"); at >= 0 {
			lines[i] = line[:at]
		}
	}
	return strings.Join(lines, "\n")
}

// TestGraphOfAnotherFile holds that a graph is used with the file it was made for
// and no other.
func TestGraphOfAnotherFile(t *testing.T) {
	choosesKind(t)
	s := smallStore()
	config := graphConfig(smallConfig(t.TempDir()))
	ix := openGraphed(t, config, s)
	old, err := os.ReadFile(graphPath(&config))
	if err != nil {
		t.Fatal(err)
	}
	s.change(2, func(row *Row) { row.Vectors = [][]float32{newCloud(5, smallDims, 1).vector()} })
	rewrite(t, ix)
	if _, err := os.Stat(graphPath(&config)); err == nil {
		t.Error("the graph outlived its file")
	}
	ix.Close()
	if err := os.WriteFile(graphPath(&config), old, 0o600); err != nil {
		t.Fatal(err)
	}
	logger, log := logTo()
	config.Logger, config.ReadOnly = logger, true
	reader := openCaughtUp(t, config, s)
	reader.background.Wait()
	if got := stats(t, reader); got.FileRows == 0 || got.GraphBytes > 0 || !strings.Contains(log.String(), "another index file") {
		t.Errorf("%+v, log %s", got, log)
	}
	config.ReadOnly = false
	graphed(t, open(t, config, s))
	catchUp(t, reader) // the graph file is another one now
	reader.background.Wait()
	if got := stats(t, reader); got.GraphBytes == 0 {
		t.Errorf("the reader does not use the graph that is there: %+v", got)
	}
}

// TestErasedRowsLeaveTheGraph holds that after Rewrite no graph is left that was made
// from rows that are erased, of no encoder.
func TestErasedRowsLeaveTheGraph(t *testing.T) {
	choosesKind(t)
	s := smallStore()
	config := graphConfig(smallConfig(t.TempDir()))
	other := config
	other.Identity = "f"
	openGraphed(t, other, s).Close()
	ix := openGraphed(t, config, s)
	s.erase(5)
	rewrite(t, ix)
	for _, path := range []string{graphPath(&config), graphPath(&other)} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
}

// FuzzOpenGraph opens graph files that say anything.
func FuzzOpenGraph(f *testing.F) {
	s := smallStore()
	config := graphConfig(smallConfig(f.TempDir()))
	ix := openGraphed(f, config, s)
	file := ix.state.segment
	good, err := os.ReadFile(graphPath(&config))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), []byte{})
	for _, section := range file.graph.Load().sections(f, good, &ix.config) {
		f.Add(uint32(section.Offset), []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
		f.Add(uint32(section.Offset), make([]byte, section.Length))
		f.Add(uint32(section.Offset+section.Length/2), []byte{7, 0, 0, 0})
	}
	for at := range 100 {
		f.Add(uint32(at*4), []byte{0xff, 0xff, 0xff, 0x7f})
	}
	want := ix.state.rows()
	f.Fuzz(func(t *testing.T, at uint32, change []byte) {
		spoiled := bytes.Clone(good)
		copy(spoiled[min(int(at), len(spoiled)):], change)
		reseal(spoiled)
		m := &mapping{data: spoiled}
		g, err := openGraph(&ix.config, file, m, func() error { return nil })
		if err != nil {
			return
		}
		before := file.graph.Swap(g)
		defer file.graph.Store(before)
		for _, q := range someQueries() {
			if got := ask(t, ix, q); got.Eligible > want {
				t.Errorf("%d rows pass, there are %d", got.Eligible, want)
			}
		}
	})
}

// sections returns those of a graph file.
func (g *graph) sections(t testing.TB, file []byte, config *Config) []section {
	h, err := decodeHeader(file, int64(len(file)), &graphFormat, config)
	if err != nil {
		t.Fatal(err)
	}
	return h.Sections[:graphSame+1]
}
