package memory

import (
	"encoding/base64"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCursorComesBack(t *testing.T) {
	for _, p := range []place{
		{at: noon, id: "0123456789ab"},
		{at: noon.Add(time.Microsecond), sequence: 1 << 40},
		{}, {at: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), id: "x"}, {at: time.Date(9999, 12, 31, 23, 59, 59, 999999000, time.UTC)},
	} {
		got, err := readCursor("q", p.encode("q"))
		if err != nil || !got.at.Equal(p.at) || got.id != p.id || got.sequence != p.sequence {
			t.Errorf("%+v came back as %+v (%v)", p, got, err)
		}
	}
	if p, err := readCursor("q", ""); p != nil || err != nil {
		t.Errorf("no cursor: %+v, %v", p, err)
	}
}

// What is not ours, or ours of another query, is refused.
func TestCursorIsChecked(t *testing.T) {
	good := place{at: noon, id: "0123456789ab"}.encode("q")
	raw, _ := base64.RawURLEncoding.DecodeString(good)
	newer := slices.Clone(raw)
	newer[0]++
	copy(newer[1:], sumCursor("q", newer))
	bad := map[string]string{
		"another query": place{at: noon, id: "0123456789ab"}.encode("r"),
		"not base64":    "~~~", "padded": good + "==", "short": good[:8], "nothing": "AA", "long": good + strings.Repeat("A", 200), "a line": good + "\n",
		"newer version": base64.RawURLEncoding.EncodeToString(newer),
	}
	for i := range raw {
		changed := slices.Clone(raw)
		changed[i] ^= 1
		bad["byte "+string(rune('a'+i))] = base64.RawURLEncoding.EncodeToString(changed)
	}
	for name, cursor := range bad {
		if p, err := readCursor("q", cursor); p != nil || CodeOf(err) != CodeInvalid || err.(*Error).Field != "cursor" || err.(*Error).Hint == "" {
			t.Errorf("%s: %+v, %v; want it refused with a hint", name, p, err)
		}
	}
}

func FuzzReadCursor(f *testing.F) {
	f.Add("q", place{at: noon, id: "0123456789ab"}.encode("q"))
	f.Add("", "")
	f.Add("q", "AQ")
	f.Fuzz(func(t *testing.T, query, cursor string) {
		p, err := readCursor(query, cursor)
		if err == nil && p != nil && p.encode(query) != cursor {
			t.Fatalf("%q is read as %+v, which is written as %q", cursor, *p, p.encode(query))
		}
	})
}

func TestPaged(t *testing.T) {
	of := func(n int) place { return place{sequence: int64(n)} }
	rows := []int{1, 2, 3}
	for _, c := range []struct{ size, shown, next int }{{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 0}, {4, 3, 0}} {
		got, cursor := paged(rows, c.size, "q", of)
		if len(got) != c.shown || (cursor != "") != (c.next > 0) {
			t.Errorf("size %d: %v, cursor %q", c.size, got, cursor)
		}
		if p, _ := readCursor("q", cursor); c.next > 0 && p.sequence != int64(c.next) {
			t.Errorf("size %d: the next page begins behind %d", c.size, p.sequence)
		}
	}
}

func TestPageSize(t *testing.T) {
	for limit, want := range map[int]int{-5: MaxList, 0: 0, 7: 7, MaxList: MaxList, MaxList + 1: MaxList} {
		if got := pageSize(limit); got != want {
			t.Errorf("limit %d: %d, want %d", limit, got, want)
		}
	}
}

func TestQueryTextTellsQueriesApart(t *testing.T) {
	dash, tagged := "-", ListInput{Tags: []string{"a b"}}
	seen := map[string]bool{}
	for _, q := range []string{
		ListInput{}.query(), ListInput{Frame: &dash}.query(), ListInput{Tier: &dash}.query(), tagged.query(), ListInput{Tags: []string{"a", "b"}}.query(),
		ListInput{Near: &Near{1, 2, 3}}.query(), ListInput{Near: &Near{1, 2, 4}}.query(), ListInput{IncludeForgotten: true}.query(),
		AuditInput{}.query(), AuditInput{MemoryID: &dash}.query(), AuditInput{Action: &dash}.query(), AuditInput{Captures: true}.query(),
	} {
		if seen[q] {
			t.Errorf("two queries share %q", q)
		}
		seen[q] = true
	}
	if (ListInput{Limit: 3, Cursor: "x"}).query() != (ListInput{}).query() {
		t.Error("limit and cursor are no part of the query: a page may have another size")
	}
}
