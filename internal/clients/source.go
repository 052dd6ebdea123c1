package clients

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// byteOrderMark stands before the text in files of some Windows editors.
const byteOrderMark = "\ufeff"

// source is a file's text without its byte order mark, with how its lines end.
type source struct {
	mark    string // byteOrderMark or ""
	text    string
	newline string // "\n" or "\r\n"
}

func newSource(file []byte) source {
	s := source{text: string(file), newline: "\n"}
	if rest, marked := strings.CutPrefix(s.text, byteOrderMark); marked {
		s.mark, s.text = byteOrderMark, rest
	}
	if i := strings.IndexByte(s.text, '\n'); i > 0 && s.text[i-1] == '\r' {
		s.newline = "\r\n"
	}
	return s
}

// bytes gives a new text with the mark of the old.
func (s source) bytes(text string) []byte { return []byte(s.mark + text) }

// with is the source with another text.
func (s source) with(text string) source {
	s.text = text
	return s
}

// blank says that there is nothing in the file.
func (s source) blank() bool { return strings.TrimSpace(s.text) == "" }

var errNotText = errors.New("it is not UTF-8 text; save it as UTF-8")

func (s source) check() error {
	if !utf8.ValidString(s.text) || bytes.IndexByte([]byte(s.text), 0) >= 0 {
		return errNotText
	}
	return nil
}

// splice replaces a part of a text.
type splice struct {
	from, to int // bytes; equal to insert
	text     string
}

// apply makes replacements that do not overlap.
func apply(text string, splices ...splice) string {
	slices.SortStableFunc(splices, func(a, b splice) int { return a.from - b.from })
	var out strings.Builder
	at := 0
	for _, s := range splices {
		out.WriteString(text[at:s.from])
		out.WriteString(s.text)
		at = s.to
	}
	out.WriteString(text[at:])
	return out.String()
}

// trimmedEnd is where the text before an offset ends when white space is left out.
func trimmedEnd(text string, offset int) int {
	return len(strings.TrimRight(text[:offset], " \t\r\n"))
}

// lineStart is where the line of an offset begins.
func lineStart(text string, offset int) int {
	return strings.LastIndexByte(text[:offset], '\n') + 1
}

// lineEnd is where the line of an offset ends, before its line break.
func lineEnd(text string, offset int) int {
	end := len(text)
	if i := strings.IndexByte(text[offset:], '\n'); i >= 0 {
		end = offset + i
	}
	if end > offset && text[end-1] == '\r' {
		end--
	}
	return end
}

// indentOf is the white space that the line of an offset begins with.
func indentOf(text string, offset int) string {
	line := text[lineStart(text, offset):offset]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}
