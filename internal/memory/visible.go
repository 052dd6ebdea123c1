package memory

import (
	"fmt"
	"strings"
)

// Hides says whether a character can hide or reorder text, so that it is shown
// as \u{hex} wherever a memory's text leaves (contract/surface.md 5): C0
// controls but tab and line feed, DEL, C1, the bidirectional controls and the
// tag block. A carriage return stays when a line feed follows it.
func Hides(r rune) bool {
	switch {
	case r == '\t' || r == '\n':
		return false
	case r < 0x20, r >= 0x7F && r <= 0x9F, r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069, r >= 0xE0000 && r <= 0xE007F:
		return true
	}
	return false
}

// Visible is a text as it is shown.
func Visible(text string) string {
	if strings.IndexFunc(text, Hides) < 0 {
		return text
	}
	var b strings.Builder
	for i, r := range text {
		if Hides(r) && !(r == '\r' && strings.HasPrefix(text[i+1:], "\n")) {
			fmt.Fprintf(&b, `\u{%x}`, r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
