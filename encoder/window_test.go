package encoder

import (
	"math"
	"strings"
	"testing"
)

func TestWindows(t *testing.T) {
	for size := minWindow; size < 600; size += 37 {
		for n := 0; n < 5000; n += 13 {
			spans := windows(n, size)
			if n <= size && len(spans) != 1 {
				t.Fatalf("windows(%d, %d): %d of them", n, size, len(spans))
			}
			if spans[0].start != 0 || spans[len(spans)-1].end != n {
				t.Fatalf("windows(%d, %d) = %v does not cover the text", n, size, spans)
			}
			for i, s := range spans {
				if s.end-s.start > size {
					t.Fatalf("windows(%d, %d): %v is too long", n, size, s)
				}
				if i > 0 && spans[i-1].end-s.start < size/overlapShare {
					t.Fatalf("windows(%d, %d): %v and %v share too little", n, size, spans[i-1], s)
				}
			}
			least := (n + size - 1) / size
			if most := least + least/6 + 2; len(spans) > most {
				t.Fatalf("windows(%d, %d): %d of them, at most %d are expected", n, size, len(spans), most)
			}
		}
	}
}

// wordPieces is a tokenizer with one id a word: its length.
type wordPieces struct{}

func (wordPieces) Append(dst []int32, text string) []int32 {
	for _, w := range strings.Fields(text) {
		dst = append(dst, int32(len(w)))
	}
	return dst
}

func (wordPieces) Specials() (prefix, suffix []int32) { return []int32{100}, []int32{200, 201} }

func TestCut(t *testing.T) {
	tok := newTokens(wordPieces{})
	for n := range 200 {
		text := strings.Repeat("aa bbb ", n)
		for _, prefix := range []string{"", "prefix: "} {
			inputs := append(tok.cut(20, prefix, text), tok.ends(20, prefix, text)...)
			for _, ids := range inputs {
				if len(ids) > 20 || ids[0] != 100 || ids[len(ids)-2] != 200 || ids[len(ids)-1] != 201 {
					t.Fatalf("%d words: %v is no whole input of at most 20 tokens", 2*n, ids)
				}
				if prefix != "" && ids[1] != 7 {
					t.Fatalf("%d words: %v has no prefix", 2*n, ids)
				}
			}
			if len(inputs) < 2 {
				t.Fatalf("%d words: %v", 2*n, inputs)
			}
		}
	}
}

func TestNormaliseRefuses(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, v := range [][]float32{{0, 0}, {nan, 1}, {inf, 1}, {-inf, 0}, {1e-30, 0}} {
		if err := normalise(v); err == nil {
			t.Errorf("%v was accepted", v)
		}
	}
	v := []float32{3e20, 4e20} // squares overflow float32
	if err := normalise(v); err != nil || math.Abs(float64(v[0])-0.6) > 1e-6 {
		t.Errorf("%v, %v", v, err)
	}
}

func TestMeanOfOppositesIsAnError(t *testing.T) {
	if _, err := mean([][]float32{{1, 0}, {-1, 0}}); err == nil {
		t.Error("two opposite windows have no middle")
	}
}
