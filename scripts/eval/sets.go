package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// document is one text to remember.
type document struct {
	id, text, source, session string
	at                        time.Time // zero: unknown
}

// question is one text to ask with the ids that answer it.
type question struct {
	text, cell string
	gold       []string
}

// collection is a store with its questions.
type collection struct {
	documents []document
	questions []question
}

// foreign marks a question that a store cannot answer, because it was asked of
// another set: a calibration that never saw one is sure of everything.
const foreign = "foreign"

// foreignPerStore is how many such questions each store is asked.
const foreignPerStore = 40

func addForeign(to, from []collection) {
	var pool []question
	for _, c := range from {
		pool = append(pool, spread(c.questions, foreignPerStore)...)
	}
	for i := range to {
		for j := range min(foreignPerStore, len(pool)) {
			to[i].questions = append(to[i].questions, question{text: pool[(i+j*7)%len(pool)].text, cell: foreign})
		}
	}
}

type record struct {
	ID, Group, Lang, Type, Text, Time, Topic string
	Session                                  json.RawMessage
	Gold                                     []string
	GoldEn                                   []string `json:"gold_en"`
	GoldZh                                   []string `json:"gold_zh"`
}

// load reads a set by name, in the ways that the sets' own pages describe.
func load(data, name string) ([]collection, error) {
	switch name {
	case "locomo":
		return conversations(data, "queries.jsonl")
	case "xling":
		return conversations(data, "queries.xling.jsonl")
	case "lifelog":
		return byGroup(filepath.Join(data, "lifelog-timelineqa"), "queries.jsonl", func(record) string { return "" })
	case "memorybank":
		return memoryBank(filepath.Join(data, "memorybank"), false)
	case "memorybank-sessions":
		return memoryBank(filepath.Join(data, "memorybank"), true)
	case "notes-til":
		return byGroup(filepath.Join(data, "notes-til"), "queries.jsonl", nil)
	case "xquad":
		return xquad(filepath.Join(data, "xquad"), false)
	case "xquad-cross":
		return xquad(filepath.Join(data, "xquad"), true)
	case "tatoeba":
		return tatoeba(filepath.Join(data, "tatoeba"))
	}
	return nil, fmt.Errorf("unknown set %q", name)
}

func readRecords(path string) ([]record, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var out []record
	for line := range bytes.Lines(data) {
		var r record
		if err := json.Unmarshal(line, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// moment reads a time of the sets; without a zone it is UTC, a day is noon.
func moment(s string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	if t, err := time.Parse("2006-01-02", s); err == nil {
		return t.Add(12 * time.Hour)
	}
	return time.Time{}
}

// conversations are those of LoCoMo, with its questions in one file or another.
func conversations(data, questions string) ([]collection, error) {
	return byGroup(filepath.Join(data, "locomo"), questions, func(r record) string { return strings.Trim(string(r.Session), `"`) })
}

func byGroup(dir, questions string, session func(record) string) ([]collection, error) {
	corpus, err := readRecords(filepath.Join(dir, "corpus.jsonl"))
	if err != nil {
		return nil, err
	}
	queries, err := readRecords(filepath.Join(dir, questions))
	if err != nil {
		return nil, err
	}
	groups := map[string]*collection{}
	var order []string
	at := func(g string) *collection {
		if groups[g] == nil {
			groups[g] = &collection{}
			order = append(order, g)
		}
		return groups[g]
	}
	for _, r := range corpus {
		d := document{id: r.ID, text: r.Text, at: moment(r.Time)}
		if session != nil { // ids of notes hold their titles and would answer by themselves
			d.session, d.source = session(r), "corpus:"+r.ID
		}
		c := at(r.Group)
		c.documents = append(c.documents, d)
	}
	for _, r := range queries {
		cell := r.Type
		if cell == "" {
			cell = "known item"
		}
		c := at(r.Group)
		c.questions = append(c.questions, question{text: r.Text, cell: cell, gold: r.Gold})
	}
	return inOrder(groups, order), nil
}

func inOrder(groups map[string]*collection, order []string) []collection {
	out := make([]collection, 0, len(order))
	for _, g := range order {
		out = append(out, *groups[g])
	}
	return out
}

func memoryBank(dir string, sessions bool) ([]collection, error) {
	corpus, err := readRecords(filepath.Join(dir, "corpus.jsonl"))
	if err != nil {
		return nil, err
	}
	queries, err := readRecords(filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		return nil, err
	}
	groups := map[string]*collection{}
	var order []string
	for _, r := range corpus {
		key := r.Group + "/" + r.Lang
		if groups[key] == nil {
			groups[key] = &collection{}
			order = append(order, key)
			for _, q := range queries {
				gold := q.GoldEn
				if r.Lang == "zh" {
					gold = q.GoldZh
				}
				if q.Group == r.Group && len(gold) > 0 {
					groups[key].questions = append(groups[key].questions, question{text: q.Text, cell: q.Lang + "→" + r.Lang, gold: gold})
				}
			}
		}
		d := document{id: r.ID, text: r.Text, at: moment(r.Time)}
		if sessions {
			d.session = r.Time
		}
		groups[key].documents = append(groups[key].documents, d)
	}
	return inOrder(groups, order), nil
}

func xquad(dir string, cross bool) ([]collection, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "corpus.*.jsonl"))
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	queries := map[string][]record{}
	var out []collection
	for _, p := range paths {
		lang := strings.Split(filepath.Base(p), ".")[1]
		if queries[lang], err = readRecords(filepath.Join(dir, "queries."+lang+".jsonl")); err != nil {
			return nil, err
		}
	}
	for _, p := range paths {
		lang := strings.Split(filepath.Base(p), ".")[1]
		corpus, err := readRecords(p)
		if err != nil {
			return nil, err
		}
		c := collection{}
		for _, r := range corpus {
			c.documents = append(c.documents, document{id: r.ID, text: r.Text})
		}
		for asked, rows := range queries {
			if (asked == lang) == cross {
				continue
			}
			for _, q := range rows {
				c.questions = append(c.questions, question{text: q.Text, cell: "to " + lang, gold: q.Gold})
			}
		}
		slices.SortStableFunc(c.questions, func(a, b question) int { return strings.Compare(a.text, b.text) })
		out = append(out, c)
	}
	return out, nil
}

// tatoeba stores the English sentences of a file and asks with the foreign ones.
func tatoeba(dir string) ([]collection, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.tsv"))
	if err != nil {
		return nil, err
	}
	slices.Sort(paths)
	var out []collection
	for _, p := range paths {
		f, err := os.Open(p)
		if err != nil {
			return nil, err
		}
		c, cell := collection{}, strings.TrimSuffix(filepath.Base(p), ".tsv")
		lines := bufio.NewScanner(f)
		for n := 0; lines.Scan(); n++ {
			foreign, english, ok := strings.Cut(lines.Text(), "\t")
			if !ok {
				continue
			}
			id := fmt.Sprint(n)
			c.documents = append(c.documents, document{id: id, text: english})
			c.questions = append(c.questions, question{text: foreign, cell: cell, gold: []string{id}})
		}
		f.Close()
		out = append(out, c)
	}
	return out, nil
}
