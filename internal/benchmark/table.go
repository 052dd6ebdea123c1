package benchmark

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
)

// PrintReport writes a report as a table.
func PrintReport(out io.Writer, r Report) error {
	m := r.Machine
	fmt.Fprintf(out, "combray %s%s, %d memories, %d runs of %d calls\n", r.Combray, commitOf(r), r.Store.Memories, r.Settings.Runs, r.Settings.Asks)
	fmt.Fprintf(out, "%s, %d cores, %s memory, %s, %s, load %s at the start, %s at the end\n\n",
		m.CPU, m.Cores, show(float64(m.MemoryBytes), Bytes), m.OS, m.Go, loadOf(m.LoadAtStart), loadOf(m.LoadAtEnd))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "p50\tp95\tp99\tleast\tmost\t  what, in ms")
	for _, f := range r.Figures {
		if s := f.Spread; s != nil {
			fmt.Fprintf(w, "%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t  %s\n", s.P50, s.P95, s.P99, s.Min, s.Max, f.What)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out)
	for _, f := range r.Figures {
		if f.Spread == nil {
			fmt.Fprintf(w, "%s\t  %s\n", show(f.Value, f.Unit), f.What)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return printNotes(out, r.Notes)
}

func printNotes(out io.Writer, notes []string) error {
	if len(notes) == 0 {
		return nil
	}
	_, err := fmt.Fprintf(out, "\n%s\n", strings.Join(notes, "\n"))
	return err
}

func commitOf(r Report) string {
	if r.Commit == "" {
		return ""
	}
	return " (" + r.Commit[:min(12, len(r.Commit))] + ")"
}

func loadOf(averages []float64) string {
	if len(averages) == 0 {
		return "unknown"
	}
	return strconv.FormatFloat(averages[0], 'f', 2, 64)
}

// show writes a value with its unit for people.
func show(v float64, unit string) string {
	switch unit {
	case Milliseconds:
		return fmt.Sprintf("%.2f ms", v)
	case Seconds:
		return fmt.Sprintf("%.2f s", v)
	case PerSecond:
		return fmt.Sprintf("%.0f a second", v)
	case Bytes:
		return showBytes(v)
	}
	return fmt.Sprintf("%.4f", v)
}

func showBytes(v float64) string {
	switch {
	case v >= 1<<30:
		return fmt.Sprintf("%.1f GiB", v/(1<<30))
	case v >= 1<<20:
		return fmt.Sprintf("%.1f MiB", v/(1<<20))
	}
	return fmt.Sprintf("%.0f bytes", v)
}

// PrintComparison writes ratios as a table.
func PrintComparison(out io.Writer, ratios []Ratio, differences []string) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "new/old\tfrom\tto\told\tnew\t\t  what")
	for _, r := range ratios {
		what := r.What
		if r.Of != "value" {
			what += ", " + r.Of
		}
		if r.Ratio == 0 {
			fmt.Fprintf(w, "\t\t\t%s\t%s\t\t  %s\n", show(r.Old, r.Unit), show(r.New, r.Unit), what)
			continue
		}
		fmt.Fprintf(w, "%.3f\t%.3f\t%.3f\t%s\t%s\t%s\t  %s\n", r.Ratio, r.Low, r.High, show(r.Old, r.Unit), show(r.New, r.Unit), r.Verdict, what)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for i, d := range differences {
		differences[i] = "Not alike: " + d + "."
	}
	return printNotes(out, append([]string{fmt.Sprintf("from, to: of all runs against all others. A verdict needs %d runs on both sides that do not overlap.", fewestRuns)}, differences...))
}
