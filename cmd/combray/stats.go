package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"combray/internal/local"
)

func (a *app) statsCommand() *cobra.Command {
	return &cobra.Command{Use: "stats", Short: "Counts, encoder and sizes; no content", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.call(cmd.Context(), "memory_stats", nil, func(body json.RawMessage) error {
				var fields map[string]json.RawMessage
				if err := json.Unmarshal(body, &fields); err != nil {
					return err
				}
				names := make([]string, 0, len(fields))
				for name := range fields {
					names = append(names, name)
				}
				slices.Sort(names)
				w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
				for _, name := range names {
					fmt.Fprintf(w, "%s\t%s\n", name, fields[name])
				}
				return w.Flush()
			})
		}}
}

func (a *app) checkCommand() *cobra.Command {
	var audit bool
	c := &cobra.Command{Use: "check", Short: "Read everything and report what does not fit together", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withMemory(cmd.Context(), func(ctx context.Context, l *local.Local) error {
				check := l.Check
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
