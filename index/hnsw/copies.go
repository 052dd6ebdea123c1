package hnsw

import (
	"cmp"
	"slices"
)

// copies finds rows with the same vector. Only the first of them gets links: a
// walk that meets it takes the others as well. With links of their own the copies
// of one vector would be each other's nearest and lead nowhere else.
func copies(v *Vectors, rows int, stop func() error) ([]uint32, error) {
	hashed := make([]hashedRow, rows)
	for row := range uint32(rows) {
		if row%stopEvery == 0 {
			if err := stop(); err != nil {
				return nil, err
			}
		}
		hashed[row] = hashedRow{hashOf(v.of(row)), row}
	}
	slices.SortFunc(hashed, func(a, b hashedRow) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.row, b.row))
	})
	same := make([]uint32, rows)
	for i, one := range hashed {
		same[one.row] = None
		if i > 0 && hashed[i-1].hash == one.hash && sameVector(v, hashed[i-1].row, one.row) {
			same[hashed[i-1].row] = one.row
		}
	}
	return same, nil
}

type hashedRow struct {
	hash uint64
	row  uint32
}

// hashOf is FNV-1a of 64 bits (Fowler, Noll, Vo).
func hashOf(codes []int8) uint64 {
	hash := uint64(0xcbf29ce484222325)
	for _, code := range codes {
		hash = (hash ^ uint64(uint8(code))) * 0x100000001b3
	}
	return hash
}

func sameVector(v *Vectors, a, b uint32) bool {
	return v.Scale(a) == v.Scale(b) && slices.Equal(v.of(a), v.of(b))
}

// eachCopy calls take with the rank of the copies of a row, until it returns false.
func (g *Graph) eachCopy(r rank, take func(rank) bool) {
	last := r.row()
	for next := g.Same[last]; next > last && int64(next) < int64(g.Rows()); next = g.Same[last] {
		if !take(r>>32<<32 | rank(^next)) {
			return
		}
		last = next
	}
}
