package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"combray/internal/local"
)

func (a *app) backupCommand() *cobra.Command {
	return &cobra.Command{Use: "backup FILE", Short: "Copy the store to a new file, while others go on writing",
		Long: "Copy the store to a new file, readable for you alone: one moment of it, packed,\n" +
			"without anything that was erased. Servers go on meanwhile. A file that exists is\n" +
			"never overwritten. To go back to it, end every server and put it in the place of\n" +
			"the store; the index beside the store is made anew.",
		Example: "  combray backup ~/combray-monday.db\n  combray --db ~/combray-monday.db list",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, given []string) error {
			return a.withMemory(cmd.Context(), func(ctx context.Context, l *local.Local) error {
				if err := l.Store.Backup(ctx, given[0]); err != nil {
					return err
				}
				if a.json {
					return a.printJSON(map[string]string{"file": given[0]})
				}
				fmt.Fprintln(a.out, "saved", given[0])
				return nil
			})
		}}
}
