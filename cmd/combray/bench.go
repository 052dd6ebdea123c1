package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"combray/encoder"
	"combray/encoder/bundled"
	"combray/internal/benchmark"
	"combray/internal/local"
	"combray/internal/memory"
)

// benching is one call of combray bench.
type benching struct {
	app *app

	memories       int
	encoded        string
	text           string
	questions      string
	seed           uint64
	folder         string
	runs, asks     int
	parts          []string
	churn          bool
	out, svg, with string
}

// encodedUsually is how many vectors the encoder makes: half a minute's work of two
// cores, and enough for mixtures that are as varied as texts are.
const encodedUsually = 5000

// memoriesMost is far above what the index is made for.
const memoriesMost = 10_000_000

func (a *app) benchCommand() *cobra.Command {
	b := &benching{app: a}
	c := &cobra.Command{Use: "bench", Short: "Measure how quick and how good memory is on this machine",
		Long: "Builds a store of made memories, or of the lines of a file, and measures this program\n" +
			"on it over pipes, as a client has it. Your own store is neither read nor written.\n\n" +
			"The encoder makes the vectors of 5,000 memories (--encoded); the others get mixtures\n" +
			"of near ones of these, so that a million are built in minutes. A million take 2.5 GB in\n" +
			"the temporary folder, or in that of --store, and as much for a copy to write to.\n\n" +
			"Measured are " + benchmark.About() + ".",
		Example: "  combray bench\n  combray bench -n 100000 --out new.json --svg new.svg --compare old.json\n" +
			"  combray bench -n 1000000 --store kept --measure recall,memory\n  combray bench draw small.json large.json --svg both.svg",
		Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
			if len(b.parts) == 0 && cmd.Flags().Changed("measure") {
				return usage("--measure is empty; there are %s", strings.Join(benchmark.Parts(), ", "))
			}
			return b.run(cmd.Context())
		}}
	f := c.Flags()
	f.IntVarP(&b.memories, "memories", "n", 10_000, "memories in the store")
	f.StringVar(&b.encoded, "encoded", strconv.Itoa(encodedUsually), "memories whose vectors the encoder makes; all: every one")
	f.StringVar(&b.text, "text", "", "file whose lines are the memories; with too few, halves are joined")
	f.StringVar(&b.questions, "questions", "", "file of questions, one a line")
	f.Uint64Var(&b.seed, "seed", 1, "the same seed makes the same store and asks the same")
	f.StringVar(&b.folder, "store", "", "folder that keeps the store for the next time")
	f.IntVar(&b.runs, "runs", 3, "how often each is measured")
	f.IntVar(&b.asks, "asks", 100, "calls of each kind in a run")
	f.StringSliceVar(&b.parts, "measure", nil, "what is measured, joined by commas; not given: all but churn")
	f.BoolVar(&b.churn, "churn", false, "also forget half, add a tenth, and measure again")
	f.StringVar(&b.out, "out", "", "write the report to this file as JSON")
	f.StringVar(&b.svg, "svg", "", "draw the report to this file")
	f.StringVar(&b.with, "compare", "", "report of an earlier run to compare with")
	c.AddCommand(a.benchSenseCommand(), a.benchDrawCommand(), a.benchCompareCommand())
	for _, sub := range c.Commands() {
		sub.Args = named(sub.Args)
	}
	return c
}

func (b *benching) run(ctx context.Context) (err error) {
	debug.SetGCPercent(heapGrowth)
	var earlier benchmark.Report
	if b.with != "" {
		if earlier, err = readReport(b.with); err != nil {
			return err
		}
	}
	bench, err := b.bench()
	if err != nil {
		return err
	}
	model, err := b.encoder(ctx)
	if err != nil {
		return err
	}
	if model != nil {
		bench.Encoder = model
		defer func() { err = errors.Join(err, model.Close()) }()
	}
	report, err := b.measure(ctx, bench)
	if err != nil {
		return explained(err)
	}
	return b.show(report, earlier)
}

// measure runs the bench with a bar.
func (b *benching) measure(ctx context.Context, bench *benchmark.Bench) (benchmark.Report, error) {
	bar := b.app.progress("")
	defer bar.close()
	bench.Progress = bar.count
	report, err := bench.Run(ctx)
	if ctx.Err() != nil {
		return report, &failure{code: exitFailed, err: errors.New("stopped before the end: there is no report, and nothing is left of what was made for it"),
			hint: "A store that --store had built wholly is kept for the next time."}
	}
	report.Combray, report.Commit = versionString(), commit()
	return report, err
}

// commit is that of the source the program was built from, "" when it does not know.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	found := map[string]string{}
	for _, s := range info.Settings {
		found[s.Key] = s.Value
	}
	if found["vcs.modified"] == "true" {
		return found["vcs.revision"] + "+"
	}
	return found["vcs.revision"]
}

// bench checks the flags.
func (b *benching) bench() (*benchmark.Bench, error) {
	encoded, err := b.encodedCount()
	if err != nil {
		return nil, err
	}
	if len(b.parts) == 0 {
		b.parts = benchmark.Usual()
	}
	if b.churn {
		b.parts = append(b.parts, "churn")
	}
	if err := b.check(); err != nil {
		return nil, err
	}
	text, err := benchmark.NewText(b.seed, b.text, b.questions)
	if err != nil {
		return nil, &failure{code: exitUsage, err: fmt.Errorf("the text cannot be read: %w", err), hint: "Name a file of lines in UTF-8."}
	}
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return &benchmark.Bench{Builder: benchmark.Builder{Memories: b.memories, Encoded: encoded, Text: text, Open: b.open},
		Program: []string{program, "--model", b.model()}, Runs: b.runs, Asks: b.asks, Parts: b.parts, Folder: b.folder, Neighbours: b.app.set.Neighbours}, nil
}

// model is the encoder that is measured.
func (b *benching) model() string { return cmp.Or(b.app.set.Model, local.ModelBundled) }

func (b *benching) encodedCount() (int, error) {
	if b.encoded == "all" {
		return b.memories, nil
	}
	n, err := strconv.Atoi(b.encoded)
	if err != nil || n < 1 {
		return 0, usage("--encoded is %q; it is a number from 1 on, or all", b.encoded)
	}
	return n, nil
}

func (b *benching) check() error {
	for _, c := range []struct {
		flag        string
		value, most int
	}{{"-n", b.memories, memoriesMost}, {"--runs", b.runs, 100}, {"--asks", b.asks, 100_000}} {
		if c.value < 1 || c.value > c.most {
			return usage("%s is %d; it is a number from 1 to %d", c.flag, c.value, c.most)
		}
	}
	for _, name := range b.parts {
		if !slices.Contains(benchmark.Parts(), name) {
			return usage("--measure does not know %q; there are %s", name, strings.Join(benchmark.Parts(), ", "))
		}
	}
	read := []string{b.text, b.questions, b.with}
	if err := errors.Join(writable("--out", b.out, read...), writable("--svg", b.svg, append(read, b.out)...)); err != nil {
		return err
	}
	if b.folder == "" {
		return nil
	}
	if err := os.MkdirAll(b.folder, 0o700); err != nil {
		return &failure{code: exitUsage, err: fmt.Errorf("--store: %w", err), hint: "Name a folder that can be written."}
	}
	return nil
}

// writable refuses a file whose folder is not there, or that is one of others, before
// anything is measured.
func writable(flag, path string, others ...string) error {
	if path == "" {
		return nil
	}
	for _, other := range others {
		if other != "" && same(path, other) {
			return usage("%s is %s, which is needed for something else; name another file", flag, path)
		}
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return usage("%s: there is no folder %s", flag, filepath.Dir(path))
	}
	return nil
}

// encoder opens the model that is measured, nil for words only.
func (b *benching) encoder(ctx context.Context) (*encoder.Encoder, error) {
	if b.model() == local.ModelNone {
		return nil, nil
	}
	store := b.app.modelStore()
	library, err := store.FindRuntime(ctx)
	if err != nil {
		return nil, &failure{code: exitFailed, err: err, hint: "Run combray models download onnxruntime, or measure with --model none."}
	}
	files := bundled.Files()
	if b.model() != local.ModelBundled {
		if files, err = encoder.FromStore(ctx, store, b.model(), 0); err != nil {
			return nil, &failure{code: exitFailed, err: err, hint: "Run combray models download " + b.model() + "."}
		}
	}
	opened, err := encoder.Open(ctx, encoder.Config{Library: library, Model: files, Logger: b.app.logger()})
	return opened, explained(err)
}

// open opens a store of the bench in this process.
func (b *benching) open(ctx context.Context, path string, e memory.Encoder) (*local.Local, error) {
	return local.Open(ctx, local.Config{Path: path, Model: b.model(), Bundled: bundled.Files(), Models: b.app.modelStore(), Encoder: e,
		Neighbours: b.app.set.Neighbours, Logger: b.app.logger()})
}

// show writes the report everywhere it was asked for.
func (b *benching) show(report, earlier benchmark.Report) error {
	if b.out != "" {
		if err := benchmark.WriteReport(b.out, report); err != nil {
			return err
		}
	}
	if b.svg != "" {
		if err := benchmark.WriteFile(b.svg, benchmark.Picture([]benchmark.Named{{Report: report}})); err != nil {
			return err
		}
	}
	if b.app.json && b.with == "" {
		return b.app.printJSON(report)
	}
	if b.app.json {
		ratios, differences := benchmark.Compare(earlier, report)
		return b.app.printJSON(map[string]any{"report": report, "ratios": ratios, "differences": differences})
	}
	if err := benchmark.PrintReport(b.app.out, report); err != nil || b.with == "" {
		return err
	}
	fmt.Fprintln(b.app.out)
	return b.app.showComparison(earlier, report)
}

// same reports whether two paths are of one file, which need not be there.
func same(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return filepath.Clean(a) == filepath.Clean(b)
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
