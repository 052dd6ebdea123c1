package tokenizer

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestTrieFindsItsKeys(t *testing.T) {
	const seed = 11
	r := rand.New(rand.NewPCG(seed, seed))
	want := map[string]uint32{}
	var keys []trieKey
	for i := range uint32(20_000) {
		key := make([]byte, 1+r.IntN(6))
		for k := range key {
			key[k] = byte(1 + r.IntN([]int{3, 255}[r.IntN(2)]))
		}
		want[string(key)] = i
		keys = append(keys, trieKey{string(key), i})
	}
	trie, err := buildTrie(keys)
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range want {
		if got, ok := trie.get(key); !ok || got != value {
			t.Fatalf("%q has %d, %v, want %d", key, got, ok, value)
		}
	}
	for range 20_000 {
		text := make([]byte, r.IntN(8))
		for k := range text {
			text[k] = byte(r.IntN([]int{4, 256}[r.IntN(2)]))
		}
		length := 0
		for n := range len(text) + 1 {
			if _, ok := want[string(text[:n])]; ok {
				length = n
			}
		}
		value, got := trie.longest(text)
		if got != length || got > 0 && value != want[string(text[:got])] {
			t.Fatalf("%q: longest key has %d bytes and value %d, want %d", text, got, value, length)
		}
	}
}

// TestFarUnits: children 1<<21 units away are written and found.
func TestFarUnits(t *testing.T) {
	b := trieBuilder{free: noUnit}
	for len(b.units) < 1<<21+1<<12 {
		b.grow()
	}
	b.take(0)
	keys := []trieKey{{"a", 1}, {"abc", 2}, {"b", 3}, {"bcd\xff", 4}}
	b.arrange(keys, 0, 0)
	if b.units[0]&farFlag == 0 {
		t.Fatal("the children of the root are near")
	}
	for _, k := range keys {
		if got, ok := doubleArray(b.units).get(k.text); !ok || got != k.value {
			t.Errorf("%q has %d, %v, want %d", k.text, got, ok, k.value)
		}
	}
}

func TestTrieRefusesKeys(t *testing.T) {
	for _, key := range []string{"a\x00b", strings.Repeat("a", maxPieceBytes+1)} {
		if _, err := buildTrie([]trieKey{{key, 1}}); err == nil {
			t.Errorf("%.20q is accepted", key)
		}
	}
}

func TestEmptyTrie(t *testing.T) {
	trie, err := buildTrie([]trieKey{{"", 4}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []doubleArray{nil, {}, trie} {
		if _, n := d.longest([]byte("abc")); n != 0 {
			t.Errorf("an empty trie finds %d bytes", n)
		}
	}
}
