package timewords

import (
	"strings"
	"testing"
	"unicode"
)

// newTable panics on a row that it cannot read.
func TestTable(t *testing.T) {
	table := newTable(languages)
	if len(languages) > 32 || len(table.words) > 1<<16-1 {
		t.Fatalf("%d languages, %d words do not fit", len(languages), len(table.words))
	}
	has := map[langs]map[class]map[int16]bool{}
	for i, w := range table.words {
		if w.text != string(fold(w.text).text) || w.text != strings.TrimSpace(w.text) {
			t.Errorf("%q is not folded", w.text)
		}
		if i > 0 && table.words[i-1].text > w.text {
			t.Errorf("%q stands behind %q", w.text, table.words[i-1].text)
		}
		for l := range languages {
			if w.langs>>l&1 == 0 {
				continue
			}
			if has[1<<l] == nil {
				has[1<<l] = map[class]map[int16]bool{}
			}
			if has[1<<l][w.class] == nil {
				has[1<<l][w.class] = map[int16]bool{}
			}
			has[1<<l][w.class][w.value] = true
		}
	}
	for i, l := range languages {
		is := has[1<<i]
		if months := len(is[month]); months != 12 && len(is[monthAfter]) == 0 {
			t.Errorf("%s: %d months", l.code, months)
		}
		if len(is[weekday]) != 7 || len(is[season]) != 4 && l.code != "zh" || len(is[unitWord]) < 8 || len(is[day]) < 3 {
			t.Errorf("%s: %d weekdays, %d seasons, %d units, %d days", l.code, len(is[weekday]), len(is[season]), len(is[unitWord]), len(is[day]))
		}
	}
}

func TestPatterns(t *testing.T) {
	longest, numbers := 0, 0
	for _, p := range phrases {
		for name := range strings.FieldsSeq(p.words) {
			if _, ok := classNames[name]; !ok && name != "~" {
				t.Errorf("%q: no class %q", p.words, name)
			}
		}
		numbers = max(numbers, strings.Count(p.words, "digit"))
		longest = max(longest, len(strings.Fields(strings.ReplaceAll(p.words, "~", ""))))
	}
	if numbers != maxNumbers {
		t.Errorf("a pattern has %d numbers, not %d", numbers, maxNumbers)
	}
	if longest != maxSteps {
		t.Errorf("the longest pattern has %d steps, not %d", longest, maxSteps)
	}
}

// Unicode keeps ten digits together; digit relies on it.
func TestDigits(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !unicode.Is(unicode.Nd, r) {
			continue
		}
		zero := r
		for range digit(r) {
			zero--
		}
		for i := range rune(10) {
			if !unicode.Is(unicode.Nd, zero+i) || digit(zero+i) != i {
				t.Fatalf("%U is not digit %d", zero+i, i)
			}
		}
	}
	for text, want := range map[string]string{
		"٢٠٢٣": "2023", "८": "8", "Ｍａｙ": "may", "A\u00A0 \tB": "a b", "Cafe\u0301": "café", "ΜΑΪ́ΟΥ": "μαιου", "週末": "周末", "İki": "iki",
	} {
		if got := string(fold(text).text); got != want {
			t.Errorf("fold(%q) = %q, want %q", text, got, want)
		}
	}
}
