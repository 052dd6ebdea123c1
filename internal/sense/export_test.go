package sense

// PrintWords opens a print for the golden test: its words and how many are active.
func PrintWords(p Print) ([]uint32, int) { return p.words, p.count }

// PrintFrames opens a print: its words, and which of them are active.
func PrintFrames(p Print) (words []uint32, active []bool) {
	for _, m := range p.masks {
		active = append(active, m != 0)
	}
	return p.words, active
}
