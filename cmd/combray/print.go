package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/rivo/uniseg"
)

func (a *app) printJSON(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	if a.outTTY {
		e.SetIndent("", "  ")
	}
	return e.Encode(v)
}

func (a *app) faint(s string) string { return a.styled("\x1b[2m", s) }

func (a *app) styled(code, s string) string {
	if !a.outTTY {
		return s
	}
	return code + s + "\x1b[0m"
}

// lineWidth is how many columns people are shown on a line; a path or a word
// that is longer stays whole (TestHelpStaysWithinALine, TestSentencesAreFolded).
const lineWidth = 80

// textWidth is how many columns of a memory's text stand on a line, behind two blanks.
const textWidth = lineWidth - 2

// textLines is how many lines of a memory's text a list shows.
const textLines = 3

// printMemory prints a line about a memory and the beginning of its text.
func (a *app) printMemory(mark string, m shownMemory) {
	head := []string{m.ID}
	if m.Score != nil {
		head = append(head, fmt.Sprintf("%3.0f %%", *m.Score*100))
	}
	if mark != "" {
		head = append(head, mark)
	}
	if m.EventAt != nil {
		head = append(head, shortDate(*m.EventAt))
	}
	if m.Source != nil && *m.Source != "" {
		head = append(head, oneLine(*m.Source))
	}
	if len(m.Tags) > 0 {
		head = append(head, oneLine("#"+strings.Join(m.Tags, " #")))
	}
	if m.SecuritySensitive {
		head = append(head, "sensitive")
	}
	if m.ForgottenAt != nil {
		head = append(head, "forgotten")
	}
	fmt.Fprintln(a.out, a.faint(strings.Join(head, "  ")))
	for _, line := range wrap(m.Content, textWidth, textLines) {
		fmt.Fprintln(a.out, "  "+line)
	}
}

func shortDate(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return t.Local().Format("2006-01-02")
}

// fold breaks a sentence at blanks into lines of at most width columns. A word
// is never broken, so that paths and commands can be copied.
func fold(sentence string, width int) []string {
	var lines []string
	for _, word := range strings.Fields(sentence) {
		last := len(lines) - 1
		if last >= 0 && uniseg.StringWidth(lines[last])+1+uniseg.StringWidth(word) <= width {
			lines[last] += " " + word
			continue
		}
		lines = append(lines, word)
	}
	return lines
}

// folded is a sentence that begins in column indent and goes on there.
func folded(sentence string, indent int) string {
	return strings.Join(fold(sentence, lineWidth-indent), "\n"+strings.Repeat(" ", indent))
}

// folded is a sentence that begins in column indent and, on a terminal, goes on
// there; for a pipe it stays one line, so that it can be searched.
func (a *app) folded(sentence string, indent int) string {
	if !a.outTTY {
		return oneLine(sentence)
	}
	return folded(sentence, indent)
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// wrap cuts text into at most most lines of at most width columns, at spaces
// where there are any, by what a terminal shows of each script.
func wrap(text string, width, most int) []string {
	var lines []string
	rest, state := oneLine(text), -1
	for rest != "" && len(lines) < most {
		var line strings.Builder
		columns, space := 0, -1
		at := rest
		for at != "" {
			cluster, after, boundaries, next := uniseg.StepString(at, state)
			w := boundaries >> uniseg.ShiftWidth
			if columns+w > width {
				break
			}
			if cluster == " " {
				space = line.Len()
			}
			line.WriteString(cluster)
			columns, at, state = columns+w, after, next
		}
		if at != "" && space > 0 {
			lines = append(lines, line.String()[:space])
			rest = rest[space+1:]
		} else {
			lines = append(lines, line.String())
			rest = at
		}
		state = -1
	}
	if rest != "" && len(lines) > 0 {
		lines[len(lines)-1] += " …"
	}
	return lines
}
