package lexical

// Terms returns the terms of a document in order, duplicates included; nil for a
// text without letters, digits and pictographs. Stop words are among them, so
// that a question made of nothing else finds what it asks for. It accepts any
// bytes, takes time linear in the length, and may be called by several
// goroutines. Terms may share memory with each other: clone one to keep it
// longer than the rest.
func Terms(text string) []string {
	return scanText(text, false)
}

// Query returns the distinct terms of a question in the order of their first
// occurrence: those that Terms gives for the same text, less the single
// clusters of longer runs, and less the stop words unless nothing else is left.
// nil means that the text has no terms.
func Query(text string) []string {
	terms := scanText(text, true)
	seen := make(map[string]struct{}, len(terms))
	distinct := terms[:0]
	for _, t := range terms {
		if _, ok := seen[t]; !ok {
			seen[t] = struct{}{}
			distinct = append(distinct, t)
		}
	}
	stops := stopTerms()
	kept := make([]string, 0, len(distinct))
	for _, t := range distinct {
		if _, ok := stops[t]; !ok {
			kept = append(kept, t)
		}
	}
	if len(kept) == 0 {
		return distinct
	}
	return kept
}
