package tokenizer

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// metaspace writes U+0020 as a visible mark, puts the mark before a text that
// lacks one, and cuts before each mark.
type metaspace struct {
	mark   []byte // one character, U+2581 in practice
	scheme string // where a missing mark is put: "always", "first" (start of the whole text) or "never"
	cut    bool
}

func loadMetaspace(c component) ([]splitter, error) {
	v, err := decode[struct {
		Replacement    string `json:"replacement"`
		AddPrefixSpace *bool  `json:"add_prefix_space"`
		PrependScheme  string `json:"prepend_scheme"`
		Split          *bool  `json:"split"`
	}](c)
	if err != nil {
		return nil, err
	}
	m := metaspace{mark: []byte(v.Replacement), scheme: v.PrependScheme, cut: v.Split == nil || *v.Split}
	if utf8.RuneCountInString(v.Replacement) != 1 {
		return nil, fmt.Errorf("%s Metaspace: replacement %q must be one character", c.role, v.Replacement)
	}
	bare := v.AddPrefixSpace != nil && !*v.AddPrefixSpace // the older name of "never"
	switch {
	case m.scheme == "" && bare:
		m.scheme = "never"
	case m.scheme == "":
		m.scheme = "always"
	case m.scheme != "always" && m.scheme != "first" && m.scheme != "never":
		return nil, fmt.Errorf("%s Metaspace: prepend_scheme %q must be always, first or never", c.role, m.scheme)
	case bare && m.scheme != "never":
		return nil, fmt.Errorf("%s Metaspace: add_prefix_space false contradicts prepend_scheme %q", c.role, m.scheme)
	}
	return []splitter{m}, nil
}

func (m metaspace) split(dst *pieces, piece []byte, head bool) {
	marked := bytes.HasPrefix(piece, m.mark) || piece[0] == ' '
	if !marked && (m.scheme == "always" || m.scheme == "first" && head) {
		dst.text = append(dst.text, m.mark...)
	}
	first := true
	for len(piece) > 0 {
		n := 0
		switch {
		case piece[0] == ' ':
			n = 1
		case bytes.HasPrefix(piece, m.mark):
			n = len(m.mark)
		}
		if n > 0 {
			if m.cut && !first {
				dst.close()
			}
			dst.text = append(dst.text, m.mark...)
			piece = piece[n:]
		}
		first = false
		n = m.word(piece)
		dst.text = append(dst.text, piece[:n]...)
		piece = piece[n:]
	}
	dst.close()
}

// word returns the length of the text before the next space or mark.
func (m metaspace) word(text []byte) int {
	for i, c := range text {
		if c == ' ' || c == m.mark[0] && bytes.HasPrefix(text[i:], m.mark) {
			return i
		}
	}
	return len(text)
}
