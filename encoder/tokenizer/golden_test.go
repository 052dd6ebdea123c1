package tokenizer

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"os"
	"slices"
	"sync"
	"testing"
)

const (
	bundledJSON = "../bundled/tokenizer.json"
	bundledFlat = "../bundled/tokenizer.flat"
)

// goldenLine is a text and the ids the reference gives it, special tokens
// parsed and put around.
type goldenLine struct {
	Text string  `json:"text"`
	IDs  []int32 `json:"ids"`
}

func readGolden(tb testing.TB, path string) []goldenLine {
	tb.Helper()
	f, err := os.Open(path)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var lines []goldenLine
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var line goldenLine
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			tb.Fatalf("%s line %d: %v", path, len(lines)+1, err)
		}
		lines = append(lines, line)
	}
	if err := in.Err(); err != nil {
		tb.Fatal(err)
	}
	return lines
}

func readFile(tb testing.TB, path string) []byte {
	tb.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// fromJSON is loaded once: reading the file takes a third of a second.
var fromJSON = sync.OnceValues(func() (*Tokenizer, error) {
	data, err := os.ReadFile(bundledJSON)
	if err != nil {
		return nil, err
	}
	return Load(data)
})

// bundled returns the bundled tokenizer in both forms by name.
func bundled(tb testing.TB) (json, flat *Tokenizer) {
	tb.Helper()
	json, err := fromJSON()
	if err != nil {
		tb.Fatal(err)
	}
	flat, err = OpenFlat(readFile(tb, bundledFlat))
	if err != nil {
		tb.Fatal(err)
	}
	return json, flat
}

// framed returns the ids of text with the special ids around them.
func framed(t *Tokenizer, text string) []int32 {
	prefix, suffix := t.Specials()
	return append(t.Append(prefix, text), suffix...)
}

func TestGolden(t *testing.T) {
	fromJSON, flat := bundled(t)
	lines := readGolden(t, "testdata/ids.jsonl")
	if len(lines) != 635 {
		t.Fatalf("%d golden lines, 635 expected", len(lines))
	}
	for name, tok := range map[string]*Tokenizer{"json": fromJSON, "flat": flat} {
		tok = tok.WithSpecialTokens()
		for i, line := range lines {
			if got := framed(tok, line.Text); !slices.Equal(got, line.IDs) {
				t.Errorf("%s, line %d, %.60q:\n got %v\nwant %v", name, i+1, line.Text, got, line.IDs)
			}
		}
	}
}

func TestFlatFile(t *testing.T) {
	tok, _ := bundled(t)
	var made bytes.Buffer
	if err := WriteFlat(&made, tok); err != nil {
		t.Fatal(err)
	}
	if got, want := sha256.Sum256(readFile(t, bundledFlat)), sha256.Sum256(made.Bytes()); got != want {
		t.Errorf("%s has SHA-256 %x, %s gives %x: run go generate in this folder", bundledFlat, got, bundledJSON, want)
	}
}
