package benchmark

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; go test -update writes it", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; it is now\n%s", path, got)
	}
}

// sample is a report whose figures are as far from each other as scale says.
func sample(memories int, scale float64) Report {
	r := Report{Schema: Schema, Combray: "1.0", Commit: "0123456789abcdef", Started: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Ended: time.Date(2026, 1, 2, 3, 5, 5, 0, time.UTC),
		Machine:  Machine{CPU: "A Processor", Cores: 2, MemoryBytes: 24 << 30, OS: "linux, Some", Arch: "amd64", Go: "go1.26", LoadAtStart: []float64{0.1, 0.2, 0.3}, LoadAtEnd: []float64{1, 2, 3}},
		Store:    Contents{Memories: memories, Encoded: 5000, Seed: 1, Encoder: "small:1", Built: true},
		Settings: Settings{Runs: 3, Asks: 4, Neighbours: "scan"}, Notes: []string{"A note."}}
	s := newSamples()
	for s.run = range 3 {
		for i, name := range slices.Concat(recallNames(), []string{"start_initialize", "remember"}) {
			for call := range 4 {
				ms := scale * float64(1+i+s.run) * float64(10+call) / 10
				s.took(name, strings.ReplaceAll(name, "_", " "), time.Duration(ms*float64(time.Millisecond)))
			}
		}
		s.value("ingest_words", "import", PerSecond, 5000/scale+float64(s.run))
		s.value("memory_own", "own memory after use", Bytes, scale*40*(1<<20))
	}
	s.value("disk_index", "bytes of its index a memory", Bytes, 500)
	s.value("recall_at_10", "recall@10 <of> the vectors", Share, 0.9975)
	s.value("build_index", "the index made", Seconds, 1.5)
	r.Figures = s.figures()
	return r
}

// TestSchemaOfAReport holds the names that programs read.
func TestSchemaOfAReport(t *testing.T) {
	data, err := json.Marshal(sample(10_000, 1))
	if err != nil {
		t.Fatal(err)
	}
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	keys := map[string]bool{}
	keysOf(v, "", keys)
	golden(t, "keys.txt", []byte(strings.Join(slices.Sorted(maps.Keys(keys)), "\n")+"\n"))
}

// keysOf gathers the paths of a JSON value with their types.
func keysOf(v any, path string, into map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			keysOf(inner, path+"."+name, into)
		}
	case []any:
		for _, inner := range v {
			keysOf(inner, path+"[]", into)
		}
	default:
		into[fmt.Sprintf("%s %T", strings.TrimPrefix(path, "."), v)] = true
	}
}

func TestReportsAreReadBack(t *testing.T) {
	path, want := filepath.Join(t.TempDir(), "report.json"), sample(10_000, 1)
	if err := WriteReport(path, want); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadReport(path); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%+v\n%+v", err, got, want)
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("%v is left (%v)", left, err)
	}
	if err := WriteReport(filepath.Join(t.TempDir(), "missing", "report.json"), want); err == nil {
		t.Error("a folder that is not there: no error")
	}
}

func TestReportsThatAreNone(t *testing.T) {
	for content, want := range map[string]string{
		"":                              "no report of combray bench",
		"[]":                            "no report of combray bench",
		`{"schema":1,"figures":[]}`:     "has no figures",
		`{"streams":["a"]}`:             "has no figures",
		`{"schema":2,"figures":[{}]}`:   "a newer one wrote it",
		`{"schema":"1","figures":[{}]}`: "no report of combray bench",
	} {
		if _, err := decodeReport([]byte(content)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// FuzzReport holds that whatever is read can be drawn, compared and printed.
func FuzzReport(f *testing.F) {
	for _, r := range []Report{sample(10, 1), {Schema: 1, Figures: []Figure{{Name: "recall_hybrid_all", Unit: Milliseconds, Spread: &Spread{}}, {}}}} {
		data, err := json.Marshal(r)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte(`{"schema":1,"figures":[{"name":"disk_index","unit":"bytes","value":1e308},{"name":"memory_own","value":-1}],"store":{"memories":-5},"machine":{"load_at_end":[]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decodeReport(data)
		if err != nil {
			return
		}
		Picture([]Named{{"one", r}, {"two", sample(10, 1)}})
		ratios, differences := Compare(sample(10, 1), r)
		var out bytes.Buffer
		if err := PrintComparison(&out, ratios, differences); err != nil {
			t.Error(err)
		}
		if err := PrintReport(&out, r); err != nil {
			t.Error(err)
		}
	})
}

func TestTables(t *testing.T) {
	var out bytes.Buffer
	if err := PrintReport(&out, sample(10_000, 1)); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.txt", out.Bytes())
	out.Reset()
	ratios, differences := Compare(sample(10_000, 3), sample(20_000, 1))
	if err := PrintComparison(&out, ratios, differences); err != nil {
		t.Fatal(err)
	}
	golden(t, "comparison.txt", out.Bytes())
}

func TestPictures(t *testing.T) {
	one, many := sample(10_000, 1), sample(1_000_000, 2)
	golden(t, "one.svg", Picture([]Named{{"", one}}))
	both := Picture([]Named{{"b", many}, {"a", one}})
	golden(t, "sizes.svg", both)
	if again := Picture([]Named{{"a", one}, {"b", many}}); !bytes.Equal(both, again) {
		t.Error("the order of the reports changes the picture")
	}
	same := string(Picture([]Named{{"before & after", one}, {"now", one}}))
	if !strings.Contains(same, ">before &amp; after<") || strings.Contains(same, "by the size of the store") {
		t.Error("two reports of one size are not told apart by their names")
	}
}
