package memory

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestTurnLine(t *testing.T) {
	at := time.Date(2023, 5, 8, 10, 0, 0, 0, time.UTC)
	session, name, id := "s", "Gina", "corpus:D1:3"
	turn := func(content string, source *string) Memory {
		return Memory{Content: Text(content), Source: source, SessionID: &session, EventAt: &at}
	}
	before, gone := turn("When do you open the shop?", &name), turn("When?", &name)
	gone.ForgottenAt = &at
	far := turn(strings.Repeat("far away ", 40)+"and the end of it", nil)
	long := turn(strings.Repeat("x", turnAloneBytes+1), &name)
	single := Memory{Content: "In June.", Source: &id, EventAt: &at}
	for _, c := range []struct {
		what   string
		m      Memory
		before *Memory
		want   string
	}{
		{"a note", single, &before, "8 May 2023: corpus:D1:3: In June."},
		{"the first of a session", turn("In June.", &name), nil, "8 May 2023: Gina: In June."},
		{"an answer", turn("In June.", &name), &before, "8 May 2023: When do you open the shop?\nGina: In June."},
		{"an id is no speaker", turn("In June.", &id), &before, "8 May 2023: When do you open the shop?\nIn June."},
		{"after a forgotten turn", turn("In June.", &name), &gone, "8 May 2023: Gina: In June."},
		{"a long turn", long, &before, "8 May 2023: Gina: " + string(long.Content)},
		{"after a long turn", turn("In June.", nil), &far,
			"8 May 2023: " + strings.Repeat("far away ", 9) + "and the end of it\nIn June."},
	} {
		if got := TurnLine(c.m, c.before); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.what, got, c.want)
		}
	}
}

// The end of a turn is whole letters, at most turnContextBytes of them.
func FuzzEndOf(f *testing.F) {
	for _, text := range []string{"", "short", strings.Repeat("日本語", 40), strings.Repeat("ab ", 60), strings.Repeat("a", 99) + "é" + strings.Repeat("b", 99)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		end := endOf(text)
		if len(end) > turnContextBytes || !strings.HasSuffix(text, end) {
			t.Errorf("%q ends in %q", text, end)
		}
		if utf8.ValidString(text) && !utf8.ValidString(end) {
			t.Errorf("%q is cut inside of a letter", end)
		}
	})
}
