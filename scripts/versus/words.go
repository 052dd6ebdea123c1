package main

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"combray/index"
	"combray/internal/lexical"
)

// shortlist is how many rows a lane gives to the ranking.
const shortlist = 200

// words compares the words lane of the index with FTS5 of the C library, over the
// same lines: once with FTS5's own words, once with our terms, where both do the same work.
func words(ctx context.Context, flags *flag.FlagSet, args []string) error {
	n := flags.Int("n", 100_000, "lines")
	asked := flags.Int("questions", 60, "questions of each length")
	rounds := flags.Int("rounds", 3, "rounds, of which the least times count")
	flags.Parse(args)
	dir, err := os.MkdirTemp("", "versus-words-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m := newMaker(1)
	texts := make([]string, *n)
	for i := range texts {
		texts[i] = m.note().line()
	}
	var lanes []wordsLane
	for _, open := range []func(context.Context, string, []string) (wordsLane, error){ourWords, ftsOfText, ftsOfTerms} {
		lane, err := open(ctx, dir, texts)
		if err != nil {
			return err
		}
		defer lane.close()
		lanes = append(lanes, lane)
	}
	rows := [][]any{{"words", "engine", "p50 ms", "p99 ms", "p50 of the least ms", "CPU ms", "CPU, times ours", "of the ten best of the same terms", "lines/s to build", "bytes a line"}}
	for _, length := range []struct {
		name string
		ask  func() string
	}{
		{"3", func() string { return m.words(3) }}, {"6", func() string { return m.words(6) }}, {"10", func() string { return m.words(10) }},
		{"6, month and year", func() string { return m.words(4) + " January 2021" }},
	} {
		questions := make([]string, *asked)
		for i := range questions {
			questions[i] = length.ask()
		}
		took, agreed, err := askWords(ctx, *rounds, questions, lanes)
		if err != nil {
			return err
		}
		for i, lane := range lanes {
			rows = append(rows, []any{length.name, lane.name, millis(share(took[i].all, .5)), millis(share(took[i].all, .99)), millis(share(took[i].least, .5)),
				millis(took[i].cpu), ratio(took[i].cpu, took[0].cpu), agreed[i],
				fmt.Sprintf("%.0f", float64(*n)/lane.built.Seconds()), lane.bytes / int64(*n)})
		}
	}
	fmt.Printf("%d lines of %d characters; the best %d rows of each question\n\n", *n, len(texts[0]), shortlist)
	table(rows)
	return nil
}

// wordsLane is an engine that holds the lines and gives rows, the best first.
type wordsLane struct {
	name  string
	find  func(ctx context.Context, question string) ([]int32, error)
	built time.Duration
	bytes int64
	close func() error
}

// askWords asks all questions in turns, and counts how many of the ten best of the
// first lane the others have.
func askWords(ctx context.Context, rounds int, questions []string, lanes []wordsLane) ([]times, []string, error) {
	found := make([][][]int32, len(lanes))
	var contestants []contestant
	for i, lane := range lanes {
		found[i] = make([][]int32, len(questions))
		contestants = append(contestants, contestant{lane.name, func(ctx context.Context, question int) (err error) {
			found[i][question], err = lane.find(ctx, questions[question])
			return err
		}})
	}
	took, err := match{contestants: contestants, questions: len(questions), rounds: rounds}.run(ctx)
	agreed := make([]string, len(lanes))
	for i := range lanes {
		same, all := 0, 0
		for q, ids := range found[0] {
			for _, id := range ids[:min(hits, len(ids))] {
				all++
				same += count(slices.Contains(found[i][q][:min(hits, len(found[i][q]))], id))
			}
		}
		agreed[i] = fmt.Sprintf("%.2f", float64(same)/float64(max(all, 1)))
	}
	return took, agreed, err
}

// wordsShelf is lines as the source of an index.
type wordsShelf struct{ rows []index.Row }

func (s wordsShelf) Sequence(context.Context) (int64, error) { return int64(len(s.rows)), nil }

func (s wordsShelf) Rows(_ context.Context, after int64, limit int) ([]index.Row, error) {
	return s.rows[after:min(int(after)+limit, len(s.rows))], nil
}

func (s wordsShelf) Vectors(_ context.Context, docs []int64) ([][][]float32, error) {
	return make([][][]float32, len(docs)), nil
}

func ourWords(ctx context.Context, dir string, texts []string) (wordsLane, error) {
	start := time.Now()
	var shelf wordsShelf
	for i, text := range texts {
		shelf.rows = append(shelf.rows, index.Row{Doc: int64(i + 1), Seq: int64(i + 1), Live: true, Captured: int64(i), Terms: counted(lexical.Terms(text))})
	}
	ix, err := index.Open(index.Config{Dir: filepath.Join(dir, "index"), StoreID: "versus"}, shelf)
	if err != nil {
		return wordsLane{}, err
	}
	if err := errors.Join(ix.CatchUp(ctx), ix.Rewrite(ctx)); err != nil {
		return wordsLane{}, err
	}
	lane := wordsLane{name: "combray", built: time.Since(start), close: ix.Close}
	stats, err := ix.Stats(ctx)
	lane.bytes = stats.FileBytes
	lane.find = func(ctx context.Context, question string) ([]int32, error) {
		// The constants of FTS5, so that the same rows are best.
		result, err := ix.Search(ctx, index.Query{Terms: lexical.Query(question), PerLane: shortlist, K1: 1.2, B: 0.75})
		if err != nil {
			return nil, err
		}
		slices.SortFunc(result.Candidates, func(a, b index.Candidate) int {
			return cmp.Or(cmp.Compare(b.Words, a.Words), cmp.Compare(a.Doc, b.Doc))
		})
		ids := make([]int32, len(result.Candidates))
		for i, c := range result.Candidates {
			ids[i] = int32(c.Doc)
		}
		return ids, nil
	}
	return lane, err
}

// counted counts each term once.
func counted(terms []string) []index.TermCount {
	slices.Sort(terms)
	var out []index.TermCount
	for _, term := range terms {
		if n := len(out); n > 0 && out[n-1].Term == term {
			out[n-1].Line++
			continue
		}
		out = append(out, index.TermCount{Term: term, Line: 1})
	}
	return out
}

func ftsOfText(ctx context.Context, dir string, texts []string) (wordsLane, error) {
	same := func(text string) string { return text }
	return fts(ctx, ftsForm{"FTS5, its own words", filepath.Join(dir, "text.db"), "unicode61 remove_diacritics 2", same, strings.Fields}, texts)
}

// ftsOfTerms writes terms in letters that no tokenizer takes apart.
func ftsOfTerms(ctx context.Context, dir string, texts []string) (wordsLane, error) {
	hexed := func(terms []string) []string {
		out := make([]string, len(terms))
		for i, t := range terms {
			out[i] = "t" + hex.EncodeToString([]byte(t))
		}
		return out
	}
	body := func(text string) string { return strings.Join(hexed(lexical.Terms(text)), " ") }
	return fts(ctx, ftsForm{"FTS5, our terms", filepath.Join(dir, "terms.db"), "ascii", body, func(q string) []string { return hexed(lexical.Query(q)) }}, texts)
}

// ftsForm is a way to use FTS5.
type ftsForm struct {
	name, path, tokenizer string
	body                  func(text string) string
	words                 func(question string) []string
}

func fts(ctx context.Context, f ftsForm, texts []string) (wordsLane, error) {
	start := time.Now()
	db, err := sql.Open("sqlite3", f.path)
	if err != nil {
		return wordsLane{}, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.ExecContext(ctx, fmt.Sprintf(`CREATE VIRTUAL TABLE d USING fts5(body, content='', tokenize='%s')`, f.tokenizer)); err != nil {
		return wordsLane{}, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return wordsLane{}, err
	}
	defer tx.Rollback()
	for i, text := range texts {
		if _, err := tx.ExecContext(ctx, `INSERT INTO d(rowid, body) VALUES (?, ?)`, i+1, f.body(text)); err != nil {
			return wordsLane{}, err
		}
	}
	if err := tx.Commit(); err != nil {
		return wordsLane{}, err
	}
	// One segment, as FTS5 is quickest.
	if _, err := db.ExecContext(ctx, `INSERT INTO d(d) VALUES ('optimize')`); err != nil {
		return wordsLane{}, err
	}
	lane := wordsLane{name: f.name, built: time.Since(start), close: db.Close}
	ask, err := db.PrepareContext(ctx, fmt.Sprintf(`SELECT rowid FROM d WHERE d MATCH ? ORDER BY rank LIMIT %d`, shortlist))
	if err != nil {
		return lane, err
	}
	lane.find = func(ctx context.Context, question string) ([]int32, error) {
		return ids(ask.QueryContext(ctx, `"`+strings.Join(f.words(question), `" OR "`)+`"`))
	}
	info, err := os.Stat(f.path)
	if err == nil {
		lane.bytes = info.Size()
	}
	return lane, err
}
