package timewords

import (
	_ "embed"
	"strings"
	"testing"
	"time"
)

//go:embed testdata/questions.txt
var questions string

// asked is a Wednesday.
var asked = time.Date(2024, 5, 15, 12, 0, 0, 0, time.UTC)

// kinds are the intervals of testdata/questions.txt: the first day, and the first
// day behind; "now" and an open end by name.
var kinds = map[string][2]string{
	"yesterday":    {"2024-05-14", "2024-05-15"},
	"day-before":   {"2024-05-13", "2024-05-14"},
	"last-week":    {"2024-05-06", "2024-05-13"},
	"last-month":   {"2024-04-01", "2024-05-01"},
	"last-year":    {"2023-01-01", "2024-01-01"},
	"3-days-ago":   {"2024-05-12", "2024-05-13"},
	"2-weeks-ago":  {"2024-04-29", "2024-05-06"},
	"last-friday":  {"2024-05-10", "2024-05-11"},
	"in-march":     {"2024-03-01", "2024-04-01"},
	"march-2022":   {"2022-03-01", "2022-04-01"},
	"8-may-2023":   {"2023-05-08", "2023-05-09"},
	"in-2021":      {"2021-01-01", "2022-01-01"},
	"last-summer":  {"2023-06-01", "2023-09-01"},
	"summer-2022":  {"2022-06-01", "2022-09-01"},
	"3-months":     {"2024-02-15", "now"},
	"mar-apr-2023": {"2023-03-01", "2023-05-01"},
	"since-march":  {"2024-03-01", "end"},
	"before-2020":  {"beginning", "2020-01-01"},
	"evening":      {"2024-05-14T17", "2024-05-15"},
	"90s":          {"1990-01-01", "2000-01-01"},
}

// kindEnd reads an end of a kind.
func kindEnd(t *testing.T, s string) time.Time {
	t.Helper()
	switch s {
	case "now":
		return asked
	case "beginning":
		return earliest
	case "end":
		return latest
	}
	at, err := time.Parse("2006-01-02T15"[:len(s)], s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// saysNight says whether speakers call the evening night.
func saysNight(lang, kind string) bool {
	return kind == "evening" && (lang == "es" || lang == "pt")
}

func TestQuestions(t *testing.T) {
	lang, asks := "", 0
	for line := range strings.Lines(questions) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if line[0] == '[' {
			lang = strings.Trim(line, "[]")
			continue
		}
		asks++
		kind, question, _ := strings.Cut(line, " ")
		question = strings.TrimSpace(question)
		got, ok := Reader{}.Understand(question, asked)
		if kind == "none" {
			if ok {
				t.Errorf("%s: %q in %q is no time", lang, got.Text, question)
			}
			continue
		}
		want, known := kinds[kind]
		if !known {
			t.Fatalf("kind %q", kind)
		}
		since, until := kindEnd(t, want[0]), kindEnd(t, want[1])
		if saysNight(lang, kind) {
			since, until = since.Add(time.Hour), until.Add(6*time.Hour)
		}
		if want[1] != "now" && want[1] != "end" {
			until = until.Add(-time.Microsecond)
		}
		if !ok || !got.Since.Equal(since) || !got.Until.Equal(until) {
			t.Errorf("%s %s: %q: got %v %q %v – %v", lang, kind, question, ok, got.Text, got.Since, got.Until)
		}
		if ok && (got.Text == "" || !strings.Contains(question, got.Text)) {
			t.Errorf("%s: text %q is not in %q", lang, got.Text, question)
		}
	}
	if want := 450; asks < want {
		t.Errorf("%d questions, want %d", asks, want)
	}
}
