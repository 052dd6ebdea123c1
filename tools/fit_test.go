package tools

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"combray/internal/memory"
)

// wireSize is how many bytes the result of a reply takes in a message.
func wireSize(t *testing.T, r Reply) int {
	t.Helper()
	b, err := json.Marshal(r.result())
	if err != nil {
		t.Fatal(err)
	}
	return len(b)
}

func recallOf(n int, content string) memory.RecallResult {
	var r memory.RecallResult
	for range n {
		r.Memories = append(r.Memories, memory.Row{Memory: memory.Memory{ID: "0123456789ab", Content: memory.Text(content)}})
	}
	return r
}

func TestReplyStaysWithinItsLimit(t *testing.T) {
	for _, c := range []struct {
		name, content string
		rows          int
		cut           bool
	}{
		{"small", "a memory", 10, false},
		{"many", "a memory of some words", 1000, true},
		{"large", strings.Repeat("x", 10_000), 100, true},
		{"markup", strings.Repeat(`<"&">`, 2_000), 100, true},
		{"controls", strings.Repeat("\x00\u202e", 2_000), 100, true},
		{"one too large", strings.Repeat("ü", 400_000), 1, true},
	} {
		body := newRecalled(recallOf(c.rows, c.content))
		r, err := object(body, nil, body.sections(&body.Retrieval.Omitted)...).reply()
		if err != nil {
			t.Fatal(err)
		}
		if n := wireSize(t, r); n > memory.MaxReplyBytes || c.cut && n < memory.MaxReplyBytes/2 {
			t.Errorf("%s: %d bytes", c.name, n)
		}
		var got struct {
			Memories  []struct{ Content string }
			Retrieval struct{ Omitted int }
			Warnings  []string
		}
		if err := json.Unmarshal(r.Body, &got); err != nil {
			t.Fatal(err)
		}
		if (len(got.Warnings) == 1) != c.cut {
			t.Errorf("%s: warnings %q", c.name, got.Warnings)
		}
		if got.Retrieval.Omitted != c.rows-len(got.Memories) {
			t.Errorf("%s: %d of %d rows, omitted %d", c.name, len(got.Memories), c.rows, got.Retrieval.Omitted)
		}
		if len(got.Memories) == 0 || !utf8.ValidString(got.Memories[0].Content) || !strings.HasPrefix(c.content, strings.NewReplacer(`\u{0}`, "\x00", `\u{202e}`, "\u202e").Replace(got.Memories[0].Content)) {
			t.Errorf("%s: the text shown is no beginning of the text", c.name)
		}
	}
}

func TestBudgetAsksForMore(t *testing.T) {
	body := newRecalled(recallOf(100, strings.Repeat("x", 10_000)))
	o := object(body, nil, body.sections(&body.Retrieval.Omitted)...)
	most := 1_000_000
	o.budget = limitOf(&most)
	if r, err := o.reply(); err != nil || len(body.Memories) != 100 || wireSize(t, r) < 2_000_000 {
		t.Errorf("a budget of a million bytes shows %d of 100 rows, %v", len(body.Memories), err)
	}
	small := 1000
	if limitOf(&small) != memory.MaxReplyBytes {
		t.Error("a small budget must not raise the limit")
	}
}

func TestCutPageKnowsItsNextPage(t *testing.T) {
	rows := make([]string, 500)
	for i := range rows {
		rows[i] = strings.Repeat("y", 2_000)
	}
	next, told := "", 0
	s := rowsOf("result", &rows).onCut(func(shown int) error { next, told = "cursor", shown; return nil })
	r, err := outcome{body: &rows, list: true, next: &next, sections: []section{s}}.reply()
	if err != nil || r.NextCursor != "cursor" || told != len(rows) || len(r.Warnings) != 1 {
		t.Errorf("%d rows kept, told %d, cursor %q, warnings %q, %v", len(rows), told, r.NextCursor, r.Warnings, err)
	}
	meta := r.result().Meta.AdditionalFields
	if meta[metaNextCursor] != "cursor" || meta[metaWarnings] == nil {
		t.Errorf("_meta %v", meta)
	}
}

func TestListAndObjectEnvelopes(t *testing.T) {
	none := []string{}
	empty, _ := list(rowsOf("result", &none), &none).reply()
	null, _ := outcome{list: true}.reply()
	told, _ := object(struct{}{}, []string{"a"}).reply()
	both, _ := object(map[string]int{"n": 1}, []string{"a"}).reply()
	for got, want := range map[string]string{
		string(empty.Body): `{"result":[]}`, string(null.Body): `{"result":null}`,
		string(told.Body): `{"warnings":["a"]}`, string(both.Body): `{"n":1,"warnings":["a"]}`,
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestWholeAndPartsCutAlike holds that a body which is encoded whole loses nothing
// that filling it part by part would take out, for limits round the one that just
// holds it.
func TestWholeAndPartsCutAlike(t *testing.T) {
	bodyOf := func() (*recalled, outcome) {
		r := recallOf(3, `a "memory" <of> some words`)
		r.Anchors = []memory.AnchorRow{{Memory: r.Memories[0].Memory}}
		body := newRecalled(r)
		body.Narrative = &narrative{Content: "a \u2028 text\x00"}
		return body, object(body, nil, body.sections(&body.Retrieval.Omitted)...)
	}
	body, _ := bodyOf()
	size := cost(body) + envelopeBytes
	if !must(bodyOf()).mayFit(size) || must(bodyOf()).mayFit(100) {
		t.Error("what may fit is not known")
	}
	for budget := size - 80; budget < size+80; budget++ {
		_, whole := bodyOf()
		whole.budget = budget
		got, notes, err := whole.fit()
		inParts, parts := bodyOf()
		wantNotes, err2 := parts.cut(budget - envelopeBytes)
		if want := shown(encode(inParts)); err != nil || err2 != nil || string(got) != string(want) || !slices.Equal(notes, wantNotes) {
			t.Fatalf("with %d bytes more than it takes: %s %q, want %s %q", budget-size, got, notes, want, wantNotes)
		}
	}
}

func must(_ *recalled, o outcome) outcome { return o }
