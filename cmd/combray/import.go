package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"runtime/debug"

	"github.com/spf13/cobra"

	"combray/internal/local"
	"combray/internal/memory"
	"combray/internal/notes"
	"combray/tools"
)

// heapGrowth keeps the heap of a command that stores many memories near what it uses.
// A server leaves Go's 100: with 40 it collected six times as often, which cost a
// fifth of the time of a recall by words and saved three to seven megabytes.
const heapGrowth = 40

func (a *app) importCommand() *cobra.Command {
	var words bool
	c := &cobra.Command{Use: "import PATH… | import memory-as-history FILE | import madeleine FILE", DisableFlagsInUseLine: true, Short: "Store notes, JSON Lines, or another memory's database",
		Long: "Store Markdown and text files, folders of them, and JSON Lines with the fields of\n" +
			"remember. A Markdown file gives a memory a section; its front matter or a day in its\n" +
			"name says when it happened. A second import of the same notes adds nothing.\n\n" +
			"After the word memory-as-history, take over that system's database: every row with\n" +
			"its id, times and audit log. After the word madeleine, store what that system's\n" +
			"remember and recall answered, as JSON Lines, each memory once. Files are only read.",
		Example: "  combray import ~/notes\n  combray import chat.jsonl\n  combray import memory-as-history ~/.memory-as-history/memory.db\n  combray import madeleine answers.jsonl",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, paths []string) error {
			a.begins = true
			debug.SetGCPercent(heapGrowth)
			if asksForHistory(paths) {
				return a.importHistory(cmd.Context(), paths, words)
			}
			if asksForMadeleine(paths) && len(paths) != 2 {
				return usage("import %s takes one file, not %d", madeleineSystem, len(paths)-1)
			}
			return a.withMemory(cmd.Context(), func(ctx context.Context, l *local.Local) error {
				return (&importing{app: a, local: l, words: words}).run(memory.WithActor(ctx, importer()), paths)
			})
		}}
	c.Flags().BoolVar(&words, "words-only", false, "leave the vectors to the next server")
	return c
}

// importing is one run of the command.
type importing struct {
	app   *app
	local *local.Local
	words bool

	batch    []memory.RememberInput
	from     []notes.Note
	Added    int `json:"added"`
	Repeated int `json:"repeated"`
	Refused  int `json:"refused"`
	Embedded int `json:"embedded"`
}

func (i *importing) run(ctx context.Context, paths []string) error {
	if err := i.gather(ctx, paths); err != nil {
		return err
	}
	if err := i.embed(ctx); err != nil {
		return err
	}
	return i.report()
}

// madeleineSystem is the word that, before a file, asks for an import of that
// system's answers.
const madeleineSystem = "madeleine"

func asksForMadeleine(paths []string) bool { return len(paths) > 1 && paths[0] == madeleineSystem }

// gather reads notes and stores them, batch by batch.
func (i *importing) gather(ctx context.Context, paths []string) error {
	reader := notes.Reader{Unused: func(p *notes.Problem) { fmt.Fprintln(i.app.err, "combray:", p) }, Decode: func(raw json.RawMessage) (memory.RememberInput, error) {
		in, warnings, err := tools.RememberInput(raw)
		for _, w := range warnings {
			fmt.Fprintln(i.app.err, "combray:", w)
		}
		return in, err
	}}
	bar := i.app.progress("")
	defer bar.close()
	for note, problem := range notesIn(ctx, reader, paths, bar) {
		if problem != nil {
			i.refuse(problem)
			continue
		}
		i.batch, i.from = append(i.batch, note.Input), append(i.from, note)
		if len(i.batch) == memory.MaxBatch {
			if err := i.store(ctx); err != nil {
				return err
			}
		}
	}
	return errors.Join(ctx.Err(), i.store(ctx))
}

// notesIn gives the notes of the arguments of import.
func notesIn(ctx context.Context, r notes.Reader, paths []string, bar *progress) iter.Seq2[notes.Note, *notes.Problem] {
	if asksForMadeleine(paths) {
		return r.Madeleine(ctx, paths[1])
	}
	read, total := int64(0), r.Bytes(paths)
	return r.Read(ctx, paths, func(bytes int64) { read += bytes; bar.bytes("importing", read, total) })
}

func (i *importing) refuse(p *notes.Problem) {
	i.Refused++
	fmt.Fprintln(i.app.err, "combray:", p)
}

// store writes what was gathered.
func (i *importing) store(ctx context.Context) error {
	if len(i.batch) == 0 {
		return nil
	}
	stored, refused, err := i.local.Import(ctx, i.batch)
	if err != nil {
		return err
	}
	for _, r := range refused {
		i.refuse(&notes.Problem{File: i.from[r.Index].File, Line: i.from[r.Index].Line, Err: r.Err})
	}
	for _, s := range stored {
		switch {
		case s.Repeated:
			i.Repeated++
		case s.Memory.Number != 0:
			i.Added++
		}
	}
	i.batch, i.from = i.batch[:0], i.from[:0]
	return nil
}

// embed makes the vectors of what was added, and settles the files.
func (i *importing) embed(ctx context.Context) error {
	if !i.words && i.local.Model() != local.ModelNone {
		bar := i.app.progress("")
		defer bar.close()
		made, err := i.local.Backfill(ctx, func(made int) { bar.count("embedding", made, max(i.Added, made)) })
		i.Embedded = made
		if ctx.Err() != nil {
			return fmt.Errorf("stopped: %d memories were added and are stored; vectors that are missing will be made by the next server or import", i.Added)
		}
		if err != nil {
			fmt.Fprintf(i.app.err, "combray: stored, findable by words only: %v\n", err)
		}
	}
	return i.local.Settle(ctx)
}

// report says what happened. Something refused is a failure, so that a script
// notices.
func (i *importing) report() error {
	if i.app.json {
		if err := i.app.printJSON(i); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(i.app.out, "%d added, %d already there, %d refused, %d embedded\n", i.Added, i.Repeated, i.Refused, i.Embedded)
	}
	if i.Refused > 0 {
		return &failure{code: exitFailed, err: fmt.Errorf("%d files or lines were not read; they are named above", i.Refused),
			hint: "Correct them and import again: what is already there stays as it is."}
	}
	return nil
}
