package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"combray/internal/local"
	"combray/internal/memory"
)

func (a *app) statsCommand() *cobra.Command {
	return &cobra.Command{Use: "stats", Short: "Counts, encoder and sizes; no content", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.call(cmd.Context(), "memory_stats", nil, func(body json.RawMessage) error {
				var fields map[string]json.RawMessage
				if err := json.Unmarshal(body, &fields); err != nil {
					return err
				}
				w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
				printFields(w, "", fields)
				return w.Flush()
			})
		}}
}

// printFields prints what is known of each name, in their order; what stands
// inside another is printed behind a dot.
func printFields(w io.Writer, before string, fields map[string]json.RawMessage) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		value := string(fields[name])
		if slices.Contains([]string{"null", "[]", "{}", `""`}, value) {
			continue
		}
		var inner map[string]json.RawMessage
		if json.Unmarshal(fields[name], &inner) == nil {
			printFields(w, before+name+".", inner)
			continue
		}
		var text string
		if json.Unmarshal(fields[name], &text) == nil {
			value = oneLine(text)
		}
		var list []string
		if json.Unmarshal(fields[name], &list) == nil {
			value = oneLine(strings.Join(list, ", "))
		}
		fmt.Fprintf(w, "%s\t%s\n", before+name, value)
	}
}

// checkAll finishes an erasure that was left unfinished, and reads everything.
func checkAll(ctx context.Context, l *local.Local) ([]memory.Fault, error) {
	unfinished := l.FinishErasure(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	faults, err := l.Check(ctx)
	if unfinished != nil && err == nil {
		faults = append(faults, memory.Fault{Where: "files", What: fmt.Sprintf("some bytes of what was erased may still be in them: %v. Run combray check again when no other process reads the store; it rewrites them", unfinished)})
	}
	return faults, err
}

func (a *app) checkCommand() *cobra.Command {
	var audit bool
	c := &cobra.Command{Use: "check", Short: "Read everything and report what does not fit together", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withMemory(cmd.Context(), func(ctx context.Context, l *local.Local) error {
				check := func(ctx context.Context) ([]memory.Fault, error) { return checkAll(ctx, l) }
				if audit {
					check = l.Store.VerifyAudit
				}
				faults, err := check(ctx)
				if err != nil {
					return err
				}
				if a.json {
					if err := a.printJSON(map[string]any{"faults": faults}); err != nil {
						return err
					}
				}
				for _, f := range faults {
					fmt.Fprintf(a.err, "%s: %s\n", f.Where, f.What)
				}
				if len(faults) > 0 {
					return fmt.Errorf("%d faults were found", len(faults))
				}
				if !a.json {
					fmt.Fprintln(a.out, "Everything fits together.")
				}
				return nil
			})
		}}
	c.Flags().BoolVar(&audit, "audit", false, "only the chain of the audit log")
	return c
}
