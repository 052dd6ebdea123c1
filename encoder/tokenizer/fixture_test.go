package tokenizer

import (
	"encoding/json"
	"slices"
	"testing"
)

// fixtures are small tokenizers of each kind; testdata/README.md tells how the
// expected ids were made.
var fixtures = []string{"bert", "bytelevel", "gemma", "roberta", "unigram", "unkbpe"}

func loadFixture(tb testing.TB, name string) *Tokenizer {
	tb.Helper()
	tok, err := Load(readFile(tb, "testdata/"+name+".json"))
	if err != nil {
		tb.Fatal(err)
	}
	return tok
}

func TestFixtures(t *testing.T) {
	for _, name := range fixtures {
		t.Run(name, func(t *testing.T) {
			tok := loadFixture(t, name).WithSpecialTokens()
			for _, line := range readGolden(t, "testdata/"+name+".jsonl") {
				if got := framed(tok, line.Text); !slices.Equal(got, line.IDs) {
					t.Errorf("%q:\n got %v\nwant %v", line.Text, got, line.IDs)
				}
			}
		})
	}
}

// TestComponents runs normalizers and pre-tokenizers one by one before a
// WordPiece model of single characters, whose ids show where pieces begin.
func TestComponents(t *testing.T) {
	var table struct {
		Texts []string
		Vocab json.RawMessage
		Cases []struct {
			Normalizer   json.RawMessage
			PreTokenizer json.RawMessage `json:"pre_tokenizer"`
			IDs          [][]int32
		}
	}
	if err := json.Unmarshal(readFile(t, "testdata/components.json"), &table); err != nil {
		t.Fatal(err)
	}
	for _, c := range table.Cases {
		tok, err := Load(fileWith(t, c.Normalizer, c.PreTokenizer, table.Vocab))
		if err != nil {
			t.Errorf("%s %s: %v", c.Normalizer, c.PreTokenizer, err)
			continue
		}
		for i, text := range table.Texts {
			if got := tok.Append(nil, text); !slices.Equal(got, c.IDs[i]) {
				t.Errorf("%s %s, %q:\n got %v\nwant %v", c.Normalizer, c.PreTokenizer, text, got, c.IDs[i])
			}
		}
	}
}

// fileWith returns a tokenizer.json around a WordPiece vocabulary.
func fileWith(tb testing.TB, normalizer, preTokenizer, vocab json.RawMessage) []byte {
	tb.Helper()
	data, err := json.Marshal(map[string]any{
		"version": "1.0", "normalizer": normalizer, "pre_tokenizer": preTokenizer,
		"model": map[string]any{
			"type": "WordPiece", "vocab": vocab, "unk_token": "[UNK]",
			"continuing_subword_prefix": "##", "max_input_chars_per_word": 100,
		},
	})
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
