package lexical

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestTerms(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "", ""},
		{"signs only", " \t?!…—«»$ \x00", ""},
		{"stems and families", "Running communities", "run runni* communiti commu*"},
		{"five letters", "hello", "hello hello*"},
		{"four letters", "boat", "boat"},
		{"irregular", "bought children", "buy bough* child child*"},
		{"negation", "don't DIDN’T can't won't", "do not do not can not will not"},
		{"endings", "Ann's I'll they've", "ann i they"},
		{"elision", "l'eau d’or", "l eau d or"},
		{"apostrophe inside a word", "м'ята", "мят"},
		{"quotes are no apostrophes", "'tis 'end'", "tis end"},
		{"digits and ordinals", "08 8th 21st 007 5thx", "8 8 21 007 5thx"},
		{"date", "2026-05-08", "2026 5 8 20260508"},
		{"compound", "e-mail build_idx", "e mail email build build* idx buildidx"},
		{"hyphen in the air", "-a- b - c_", "a b c"},
		{"camel case", "userName parseXMLFile", "usernam usern* user name parsexmlfil parse* pars parse* xmlfile xmlfi*"},
		{"not camel case", "iPhone YouTube ABC", "iphon iphon* youtub youtu* abc"},
		{"languages", "C++ c# F#m g+ word#", "c++ c c# c f m g word"},
		{"full width", "ＡＢ１２", "ab12"},
		{"digits of other scripts", "٤٢ ४२ ៤២", "42 42 42"},
		{"accents", "Crème brûlée", "creme creme* brule brule*"},
		{"eszett", "Maße MASSE", "mass masse* mass masse*"},
		{"letters without accent to lose", "łódź øl đak æra þor", "lodz ol dak aera thor"},
		{"dotless and dotted i", "ISI ısı İsi isi", "isi isi isi isi"},
		{"final sigma", "ΟΔΟΣ οδός", "οδο οδο"},
		{"short i stays, yo goes", "мой моё", "мо мо"},
		{"vietnamese tones", "cầu ca", "cau =cầu ca"},
		{"arabic", "وَالكِتَابُ أحمد إحمد", "كتاب احمد احمد"},
		{"tatweel", "محمـــد", "محمد"},
		{"persian plural", "کتاب\u200cها", "كتاب ها"},
		{"niqqud", "שָׁלוֹם", "שלומ"},
		{"devanagari", "क़लम पाँच", "कलम पांच"},
		{"invisible", "co\u00ADop x\u200By \ufeffz", "coop xy z"},
		{"pair", "猫犬", "猫犬 猫 犬"},
		{"one cluster", "猫", "猫"},
		{"half width", "ｶﾞｽ", "ガス ガ ス"},
		{"ascii in a run", "第3步", "第 3 步"},
		{"hangul beside han", "한국人", "한국 한 국 人"},
		{"thai marks stay on their letter", "ที่นี่", "ที่นี่ ที่ นี่"},
		{"khmer subscript", "ខ្មែរ", "ខ្មែរ ខ្មែ រ"},
		{"tibetan syllables", "བོད་སྐད་", "བོདསྐད བོད སྐད"},
		{"signs among kana and han", "人々 〆切 〇 ー", "人々 人 々 〆切 〆 切 〇 ー"},
		{"hangul filler", "\u3164 ab", "ab"},
		{"emoji", "☕️👩🏽‍🔬", "☕ 👩 🔬"},
		{"drawn boxes", "│─→ ab", "ab"},
		{"invalid utf-8", "ab\xffcd \xe4\xb8", "ab cd"},
		{"lone marks", "\u0301\u0e31 a", "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(Terms(tt.text), " "); got != tt.want {
				t.Errorf("Terms(%q)\n got %s\nwant %s", tt.text, got, tt.want)
			}
		})
	}
}

func TestQuery(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"empty", "¿?", ""},
		{"distinct", "boat Boat's boat", "boat"},
		{"stop words go", "where is the boat", "boat"},
		{"their families go too", "which boat", "boat"},
		{"only stop words stay", "who is there", "who be there there*"},
		{"one stop word stays", "the", "the"},
		{"stop words of other languages", "wo ist der Schlüssel und was ist das", "wo schlussel schlu*"},
		{"vietnamese stop word with its tone", "của cầu", "cau =cầu"},
		{"chinese stop pairs", "什么书", "么书"},
		{"one cluster", "书", "书"},
		{"single clusters of a run are left out", "猫犬", "猫犬"},
		{"one letter", "C", "c"},
		{"one digit", "7", "7"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(Query(tt.text), " "); got != tt.want {
				t.Errorf("Query(%q)\n got %s\nwant %s", tt.text, got, tt.want)
			}
		})
	}
}

// A sign at the end of a word must neither change nor hide it.
func TestSignsAtTheEnd(t *testing.T) {
	for _, word := range []string{"harbour", "港口", "порт", "OC-41252"} {
		want := Query(word)
		for _, sign := range []string{"?", "!", ".", ",", ";", "/", ":", "*", "^", "\"", "'", "(", ")", "-", "+", "++", "#", "\x00", "？", "。", "…", "\u200f"} {
			if got := Query(word + sign); !slices.Equal(got, want) {
				t.Errorf("Query(%q) = %q, want %q", word+sign, got, want)
			}
			if got := Query(sign + word); !slices.Equal(got, want) {
				t.Errorf("Query(%q) = %q, want %q", sign+word, got, want)
			}
		}
	}
}

// As many documents hold a term of a short run as hold the run itself.
func TestRunsCountAsSubstrings(t *testing.T) {
	patterns := []string{"用户登录%d次", "删除了第%d个用户", "用户身份%d", "确认用户身份（%d）", "没有人%d", "用心的户主%d"}
	for _, query := range []string{"用户", "用户身份", "身份", "户"} {
		q := Query(query)
		var found, hold int
		for i := range 826 {
			doc := fmt.Sprintf(patterns[(i*i+i/7)%len(patterns)], i)
			terms := Terms(doc)
			if !slices.ContainsFunc(q, func(t string) bool { return !slices.Contains(terms, t) }) {
				found++
			}
			if strings.Contains(doc, query) {
				hold++
			}
		}
		if found != hold {
			t.Errorf("%s: %d documents found, %d hold it", query, found, hold)
		}
	}
}

// However a text is written, the number and size of its terms stay in
// proportion, and no term is a megabyte.
func TestTermsStayInProportion(t *testing.T) {
	for _, unit := range []string{"a", "é", "e\u0301", "\u0301", "漢", "ท\u0e35\u0e48", "ท\u0e35", "क\u094d", "a-", "a_b-", "aB", "a'", "'", "a·", "l·", "ﷺ", "་", "བ", "한", "1", "٣", "C++", "\xff", "\x00", "👩‍", "\u200b", "ơ"} {
		for _, head := range []string{"", "x", "ท"} {
			checkProportion(t, head, unit)
		}
	}
}

func checkProportion(t *testing.T, head, unit string) {
	t.Helper()
	text := head + strings.Repeat(unit, 1+50_000/len(unit))
	terms := Terms(text)
	size := 0
	for _, term := range terms {
		size += len(term)
		if len(term) > 2*maxWord {
			t.Errorf("%q and %q repeated give a term of %d bytes", head, unit, len(term))
			break
		}
	}
	if limit := 3 * len(norm.NFKC.String(text)); len(terms) > limit || size > 2*limit {
		t.Errorf("%q and %q repeated: %d bytes give %d terms of %d bytes together", head, unit, len(text), len(terms), size)
	}
}

// The cache is shared by goroutines and holds another word than the one asked
// for most of the time.
func TestCacheGivesTheFormsOfTheWord(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 3 * cacheSlots {
				w := fmt.Sprintf("walk%cing", 'a'+(i*7+g)%26)
				if i%3 != 0 {
					w = fmt.Sprintf("n%d", i*31+g)
				}
				s := latin
				if i%3 != 0 {
					s |= digits
				}
				if got, want := formsOf([]byte(w), s), newForms(w, s); got != want {
					t.Errorf("formsOf(%q) = %v, want %v", w, got, want)
					return
				}
			}
		})
	}
	wg.Wait()
}

func TestIrregularFormsShareTheStemOfTheirBase(t *testing.T) {
	seen := make(map[string]string)
	for line := range strings.Lines(irregularForms) {
		f := strings.Fields(line)
		for _, form := range f[1:] {
			if base, ok := seen[form]; ok {
				t.Errorf("%s stands under %s and %s", form, base, f[0])
			}
			seen[form] = f[0]
			if got, want := stem(form, latin), stem(f[0], latin); got != want {
				t.Errorf("%s has the stem %s, its base %s has %s", form, got, f[0], want)
			}
		}
	}
}

// Words that are about something in a large language must stay in questions,
// whatever they are elsewhere.
func TestStopWordsSpareContentWords(t *testing.T) {
	for _, w := range strings.Fields("die war hat man son care car van may will not no us sin pan red sale day die last april art gift rock") {
		if got := Query("boat " + w); len(got) < 2 {
			t.Errorf("Query drops %q", w)
		}
	}
}

func FuzzTerms(f *testing.F) {
	for _, text := range library {
		f.Add(text, "who is 猫 there?")
	}
	for _, s := range []string{"", "\x00", "\xff\xfe", "a'", "don't", "C+++", "a-b-", "\u0301\u0301", "ﷺ", "l·l", "कि\u200cक", "བ་་", "\U000E0041", "İıßŉǰ", "1\u20e3", "\u1160\u3164"} {
		f.Add(s, "x")
	}
	f.Add("\xf0Ǉ", "\x03\xf0\x81\x10Ǆ+\x8c") // NFKC read past the broken bytes
	f.Fuzz(func(t *testing.T, a, b string) {
		terms, query := Terms(a), Query(a)
		for _, term := range terms {
			if term == "" || !utf8.ValidString(term) || strings.ContainsFunc(term, unicode.IsSpace) {
				t.Fatalf("Terms(%q) has %q", a, term)
			}
		}
		if (len(terms) == 0) != (len(query) == 0) {
			t.Fatalf("%q: %d terms in a document, %d in a question", a, len(terms), len(query))
		}
		for i, term := range query {
			if !slices.Contains(terms, term) {
				t.Fatalf("Query(%q) has %q, which Terms has not: %q", a, term, terms)
			}
			if slices.Contains(query[:i], term) {
				t.Fatalf("Query(%q) has %q twice", a, term)
			}
		}
		if both := append(Terms(a), Terms(b)...); !slices.Equal(Terms(a+"\n"+b), both) {
			t.Fatalf("lines %q and %q give %q apart and %q together", a, b, both, Terms(a+"\n"+b))
		}
		if short := len(a) < 60; short && utf8.ValidString(a) { // longer runs of marks get a joiner from NFKC
			if d := norm.NFD.String(a); !slices.Equal(Terms(d), terms) {
				t.Fatalf("composed %q gives %q, decomposed %q", a, terms, Terms(d))
			}
		}
	})
}
