package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"
)

// TestHelpStaysWithinALine reads the help of every command as it is printed.
func TestHelpStaysWithinALine(t *testing.T) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		var out bytes.Buffer
		if code := run(t.Context(), append(strings.Fields(c.CommandPath())[1:], "--help"), streams{in: strings.NewReader(""), out: &out, err: &out}); code != exitDone {
			t.Errorf("%s --help: exit code %d", c.CommandPath(), code)
		}
		for line := range strings.Lines(out.String()) {
			if uniseg.StringWidth(strings.TrimRight(line, "\n")) > lineWidth {
				t.Errorf("%s: %s", c.CommandPath(), line)
			}
		}
		for _, below := range c.Commands() {
			walk(below)
		}
	}
	walk((&app{}).root())
}

func TestSentencesAreFolded(t *testing.T) {
	const path = "/a/path/that/is/longer/than/a/line"
	tests := []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, nil},
		{"one two three", 13, []string{"one two three"}},
		{"one two three", 12, []string{"one two", "three"}},
		{"see " + path + " there", 12, []string{"see", path, "there"}},
		{"記憶 記憶", 8, []string{"記憶", "記憶"}},
	}
	for _, test := range tests {
		if got := fold(test.text, test.width); !slices.Equal(got, test.want) {
			t.Errorf("%q in %d: %q", test.text, test.width, got)
		}
	}
}

// TestFindingsStayWithinALineOnATerminal holds that a pipe gets one line each.
func TestFindingsStayWithinALineOnATerminal(t *testing.T) {
	f := finding{Check: "library", State: broken, What: strings.Repeat("a cut off file ", 10), Remedy: "combray models download onnxruntime"}
	for terminal, most := range map[bool]int{true: lineWidth, false: 200} {
		var out bytes.Buffer
		d := &doctor{app: &app{streams: streams{out: &out, outTTY: terminal}}}
		d.show(f)
		plain := strings.NewReplacer("\x1b[31m", "", "\x1b[0m", "").Replace(out.String())
		lines := strings.Split(strings.TrimSuffix(plain, "\n"), "\n")
		if longest := slices.MaxFunc(lines, func(a, b string) int { return len(a) - len(b) }); uniseg.StringWidth(longest) > most || (len(lines) == 2) == terminal {
			t.Errorf("terminal %t: %s", terminal, plain)
		}
	}
}

// TestWrongCallsNameTheirHelp holds that the next step of a command that was
// called wrongly is its own help.
func TestWrongCallsNameTheirHelp(t *testing.T) {
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"nonsense"}, "combray help shows the commands."},
		{[]string{"show"}, "combray show --help shows how it is called."},
		{[]string{"models", "remove"}, "combray models remove --help shows how it is called."},
		{[]string{"list", "--limit", "many"}, "a whole number is wanted, such as 10"},
		{[]string{"sense", "--lat", "north"}, "a number is wanted, such as 48.8566"},
		{[]string{"remember", "x", "--lat", "NaN", "--lon", "1"}, "a number is wanted, such as 48.8566"},
		{[]string{"sense", "--accuracy", "+Inf"}, "a number is wanted, such as 48.8566"},
		{[]string{"why", "x", "--biometric", "hrv=nan"}, "write key=value, such as heart_rate=88"},
	}
	for _, test := range tests {
		var errors bytes.Buffer
		code := run(t.Context(), append([]string{"--db", ":memory:"}, test.args...), streams{in: strings.NewReader(""), out: &errors, err: &errors})
		if code != exitUsage || !strings.Contains(errors.String(), test.want) {
			t.Errorf("%v: exit code %d, %s", test.args, code, errors.String())
		}
	}
}
