package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// history compares the whole program with memory-as-history over pipes, one
// question after the other, each asked of both: memory-as-history's memories,
// stored through its own tool, are imported into Combray, so both hold the same rows.
func history(ctx context.Context, flags *flag.FlagSet, args []string) error {
	h := bout{}
	flags.StringVar(&h.theirs, "theirs", "memory-as-history", "its program")
	flags.StringVar(&h.ours, "ours", "../../build/combray", "our program")
	flags.StringVar(&h.home, "hf-home", "", "folder of its encoder (e5_float32.py); empty: words alone are compared")
	flags.StringVar(&h.dir, "store", "", "folder to keep both stores in, and to take them from; empty: a new one, removed at the end")
	flags.IntVar(&h.n, "n", 5000, "memories")
	flags.IntVar(&h.asked, "questions", 100, "questions, more than the 32 whose vectors it keeps")
	flags.IntVar(&h.rounds, "rounds", 3, "rounds, of which the least times count too")
	flags.Parse(args)
	if h.dir == "" {
		var err error
		if h.dir, err = os.MkdirTemp("", "versus-history-"); err != nil {
			return err
		}
		defer os.RemoveAll(h.dir)
	}
	return h.run(ctx)
}

// bout is one comparison of both programs.
type bout struct {
	theirs, ours, home, dir string
	n, asked, rounds        int
	pair                    [2]*peer // theirs and ours
}

// sides are the names of the pair.
var sides = [2]string{"memory-as-history 1.3.1", "combray"}

// way is a way to ask both.
type way struct {
	name string
	tool [2]string
	args [2]map[string]any
}

func (h *bout) run(ctx context.Context) error {
	if err := h.fill(ctx); err != nil {
		return err
	}
	for i := range h.pair {
		var err error
		if h.pair[i], err = h.start(i); err != nil {
			return err
		}
		defer h.pair[i].close()
	}
	limit := map[string]any{"limit": 10}
	lexical := map[string]any{"limit": 10, "mode": "lexical"}
	hybrid := map[string]any{"limit": 10, "mode": "hybrid"}
	ways := []way{
		{"recall by words", [2]string{"recall", "recall"}, [2]map[string]any{limit, lexical}},
		{"search_archive (words, no priorities)", [2]string{"search_archive", "search_archive"}, [2]map[string]any{limit, limit}},
	}
	if h.home != "" {
		ways = append(ways, way{"search, hybrid", [2]string{"search", "search"}, [2]map[string]any{hybrid, hybrid}})
	}
	fmt.Printf("%d memories, %d questions, %d rounds\n\n", h.n, h.asked, h.rounds)
	for _, w := range ways {
		if err := h.warm(w); err != nil {
			return err
		}
		r, err := h.ask(ctx, w)
		if err != nil {
			return err
		}
		table(r.rows(h.pair))
		fmt.Println(machine() + "\n")
	}
	return nil
}

func (h *bout) path(name string) string { return filepath.Join(h.dir, name) }

// start starts one of the pair on its store, with all tools.
func (h *bout) start(side int) (*peer, error) {
	if side == 1 {
		return dial(sides[1], []string{"COMBRAY_LIMIT_CALLS=0"}, h.ours, "--db", h.path("combray.db"), "mcp", "--profile", "full")
	}
	environment := []string{"MEMORY_AS_HISTORY_DB=" + h.path("history.db"), "MEMORY_AS_HISTORY_TOOLS=full", "HF_HUB_OFFLINE=1"}
	if h.home != "" {
		environment = append(environment, "HF_HOME="+h.home)
	}
	return dial(sides[0], environment, h.theirs)
}

// fill stores the memories with theirs and imports them into ours.
func (h *bout) fill(ctx context.Context) error {
	if _, err := os.Stat(h.path("combray.db")); err == nil {
		return nil
	}
	p, err := h.start(0)
	if err != nil {
		return err
	}
	m, start := newMaker(1), time.Now()
	for range h.n {
		n := m.note()
		if err := ctx.Err(); err != nil {
			return errors.Join(err, p.close())
		}
		if _, err := p.call("remember", map[string]any{"content": n.text, "source": n.source, "event_at": n.at.Format(time.RFC3339)}); err != nil {
			return errors.Join(err, p.close())
		}
	}
	fmt.Printf("stored one by one with memory-as-history, %.1f s; ", time.Since(start).Seconds())
	if err := p.close(); err != nil {
		return err
	}
	start = time.Now()
	out, err := exec.CommandContext(ctx, h.ours, "--db", h.path("combray.db"), "import", "memory-as-history", h.path("history.db")).CombinedOutput()
	if err != nil {
		return fmt.Errorf("import: %w: %s", err, out)
	}
	fmt.Printf("imported by combray with vectors, %.1f s\n\n", time.Since(start).Seconds())
	return nil
}

// warm asks both a few questions that are not counted. The first hybrid question
// makes theirs encode every memory: it keeps vectors in the process alone.
func (h *bout) warm(w way) error {
	m := newMaker(3)
	for i := range 5 {
		for side, p := range h.pair {
			arguments := maps.Clone(w.args[side])
			arguments["query"] = m.question()
			text, err := p.call(w.tool[side], arguments)
			if err != nil {
				return err
			}
			if i == 0 {
				fmt.Printf("%s, first question of the process: %s %s ms\n", w.name, sides[side], millis(p.took))
				printBackend(text)
			}
		}
	}
	fmt.Println()
	return nil
}

// printBackend shows what an answer says of the encoder behind it.
func printBackend(text []byte) {
	var answer struct {
		Retrieval struct {
			Backend json.RawMessage
		}
	}
	if json.Unmarshal(text, &answer) == nil && string(answer.Retrieval.Backend) != "null" && len(answer.Retrieval.Backend) > 0 {
		fmt.Printf("  backend %s\n", strings.Join(strings.Fields(string(answer.Retrieval.Backend)), " "))
	}
}

// result is what one way of asking took both.
type result struct {
	took  [2]times
	bytes [2]int
}

// ask puts every question to both in turns, call by call.
func (h *bout) ask(ctx context.Context, w way) (*result, error) {
	r := &result{}
	for round := range h.rounds {
		m := newMaker(2)
		before := [2]time.Duration{h.pair[0].processor(), h.pair[1].processor()}
		for question := range h.asked {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			query := m.question()
			for side, p := range h.pair {
				arguments := maps.Clone(w.args[side])
				arguments["query"] = query
				if _, err := p.call(w.tool[side], arguments); err != nil {
					return nil, err
				}
				r.took[side].note(question, p.took)
				r.bytes[side] = p.bytes
			}
		}
		for side, p := range h.pair {
			r.took[side].spent(round, (p.processor()-before[side])/time.Duration(h.asked))
		}
	}
	return r, nil
}

// rows are the lines of a table, theirs and ours.
func (r *result) rows(pair [2]*peer) [][]any {
	out := [][]any{{"", "p50 ms", "p95 ms", "p50 of the least ms", "CPU ms a call", "bytes an answer", "resident MiB"}}
	for side, t := range r.took {
		out = append(out, []any{sides[side], millis(share(t.all, .5)), millis(share(t.all, .95)), millis(share(t.least, .5)), millis(t.cpu), r.bytes[side], pair[side].resident() >> 20})
	}
	theirs, ours := r.took[0], r.took[1]
	out = append(out, []any{"**theirs / ours**", ratio(share(theirs.all, .5), share(ours.all, .5)), ratio(share(theirs.all, .95), share(ours.all, .95)),
		ratio(share(theirs.least, .5), share(ours.least, .5)), ratio(theirs.cpu, ours.cpu), "", ""})
	return append(out, []any{"question by question, 5 % / half / 95 %", "", "", r.spread(), "", "", ""})
}

// spread is how far the ratios of single questions lie apart.
func (r *result) spread() string {
	var each []float64
	for i, theirs := range r.took[0].least {
		each = append(each, float64(theirs)/float64(max(r.took[1].least[i], 1)))
	}
	slices.Sort(each)
	at := func(part float64) float64 { return each[int(part*float64(len(each)-1))] }
	return fmt.Sprintf("%.0f / %.0f / %.0f", at(.05), at(.5), at(.95))
}
