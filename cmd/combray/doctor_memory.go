package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"combray/encoder/bundled"
	"combray/internal/local"
	"combray/internal/memory"
	"combray/internal/models"
)

func checkLibrary(ctx context.Context, d *doctor) []finding {
	if d.model(ctx) == local.ModelNone {
		return ok("not needed: the model is none, words alone are searched")
	}
	path, err := d.modelStore().FindRuntime(ctx)
	if err != nil {
		return bad("combray models download "+models.RuntimeName, "%v", err)
	}
	return ok("%s", path)
}

// checkModels reads every file that is here and compares its hash.
func checkModels(ctx context.Context, d *doctor) []finding {
	list, err := d.modelStore().List(ctx)
	if err != nil {
		return badly(err, "combray models list shows what there is.")
	}
	var out []finding
	whole := 0
	for _, m := range list {
		fetch := "combray models download " + m.Name
		switch m.State {
		case models.Missing:
			if m.Name == nameOf(d.model(ctx)) {
				out = append(out, bad(fetch, "%s is the model that was chosen, and it is not here", m.Name)...)
			}
			continue
		case models.Partial:
			out = append(out, worth(fetch, "%s: %s", m.Name, m.Problem)...)
			continue
		}
		if err := d.modelStore().Verify(ctx, m.Name); err != nil {
			out = append(out, bad(fetch, "%v", err)...)
			continue
		}
		whole++
	}
	return append(out, ok("%s with right hashes", counted(whole, "model or library", "models and libraries"))...)
}

// scratchPatience bounds the trial: loading an encoder takes a second, on a slow
// disk ten.
const scratchPatience = time.Minute

// trial is what is kept in the scratch store and asked for: once in its words,
// once in none of them, which only meaning can answer.
var trial = struct{ kept, other, words, meaning string }{
	kept:    "The spare key hangs behind the blue flowerpot.",
	other:   "The dentist moved the appointment to Thursday afternoon.",
	words:   "spare key flowerpot",
	meaning: "Wo ist der Ersatzschlüssel?",
}

// checkScratch keeps a memory in a store of its own and finds it again, with the
// encoder that the settings name.
func checkScratch(ctx context.Context, d *doctor) []finding {
	ctx, cancel := context.WithTimeout(ctx, scratchPatience)
	defer cancel()
	l, err := local.Open(ctx, local.Config{Path: local.Memory, Model: d.model(ctx), Bundled: bundled.Files(),
		Models: d.modelStore(), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return badly(err, "The folder for temporary files may not be writable: look at TMPDIR.")
	}
	defer l.Close()
	for _, text := range []string{trial.kept, trial.other} {
		if _, err := l.Remember(ctx, memory.RememberInput{Content: text}); err != nil {
			return badly(err, "Please report this.")
		}
	}
	if err := found(ctx, l, trial.words, memory.ModeLexical); err != nil {
		return badly(err, "Please report this.")
	}
	if d.model(ctx) == local.ModelNone {
		return ok("kept and found by words")
	}
	const library = "combray models verify shows what the encoder needs."
	if _, err := l.Backfill(ctx, nil); err != nil {
		return badly(err, library)
	}
	if err := found(ctx, l, trial.meaning, memory.ModeSemantic); err != nil {
		return badly(err, library)
	}
	return ok("kept, and found by words and by meaning")
}

// found asks the scratch store and wants what was kept first.
func found(ctx context.Context, l *local.Local, query string, mode memory.Mode) error {
	got, err := l.Recall(ctx, memory.RecallInput{Query: &query, Mode: mode, Limit: 2})
	if err != nil {
		return err
	}
	if len(got.Memories) == 0 || string(got.Memories[0].Memory.Content) != trial.kept {
		return fmt.Errorf("what was kept in a scratch store was not found by %s search", mode)
	}
	return nil
}
