package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"text/tabwriter"

	"github.com/adrg/xdg"

	"combray/internal/clients"
)

// places are the folders of this machine and user.
func places() clients.Places {
	return clients.Places{OS: runtime.GOOS, Home: xdg.Home, Config: os.Getenv("XDG_CONFIG_HOME"), AppData: os.Getenv("APPDATA"),
		ClaudeConfig: os.Getenv("CLAUDE_CONFIG_DIR"), CodexHome: os.Getenv("CODEX_HOME"), CopilotHome: os.Getenv("COPILOT_HOME")}
}

// firstThere is the first path at which something is, else the first.
func firstThere(paths []string) string {
	for _, p := range paths {
		if _, err := os.Lstat(p); err == nil {
			return p
		}
	}
	return paths[0]
}

// clientState says how a client stands to this program.
type clientState string

const (
	clientReady   clientState = "configured"    // it starts this program
	clientOther   clientState = "other program" // it starts a Combray that is not this file
	clientStale   clientState = "stale"         // what it starts is not there
	clientBroken  clientState = "unreadable"    // its file cannot be read
	clientFound   clientState = "found"         // installed, without Combray
	clientMissing clientState = "not found"
)

// clientStatus is one line of the list.
type clientStatus struct {
	Name    string      `json:"client"`
	Title   string      `json:"title"`
	State   clientState `json:"state"`
	File    string      `json:"file"`
	Command string      `json:"command,omitempty"` // what it starts
	Hook    string      `json:"hook,omitempty"`    // the command it runs with each prompt
	Problem string      `json:"problem,omitempty"`
}

// clientStatuses looks at every client of this machine. It reads only.
func clientStatuses() []clientStatus {
	var out []clientStatus
	for _, c := range clients.All() {
		out = append(out, statusOf(c, places()))
	}
	return out
}

func statusOf(c clients.Client, p clients.Places) clientStatus {
	s := clientStatus{Name: c.Name, Title: c.Title, State: clientMissing, File: firstThere(c.Files(p))}
	for _, trace := range c.Traces(p) {
		if _, err := os.Stat(trace); err == nil {
			s.State = clientFound
		}
	}
	file, err := readConfigFile(s.File)
	var entry clients.Server
	var present bool
	if err == nil {
		entry, present, err = c.Entry(file.data)
	}
	if err != nil {
		s.State, s.Problem = clientBroken, err.Error()
		return s
	}
	if present {
		s.Command = entry.Command
		s.State = stateOfCommand(entry.Command)
	}
	if c.HasHook() {
		s.Hook, s.Problem = hookOf(c, p)
	}
	return s
}

// hookOf is the command that a client runs with each prompt, or what is wrong
// with the file that names it.
func hookOf(c clients.Client, p clients.Places) (line, problem string) {
	file, err := readConfigFile(c.HookFile(p))
	if err == nil {
		line, err = c.HookLine(file.data, clients.Hook{})
	}
	if err != nil {
		return "", c.HookFile(p) + ": " + err.Error()
	}
	return line, ""
}

// stateOfCommand says what a client's command leads to.
func stateOfCommand(command string) clientState {
	found, err := exec.LookPath(command)
	if err != nil {
		return clientStale
	}
	own, err := os.Executable()
	if err != nil {
		return clientOther
	}
	theirs, err1 := os.Stat(found)
	ours, err2 := os.Stat(own)
	if err1 == nil && err2 == nil && os.SameFile(theirs, ours) {
		return clientReady
	}
	return clientOther
}

// problemIndent is about the column in which a client's file stands in the list.
const problemIndent = 37

// fromHome shortens a path of the user's own folder for people.
func fromHome(path string) string {
	if rest, ok := strings.CutPrefix(path, xdg.Home+string(filepath.Separator)); ok && xdg.Home != "" {
		return filepath.Join("~", rest)
	}
	return path
}

func (s *setup) list() error {
	all := clientStatuses()
	if s.json {
		return s.printJSON(all)
	}
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "CLIENT\tSTATE\tHOOK\tFILE")
	for _, c := range all {
		hook := "-"
		if c.Hook != "" {
			hook = "yes"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", c.Name, c.State, hook, fromHome(c.File))
		if c.Problem != "" {
			for _, line := range fold(c.Problem, lineWidth-problemIndent) {
				fmt.Fprintf(w, "\t\t\t%s\n", line)
			}
		}
		if c.State == clientOther || c.State == clientStale {
			fmt.Fprintf(w, "\t\t\tit starts %s\n", c.Command)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(s.err, "combray setup CLIENT adds it.\ncombray setup hook CLIENT lets memories come back unasked.")
	return nil
}
