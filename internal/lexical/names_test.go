package lexical

import (
	"slices"
	"strings"
	"testing"
)

// written shows words in order, names in capitals.
func written(words []Word) string {
	var out []string
	for _, w := range words {
		if w.Name {
			w.Term = strings.ToUpper(w.Term)
		}
		out = append(out, w.Term)
	}
	return strings.Join(out, " ")
}

func TestWords(t *testing.T) {
	for _, test := range []struct{ why, text, want string }{
		{"nothing", "", ""},
		{"only stop words", "what is it", "what be it"},
		{"a name inside a sentence", "Lunch with Anna at the harbour", "lunch ANNA harbour"},
		{"the word that begins a text", "Anna called", "anna call"},
		{"names are names though they begin a sentence too", "Anna called. I called Anna! Anna", "ANNA call"},
		{"two names and little else", "dinner with Anna Berger", "dinner ANNA BERGER"},
		{"possessives", "at Maria's house and at James’ boat", "MARIA hous JAME boat"},
		{"signs that end a sentence", "tea? Rain! Wind… Snow. Fog\nHail\r\nSun", "tea rain wind snow fog hail sun"},
		{"a quote after them", "he left. “Anna came. \"Bob stayed", "leav anna come bob stay"},
		{"a quote inside a sentence", "we saw “Titanic” again", "see TITAN again"},
		{"a point inside a word", "we left. example.Org and v2.Alpha", "leav exampl ORG v2 ALPHA"},
		{"initials and titles", "to Dr. Miller, J. Smith and St. Ives", "DR MILLER J SMITH ST IVE"},
		{"the word after another point", "to the lake. Smith", "lake smith"},
		{"compounds", "with Jean-Luc on a Wi-Fi call. Well-Known", "JEAN LUC JEANLUC WI FI WIFI call well know wellknown"},
		{"a name after a small word", "l'équipe de l'Opéra et dell'Arte", "equip OPERA dell ART"},
		{"a name in camel case", "the iPhone on YouTube", "iphon YOUTUB"},
		{"the sign of a language", "learning C++ at home", "learn C++ C home"},
		{"digits first", "a 3M tape for 40 Euro", "3m tape 40 EURO"},
		{"I is no name", "when I came, I saw that I missed Anna", "come see miss ANNA"},
		{"accents", "avec Élodie à Évian", "avec ELODI EVIAN"},
		{"Cyrillic", "вчера видел Машу в Москве", "вчер видел МАШ МОСКВ"},
		{"Greek", "είδα τη Μαρία χθες", "ειδ ΜΑΡ χθε"},
		{"German nouns", "Ich habe gestern mit Anna einen Kaffee getrunken", "ich habe gestern anna kaffe getrunken"},
		{"short German", "Kaffee mit Anna", "kaffe anna"},
		{"English about German things", "watched Der Himmel über Berlin with my brother at the Ritz", "watch HIMMEL uber BERLIN brother RITZ"},
		{"Spanish", "comida con Carmen en Sevilla", "comida CARMEN SEVILLA"},
		{"a title", "Our Dinner With Anna By The Sea", "dinner anna sea"},
		{"a shout", "WE ARE AT THE BEACH WITH ANNA", "beach anna"},
		{"one capital stop word", "a trip to The Hague with Bob", "trip HAGU BOB"},
		{"no case", "昨天和安娜吃饭", "昨天 天和 和安 安娜 娜吃 吃饭"},
		{"no case in between", "和 Anna 吃饭。Bob 来了", "和 ANNA 吃饭 bob 来了"},
		{"a pictograph", "🎂 for Anna. 🎉 Bob", "🎂 ANNA 🎉 bob"},
	} {
		if got := written(Words(test.text)); got != test.want {
			t.Errorf("%s: %q gives %q, want %q", test.why, test.text, got, test.want)
		}
	}
}

// TestGermanWordsAreFolded holds that the list is written as words are looked up.
func TestGermanWordsAreFolded(t *testing.T) {
	for w := range germanWords() {
		if got := string(appendFolded(w)); got != w {
			t.Errorf("%s stands in the list, %s is looked up", w, got)
		}
	}
}

func appendFolded(w string) (out []byte) {
	for _, r := range w {
		out, _ = foldInto(out, r)
	}
	return out
}

func FuzzWords(f *testing.F) {
	for _, text := range library {
		f.Add(text)
	}
	for _, s := range []string{"", ".", "A.", "A.A", "-A-B", "A-", "\"'A", "Ǆ. ǅ", "I'm. I'm", "a. \xffB", "C++. C++", "ГО-го. Го"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		terms, query := Terms(text), Query(text)
		words := Words(text)
		if (len(words) == 0) != (len(query) == 0) {
			t.Fatalf("%q: words %v, a question %q", text, words, query)
		}
		last := -1
		for i, w := range words {
			if !slices.Contains(terms, w.Term) || strings.HasSuffix(w.Term, "*") {
				t.Fatalf("%q: word %q, terms %q", text, w.Term, terms)
			}
			if slices.ContainsFunc(words[:i], func(v Word) bool { return v.Term == w.Term }) {
				t.Fatalf("%q: %q comes twice", text, w.Term)
			}
			if at := slices.Index(query, w.Term); at >= 0 {
				if at < last {
					t.Fatalf("%q: %q is out of order in %v", text, w.Term, words)
				}
				last = at
			}
		}
	})
}
