package tokenizer

// candidate is a merge that can be made: of the symbol at place at with the
// one after it, into id.
type candidate struct{ rank, at, id int32 }

// before orders merges: lower rank first, then from the left.
func (c candidate) before(d candidate) bool {
	return c.rank < d.rank || c.rank == d.rank && c.at < d.at
}

// mergeQueue is a binary heap with the first candidate at its root. Package
// container/heap would allocate for each candidate.
type mergeQueue []candidate

func (q mergeQueue) push(c candidate) mergeQueue {
	q = append(q, c)
	i := len(q) - 1
	for i > 0 {
		parent := (i - 1) / 2
		if !c.before(q[parent]) {
			break
		}
		q[i] = q[parent]
		i = parent
	}
	q[i] = c
	return q
}

// pop removes the first candidate. q is not empty.
func (q mergeQueue) pop() (candidate, mergeQueue) {
	top, last := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	if len(q) == 0 {
		return top, q
	}
	i := 0
	for {
		child := 2*i + 1
		if child >= len(q) {
			break
		}
		if child+1 < len(q) && q[child+1].before(q[child]) {
			child++
		}
		if !q[child].before(last) {
			break
		}
		q[i] = q[child]
		i = child
	}
	q[i] = last
	return top, q
}
