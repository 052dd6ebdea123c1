package main

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"combray/encoder/tokenizer"

	"github.com/sugarme/tokenizer/pretrained"
)

// english is an everyday sentence that both tokenizers read.
const english = "Ana told me on Tuesday that the green notebook is in the second drawer of the old kitchen table, under all the bills of last winter."

// golden is a text with the ids of the reference, Hugging Face tokenizers 0.22.2.
type golden struct {
	Text string  `json:"text"`
	IDs  []int32 `json:"ids"`
}

// reader is a way to turn text into ids.
type reader struct {
	name   string
	load   func() (read func(text string) ([]int32, error), err error)
	loaded func(text string) ([]int32, error)
	took   time.Duration // to load, at least
	heap   int64         // that stays after it
}

// tokenizers compares ours, in both forms, with sugarme/tokenizer on the golden
// texts of the bundled encoder.
func tokenizers(ctx context.Context, flags *flag.FlagSet, args []string) error {
	root := flags.String("root", "../..", "folder of the checkout")
	rounds := flags.Int("rounds", 3, "rounds, of which the least times count")
	flags.Parse(args)
	texts, err := goldenTexts(filepath.Join(*root, "encoder/tokenizer/testdata/ids.jsonl"))
	if err != nil {
		return err
	}
	readers := readersOf(filepath.Join(*root, "encoder/bundled"))
	for i := range readers {
		if err := readers[i].open(*rounds); err != nil {
			return fmt.Errorf("%s: %w", readers[i].name, err)
		}
	}
	right := make([][]bool, len(readers))
	failed := make([]int, len(readers))
	for i, r := range readers {
		for _, g := range texts {
			ids, err := r.loaded(g.Text)
			failed[i] += count(err != nil)
			right[i] = append(right[i], err == nil && slices.Equal(ids, g.IDs))
		}
	}
	// Times are compared on what all of them read right, five times in a row: what
	// takes microseconds must find its own data in the processor's cache.
	var common []string
	for t, g := range texts {
		if !slices.ContainsFunc(right, func(of []bool) bool { return !of[t] }) {
			common = append(common, g.Text)
		}
	}
	took, err := readInTurns(ctx, *rounds, common, readers)
	if err != nil {
		return err
	}
	sentence, err := readInTurns(ctx, 10**rounds, []string{english}, readers)
	if err != nil {
		return err
	}
	fmt.Printf("%d golden texts, %d of which all read right; times on those\n\n", len(texts), len(common))
	rows := [][]any{{"tokenizer", "golden ids right", "panics and errors", "load ms", "heap MB", "µs a text, mean of the least", "CPU µs a text", "one English sentence µs", "CPU, times ours"}}
	for i, r := range readers {
		n := 0
		for _, ok := range right[i] {
			n += count(ok)
		}
		rows = append(rows, []any{r.name, fmt.Sprintf("%d of %d", n, len(texts)), failed[i], millis(r.took), fmt.Sprintf("%.1f", float64(r.heap)/1e6),
			micros(mean(took[i].least)), micros(took[i].cpu), micros(sentence[i].least[0]), ratio(took[i].cpu, took[0].cpu)})
	}
	table(rows)
	return nil
}

func readInTurns(ctx context.Context, rounds int, texts []string, readers []reader) ([]times, error) {
	var contestants []contestant
	for _, r := range readers {
		contestants = append(contestants, contestant{r.name, func(_ context.Context, question int) error {
			_, err := r.loaded(texts[question])
			return err
		}})
	}
	return match{contestants: contestants, questions: len(texts), rounds: rounds, repeats: 5}.run(ctx)
}

// open loads a tokenizer some times and keeps the last.
func (r *reader) open(times int) error {
	for range times {
		r.loaded = nil
		runtime.GC()
		before := heapBytes()
		start := time.Now()
		read, err := r.load()
		if err != nil {
			return err
		}
		if took := time.Since(start); r.took == 0 || took < r.took {
			r.took = took
		}
		r.loaded = read
		runtime.GC()
		r.heap = heapBytes() - before
	}
	return nil
}

func readersOf(folder string) []reader {
	flat, whole := filepath.Join(folder, "tokenizer.flat"), filepath.Join(folder, "tokenizer.json")
	return []reader{
		{name: "combray, flat file", load: func() (func(string) ([]int32, error), error) { return ours(flat, tokenizer.OpenFlat) }},
		{name: "combray, tokenizer.json", load: func() (func(string) ([]int32, error), error) { return ours(whole, tokenizer.Load) }},
		{name: "sugarme/tokenizer v0.3.0", load: func() (func(string) ([]int32, error), error) { return sugarme(whole) }},
	}
}

// ours reads a file with package tokenizer. The file's bytes, which the flat form
// uses in place, count as heap here; the product has them in the program.
func ours(path string, open func([]byte) (*tokenizer.Tokenizer, error)) (func(string) ([]int32, error), error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t, err := open(data)
	if err != nil {
		return nil, err
	}
	t = t.WithSpecialTokens() // as the reference was asked
	return func(text string) ([]int32, error) {
		prefix, suffix := t.Specials()
		return append(t.Append(prefix, text), suffix...), nil
	}, nil
}

func sugarme(path string) (func(string) ([]int32, error), error) {
	t, err := pretrained.FromFile(path)
	if err != nil {
		return nil, err
	}
	return func(text string) (ids []int32, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic: %v", p)
			}
		}()
		encoding, err := t.EncodeSingle(text, true)
		if err != nil {
			return nil, err
		}
		for _, id := range encoding.Ids {
			ids = append(ids, int32(id))
		}
		return ids, nil
	}, nil
}

func goldenTexts(path string) ([]golden, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var texts []golden
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var g golden
		if err := json.Unmarshal(scanner.Bytes(), &g); err != nil {
			return nil, err
		}
		texts = append(texts, g)
	}
	return texts, scanner.Err()
}

func heapBytes() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func mean(took []time.Duration) time.Duration {
	var sum time.Duration
	for _, t := range took {
		sum += t
	}
	return sum / time.Duration(max(len(took), 1))
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}
