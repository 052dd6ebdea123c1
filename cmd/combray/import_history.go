package main

import (
	"context"
	"fmt"
	"strings"

	"combray/internal/local"
	"combray/internal/memory"
	"combray/internal/predecessor"
)

// historySystem is the word that, before a file, asks for an import of that
// system's database.
const historySystem = "memory-as-history"

// asksForHistory says whether the arguments of import name a database of
// memory-as-history and not notes.
func asksForHistory(paths []string) bool { return len(paths) > 1 && paths[0] == historySystem }

// importHistory reads the file whole before the store is opened, so that a file
// that is refused begins no store.
func (a *app) importHistory(ctx context.Context, paths []string, words bool) error {
	if len(paths) != 2 {
		return usage("import %s takes one file, not %d", historySystem, len(paths)-1)
	}
	bar := a.progress("")
	defer bar.close()
	kept, err := predecessor.File{Path: paths[1], Progress: func(read, rows int) { bar.count("reading", read, rows) }}.Read(ctx)
	if err != nil {
		return explained(err)
	}
	return a.withMemory(ctx, func(ctx context.Context, l *local.Local) error {
		i := &adopting{importing: importing{app: a, local: l, words: words}}
		adopted, err := l.Adopt(memory.WithActor(ctx, importer()), kept, func(written int) { bar.count("importing", written, kept.Rows()) })
		if err != nil {
			return err
		}
		bar.close()
		i.take(adopted)
		if err := i.embed(ctx); err != nil {
			return err
		}
		return i.report()
	})
}

func importer() memory.Actor {
	return memory.Actor{Client: "combray", Version: versionString(), Door: memory.DoorImport}
}

// adopting is one run of the command on a database.
type adopting struct {
	importing
	rows    []adoptedRows
	total   adoptedRows
	notices []adoptedNotice
}

type adoptedRows struct {
	Kind    string `json:"kind"`
	Added   int    `json:"added"`
	Present int    `json:"present"`
	LeftOut int    `json:"left_out"`
}

type adoptedNotice struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
	What string `json:"what"`
}

func (i *adopting) take(adopted memory.Adopted) {
	for _, c := range adopted.Counts {
		i.rows = append(i.rows, adoptedRows{string(c.Kind), c.Added, c.Present, c.LeftOut})
		i.total.Added, i.total.Present = i.total.Added+c.Added, i.total.Present+c.Present
		if c.Kind == memory.KindMemory {
			i.Added = c.Added // what embed shows its progress by
		}
	}
	i.notices = []adoptedNotice{}
	for _, n := range adopted.Notices {
		i.notices = append(i.notices, adoptedNotice{string(n.Kind), string(n.ID), n.What})
	}
}

// report says what happened. A notice is no failure: the row came in as well as
// it could, or had no place.
func (i *adopting) report() error {
	if i.app.json {
		return i.app.printJSON(map[string]any{"added": i.total.Added, "present": i.total.Present, "embedded": i.Embedded, "rows": i.rows, "notices": i.notices})
	}
	for _, r := range i.rows {
		if r.Added+r.Present+r.LeftOut == 0 {
			continue
		}
		fmt.Fprintf(i.app.out, "%-15s %7d added, %d already there", strings.ReplaceAll(r.Kind, "_", " "), r.Added, r.Present)
		if r.LeftOut > 0 {
			fmt.Fprintf(i.app.out, ", %d left out", r.LeftOut)
		}
		fmt.Fprintln(i.app.out)
	}
	fmt.Fprintf(i.app.out, "%d rows added, %d already there, %d embedded\n", i.total.Added, i.total.Present, i.Embedded)
	for _, n := range i.notices {
		fmt.Fprintf(i.app.err, "combray: %s %s: %s\n", n.Kind, n.ID, n.What)
	}
	return nil
}
