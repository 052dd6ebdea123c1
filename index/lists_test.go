package index

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// decodeAll returns the postings of a list, read in batches of a given size.
func decodeAll(list []byte, slots, batchSize int) []posting {
	var all []posting
	decoder := listDecoder{bytes: list, limit: uint32(slots)}
	batch := make([]posting, batchSize)
	for n := decoder.read(batch); n > 0; n = decoder.read(batch) {
		all = append(all, batch[:n]...)
	}
	return all
}

func TestListsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []posting
		slot := uint32(0)
		for range rapid.IntRange(0, 300).Draw(t, "postings") {
			slot += rapid.SampledFrom([]uint32{1, 1, 2, 31, 32, 33, 5000, 1 << 20}).Draw(t, "gap")
			line := rapid.SampledFrom([]uint16{1, 1, 1, 2, 127, 128, 65535}).Draw(t, "line")
			want = append(want, posting{slot, line, rapid.Uint16Range(0, line).Draw(t, "content")})
		}
		var encoder listEncoder
		for _, p := range want {
			encoder.add(p)
		}
		got := decodeAll(encoder.bytes, maxSlots, rapid.IntRange(1, 130).Draw(t, "batch"))
		if !slices.Equal(got, want) {
			t.Fatal(cmp.Diff(want, got, cmp.AllowUnexported(posting{})))
		}
	})
}

// TestListSizes holds what a posting costs: one byte for a term that stands once
// in a line, up to 31 rows after the one before.
func TestListSizes(t *testing.T) {
	for _, test := range []struct {
		second posting
		bytes  int
	}{
		{posting{1, 1, 1}, 1}, {posting{32, 1, 0}, 1}, {posting{33, 1, 1}, 2},
		{posting{1, 2, 2}, 2}, {posting{1, 2, 1}, 3}, {posting{1, 300, 300}, 3},
	} {
		var encoder listEncoder
		encoder.add(posting{0, 1, 1})
		encoder.add(test.second)
		if got := len(encoder.bytes) - 1; got != test.bytes {
			t.Errorf("%+v after slot 0 takes %d bytes, want %d", test.second, got, test.bytes)
		}
	}
}

func FuzzListDecoder(f *testing.F) {
	f.Add([]byte{0, 0, 4, 2, 3, 3, 1, 1}, 10)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, 10)
	f.Add([]byte{0x80}, 10)
	f.Add([]byte{0xfc, 0xff, 0xff, 0xff, 0x0f, 0}, 1<<29)
	f.Fuzz(func(t *testing.T, list []byte, slots int) {
		slots = max(min(slots, maxSlots), 0)
		next := 0
		for _, p := range decodeAll(list, slots, 7) {
			if int(p.slot) < next || int(p.slot) >= slots {
				t.Fatalf("slot %d after %d of %d", p.slot, next-1, slots)
			}
			next = int(p.slot) + 1
		}
	})
}

func FuzzForward(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3}, 10)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1}, 1<<30)
	f.Add([]byte{0x80}, 1)
	f.Fuzz(func(t *testing.T, bytes []byte, limit int) {
		limit = max(min(limit, 1<<31), 0)
		next := 0
		terms := readForward(nil, bytes, limit)
		for _, term := range terms {
			if int(term.id) < next || int(term.id) >= limit {
				t.Fatalf("term %d after %d of %d", term.id, next-1, limit)
			}
			next = int(term.id) + 1
		}
		if again := readForward(nil, appendForward(nil, terms), limit); !slices.Equal(again, terms) {
			t.Fatalf("%v came back as %v", terms, again)
		}
	})
}

func TestDictionary(t *testing.T) {
	names := newNameWriter(nil)
	for _, name := range []string{"", "a", "ab", "é", "\xff"} {
		names.add([]byte(name))
	}
	d := dictionary{names.ends.batch, names.bytes.batch}
	for name, want := range map[string]int{"": 0, "a": 1, "ab": 2, "é": 3, "\xff": 4, "b": -1, "abc": -1, "\xff\xff": -1} {
		id, found := d.find(name)
		if found != (want >= 0) || found && id != want {
			t.Errorf("%q is found at %d: %v, want %d", name, id, found, want)
		}
	}
	if _, found := (dictionary{}).find("a"); found {
		t.Error("an empty dictionary has a name")
	}
}
