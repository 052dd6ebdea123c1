package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"combray/encoder/bundled"
	"combray/internal/local"
	"combray/internal/memory"
	"combray/tools"
)

// grade says how much a finding matters.
type grade string

const (
	fine   grade = "fine"
	note   grade = "note"   // worth knowing; nothing is broken
	broken grade = "broken" // something does not work, or others can read what they must not
)

// finding is what a check saw. What is not fine has a remedy.
type finding struct {
	Check  string `json:"check"`
	State  grade  `json:"state"`
	What   string `json:"what"`
	Remedy string `json:"remedy,omitempty"`
}

// check looks at one thing. It changes nothing, but for the note beside a
// library that it was read whole once.
type check struct {
	name string
	look func(context.Context, *doctor) []finding
}

// checks are made in this order: each may rest on what stands before it.
var checks = []check{
	{"settings", checkSettings},
	{"store", checkRights},
	{"schema", checkSchema},
	{"erased", checkErased},
	{"index", checkIndex},
	{"vectors", checkVectors},
	{"clock", checkClock},
	{"disk", checkDisk},
	{"library", checkLibrary},
	{"models", checkModels},
	{"memory", checkScratch},
	{"clients", checkClients},
	{"port", checkPort},
	{"token", checkToken},
}

// doctor is one run of the command.
type doctor struct {
	*app
	settingsErr error

	looked  bool
	opened  *local.Local // nil: no store yet, or openErr
	openErr error
}

func (a *app) doctorCommand() *cobra.Command {
	d := &doctor{app: a}
	return &cobra.Command{Use: "doctor", Short: "Look for what is wrong on this machine; changes nothing",
		Long: "Look for everything that can be wrong on this machine, and say how to put it right:\n" +
			"settings, rights, store, index, vectors, clock, disk, library, models, a memory kept\n" +
			"and found in a scratch store, clients, port, token. It changes nothing. Exit code 0\n" +
			"when nothing is broken, else 1.",
		Args: cobra.NoArgs,
		// Settings that cannot be read are a finding here, not the end.
		PersistentPreRunE: func(*cobra.Command, []string) error {
			if a.set, d.settingsErr = readSettings(a.flag); d.settingsErr != nil {
				env, _ := readEnvironment(os.Getenv)
				a.set = a.flag.or(env).or(defaults())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return d.run(cmd.Context()) }}
}

func (d *doctor) run(ctx context.Context) (err error) {
	defer func() {
		if d.opened != nil {
			err = errors.Join(err, d.opened.Close())
		}
	}()
	all := []finding{}
	count := 0
	for _, c := range checks {
		for _, f := range c.look(ctx, d) {
			f.Check = c.name
			if f.State == broken {
				count++
			}
			all = append(all, f)
			if !d.json {
				d.show(f)
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	if d.json {
		if err := d.printJSON(map[string]any{"findings": all, "broken": count}); err != nil {
			return err
		}
	}
	if count > 0 {
		return &failure{code: exitFailed, err: fmt.Errorf("%s broken", counted(count, "thing is", "things are")), hint: "The remedy stands below each."}
	}
	return nil
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// findingIndent is the column in which a finding is told, behind its state and
// its check.
const findingIndent = 18

func (d *doctor) show(f finding) {
	color := map[grade]string{fine: "\x1b[32m", note: "\x1b[33m", broken: "\x1b[31m"}[f.State]
	fmt.Fprintf(d.out, "%s  %-8s  %s\n", d.styled(color, fmt.Sprintf("%-6s", f.State)), f.Check, d.folded(f.What, findingIndent))
	if f.Remedy != "" {
		fmt.Fprintf(d.out, "%s→ %s\n", strings.Repeat(" ", findingIndent), d.folded(f.Remedy, findingIndent+2))
	}
}

// ok, worth and bad make a single finding.
func ok(format string, args ...any) []finding {
	return []finding{{State: fine, What: fmt.Sprintf(format, args...)}}
}

func worth(remedy, format string, args ...any) []finding {
	return []finding{{State: note, What: fmt.Sprintf(format, args...), Remedy: remedy}}
}

func bad(remedy, format string, args ...any) []finding {
	return []finding{{State: broken, What: fmt.Sprintf(format, args...), Remedy: remedy}}
}

// badly makes a finding of an error, with the remedy that the error names.
func badly(err error, otherwise string) []finding {
	var f *failure
	var m *memory.Error
	switch {
	case errors.As(err, &f) && f.hint != "":
		return bad(f.hint, "%v", err)
	case errors.As(err, &m):
		return bad(m.Hint, "%s", m.Message)
	}
	return bad(otherwise, "%v", err)
}

// store opens the memory for reading, once. Nil without an error: there is none yet.
func (d *doctor) store(ctx context.Context) (*local.Local, error) {
	if d.looked {
		return d.opened, d.openErr
	}
	d.looked = true
	if d.set.DB == local.Memory {
		return nil, nil
	}
	if _, err := os.Stat(d.set.DB); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	d.opened, d.openErr = local.Open(ctx, local.Config{Path: d.set.DB, ReadOnly: true, Model: d.set.Model,
		Bundled: bundled.Files(), Models: d.modelStore(), Logger: slog.New(slog.DiscardHandler)})
	return d.opened, d.openErr
}

// model is the one that answers: as the settings say, else as was chosen for the
// store.
func (d *doctor) model(ctx context.Context) string {
	if d.set.Model != "" {
		return d.set.Model
	}
	if l, err := d.store(ctx); l != nil && err == nil {
		return l.Model()
	}
	return local.ModelBundled
}

func checkSettings(_ context.Context, d *doctor) []finding {
	if d.settingsErr != nil {
		return badly(d.settingsErr, "Correct it, or unset it to use the default.")
	}
	if _, err := tools.New(tools.Config{Profile: d.set.Profile}); err != nil {
		return bad("Correct profile or COMBRAY_PROFILE, or unset it to use core.", "%v", err)
	}
	if _, err := os.Stat(configPath()); err != nil {
		return ok("no %s; defaults and environment are used", configPath())
	}
	return ok("%s is read", configPath())
}
