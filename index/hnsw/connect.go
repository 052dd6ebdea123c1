package hnsw

// connect links in the rows of the lowest layer that cannot be reached from the
// entry, one after the other. A row that could be reached still can afterwards.
func (b *builder) connect(stop func() error) error {
	g := b.graph
	if g.Rows() == 0 {
		return nil
	}
	reached := make([]bool, g.Rows())
	b.reach(reached, g.entry)
	for row := range uint32(g.Rows()) {
		if reached[row] || b.isCopy(row) {
			continue
		}
		if err := stop(); err != nil {
			return err
		}
		q := &Query{Codes: b.vectors.of(row), Ef: buildEf, Pass: func(row uint32) bool { return reached[row] }}
		near, err := b.walker.descend(g, b.vectors, q, false)
		if err != nil {
			return err
		}
		b.putIn(row, near[0].row())
		b.reach(reached, row)
	}
	return nil
}

// putIn makes a row follow another that can be reached. If that has no place
// for a link, its last one goes, and the row leads where it led.
func (b *builder) putIn(row, after uint32) {
	links := b.graph.links(after, 0)
	n := linked(links)
	if n < len(links) {
		links[n] = row
		return
	}
	own := b.graph.links(row, 0)
	own[min(linked(own), len(own)-1)] = links[n-1]
	links[n-1] = row
}

// reach marks a row and all that can be reached from it.
func (b *builder) reach(reached []bool, from uint32) {
	reached[from] = true
	for ahead := []uint32{from}; len(ahead) > 0; {
		row := ahead[len(ahead)-1]
		ahead = ahead[:len(ahead)-1]
		links := b.graph.links(row, 0)
		for _, next := range links[:linked(links)] {
			if !reached[next] {
				reached[next] = true
				ahead = append(ahead, next)
			}
		}
	}
}
