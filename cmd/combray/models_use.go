package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"github.com/dustin/go-humanize"
	"github.com/spf13/cobra"

	"combray/encoder"
	"combray/internal/local"
	"combray/internal/models"
)

func (a *app) modelsUseCommand() *cobra.Command {
	return &cobra.Command{Use: "use NAME", Short: "Choose the encoder of the store", Args: cobra.ExactArgs(1),
		Long: "Choose the encoder of the store: a name of combray models list, bundled, or none for\n" +
			"words alone. NAME@256 cuts the vectors to 256 values where the model allows it. The choice is kept in the store and reaches every process that uses it,\n" +
			"unless --model, COMBRAY_MODEL or model in config.toml names another.\n\n" +
			"Every memory needs a vector of the new encoder. A running server makes them behind;\n" +
			"without one this command does, and can be stopped and run again. Until they are\n" +
			"complete the old vectors answer; then the new ones do, at once. The old ones are\n" +
			"kept, so that the way back is short; combray models prune deletes them.",
		RunE: func(cmd *cobra.Command, given []string) error { return a.useModel(cmd.Context(), given[0]) }}
}

// usedModel is the answer of models use.
type usedModel struct {
	Model     string `json:"model"`
	Answers   bool   `json:"answers"`             // false: its vectors are being made by another process
	Overruled string `json:"overruled,omitempty"` // what names another model here, and wins
}

func (a *app) useModel(ctx context.Context, name string) error {
	c, err := a.config()
	if err != nil {
		return err
	}
	if err := a.mayUse(ctx, name); err != nil {
		return err
	}
	if err := local.Choose(ctx, c, name); err != nil {
		return explained(err)
	}
	out := usedModel{Model: name, Overruled: a.modelSetBy()}
	if !local.Served(c.Path) {
		if out.Answers, err = a.changeModel(ctx, c, name); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(out)
	}
	switch {
	case out.Answers:
		fmt.Fprintf(a.out, "%s answers.\n", name)
	default:
		fmt.Fprintf(a.out, "%s is chosen. A running process makes its vectors; until they are complete the\nmodel before answers. combray stats shows how far it is.\n", name)
	}
	if out.Overruled != "" {
		fmt.Fprintf(a.err, "combray: %s names %s, which wins here over the choice; unset it to follow the store.\n", out.Overruled, a.set.Model)
	}
	return nil
}

// mayUse refuses what is no encoder of texts or not here, with the next step.
func (a *app) mayUse(ctx context.Context, name string) error {
	if name == local.ModelNone || name == local.ModelBundled {
		return nil
	}
	name, dims, err := encoder.SplitName(name)
	if err != nil {
		return usage("%v", err)
	}
	m, err := a.modelStore().Model(name)
	if err != nil {
		return usage("%v; none stands for words alone", err)
	}
	if err := m.CheckDims(dims); err != nil {
		return usage("%v", err)
	}
	if m.Kind != models.KindText {
		return usage("%s is an encoder of %ss, not of texts; combray models list shows which are", name, m.Kind)
	}
	status, err := a.modelStore().Status(ctx, name)
	if err != nil {
		return err
	}
	fetch := "Run combray models download " + name + "."
	switch status.State {
	case models.Missing:
		return &failure{code: exitFailed, err: fmt.Errorf("%s is not installed", name), hint: fetch}
	case models.Partial:
		return &failure{code: exitFailed, err: fmt.Errorf("%s is not complete: %s", name, status.Problem), hint: fetch}
	case models.Damaged:
		return &failure{code: exitFailed, err: fmt.Errorf("%s is damaged: %s", name, status.Problem), hint: fetch}
	}
	return nil
}

// modelSetBy names what sets the model for this process; "" when nothing does.
func (a *app) modelSetBy() string {
	switch {
	case a.flag.Model != "":
		return "--model"
	case os.Getenv("COMBRAY_MODEL") != "":
		return "COMBRAY_MODEL"
	case a.set.Model != "":
		return configPath()
	}
	return ""
}

// changeModel makes the vectors here, with a bar, unless another process is at it.
func (a *app) changeModel(ctx context.Context, c local.Config, name string) (answers bool, err error) {
	bar := a.progress("")
	defer bar.close()
	err = local.Change(ctx, c, name, func(p local.ChangeProgress) { bar.count(changeTitle(p), p.Done, p.Total) })
	bar.close()
	switch {
	case errors.Is(err, local.ErrChangedElsewhere):
		return false, nil
	case err != nil:
		return false, stoppedChange(name, err, ctx.Err() != nil)
	}
	return true, nil
}

// stoppedChange tells what is left of a change that did not end: each batch of
// vectors is kept, although the one that failed was not.
func stoppedChange(name string, err error, interrupted bool) *failure {
	onwards := "combray models use " + name + " goes on from there, and so does the next server."
	if interrupted {
		return &failure{code: exitFailed, err: errors.New("stopped; what was made is kept, and the model before answers"), hint: onwards}
	}
	return &failure{code: exitFailed, err: fmt.Errorf("stopped, and what was made before is kept: %w", err),
		hint: "The model before answers. When the cause is gone, " + onwards}
}

func changeTitle(p local.ChangeProgress) string {
	if p.Cues {
		return "vectors for cues"
	}
	return "vectors of " + p.Model
}

// tellOfChange gives what says on stderr how far a change of the encoder is: when it
// begins, at each tenth, and at the end.
func (a *app) tellOfChange() func(local.ChangeProgress) {
	var mu sync.Mutex
	var told local.ChangeProgress
	tenth := -1
	return func(p local.ChangeProgress) {
		mu.Lock()
		defer mu.Unlock()
		if p.Answers {
			told, tenth = p, -1
			fmt.Fprintf(a.err, "combray: %s answers now\n", p.Model)
			return
		}
		now := 10
		if p.Total > 0 {
			now = p.Done * 10 / p.Total
		}
		if p.Model == told.Model && p.Cues == told.Cues && now == tenth {
			return
		}
		told, tenth = p, now
		fmt.Fprintf(a.err, "combray: changing the encoder: %s, %s of %s memories\n", changeTitle(p), humanize.Comma(int64(p.Done)), humanize.Comma(int64(p.Total)))
	}
}

func (a *app) modelsPruneCommand() *cobra.Command {
	return &cobra.Command{Use: "prune", Short: "Delete the vectors of encoders that no longer answer", Args: cobra.NoArgs,
		Long: "Delete the vectors of encoders that neither answer nor are to answer. They are made\n" +
			"anew when such an encoder is chosen again. The room is used again by the store; its\n" +
			"file gets no smaller.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.withMemory(cmd.Context(), a.pruneModels)
		}}
}

// prunedModel is one line of the answer of models prune.
type prunedModel struct {
	Identity string `json:"identity"`
	Memories int    `json:"memories"`
	Bytes    int64  `json:"bytes"`
}

func (a *app) pruneModels(ctx context.Context, l *local.Local) error {
	gone, err := l.Prune(ctx, func(k local.Kept) { fmt.Fprintf(a.err, "combray: deleting the vectors of %s\n", k.Identity) })
	if err != nil && len(gone) == 0 {
		return err
	}
	if err != nil {
		err = fmt.Errorf("these vectors are gone, but not all that should be: %w", err)
	}
	out := []prunedModel{}
	for _, k := range gone {
		out = append(out, prunedModel{k.Identity, k.Memories, k.Bytes})
	}
	if a.json {
		return errors.Join(a.printJSON(map[string]any{"pruned": out}), err)
	}
	if len(out) == 0 {
		fmt.Fprintln(a.out, "Every vector belongs to an encoder that answers or is to answer.")
	}
	for _, p := range out {
		fmt.Fprintf(a.out, "%s: vectors of %s, %s\n", p.Identity, counted(p.Memories, "memory", "memories"), humanize.IBytes(uint64(p.Bytes)))
	}
	return err
}
