package tokenizer

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/rivo/uniseg"
)

func TestStandsAlone(t *testing.T) {
	previous := rune(0)
	for _, p := range aloneRanges {
		if p.first <= previous || p.last < p.first {
			t.Fatalf("the range %U to %U is out of order", p.first, p.last)
		}
		previous = p.last
		for r := p.first; r <= p.last; r++ {
			for _, text := range []string{"a" + string(r), string(r) + "a", string(r) + string(r), "한" + string(r), string(r) + "한", string(r) + "ก"} {
				if uniseg.GraphemeClusterCount(text) != 2 {
					t.Errorf("%U: %q is one cluster", r, text)
				}
			}
		}
	}
}

func TestClusterLen(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, seed))
	for range 20_000 {
		text := string(appendValid(nil, randomText(r)))
		rest, state := text, -1
		for own := []byte(text); rest != ""; {
			var cluster string
			cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
			if n := clusterLen(own); n != len(cluster) {
				t.Fatalf("seed %d, %q: cluster of %d bytes where uniseg has %d", seed, text, n, len(cluster))
			}
			own = own[len(cluster):]
		}
	}
}

// mapOf returns the bytes of a character map.
func mapOf(t *testing.T, pairs [][2]string) []byte {
	t.Helper()
	var keys []trieKey
	var texts []byte
	for _, p := range pairs {
		keys = append(keys, trieKey{p[0], uint32(len(texts))})
		texts = append(append(texts, p[1]...), 0)
	}
	trie, err := buildTrie(keys)
	if err != nil {
		t.Fatal(err)
	}
	data := binary.LittleEndian.AppendUint32(nil, uint32(4*len(trie)))
	for _, unit := range trie {
		data = binary.LittleEndian.AppendUint32(data, unit)
	}
	return append(data, texts...)
}

func TestCharsmapRules(t *testing.T) {
	m, err := newCharsmap(mapOf(t, [][2]string{
		{"A", "a"}, {"é", "e"}, {"e\u0301", "é"}, {"\r\n", "N"}, {"\x01", ""}, {"o", "O"}, {"o\u0308", "ö"},
	}))
	if err != nil {
		t.Fatal(err)
	}
	for src, want := range map[string]string{
		"BAB":                 "BaB",
		"xe\u0301y":           "xéy",
		"é":                   "e",
		"\r\n\r":              "N\r",
		"a\x01b":              "ab",
		"o\u0308":             "O", // the shortest key counts and the mark is dropped
		"o\u0308\u0308\u0308": "O\u0308\u0308\u0308",
		"e\u0301\u0301\u0301": "e\u0301\u0301\u0301", // 7 bytes: looked up one by one
		"":                    "",
	} {
		if got := string(m.normalize(nil, []byte(src))); got != want {
			t.Errorf("%q becomes %q, want %q", src, got, want)
		}
	}
}
