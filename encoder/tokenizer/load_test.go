package tokenizer

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// small is a file with every block, short enough to change by replacement.
const small = `{"version":"1.0",
"added_tokens":[{"id":0,"content":"<unk>","special":true},{"id":4,"content":"<s>","special":true}],
"normalizer":{"type":"Sequence","normalizers":[{"type":"Replace","pattern":{"Regex":" +"},"content":" "},{"type":"NFC"}]},
"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always"},
"post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}},{"Sequence":{"id":"A"}}],"special_tokens":{"<s>":{"ids":[4]}}},
"padding":{"pad_id":1},
"model":{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["a",-1],["▁",-2],["▁a",-2.5]]}}`

func TestLoadSmall(t *testing.T) {
	tok, err := Load([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if got := tok.Append(nil, "a  aéé"); !slices.Equal(got, []int32{3, 3, 0}) {
		t.Errorf("ids %v, want 3 3 0", got)
	}
	if tok.Pad() != 1 || tok.VocabSize() != 5 {
		t.Errorf("pad %d, size %d, want 1 and 5", tok.Pad(), tok.VocabSize())
	}
}

func TestLoadErrors(t *testing.T) {
	bpe := `"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]`
	wordPiece := `"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":9,"vocab":{"[UNK]":0}`
	unigram := small[strings.Index(small, `"type":"Unigram"`) : len(small)-2]
	for _, c := range []struct{ old, new, want string }{
		{small, "", "not valid JSON"},
		{small, "[]", "an object is missing"},
		{`"version":"1.0"`, `"version":"2.0"`, `version "2.0"`},
		{`"Replace"`, `"Nmt"`, `normalizer component "Nmt"`},
		{`"Metaspace"`, `"UnicodeScripts"`, `pre_tokenizer component "UnicodeScripts"`},
		{`"TemplateProcessing"`, `"Frame"`, `post_processor component "Frame"`},
		{`"Unigram"`, `"WordLevel"`, `model of type "WordLevel"`},
		{`"unk_id":0`, `"unk_id":4`, "unk_id 4"},
		{`"unk_id":0`, `"unk_id":null`, "without unk_id"},
		{`["a",-1]`, `["a"]`, "entry 1"},
		{`["a",-1]`, `["a","b"]`, `score "b"`},
		{`["a",-1]`, `["a",1e999]`, "score 1e999"},
		{`["a",-1]`, `[1,-1]`, "entry 1"},
		{`"vocab":[`, `"vocab":{"x":[`, "not valid JSON"},
		{`["▁a",-2.5]`, `["▁\u0000",-2.5]`, "U+0000"},
		{`"id":4,"content":"<s>"`, `"id":9,"content":"<s>"`, `"<s>" has id 9`},
		{`"ids":[4]`, `"ids":[5]`, "id 5 is not in the vocabulary"},
		{`"ids":[4]`, `"ids":[-1]`, "id -1 is not in the vocabulary"},
		{`{"SpecialToken":{"id":"<s>"}}`, `{"SpecialToken":{"id":"<t>"}}`, `"<t>" has no ids`},
		{`{"Sequence":{"id":"A"}}`, `{"Sequence":{"id":"B"}}`, "neither a special token nor sequence A"},
		{`,{"Sequence":{"id":"A"}}`, ``, "it holds it 0 times"},
		{`{"type":"TemplateProcessing"`, `{"type":"Sequence","processors":[{"type":"BertProcessing","sep":["a",1],"cls":["a",1]},{"type":"BertProcessing","sep":["a",1],"cls":["a",1]}]},"x":{"type":"?"`, "more than one processor"},
		{`{"type":"TemplateProcessing"`, `{"type":"BertProcessing","sep":["a"],"cls":["a",1]},"x":{"type":"?"`, "a token and its id"},
		{`"pad_id":1`, `"pad_id":7`, "pad_id 7"},
		{`"always"`, `"sometimes"`, `prepend_scheme "sometimes"`},
		{`"replacement":"▁"`, `"replacement":"ab"`, `replacement "ab"`},
		{`" +"`, `" *"`, "matches the empty text"},
		{`" +"`, `"(?=a)b"`, `the group "(?=a" is not supported`},
		{`" +"`, `"\\s+(?!\\S)"`, `"(?!\\" is not supported`},
		{`" +"`, `"(\\s+(?!\\S)|\\s+"`, "must be its last alternatives"},
		{`" +"`, `"\\w+"`, `\w is not supported`},
		{`" +"`, `"[a[b]]"`, "classes inside classes"},
		{`" +"`, `"[a&&b]"`, "classes inside classes"},
		{`" +"`, `"^a"`, `"^" is not supported`},
		{`" +"`, `"a\\"`, "ends in a backslash"},
		{`" +"`, `"a++"`, "nested repetition"},
		{`{"Regex":" +"}`, `{"String":""}`, "not empty"},
		{`{"type":"NFC"}`, `{"type":"Precompiled","precompiled_charsmap":"AAA"}`, "illegal base64"},
		{`{"type":"NFC"}`, `{"type":"Precompiled","precompiled_charsmap":"/////w=="}`, "its trie claims"},
		{`{"type":"NFC"}`, `{"type":"Precompiled","precompiled_charsmap":"AAAAAGE="}`, "longer than"},
		{`{"type":"NFC"}`, `{"type":"Precompiled","precompiled_charsmap":"AAAAAP8A"}`, "not UTF-8"},
		{`{"type":"NFC"}`, `{}`, "must name its type"},
		{`{"type":"NFC"}`, strings.Repeat(`{"type":"Sequence","normalizers":[`, 9) + strings.Repeat(`]}`, 9), "nest deeper"},
		{unigram, bpe, `"<unk>" has id 0, its place in the vocabulary is 3`},
		{unigram, strings.Replace(bpe, `"ab"`, `"ac"`, 1), `merge 0 of "a" and "b"`},
		{unigram, strings.Replace(bpe, `"a b"`, `"a b c"`, 1), "must have two parts"},
		{unigram, bpe + `,"dropout":0.1`, "dropout"},
		{unigram, bpe + `,"end_of_word_suffix":"</w>"`, "end_of_word_suffix"},
		{unigram, bpe + `,"unk_token":"?"`, `unk_token "?"`},
		{unigram, strings.Replace(bpe, `:2`, `:-2`, 1), `id -2 of "ab"`},
		{unigram, strings.Replace(bpe, `:2`, `:2e9`, 1), `id 2e9 of "ab"`},
		{unigram, strings.Replace(wordPiece, `{"[UNK]":0}`, `{}`, 1), `unk_token "[UNK]" is not`},
		{unigram, strings.Replace(wordPiece, `"unk_token":"[UNK]",`, ``, 1), "needs unk_token"},
	} {
		if !strings.Contains(small, c.old) {
			t.Fatalf("%q is not in the file", c.old)
		}
		_, err := Load([]byte(strings.Replace(small, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("with %.60q: %v, want an error with %q", c.new, err, c.want)
		}
	}
}

// flatOf returns the flat form of a tokenizer.json.
func flatOf(tb testing.TB, file []byte) []byte {
	tb.Helper()
	tok, err := Load(file)
	if err != nil {
		tb.Fatal(err)
	}
	var out bytes.Buffer
	if err := WriteFlat(&out, tok); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

func TestFlatErrors(t *testing.T) {
	good := flatOf(t, []byte(small))
	if _, err := OpenFlat(good); err != nil {
		t.Fatal(err)
	}
	change := func(at int, value uint32) []byte {
		data := bytes.Clone(good)
		binary.LittleEndian.PutUint32(data[at:], value)
		return data
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "not a flat tokenizer file"},
		{"magic", change(0, 0), "not a flat tokenizer file"},
		{"version", change(8, 2), "version 2"},
		{"order", change(12, 0x04030201), "little-endian"},
		{"longest", change(16, maxPieceBytes+1), "pieces of"},
		{"section", change(24, 1<<30), "cut off"},
		{"short", good[:len(good)-1], "cut off"},
		{"long", append(bytes.Clone(good), 0), "1 bytes follow"},
		{"settings", bytes.Replace(good, []byte(`{"added`), []byte(`["added`), 1), "not valid JSON"},
		{"score", bytes.Replace(good, []byte{0, 0, 0x80, 0xBF}, []byte{0, 0, 0xC0, 0x7F}, 1), "score of piece 1"},
	} {
		if _, err := OpenFlat(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want an error with %q", c.name, err, c.want)
		}
	}
	if err := WriteFlat(&bytes.Buffer{}, loadFixture(t, "bert")); err == nil {
		t.Error("WriteFlat of a WordPiece tokenizer is no error")
	}
}

func TestFlatAtOddAddress(t *testing.T) {
	good := flatOf(t, []byte(small))
	room := make([]byte, len(good)+8)
	for at := range 8 {
		copy(room[at:], good)
		tok, err := OpenFlat(room[at : at+len(good)])
		if err != nil {
			t.Fatalf("at %d: %v", at, err)
		}
		if got := tok.Append(nil, "a aé"); !slices.Equal(got, []int32{3, 3, 0}) {
			t.Errorf("at %d: ids %v", at, got)
		}
	}
}

// TestDoubleScores: scores that single precision would round keep their value
// and have no flat form.
func TestDoubleScores(t *testing.T) {
	file := strings.Replace(small, `["▁a",-2.5]`, `["▁a",-3.0000000001]`, 1)
	tok, err := Load([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	if got := tok.Append(nil, "a"); !slices.Equal(got, []int32{2, 1}) {
		t.Errorf("ids %v, want 2 1: the sum -3 is above -3.0000000001", got)
	}
	if err := WriteFlat(&bytes.Buffer{}, tok); err == nil {
		t.Error("WriteFlat rounds the scores without an error")
	}
}
