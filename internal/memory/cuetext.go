package memory

import (
	"slices"

	"combray/internal/lexical"
)

// CueIdentity names the vectors of a CueIndex for an encoder: they come from the
// same files as those of its passages and are never compared with them. "" without
// an encoder.
func CueIdentity(encoder string) string {
	if encoder == "" {
		return ""
	}
	return encoder + "#symmetric"
}

// CueTerms gives the terms that a CueIndex finds a memory by, each once: the
// words of its text and of its tags, without date and source, which are no part of
// what was experienced.
func CueTerms(m Memory) []string {
	var out []string
	seen := map[string]bool{}
	for _, text := range append([]string{string(m.Content)}, m.Tags...) {
		for _, w := range lexical.Words(text) {
			if !seen[w.Term] {
				seen[w.Term] = true
				out = append(out, w.Term)
			}
		}
	}
	return out
}

// cueTexts gives the texts whose vectors stand for a memory in a CueIndex: its
// own, and what was perceived with it in words (contract/sense.md 4.3).
func cueTexts(m Memory, perceived []Fingerprint) []string {
	out := []string{string(m.Content)}
	for _, p := range perceived {
		if text := string(p.Text); text != "" && !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
