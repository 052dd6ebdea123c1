package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what is encoded together with a turn, in bytes, so that they hold for
// every script. On LoCoMo dev the context lifts R@5 from .676 to .701; with 300 bytes
// of it, or before long turns, it costs MemoryBank dev more than LoCoMo gains
// (docs/decisions/0012).
const (
	turnContextBytes = 100 // of the end of the turn before
	turnAloneBytes   = 250 // a longer turn needs no context
)

// LineIdentity names the vectors that an encoder makes of memories' lines: what is
// encoded of a memory decides what its vector means, as the encoder does. "" without
// an encoder.
func LineIdentity(encoder string) string {
	if encoder == "" {
		return ""
	}
	return encoder + "#turns"
}

// TurnLine is what the encoder reads of a memory. Outside of sessions it is Line. In a
// session a short text follows the end of what was said right before, on a line of
// its own: "8 May 2023: ... end of the last turn\nsource: text", and a source that is
// an id rather than a name is left out. A turn before that is nil or forgotten says
// nothing.
func TurnLine(m Memory, before *Memory) string {
	if m.SessionID == nil {
		return Line(m)
	}
	var b strings.Builder
	b.WriteString(m.datePrefix())
	if before != nil && !before.Forgotten() && m.needsContext() {
		b.WriteString(endOf(string(before.Content)))
		b.WriteByte('\n')
	}
	if m.Source != nil && !isID(*m.Source) {
		b.WriteString(m.sourcePrefix())
	}
	b.WriteString(string(m.Content))
	return b.String()
}

// needsContext says whether what was said before a memory is encoded with it.
func (m Memory) needsContext() bool {
	return m.SessionID != nil && len(m.Content) <= turnAloneBytes
}

// endOf is the end of a turn, from the beginning of a word where there is one near.
func endOf(text string) string {
	if len(text) <= turnContextBytes {
		return text
	}
	text = text[len(text)-turnContextBytes:]
	for len(text) > 0 && !utf8.RuneStart(text[0]) {
		text = text[1:]
	}
	const longestCut = 20 // bytes; farther away there are no spaces to cut at
	if at := strings.IndexByte(text, ' '); at >= 0 && at < longestCut {
		return text[at+1:]
	}
	return text
}

// isID says whether a source names a record and not somebody who speaks.
func isID(source string) bool {
	return strings.ContainsFunc(source, unicode.IsDigit)
}
