package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"combray/internal/models"
)

func (a *app) modelsCommand() *cobra.Command {
	c := &cobra.Command{Use: "models", Short: "Encoders and runtime library: list, download, verify, remove",
		Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return a.listModels(cmd.Context()) }}
	var from string
	download := &cobra.Command{Use: "download NAME", Short: "Fetch a model or onnxruntime; nothing else uses the network",
		Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, given []string) error {
			return a.downloadModel(cmd.Context(), given[0], from)
		}}
	download.Flags().StringVar(&from, "from", "", "take the files from this folder instead of the network")
	c.AddCommand(
		&cobra.Command{Use: "list", Short: "What there is and what is here", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return a.listModels(cmd.Context()) }},
		download,
		&cobra.Command{Use: "verify [NAME]", Short: "Read every file and compare its hash", Args: cobra.MaximumNArgs(1),
			RunE: func(cmd *cobra.Command, given []string) error { return a.verifyModels(cmd.Context(), given) }},
		&cobra.Command{Use: "remove NAME", Short: "Delete a model's files", Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, given []string) error {
				if err := a.modelStore().Remove(given[0]); err != nil {
					return err
				}
				fmt.Fprintln(a.out, "removed", given[0])
				return nil
			}},
	)
	for _, sub := range c.Commands() {
		sub.Args = named(sub.Args)
	}
	return c
}

// modelWidth is how many columns the other four of the list leave for the words.
const modelWidth = 25

func (a *app) listModels(ctx context.Context) error {
	list, err := a.modelStore().List(ctx)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(list)
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tSTATE\tSIZE\tLICENCE\tWHAT")
	for _, m := range list {
		what := append(fold(m.Title, modelWidth), fold(m.Problem, modelWidth)...)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.Name, m.State, humanize.IBytes(uint64(m.Bytes)), m.Licence, what[0])
		for _, more := range what[1:] {
			fmt.Fprintf(w, "\t\t\t\t%s\n", more)
		}
	}
	return w.Flush()
}

func (a *app) downloadModel(ctx context.Context, name, from string) error {
	status, err := a.modelStore().Status(ctx, name)
	if err != nil {
		return usage("%v", err)
	}
	if status.State == models.Installed || status.State == models.Bundled {
		fmt.Fprintf(a.err, "%s is here already.\n", name)
		return nil
	}
	bar := a.progress("")
	defer bar.close()
	err = a.modelStore().Download(ctx, name, models.Options{From: from, Progress: func(p models.Progress) {
		bar.bytes(p.File, p.Done, p.Total)
	}})
	if err != nil {
		return err
	}
	bar.close()
	fmt.Fprintf(a.err, "%s is installed.\n", name)
	return nil
}

func (a *app) verifyModels(ctx context.Context, names []string) error {
	store := a.modelStore()
	if len(names) == 0 {
		list, err := store.List(ctx)
		if err != nil {
			return err
		}
		for _, m := range list {
			if m.State != models.Missing {
				names = append(names, m.Name)
			}
		}
	}
	var failed error
	for _, name := range names {
		if err := store.Verify(ctx, name); err != nil {
			fmt.Fprintf(a.out, "%s: %v\n", name, err)
			failed = fmt.Errorf("a file is not what it should be; combray models download %s fetches it anew", name)
			continue
		}
		fmt.Fprintf(a.out, "%s: every file is right\n", name)
	}
	return failed
}
