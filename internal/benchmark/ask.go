package benchmark

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
)

// warmUp is how many calls of a kind go before those that are measured.
const warmUp = 20

// lanes are the ways a memory is found, as recall calls them.
var lanes = []string{"lexical", "semantic", "hybrid"}

// width is a filter that keeps some of the memories.
type width struct {
	name, what string
	tag        func(number int) string // nil: no filter
}

var widths = []width{
	{"all", "no filter", nil},
	{"tenth", "a filter that keeps 1 in 10", func(number int) string { return topic(number % topics) }},
	{"thousandth", "a filter that keeps 1 in 1,000", func(number int) string { return project(number % projects) }},
}

// lanesHere are those that the store can be searched by.
func (r *running) lanesHere() []string {
	if r.Encoder == nil {
		return lanes[:1]
	}
	return lanes
}

// start times new processes, with the store's files in the page cache and, where the
// system lets go of them, without.
func (r *running) start(ctx context.Context) error {
	r.note("Program and model are in the page cache at every start; the store is too, unless it is called not cached.")
	for range max(1, r.Asks/10) {
		if err := r.startOnce(ctx, "start_", "new process"); err != nil {
			return err
		}
		if !cools {
			continue
		}
		if err := filepath.WalkDir(filepath.Dir(r.path), r.coolStore); err != nil {
			return err
		}
		if err := r.startOnce(ctx, "start_cold_", "new process, store not cached"); err != nil {
			return err
		}
	}
	return nil
}

// coolStore takes the files of the store out of the page cache, met on a walk.
func (r *running) coolStore(path string, entry fs.DirEntry, err error) error {
	if err != nil || entry.IsDir() || !strings.HasPrefix(path, r.path) {
		return err
	}
	return cool(path)
}

// startOnce times a new process to its answer to initialize, and on to a first recall.
func (r *running) startOnce(ctx context.Context, name, what string) error {
	began := time.Now()
	s, err := r.serve(ctx, r.path)
	if err != nil {
		return err
	}
	r.took(name+"initialize", what+": initialize", time.Since(began))
	if _, _, err = s.call("recall", map[string]any{"query": r.next()}); err == nil {
		r.took(name+"answer", what+": first recall", s.came.Sub(began))
	}
	return errors.Join(err, s.close())
}

// next is a question that was not asked before, as far as there are so many.
func (r *running) next() string {
	r.asked++
	return r.Text.Question(r.asked)
}

// recall asks by every lane with every filter, in turn, so that all meet the same
// machine.
func (r *running) recall(ctx context.Context) error {
	return r.served(ctx, r.path, func(s *server) error { return r.askAll(s, usually, r.lanesHere(), widths) })
}

// occasion is when something is asked that is asked on others too.
type occasion struct{ name, what string } // before the names of figures, behind what they are

var (
	usually    = occasion{}
	afterChurn = occasion{"churn_", ", after half was forgotten and a tenth added"}
)

// askAll asks on a server, warm-up included.
func (r *running) askAll(s *server, when occasion, lanes []string, widths []width) error {
	for i := range min(warmUp, r.Asks) + r.Asks {
		for _, lane := range lanes {
			for _, w := range widths {
				a, err := r.ask(s, lane, w)
				if err != nil {
					return err
				}
				if i >= min(warmUp, r.Asks) {
					r.answered(a, when, lane, w)
				}
			}
		}
	}
	return nil
}

// answer says how long a recall took.
type answer struct {
	took   time.Duration // until it had come
	inside time.Duration // as the server says
	worked time.Duration // processor time of the server; 0 where the system does not tell
}

// ask asks the next question.
func (r *running) ask(s *server, lane string, w width) (a answer, err error) {
	arguments := map[string]any{"query": r.next(), "mode": lane}
	if w.tag != nil {
		arguments["tags"] = []string{w.tag(r.asked)}
	}
	before, _ := processorTime(s.command.Process.Pid)
	body, took, err := s.call("recall", arguments)
	if err != nil {
		return answer{}, err
	}
	a.took = took
	if after, known := processorTime(s.command.Process.Pid); known {
		a.worked = after - before
	}
	var reply struct {
		Retrieval struct {
			ElapsedMS float64 `json:"elapsed_ms"`
		}
	}
	err = json.Unmarshal(body, &reply)
	a.inside = time.Duration(reply.Retrieval.ElapsedMS * float64(time.Millisecond))
	return a, err
}

// answered adds an answer to the figures; of the usual kind of recall also what of
// it passed in the server and how much of that was work.
func (r *running) answered(a answer, when occasion, lane string, w width) {
	name, what := when.name+"recall_"+lane+"_"+w.name, "recall, "+lane+", "+w.what
	r.took(name, what+when.what, a.took)
	if lane != "hybrid" || w.tag != nil {
		return
	}
	r.took(name+"_inside", what+", within the server"+when.what, a.inside)
	if a.worked > 0 {
		r.took(name+"_processor", what+", processor time"+when.what, a.worked)
	}
}

// furtherClients are those whose memory is measured beside the first.
var furtherClients = []string{"second", "third"}

// memory reads how much a process takes before it needs the model, after it was
// used, and how much others of the same store take beside it.
func (r *running) memory(ctx context.Context) error {
	return r.served(ctx, r.path, func(s *server) error {
		if _, _, err := s.call("recall", map[string]any{"query": r.next(), "mode": "lexical"}); err != nil {
			return err
		}
		if !r.footprint(s, "memory_start", "before the model is needed") {
			r.note("Memory was not measured: this system does not tell it.")
			return nil
		}
		if err := r.use(s); err != nil {
			return err
		}
		r.footprint(s, "memory", "after use")
		return r.further(ctx, furtherClients)
	})
}

// use lets a server answer as much as is needed for its memory to settle.
func (r *running) use(s *server) error {
	for range min(r.Asks, 50) {
		if _, _, err := s.call("recall", map[string]any{"query": r.next()}); err != nil {
			return err
		}
	}
	return nil
}

func (r *running) footprint(s *server, name, when string) bool {
	f, known := footprintOf(s.command.Process.Pid)
	if known {
		r.value(name+"_resident", "resident memory "+when, Bytes, float64(f.resident))
		r.value(name+"_own", "own memory "+when, Bytes, float64(f.own))
	}
	return known
}

// further starts servers beside those that run, each while the ones before stay.
func (r *running) further(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	return r.served(ctx, r.path, func(s *server) error {
		if err := r.use(s); err != nil {
			return err
		}
		r.footprint(s, "memory_"+names[0]+"_client", "of a "+names[0]+" client of the store")
		return r.further(ctx, names[1:])
	})
}
