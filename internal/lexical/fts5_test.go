package lexical

import (
	"database/sql"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// oracle is a full-text index of SQLite over the same documents.
type oracle struct {
	t  *testing.T
	db *sql.DB
}

func newOracle(t *testing.T, tokenizer string, documents []string) oracle {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	o := oracle{t, db}
	o.exec(fmt.Sprintf(`CREATE VIRTUAL TABLE d USING fts5(body, tokenize='%s')`, tokenizer))
	o.exec(`BEGIN`)
	for i, d := range documents {
		o.exec(`INSERT INTO d(rowid, body) VALUES(?, ?)`, i, d)
	}
	o.exec(`COMMIT`)
	return o
}

func (o oracle) exec(query string, args ...any) {
	o.t.Helper()
	if _, err := o.db.Exec(query, args...); err != nil {
		o.t.Fatal(err)
	}
}

// match returns the rows that match, each with its score, higher being better.
func (o oracle) match(expression string) map[int]float64 {
	o.t.Helper()
	rows, err := o.db.Query(`SELECT rowid, -bm25(d) FROM d WHERE d MATCH ?`, expression)
	if err != nil {
		o.t.Fatalf("%s: %v", expression, err)
	}
	defer rows.Close()
	found := make(map[int]float64)
	for rows.Next() {
		var id int
		var score float64
		if err := rows.Scan(&id, &score); err != nil {
			o.t.Fatal(err)
		}
		found[id] = score
	}
	if err := rows.Err(); err != nil {
		o.t.Fatal(err)
	}
	return found
}

// anyOf is the FTS5 expression for documents that hold one of the words.
func anyOf(words []string) string {
	return `"` + strings.Join(words, `" OR "`) + `"`
}

// hexed makes terms that no tokenizer takes apart.
func hexed(terms []string) []string {
	out := make([]string, len(terms))
	for i, t := range terms {
		out[i] = "t" + hex.EncodeToString([]byte(t))
	}
	return out
}

// randomDocuments strings words of the library together, of any script.
func randomDocuments(r *rand.Rand, n int) []string {
	var words []string
	for _, id := range slices.Sorted(maps.Keys(library)) {
		words = append(words, strings.Fields(library[id])...)
	}
	docs := make([]string, n)
	for i := range docs {
		var d []string
		for range 1 + r.IntN(30) {
			d = append(d, words[r.IntN(len(words))])
		}
		docs[i] = strings.Join(d, " ")
	}
	return docs
}

// FTS5 over our terms and our own matching find the same documents, and our BM25
// with the constants and the IDF of FTS5 gives its scores.
func TestAgainstFTS5OverTerms(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	docs := randomDocuments(r, 400)
	bodies, terms, df, total := make([]string, len(docs)), make([][]string, len(docs)), make(map[string]int), 0
	for i, d := range docs {
		terms[i] = Terms(d)
		total += len(terms[i])
		bodies[i] = strings.Join(hexed(terms[i]), " ")
		for _, term := range slices.Compact(slices.Sorted(slices.Values(terms[i]))) {
			df[term]++
		}
	}
	o := newOracle(t, "ascii", bodies)
	mean, m := float64(total)/float64(len(docs)), BM25{K1: 1.2, B: 0.75}
	for _, text := range append(randomDocuments(r, 200), "the", "猫", "C++", "is it") {
		q := Query(text)
		found := o.match(anyOf(hexed(q)))
		for i := range docs {
			var want float64
			for _, term := range q {
				n, tf := df[term], 0
				for _, have := range terms[i] {
					if have == term {
						tf++
					}
				}
				idf := math.Log((float64(len(docs)-n) + 0.5) / (float64(n) + 0.5))
				want += max(idf, 1e-6) * m.Saturation(float64(tf), float64(len(terms[i])), mean)
			}
			if got, ok := found[i]; ok != (want > 0) || math.Abs(got-want) > 1e-9*(1+want) {
				t.Fatalf("%q, document %q: FTS5 scores %v, we %v", text, docs[i], got, want)
			}
		}
	}
}

// What FTS5 finds with its own Unicode tokenizer, for any word of the corpus, our
// analysis finds too. FTS5 parts words at direction marks, we do not; so they
// are taken out.
func TestFindsWhatFTS5Finds(t *testing.T) {
	docs := randomDocuments(rand.New(rand.NewPCG(3, 4)), 400)
	for i, d := range docs {
		docs[i] = strings.NewReplacer("\u200e", "", "\u200f", "").Replace(d)
	}
	o := newOracle(t, "unicode61 remove_diacritics 2", docs)
	terms := make([]map[string]bool, len(docs))
	words := make(map[string]bool)
	for i, d := range docs {
		terms[i] = make(map[string]bool)
		for _, term := range Terms(d) {
			terms[i][term] = true
		}
		for w := range strings.FieldsSeq(d) {
			words[w] = true
		}
	}
	matches := 0
	for w := range words {
		q := Query(w)
		for i := range o.match(`"` + strings.ReplaceAll(w, `"`, `""`) + `"`) {
			matches++
			if !slices.ContainsFunc(q, func(term string) bool { return terms[i][term] }) {
				t.Errorf("FTS5 finds %q in %q, we do not", w, docs[i])
			}
		}
	}
	if matches < len(docs) {
		t.Errorf("only %d matches were compared", matches)
	}
}
