package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"combray/internal/clients"
	"combray/internal/local"
	"combray/tools"
)

// setup is one run of the command.
type setup struct {
	*app
	yes, remove, paste bool
	profile            string
}

func (a *app) setupCommand() *cobra.Command {
	s := &setup{app: a}
	c := &cobra.Command{Use: "setup [CLIENT]", Short: "Put Combray into a client's configuration, or take it out",
		Long: "Put Combray into a client's configuration. The difference is shown first, a backup\n" +
			"stays beside the file, and comments, other entries and their order stay as they\n" +
			"are. Without a client it lists them: " + strings.Join(clients.Names(), ", ") + ".",
		Example: "  combray setup\n  combray setup claude-code\n  combray setup cursor --profile everyday --yes\n" +
			"  combray setup zed --remove\n  combray setup vscode --print",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, given []string) error {
			if len(given) == 0 {
				return s.list()
			}
			s.in = interruptible{cmd.Context(), s.in}
			return s.server(given[0])
		}}
	flags := c.PersistentFlags()
	flags.BoolVarP(&s.yes, "yes", "y", false, "do not ask")
	flags.BoolVar(&s.remove, "remove", false, "take out what was put in")
	flags.BoolVar(&s.paste, "print", false, "only print the entry, for pasting")
	c.Flags().StringVar(&s.profile, "profile", "", "which tools the client sees: "+strings.Join(tools.ProfileNames(), ", "))
	c.AddCommand(&cobra.Command{Use: "hook CLIENT", Short: "Let a client ask Combray with every prompt what comes to mind",
		Long: "Let a client run combray hook with every prompt: what a cue brought back reaches the\n" +
			"agent unasked, and mostly nothing does. Clients that can: " + strings.Join(clients.HookNames(), ", ") + ".",
		Args: named(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, given []string) error {
			s.in = interruptible{cmd.Context(), s.in}
			return s.hook(given[0])
		}})
	return c
}

// server puts the server's entry into a client's file.
func (s *setup) server(name string) error {
	client, err := clients.Find(name)
	if err != nil {
		return usage("%v", err)
	}
	entry, err := s.entry()
	if err != nil {
		return err
	}
	if s.paste {
		text, err := client.Snippet(entry)
		if err != nil {
			return err
		}
		return s.print(text, client.Files(places())[0])
	}
	e := edit{client: client.Name, title: client.Title, path: firstThere(client.Files(places())),
		again: "combray setup " + client.Name, after: "Start " + client.Title + " anew, or let it read its servers anew."}
	if s.remove {
		return s.run(e, client.Remove)
	}
	return s.run(e, func(file []byte) ([]byte, error) { return client.Add(file, entry) })
}

// hook puts the hook into a client's file.
func (s *setup) hook(name string) error {
	client, err := clients.Find(name)
	if err != nil {
		return usage("%v", err)
	}
	if !client.HasHook() {
		return usage("%s has no hook that could bring a memory; clients with one are %s", client.Title, strings.Join(clients.HookNames(), ", "))
	}
	h, err := s.hookLine()
	if err != nil {
		return err
	}
	path := client.HookFile(places())
	if s.paste {
		text, err := client.HookSnippet(h)
		if err != nil {
			return err
		}
		return s.print(text, path)
	}
	e := edit{client: client.Name, title: client.Title + "'s hooks", path: path, again: "combray setup hook " + client.Name, after: client.AfterHook()}
	if s.remove {
		return s.run(e, func(file []byte) ([]byte, error) { return client.RemoveHook(file, h) })
	}
	return s.run(e, func(file []byte) ([]byte, error) { return client.AddHook(file, h) })
}

// entry is how clients start this program.
func (s *setup) entry() (clients.Server, error) {
	e := clients.Server{Args: []string{"mcp"}}
	if s.profile != "" {
		if !slices.Contains(tools.ProfileNames(), s.profile) {
			return e, usage("unknown profile %q: use one of %s", s.profile, strings.Join(tools.ProfileNames(), ", "))
		}
		e.Args = append(e.Args, "--profile", s.profile)
	}
	db, err := s.database()
	e.Args = append(e.Args, db...)
	if err != nil {
		return e, err
	}
	e.Command, err = os.Executable()
	return e, err
}

func (s *setup) hookLine() (clients.Hook, error) {
	h := clients.Hook{Args: []string{"hook"}, Windows: runtime.GOOS == "windows"}
	db, err := s.database()
	if err != nil {
		return h, err
	}
	h.Args = append(h.Args, db...)
	h.Command, err = os.Executable()
	return h, err
}

// database is --db as it was given here, as an absolute path: clients start
// their servers in folders of their own.
func (s *setup) database() ([]string, error) {
	path := s.flag.DB
	if path == "" {
		return nil, nil
	}
	if path != local.Memory {
		var err error
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
	}
	return []string{"--db", path}, nil
}

func (s *setup) print(text, path string) error {
	fmt.Fprint(s.out, text)
	fmt.Fprintf(s.err, "This belongs into %s\n", path)
	return nil
}

// edit is a change of one file.
type edit struct {
	client, title string
	path          string
	again         string // the command that does it
	after         string // what its owner has to do then
}

// setupResult is what a program reads of a run.
type setupResult struct {
	Client  string `json:"client"`
	File    string `json:"file"`
	Changed bool   `json:"changed"`
	Removed bool   `json:"removed,omitempty"` // the file is gone: setup had made it
	Backup  string `json:"backup,omitempty"`
	Next    string `json:"next,omitempty"`
}

// run shows a change, asks, and writes it.
func (s *setup) run(e edit, change func([]byte) ([]byte, error)) error {
	file, err := readConfigFile(e.path)
	if err != nil {
		return err
	}
	changed, err := change(file.data)
	if err != nil {
		return &failure{code: exitFailed, err: fmt.Errorf("%s: %w", e.path, err),
			hint: "Nothing was changed. " + e.again + " --print shows the entry for pasting."}
	}
	if bytes.Equal(changed, file.data) {
		return s.unchanged(e)
	}
	result := setupResult{Client: e.client, File: e.path, Changed: true, Next: e.after}
	if result.Removed = s.remove && file.made(changed); result.Removed {
		changed = nil
	}
	s.showDiff(e.path, file.data, changed)
	if err := s.confirm(e); err != nil {
		return err
	}
	if result.Removed {
		err = os.Remove(file.real)
	} else {
		result.Backup, err = file.write(changed, time.Now())
	}
	if err != nil {
		return err
	}
	return s.report(result)
}

func (s *setup) unchanged(e edit) error {
	if s.json {
		return s.printJSON(setupResult{Client: e.client, File: e.path})
	}
	if s.remove {
		fmt.Fprintf(s.out, "Nothing of Combray is in %s (%s).\n", e.title, e.path)
		return nil
	}
	fmt.Fprintf(s.out, "Combray is in %s already (%s).\n", e.title, e.path)
	return nil
}

func (s *setup) report(r setupResult) error {
	if s.json {
		return s.printJSON(r)
	}
	verb := "Wrote"
	if r.Removed {
		verb = "Removed"
	}
	fmt.Fprintf(s.out, "%s %s\n", verb, r.File)
	if r.Backup != "" {
		fmt.Fprintf(s.out, "As it was: %s\n", r.Backup)
	}
	if !s.remove {
		fmt.Fprintln(s.out, r.Next)
	}
	return nil
}

// showDiff prints what would change; on stderr when the result is for a program.
func (s *setup) showDiff(path string, before, after []byte) {
	out := s.out
	if s.json {
		out = s.err
	}
	text := string(diff.Diff(path, before, path+" (new)", after))
	_, text, _ = strings.Cut(text, "\n") // the line that repeats a command nobody ran
	for _, line := range strings.SplitAfter(text, "\n") {
		switch {
		case strings.HasPrefix(line, "+"):
			line = s.styled("\x1b[32m", line)
		case strings.HasPrefix(line, "-"):
			line = s.styled("\x1b[31m", line)
		}
		fmt.Fprint(out, line)
	}
}

// confirm asks on a terminal. Without one it needs --yes.
func (s *setup) confirm(e edit) error {
	if s.yes {
		return nil
	}
	if !s.inTTY {
		again := e.again
		if s.remove {
			again += " --remove"
		}
		return &failure{code: exitUsage, err: errors.New("nothing was written: there is no terminal to ask on"), hint: again + " --yes writes it."}
	}
	fmt.Fprintf(s.err, "Write this to %s? [y/N] ", e.path)
	line, err := bufio.NewReader(s.in).ReadString('\n')
	if answer := strings.ToLower(strings.TrimSpace(line)); err != nil || answer != "y" && answer != "yes" {
		return &failure{code: exitFailed, err: errors.New("nothing was written")}
	}
	return nil
}
