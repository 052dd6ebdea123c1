package tokenizer

import (
	"slices"
	"strings"
	"testing"
)

// modelFile returns a tokenizer.json with only a model and added tokens.
func modelFile(model, added string) []byte {
	return []byte(`{"version":"1.0","added_tokens":[` + added + `],"model":{` + model + `}}`)
}

const (
	unigramHead = `"type":"Unigram","unk_id":0,"vocab":[["?",0],`
	bpeHead     = `"type":"BPE","vocab":{"?":0,"a":1,"b":2,"ab":3,"<0x78>":4,"ba":5},"merges":["a b","b a"]`
)

// TestModels holds corners of the models. The ids are the reference's.
func TestModels(t *testing.T) {
	added := `{"id":6,"content":"xx","rstrip":true},{"id":7,"content":"  x","lstrip":true},{"id":8,"content":"xxx","single_word":true}`
	for _, c := range []struct {
		name, model, added string
		want               map[string][]int32
	}{
		{"an unknown character is worse than any piece", unigramHead + `["a",2],["ab",-12]]`, "",
			map[string][]int32{"ab": {2}, "aab": {1, 2}, "bb": {0}}},
		{"the later of two equal pieces counts", unigramHead + `["a",-1],["b",-1],["a",-3],["ab",-3.5]]`, "",
			map[string][]int32{"ab": {4}, "a": {3}}},
		{"bytes only if there are pieces for all", unigramHead + `["a",-1],["<0x62>",-1],["<0x63>",-2]],"byte_fallback":true`, "",
			map[string][]int32{"abc": {1, 2, 3}, "abcd": {1, 0}, "bxc": {0}, "<0x62>": {2}}},
		{"unknown characters one by one", bpeHead + `,"unk_token":"?"`, "",
			map[string][]int32{"axxb": {1, 0, 0, 2}, "abab": {3, 3}, "xab": {0, 3}, "aba": {3, 1}}},
		{"unknown characters fused", bpeHead + `,"unk_token":"?","fuse_unk":true`, "",
			map[string][]int32{"axxb": {1, 0, 2}, "xx": {0}, "ayxb": {1, 0, 2}}},
		{"byte pieces before a waiting unknown, fused", bpeHead + `,"unk_token":"?","fuse_unk":true,"byte_fallback":true`, "",
			map[string][]int32{"axxb": {1, 4, 4, 2}, "ayxb": {1, 4, 0, 2}, "yyxx": {4, 4, 0}}},
		{"byte pieces before a waiting unknown", bpeHead + `,"unk_token":"?","byte_fallback":true`, "",
			map[string][]int32{"yyxx": {0, 4, 4, 0}, "yxyb": {4, 0, 0, 2}}},
		{"no unknown token", bpeHead, "",
			map[string][]int32{"axxb": {3}, "xx": nil}},
		{"an added token comes after the number of pieces, not after the last id", `"type":"BPE","vocab":{"a":0,"b":5},"merges":[]`, `{"id":2,"content":"xx"}`,
			map[string][]int32{"axxb": {0, 2, 5}}},
		{"added tokens", bpeHead + `,"unk_token":"?"`, added,
			map[string][]int32{"xxxa": {0, 0, 0, 1}, "xxx a": {8, 0, 1}, " xx  xa": {0, 6, 7, 1}, "a  xb": {1, 7, 2}, "xxxx": {0, 0, 0, 0}, "b xxx": {2, 0, 8}, "xx   x": {6, 7}}},
	} {
		tok, err := Load(modelFile(c.model, c.added))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for text, want := range c.want {
			if got := tok.Append(nil, text); !slices.Equal(got, want) {
				t.Errorf("%s: %q gives %v, want %v", c.name, text, got, want)
			}
		}
	}
}

// TestHiddenPieces: the pieces of special tokens and of the unknown token are
// in the vocabulary and would win, but are never found in a text.
func TestHiddenPieces(t *testing.T) {
	special := `{"id":1,"content":"<s>","special":true}`
	bpe := `"type":"BPE","unk_token":"§","vocab":{"§":0,"<s>":1,"<":2,"s":3,">":4,"<s":5,"s>":6},"merges":["< s","<s >","s >"]`
	for _, c := range []struct {
		name, model, added string
		want               map[string][]int32
	}{
		{"Unigram", `"type":"Unigram","unk_id":0,"vocab":[["§",0],["<s>",0],["<",-1],["s",-1],[">",-1]]`, special,
			map[string][]int32{"<s>": {2, 3, 4}, "§": {0}, "<s>§": {2, 3, 4, 0}}},
		{"Unigram, unknown token spelled in letters", `"type":"Unigram","unk_id":0,"vocab":[["<s>",0],["<",-1],["s",-1],[">",-1]]`, "",
			map[string][]int32{"<s>": {1, 2, 3}}},
		{"BPE", bpe, special, map[string][]int32{"<s>": {5, 4}, "s>": {6}}},
		{"BPE, whole pieces", bpe + `,"ignore_merges":true`, special, map[string][]int32{"<s>": {5, 4}}},
		{"BPE, one character", `"type":"BPE","unk_token":"?","vocab":{"?":0,"¤":1,"<":2},"merges":[]`, strings.Replace(special, "<s>", "¤", 1),
			map[string][]int32{"¤<": {0, 2}, "?": {0}}},
		{"WordPiece", `"type":"WordPiece","unk_token":"§","continuing_subword_prefix":"##","max_input_chars_per_word":9,"vocab":{"§":0,"<s>":1,"<":2,"##s>":3}`, special,
			map[string][]int32{"<s>": {2, 3}, "<": {2}, "<<s>": {0}}},
	} {
		tok, err := Load(modelFile(c.model, c.added))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for text, want := range c.want {
			if got := tok.Append(nil, text); !slices.Equal(got, want) {
				t.Errorf("%s: %q gives %v, want %v", c.name, text, got, want)
			}
		}
		if got := tok.WithSpecialTokens().Append(nil, "<s>"); c.added == special && !slices.Equal(got, []int32{1}) {
			t.Errorf("%s: with special tokens <s> gives %v", c.name, got)
		}
	}
}
