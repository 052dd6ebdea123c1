package tokenizer

import (
	"bytes"
	"slices"
	"testing"
)

var fuzzTexts = []string{
	"", "hello world", "<s>hello</s> <mask>", "a\r\nb", "e\u0301e\u0301", "\xff\xfe", "中文 ไทย हिन्दी 한국어", "👩🏽‍💻🇫🇷", "   \t\n x ", "＜s＞", "\x00\x01", "▁▁a", "don't 12345 [CLS]",
}

// checkIDs fails when ids leave the vocabulary.
func checkIDs(t *testing.T, tok *Tokenizer, text string) []int32 {
	t.Helper()
	ids := tok.Append(nil, text)
	for _, id := range ids {
		if id < 0 || int(id) >= tok.VocabSize() {
			t.Fatalf("%q gives id %d, the vocabulary has %d", text, id, tok.VocabSize())
		}
	}
	return ids
}

func FuzzLoad(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"version":"1.0","model":{"type":"BPE","vocab":{"a":0},"merges":[["a","a"]]}}`))
	for _, name := range fixtures {
		f.Add(readFile(f, "testdata/"+name+".json"))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tok, err := Load(data)
		if err != nil {
			return
		}
		var flat *Tokenizer
		if tok.flat != nil {
			var out bytes.Buffer
			if err := WriteFlat(&out, tok); err != nil {
				return
			}
			if flat, err = OpenFlat(out.Bytes()); err != nil {
				t.Fatalf("the flat form of a file that loads: %v", err)
			}
		}
		for _, text := range fuzzTexts {
			ids := checkIDs(t, tok, text)
			checkIDs(t, tok.WithSpecialTokens(), text)
			if flat != nil && !slices.Equal(ids, flat.Append(nil, text)) {
				t.Fatalf("%q: %v, flat %v", text, ids, flat.Append(nil, text))
			}
		}
	})
}

func FuzzOpenFlat(f *testing.F) {
	good := flatOf(f, []byte(small))
	f.Add(good)
	f.Add(good[:100])
	f.Add(flatOf(f, readFile(f, "testdata/unigram.json")))
	f.Fuzz(func(t *testing.T, data []byte) {
		tok, err := OpenFlat(data)
		if err != nil {
			return
		}
		for _, text := range fuzzTexts {
			checkIDs(t, tok, text)
			checkIDs(t, tok.WithSpecialTokens(), text)
		}
	})
}

func FuzzAppend(f *testing.F) {
	for _, text := range fuzzTexts {
		f.Add(text)
	}
	type subject struct {
		tok *Tokenizer
		bad []int32
	}
	fromJSON, flat := bundled(f)
	subjects := []subject{{flat, forbidden(f, bundledJSON)}}
	for _, name := range fixtures {
		subjects = append(subjects, subject{loadFixture(f, name), forbidden(f, "testdata/"+name+".json")})
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range subjects {
			ids := checkIDs(t, s.tok, text)
			if containsAny(ids, s.bad) {
				t.Fatalf("%q gives %v, of which %v are special", text, ids, s.bad)
			}
			checkIDs(t, s.tok.WithSpecialTokens(), text)
		}
		if a, b := fromJSON.Append(nil, text), flat.Append(nil, text); !slices.Equal(a, b) {
			t.Fatalf("%q: from json %v, flat %v", text, a, b)
		}
	})
}
