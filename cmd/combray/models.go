package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"combray/internal/local"
	"combray/internal/models"
)

func (a *app) modelsCommand() *cobra.Command {
	c := &cobra.Command{Use: "models", Short: "Encoders and runtime library: list, download, use, verify",
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
		a.modelsUseCommand(),
		a.modelsPruneCommand(),
		a.modelsVerifyCommand(),
		&cobra.Command{Use: "remove NAME", Short: "Delete a model's files", Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, given []string) error {
				return a.removeModel(cmd.Context(), given[0])
			}},
	)
	for _, sub := range c.Commands() {
		sub.Args = named(sub.Args)
	}
	return c
}

// modelWidth is how many columns the other four of the list leave for the words.
const modelWidth = 18

func (a *app) listModels(ctx context.Context) error {
	list, err := a.modelStore().List(ctx)
	if err != nil {
		return err
	}
	now, next, err := local.InUse(ctx, a.set.DB)
	if err != nil { // a store that cannot be read says so where it is needed
		a.logger().Info("the store does not say which model answers", "err", err)
	}
	if a.json {
		return a.printJSON(listed(list, now, next))
	}
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "NAME\tSTATE\tSIZE\tLICENCE\tWHAT")
	for _, m := range list {
		title := m.Title
		if m.Experimental {
			title += " (experimental)"
		}
		what := append(fold(title, modelWidth), fold(m.Problem, modelWidth)...)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.Name, m.State, humanize.IBytes(uint64(m.Bytes)), m.Licence, what[0])
		for _, more := range what[1:] {
			fmt.Fprintf(w, "\t\t\t\t%s\n", more)
		}
	}
	if err := w.Flush(); err != nil || now == "" {
		return err
	}
	fmt.Fprintf(a.out, "\n%s answers in %s", now, a.set.DB)
	if next != now {
		fmt.Fprintf(a.out, " until the vectors of %s are complete", next)
	}
	fmt.Fprintln(a.out, ".")
	return nil
}

// listedModel is a line of models list for programs.
type listedModel struct {
	Name         string `json:"name"`
	Title        string `json:"title"`
	Kind         string `json:"kind"`
	Licence      string `json:"licence"`
	Origin       string `json:"origin"`
	Note         string `json:"note"`
	State        string `json:"state"`
	Bytes        int64  `json:"bytes"`
	Present      int64  `json:"present_bytes"`
	Experimental bool   `json:"experimental"` // nobody has run Combray with its real weights yet
	Problem      string `json:"problem"`
	Path         string `json:"path"`
	Answers      bool   `json:"answers"` // in the store
	Chosen       bool   `json:"chosen"`  // to answer there
}

func listed(list []models.Status, now, next string) []listedModel {
	out := make([]listedModel, len(list))
	for i, m := range list {
		out[i] = listedModel{m.Name, m.Title, m.Kind, m.Licence, m.Origin, m.Note, string(m.State), m.Bytes, m.Present, m.Experimental, m.Problem, m.Path,
			m.Name == nameOf(now), m.Name == nameOf(next)}
	}
	return out
}

// nameOf is a model's name in the catalogue, without the length its vectors are cut to.
func nameOf(called string) string {
	name, _, _ := strings.Cut(called, "@")
	return name
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

// removeModel deletes a model's files, but not those of one that answers in the store:
// words alone would be left.
func (a *app) removeModel(ctx context.Context, name string) error {
	if now, next, err := local.InUse(ctx, a.set.DB); err == nil && name != local.ModelBundled && (name == nameOf(now) || name == nameOf(next)) {
		return &failure{code: exitFailed, err: fmt.Errorf("%s answers, or is to answer, in %s", name, a.set.DB), hint: "Choose another one first: combray models use bundled."}
	}
	if err := a.modelStore().Remove(name); err != nil {
		return err
	}
	fmt.Fprintln(a.out, "removed", name)
	return nil
}
