package benchmark

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"combray/internal/local"
)

// Bench is a measurement: a store, the program that works on it, and what of it is
// measured. Builder and Program are required.
type Bench struct {
	Builder
	Program []string // the program to measure, with the flags that go before a command; --db is added
	Runs    int      // 0: 3
	Asks    int      // calls of each kind in a run; 0: 100
	Parts   []string // what is measured, by the names of Parts; none: the Usual ones
	Folder  string   // keeps the store; "": it is removed at the end
	// Neighbours is how the program finds neighbours; it is told by its settings.
	Neighbours string
}

// part is something that is measured.
type part struct {
	name   string
	about  string
	unique bool // measured once, because it hardly varies
	extra  bool // only when it is asked for
	do     func(*running, context.Context) error
}

// parts are measured in this order. Those that write do so in a copy.
var parts = []part{
	{name: "disk", about: "bytes of the store and of the index", unique: true, do: (*running).disk},
	{name: "ingest", about: "import by words, texts through the encoder", do: (*running).ingest},
	{name: "start", about: "a new process to its first answers", do: (*running).start},
	{name: "recall", about: "by lane and by filter", do: (*running).recall},
	{name: "memory", about: "memory of a process, and of others beside it", do: (*running).memory},
	{name: "quality", about: "recall@10 of the vectors against the exact answer", unique: true, do: (*running).quality},
	{name: "remember", about: "a durable write", do: (*running).remember},
	{name: "sense", about: "cues with and without words", do: (*running).sense},
	{name: "churn", about: "half forgotten and a tenth added", unique: true, extra: true, do: (*running).churn},
}

// Parts names what can be measured, Usual what is unless something else is asked for.
func Parts() []string { return namesOf(func(part) bool { return true }) }

// Usual names what is measured unless something else is asked for.
func Usual() []string { return namesOf(func(p part) bool { return !p.extra }) }

// About says what each of them is, for people.
func About() string {
	said := make([]string, len(parts))
	for i, p := range parts {
		said[i] = p.name + " (" + p.about + ")"
	}
	return strings.Join(said, ", ")
}

func namesOf(which func(part) bool) (names []string) {
	for _, p := range parts {
		if which(p) {
			names = append(names, p.name)
		}
	}
	return names
}

// running is a Bench while it runs.
type running struct {
	*Bench
	*samples
	path  string // of the store, which is not written to
	work  string // folder for what is removed at the end
	copy  string // of the store, to be written to; "" before it is needed
	cued  bool   // the copy has vectors for cues
	notes []string
	asked int // questions, captures and cues so far, so that none is asked twice
}

// Run builds or takes the store and measures.
func (b *Bench) Run(ctx context.Context) (report Report, err error) {
	b.Runs, b.Asks = cmp.Or(b.Runs, 3), cmp.Or(b.Asks, 100)
	if len(b.Parts) == 0 {
		b.Parts = Usual()
	}
	report = Report{Schema: Schema, Started: time.Now().UTC().Truncate(time.Second), Machine: thisMachine(), Store: b.contents(),
		Settings: Settings{Runs: b.Runs, Asks: b.Asks, Neighbours: b.Neighbours}}
	r := &running{Bench: b, samples: newSamples()}
	if r.work, err = os.MkdirTemp(b.Folder, "combray-bench-"); err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.work)) }()
	if report.Store.Built, err = r.store(ctx); err != nil {
		return report, err
	}
	if err := r.measure(ctx); err != nil {
		return report, err
	}
	report.Figures, report.Notes = r.figures(), r.notesOf(report.Store)
	report.Ended, report.Machine.LoadAtEnd = time.Now().UTC().Truncate(time.Second), load()
	return report, nil
}

// store takes the kept store or builds one.
func (r *running) store(ctx context.Context) (built bool, err error) {
	folder := r.Folder
	if folder == "" {
		folder = r.work
	}
	r.path = filepath.Join(folder, storeName)
	if r.Folder != "" {
		there, err := r.kept(r.Folder)
		if err == nil && there {
			err = r.fits(ctx)
		}
		if err != nil || there {
			return false, err
		}
	}
	took, err := r.Build(ctx, r.path)
	if err != nil {
		return false, err
	}
	r.value("build_write", "memories written with their vectors, in batches", PerSecond, float64(r.Memories)/took.Write.Seconds())
	r.value("build_index", "the index made from the store", Seconds, took.Index.Seconds())
	if r.Folder == "" {
		return true, nil
	}
	return true, r.keep(r.Folder)
}

// fits refuses a kept store whose vectors this program would make anew.
func (r *running) fits(ctx context.Context) error {
	return r.opened(ctx, r.path, func(l *local.Local) error {
		stats, err := l.Store.Stats(ctx, l.VectorIdentity())
		if err == nil && r.Encoder != nil && stats.Embedded < r.Memories {
			err = fmt.Errorf("the store in %s has vectors of another kind than this program makes: remove it, or name another folder", r.Folder)
		}
		return err
	})
}

// measure goes through the parts as often as there are runs, so that what else the
// machine does falls on all of them alike.
func (r *running) measure(ctx context.Context) error {
	for r.run = 0; r.run < r.Runs; r.run++ {
		for i, p := range parts {
			if !slices.Contains(r.Parts, p.name) || p.unique && r.run > 0 {
				continue
			}
			r.progress(fmt.Sprintf("run %d of %d, %s", r.run+1, r.Runs, p.name), i, len(parts))
			if err := p.do(r, ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *running) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(r.notes, text) {
		r.notes = append(r.notes, text)
	}
}

func (r *running) notesOf(c Contents) []string {
	first := []string{}
	switch {
	case c.Encoder == "":
		first = append(first, "There was no encoder: everything is by words alone.")
	case c.Encoded < c.Memories:
		first = append(first, fmt.Sprintf("The encoder made the vectors of %d memories; the other %d have mixtures of those: a vector, a share of one of its near neighbours, and a little noise.",
			c.Encoded, c.Memories-c.Encoded))
	}
	return append(first, r.notes...)
}

// serve starts the program as a server of a store.
func (r *running) serve(ctx context.Context, db string) (*server, error) {
	return start(ctx, slices.Concat(r.Program, []string{"--db", db, "mcp", "--profile", "full"}))
}

// served runs f with a server of a store.
func (r *running) served(ctx context.Context, db string, f func(*server) error) error {
	s, err := r.serve(ctx, db)
	if err != nil {
		return err
	}
	return errors.Join(f(s), s.close())
}

// opened runs f with a store opened in this process.
func (r *running) opened(ctx context.Context, db string, f func(*local.Local) error) error {
	l, err := r.Open(ctx, db, nil)
	if err != nil {
		return err
	}
	return errors.Join(f(l), l.Close())
}

// writable is a copy of the store that may be written to.
func (r *running) writable(ctx context.Context) (string, error) {
	if r.copy != "" {
		return r.copy, nil
	}
	path := filepath.Join(r.work, "copy", storeName)
	if err := copyStore(ctx, r.path, path); err != nil {
		return "", err
	}
	r.copy = path
	return path, nil
}

// copyStore copies a store that nobody has open, with its index.
func copyStore(ctx context.Context, from, to string) error {
	if err := os.MkdirAll(to+".index", 0o700); err != nil {
		return err
	}
	if err := copyFile(from, to); err != nil {
		return err
	}
	files, err := os.ReadDir(from + ".index")
	if err != nil {
		return err
	}
	for _, f := range files {
		if strings.HasSuffix(f.Name(), ".lock") || ctx.Err() != nil {
			continue
		}
		if err := copyFile(filepath.Join(from+".index", f.Name()), filepath.Join(to+".index", f.Name())); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func copyFile(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = out.ReadFrom(in)
	return errors.Join(err, out.Close())
}
