package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"combray/internal/lives"
	"combray/internal/local"
	"combray/internal/memory"
	"combray/internal/replay"
)

// gradedFrom is the threshold of the second replay, which shows how far low scores
// can be trusted.
const gradedFrom = 0.30

// foreignSeed makes other people's memories. They are the same beside every life.
const foreignSeed = 1

// senseBench is one call of combray bench sense.
type senseBench struct {
	app     *app
	trials  *local.Trials
	foreign int
	ablate  bool
	faults  bool
	seed    uint64
	out     string
}

// senseReport is what it finds.
type senseReport struct {
	Model       string             `json:"model"`
	Foreign     int                `json:"foreign"`
	Streams     []string           `json:"streams"`
	Score       replay.Score       `json:"score"`
	GradedFrom  float64            `json:"graded_from"` // threshold of the replay behind Reliability
	Reliability replay.Reliability `json:"reliability"`
	Ablations   []ablated          `json:"ablations,omitempty"`
	Faults      [][]replay.Fault   `json:"faults,omitempty"` // of each stream
}

// ablated is the score with one part switched off.
type ablated struct {
	Off   string       `json:"off"`
	Score replay.Score `json:"score"`
}

func (b *senseBench) run(ctx context.Context, streams []stream) (err error) {
	if b.trials, err = b.app.trials(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, b.trials.Close()) }()
	report, err := b.measure(ctx, streams)
	if err != nil {
		return explained(err)
	}
	if b.app.json {
		return b.app.printJSON(report)
	}
	return report.print(b.app.out)
}

func (b *senseBench) measure(ctx context.Context, streams []stream) (senseReport, error) {
	report := senseReport{Model: cmp.Or(b.app.set.Model, local.ModelBundled), Foreign: b.foreign, GradedFrom: gradedFrom}
	for _, s := range streams {
		report.Streams = append(report.Streams, s.name)
	}
	runs, err := b.replay(ctx, streams, memory.SenseSettings{})
	if err != nil {
		return report, err
	}
	if report.Score, err = replay.ScoreOf(runs); err != nil {
		return report, err
	}
	if b.faults {
		if report.Faults, err = faultsOf(runs); err != nil {
			return report, err
		}
	}
	if runs, err = b.replay(ctx, streams, memory.SenseSettings{Threshold: gradedFrom}); err != nil {
		return report, err
	}
	if report.Reliability, err = replay.ReliabilityOf(runs); err != nil || !b.ablate {
		return report, err
	}
	for _, a := range memory.Ablations(memory.SenseSettings{}) {
		if runs, err = b.replay(ctx, streams, a.Settings); err != nil {
			return report, err
		}
		score, err := replay.ScoreOf(runs)
		if err != nil {
			return report, err
		}
		report.Ablations = append(report.Ablations, ablated{a.Off, score})
	}
	return report, nil
}

func faultsOf(runs []replay.Run) ([][]replay.Fault, error) {
	out := make([][]replay.Fault, len(runs))
	for i, r := range runs {
		var err error
		if out[i], err = replay.FaultsOf(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// replay lives through all streams with the same settings, as many at once as the
// machine has cores.
func (b *senseBench) replay(ctx context.Context, streams []stream, settings memory.SenseSettings) ([]replay.Run, error) {
	runs, errs := make([]replay.Run, len(streams)), make([]error, len(streams))
	var next sync.Mutex
	todo := 0
	var at sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(streams)) {
		at.Go(func() {
			for {
				next.Lock()
				i := todo
				todo++
				next.Unlock()
				if i >= len(streams) {
					return
				}
				runs[i], errs[i] = b.live(ctx, streams[i], settings)
			}
		})
	}
	at.Wait()
	return runs, errors.Join(errs...)
}

// live replays one stream in a memory of its own.
func (b *senseBench) live(ctx context.Context, s stream, settings memory.SenseSettings) (run replay.Run, err error) {
	l, err := b.trials.Open(ctx, settings)
	if err != nil {
		return run, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	first, err := s.events[0].Time()
	if err != nil {
		return run, err
	}
	others := lives.Others(b.foreign, foreignSeed, first)
	if run, err = replay.Play(ctx, l, others, s.events); err != nil {
		return run, fmt.Errorf("%s: %w", s.name, err)
	}
	return run, nil
}

func (r senseReport) print(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "life\tepisodes\tright\tfalse\tprecision\trecall\t")
	for i, p := range r.Score.PerStream {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%.3f\t%.3f\t\n", r.Streams[i], p.Episodes, p.Right, p.False, p.Precision(), p.Recall())
	}
	fmt.Fprintf(w, "all\t%d\t%d\t%d\t%.3f\t%.3f\t\n", r.Score.Episodes, r.Score.Right, r.Score.False, r.Score.Precision, r.Score.Recall)
	if err := w.Flush(); err != nil {
		return err
	}
	r.printScore(out)
	if err := r.printReliability(out); err != nil {
		return err
	}
	if err := r.printAblations(out); err != nil {
		return err
	}
	r.printFaults(out)
	return nil
}

func (r senseReport) printFaults(out io.Writer) {
	for i, faults := range r.Faults {
		fmt.Fprintf(out, "\n%s, what went wrong:\n", r.Streams[i])
		for _, f := range faults {
			what := fmt.Sprintf("false %.2f  %-10s", f.Score, f.Memory.Kind)
			if f.Missed {
				what = fmt.Sprintf("missed      %-10s", f.Reason)
			}
			fmt.Fprintf(out, "%s  %s %s %s %q  %s %s %q\n", what, f.Cue.ID, f.Cue.At, f.Cue.Source, f.Cue.Text, f.Memory.ID, f.Memory.At, f.Memory.Text)
		}
	}
}

func (r senseReport) printScore(out io.Writer) {
	s := r.Score
	fmt.Fprintf(out, "\nencoder %s, %d memories of other people, days %d and later scored\n", r.Model, r.Foreign, lives.ScoredFrom)
	fmt.Fprintf(out, "false fires a day  %.3f (95 %%: %.3f to %.3f) over %d days\n", s.FalsePerDay, s.Interval[0], s.Interval[1], s.Days)
	fmt.Fprintf(out, "fires              %d, repeats %d\n", s.Fires, s.Repeats)
	fmt.Fprintf(out, "first fire         at the first cue %.3f; minutes after it: median %.0f, nine in ten within %.0f\n", s.AtFirstCue, s.WaitMedian, s.WaitNinety)
	reasons := make([]string, len(s.ByReason))
	for i, t := range s.ByReason {
		reasons[i] = fmt.Sprintf("%s %d/%d", t.Reason, t.Right, t.Episodes)
	}
	fmt.Fprintf(out, "recall by reason   %s\n", strings.Join(reasons, ", "))
	var kinds []string
	for _, kind := range slices.Sorted(maps.Keys(s.FalseByKind)) {
		kinds = append(kinds, fmt.Sprintf("%s %d", kind, s.FalseByKind[kind]))
	}
	fmt.Fprintf(out, "false by memory    %s\n", strings.Join(kinds, ", "))
	fmt.Fprintf(out, "queue              %d delivered, %d missing, %d extra, %d repeated\n", s.Queue.Items, s.Queue.Missing, s.Queue.Extra, s.Queue.Repeated)
}

func (r senseReport) printReliability(out io.Writer) error {
	fmt.Fprintf(out, "\nWas a score a chance? Replayed with threshold %.2f.\n", r.GradedFrom)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "score\tfires\tmean score\twere due\t")
	for i, b := range r.Reliability.Bins {
		if b.Fires == 0 {
			fmt.Fprintf(w, "%.1f-%.1f\t0\t\t\t\n", float64(i)/10, float64(i+1)/10)
			continue
		}
		fmt.Fprintf(w, "%.1f-%.1f\t%d\t%.3f\t%.3f\t\n", float64(i)/10, float64(i+1)/10, b.Fires, b.Mean, float64(b.Due)/float64(b.Fires))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "area under precision over recall %.3f\n", r.Reliability.Area)
	return err
}

func (r senseReport) printAblations(out io.Writer) error {
	if len(r.Ablations) == 0 {
		return nil
	}
	fmt.Fprintln(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "switched off\tprecision\trecall\tfalse a day\trepeats\t")
	for _, a := range append([]ablated{{"nothing", r.Score}}, r.Ablations...) {
		fmt.Fprintf(w, "%s\t%.3f\t%.3f\t%.3f\t%d\t\n", a.Off, a.Score.Precision, a.Score.Recall, a.Score.FalsePerDay, a.Score.Repeats)
	}
	return w.Flush()
}
