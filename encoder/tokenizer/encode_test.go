package tokenizer

import (
	"encoding/json"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"
)

// forbidden returns the ids that must not come out of plain text: those of the
// file's special tokens without the unknown token's.
func forbidden(tb testing.TB, path string) []int32 {
	tb.Helper()
	var file struct {
		Added []addedToken `json:"added_tokens"`
		Model struct {
			UnkID    *int64  `json:"unk_id"`
			UnkToken *string `json:"unk_token"`
		}
	}
	if err := json.Unmarshal(readFile(tb, path), &file); err != nil {
		tb.Fatal(err)
	}
	var ids []int32
	for _, tok := range file.Added {
		unknown := file.Model.UnkID != nil && tok.ID == *file.Model.UnkID || file.Model.UnkToken != nil && tok.Content == *file.Model.UnkToken
		if tok.Special && !unknown {
			ids = append(ids, int32(tok.ID))
		}
	}
	if len(ids) == 0 {
		tb.Logf("%s: no special tokens", path)
	}
	return ids
}

func containsAny(ids, some []int32) bool {
	return slices.ContainsFunc(ids, func(id int32) bool { return slices.Contains(some, id) })
}

func TestTypedSpecialTokens(t *testing.T) {
	names := []string{"<s>", "</s>", "<pad>", "<unk>", "<mask>"}
	json, flat := bundled(t)
	bad := forbidden(t, bundledJSON)
	if want := []int32{0, 1, 2, 250001}; !slices.Equal(bad, want) {
		t.Fatalf("special ids %v, want %v", bad, want)
	}
	bad = append(bad, 3) // none of these texts has an unknown character
	for _, name := range names {
		wide := strings.Map(func(r rune) rune { return r + 0xFEE0 }, name)
		for _, text := range []string{name, wide, "a" + name + "b", name + name, " " + name + " ", "▁" + name} {
			for form, tok := range map[string]*Tokenizer{"json": json, "flat": flat} {
				if got := tok.Append(nil, text); containsAny(got, bad) || len(got) == 0 {
					t.Errorf("%s: %q gives %v", form, text, got)
				}
			}
		}
		if got := flat.WithSpecialTokens().Append(nil, name); len(got) != 1 {
			t.Errorf("with special tokens %q gives %v", name, got)
		}
	}
	if got := flat.Append(nil, "\U00012345"); !slices.Contains(got, 3) {
		t.Errorf("an unknown character gives %v, want the id of <unk> in it", got)
	}
}

func TestAccessors(t *testing.T) {
	json, flat := bundled(t)
	for form, tok := range map[string]*Tokenizer{"json": json, "flat": flat} {
		prefix, suffix := tok.Specials()
		if !slices.Equal(prefix, []int32{0}) || !slices.Equal(suffix, []int32{2}) || tok.Pad() != 1 || tok.VocabSize() != 250002 {
			t.Errorf("%s: specials %v %v, pad %d, size %d", form, prefix, suffix, tok.Pad(), tok.VocabSize())
		}
		prefix[0] = 99
		if again, _ := tok.Specials(); again[0] != 0 {
			t.Errorf("%s: the caller's change of a prefix is seen by others", form)
		}
	}
	for name, want := range map[string][3]int32{"bert": {2, 3, 0}, "roberta": {0, 2, 1}, "gemma": {2, 1, 0}, "bytelevel": {419, 419, 420}} {
		tok := loadFixture(t, name)
		prefix, suffix := tok.Specials()
		if got := [3]int32{prefix[0], suffix[0], tok.Pad()}; got != want {
			t.Errorf("%s: prefix, suffix, pad %v, want %v", name, got, want)
		}
	}
}

// randomText draws characters from everywhere, and now and then a broken byte.
func randomText(r *rand.Rand) string {
	ranges := [][2]rune{{0, 0x7F}, {' ', '~'}, {' ', '~'}, {0x80, 0x24F}, {0x300, 0x36F}, {0x370, 0x77F}, {0x900, 0x109F}, {0x1100, 0x11FF}, {0x2000, 0x2BFF}, {0x3000, 0x9FFF}, {0xAC00, 0xD7A3}, {0xF900, 0xFFFF}, {0x1F1E6, 0x1FAFF}, {0, utf8.MaxRune}}
	var b strings.Builder
	for range r.IntN(40) {
		switch from := ranges[r.IntN(len(ranges))]; r.IntN(30) {
		case 0:
			b.WriteByte(byte(r.IntN(256)))
		case 1:
			b.WriteString([]string{"<s>", "</s>", "<mask>", "<pad>", "[CLS]", "\r\n", "  ", "\u200d", "<0x0A>"}[r.IntN(9)])
		default:
			b.WriteRune(from[0] + r.Int32N(from[1]-from[0]+1))
		}
	}
	return b.String()
}

func TestRandomTexts(t *testing.T) {
	const seed = 3
	json, flat := bundled(t)
	bad := forbidden(t, bundledJSON)
	r := rand.New(rand.NewPCG(seed, seed))
	var others []*Tokenizer
	for _, name := range fixtures {
		others = append(others, loadFixture(t, name))
	}
	for range 5_000 {
		text := randomText(r)
		a, b := json.Append(nil, text), flat.Append(nil, text)
		if !slices.Equal(a, b) {
			t.Fatalf("seed %d, %q: from json %v, flat %v", seed, text, a, b)
		}
		if containsAny(a, bad) {
			t.Fatalf("seed %d, %q: special ids in %v", seed, text, a)
		}
		for i, tok := range others {
			for _, id := range tok.Append(nil, text) {
				if id < 0 || int(id) >= tok.VocabSize() {
					t.Fatalf("seed %d, %s, %q: id %d of %d", seed, fixtures[i], text, id, tok.VocabSize())
				}
			}
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	_, flat := bundled(t)
	for broken, clean := range map[string]string{
		"a\xffb":             "a\uFFFDb",
		"\xe4\xb8":           "\uFFFD\uFFFD",
		"ok \xed\xa0\x80 ok": "ok \uFFFD\uFFFD\uFFFD ok",
		"\xf4\x90\x80\x80":   "\uFFFD\uFFFD\uFFFD\uFFFD",
	} {
		if got, want := flat.Append(nil, broken), flat.Append(nil, clean); !slices.Equal(got, want) {
			t.Errorf("%q gives %v, %q gives %v", broken, got, clean, want)
		}
	}
}

// TestLongInputs holds the promise that time grows about linearly. A quadratic
// step would take minutes; the limit leaves room for slow machines.
func TestLongInputs(t *testing.T) {
	const limit = 10 * time.Second
	_, flat := bundled(t)
	type subject struct {
		name string
		tok  *Tokenizer
		size int
	}
	subjects := []subject{{"bundled", flat, 1 << 20}}
	for _, name := range fixtures {
		subjects = append(subjects, subject{name, loadFixture(t, name), 1 << 16})
	}
	for _, unit := range []string{"a", "é", "e\u0301", "\u0301", "記", "\r\n", " ", "'s", "<mask>", "👩\u200d", "\xff", "▁"} {
		for _, s := range subjects {
			start := time.Now()
			s.tok.Append(nil, strings.Repeat(unit, s.size/len(unit)))
			if took := time.Since(start); took > limit {
				t.Errorf("%s: %d bytes of %q took %v", s.name, s.size, unit, took)
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	_, flat := bundled(t)
	toks := []*Tokenizer{flat, loadFixture(t, "gemma"), loadFixture(t, "bytelevel"), loadFixture(t, "bert")}
	lines := readGolden(t, "testdata/ids.jsonl")[340:460]
	var want [][]int32
	for _, tok := range toks {
		for _, line := range lines {
			want = append(want, tok.Append(nil, line.Text))
		}
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i, ids := range want {
				if got := toks[i/len(lines)].Append(nil, lines[i%len(lines)].Text); !slices.Equal(got, ids) {
					t.Errorf("%q differs when many encode at once", lines[i%len(lines)].Text)
				}
			}
		})
	}
	wg.Wait()
}

// TestAllocations: the buffers of a call are reused. The pool may forget them
// (under the race detector it does so at random), so the best of some runs counts.
func TestAllocations(t *testing.T) {
	_, flat := bundled(t)
	for name, tok := range map[string]*Tokenizer{"flat": flat, "gemma": loadFixture(t, "gemma"), "bert": loadFixture(t, "bert")} {
		ids := make([]int32, 0, 1000)
		best := 100.0
		for range 30 {
			best = min(best, testing.AllocsPerRun(1, func() { ids = tok.Append(ids[:0], sentence) }))
		}
		if best > 0 {
			t.Errorf("%s: %v allocations a sentence, none are expected", name, best)
		}
	}
}

// TestFlatTakesNoHeap: the arrays are used in place, only the settings are read.
func TestFlatTakesNoHeap(t *testing.T) {
	const few = 64 << 10
	data := readFile(t, bundledFlat)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := OpenFlat(data); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > few {
		t.Errorf("OpenFlat takes %d bytes of heap, at most %d are allowed", got, few)
	}
}

// TestHugeTextIsNotKept: buffers that a huge text needed are not kept for reuse.
func TestHugeTextIsNotKept(t *testing.T) {
	_, flat := bundled(t)
	for name, tok := range map[string]*Tokenizer{"flat": flat, "gemma": loadFixture(t, "gemma"), "bytelevel": loadFixture(t, "bytelevel")} {
		var s scratch
		tok.appendText(nil, &s, []byte(sentence), true)
		if s.size() > maxKeptScratch/10 {
			t.Errorf("%s: a sentence takes %d bytes of scratch", name, s.size())
		}
		tok.appendText(nil, &s, []byte(strings.Repeat("a", 1<<20)), true)
		if s.size() <= maxKeptScratch {
			t.Errorf("%s: a megabyte takes only %d bytes of scratch", name, s.size())
		}
	}
}

func TestAppendKeepsWhatIsThere(t *testing.T) {
	_, flat := bundled(t)
	got := flat.Append([]int32{7, 8}, "hello")
	if !slices.Equal(got[:2], []int32{7, 8}) || !slices.Equal(got[2:], flat.Append(nil, "hello")) {
		t.Errorf("Append to 7, 8 gives %v", got)
	}
}
