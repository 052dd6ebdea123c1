package tokenizer

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/sugarme/tokenizer"
	"github.com/sugarme/tokenizer/pretrained"
)

// slowEnv turns on tests that take more than a few seconds.
const slowEnv = "COMBRAY_SLOW"

// openSugarme loads the bundled file with the library this package stands in for.
func openSugarme(tb testing.TB) *tokenizer.Tokenizer {
	tb.Helper()
	tok, err := pretrained.FromFile(bundledJSON)
	if err != nil {
		tb.Fatal(err)
	}
	return tok
}

// sugarmeIDs encodes text and turns a panic into an error.
func sugarmeIDs(tok *tokenizer.Tokenizer, text string) (ids []int32, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	enc, err := tok.EncodeSingle(text, true)
	if err != nil {
		return nil, err
	}
	for _, id := range enc.Ids {
		ids = append(ids, int32(id))
	}
	return ids, nil
}

// TestSugarmeCRLF keeps the reason for this package in view. If it fails, the
// library has become usable for ordinary text: measure again.
func TestSugarmeCRLF(t *testing.T) {
	tok := openSugarme(t)
	if ids, err := sugarmeIDs(tok, "one line\r\nanother"); err == nil {
		t.Errorf("sugarme/tokenizer encodes CRLF: %v", ids)
	}
	if ids, err := sugarmeIDs(tok, "cafe\u0301"); err == nil {
		t.Errorf("sugarme/tokenizer encodes a decomposed accent: %v", ids)
	}
}

// TestBesideSugarme counts wrong ids and panics of both over the golden texts.
func TestBesideSugarme(t *testing.T) {
	if os.Getenv(slowEnv) == "" {
		t.Skipf("takes a minute: set %s=1", slowEnv)
	}
	_, flat := bundled(t)
	own, other := flat.WithSpecialTokens(), openSugarme(t)
	var wrong, panics, ownWrong int
	var took, ownTook time.Duration
	lines := readGolden(t, "testdata/ids.jsonl")
	for _, line := range lines {
		start := time.Now()
		ids, err := sugarmeIDs(other, line.Text)
		took += time.Since(start)
		if err != nil {
			panics++
		} else if !slices.Equal(ids, line.IDs) {
			wrong++
		}
		start = time.Now()
		ids = framed(own, line.Text)
		ownTook += time.Since(start)
		if !slices.Equal(ids, line.IDs) {
			ownWrong++
		}
	}
	t.Logf("%d texts: sugarme/tokenizer v0.3.0 %d wrong, %d panics or errors, %v; own %d wrong, %v", len(lines), wrong, panics, took.Round(time.Millisecond), ownWrong, ownTook.Round(time.Microsecond))
	if ownWrong > 0 || wrong+panics == 0 {
		t.Errorf("own %d wrong, sugarme %d wrong and %d panics: measure again", ownWrong, wrong, panics)
	}
}

func BenchmarkSugarmeSentence(b *testing.B) {
	tok := openSugarme(b)
	for b.Loop() {
		if _, err := sugarmeIDs(tok, sentence); err != nil {
			b.Fatal(err)
		}
	}
}
