package index

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
)

const (
	// leastCentred is the number of embedded rows from which centring beats plain
	// cosines (ranking recipe: MemoryBank cut to n rows).
	leastCentred = 6
	// gridFine and gridPart make the grid of sizes: every size up to gridFine,
	// from there on steps of one part in gridPart.
	gridFine = 16
	gridPart = 16
	// defaultSampleDocs rows leave an error of the mean of 0.45/sqrt(4,096) =
	// 0.007, where 0.45 is how far vectors are from it: nothing that ranks see.
	defaultSampleDocs = 4096
	// readDocs is how many rows' vectors are asked of the store at a time.
	readDocs = 1024
)

// centre is the mean that is subtracted from all vectors of an index, and what
// it was made from. It does not change once made. The package comment says how
// the sample is chosen.
type centre struct {
	mean   []float32 // zeros while size is 0
	square float64   // squared length of mean
	size   int       // embedded rows that the sample was drawn from, 0: not centred
	last   int64     // the highest of those
	docs   []int64   // the sample, ascending
	hashes []uint64  // of the vectors of each of docs
}

// newUncentred returns the centre of an index with too few vectors for a mean.
func newUncentred(dims int) *centre {
	return &centre{mean: make([]float32, dims)}
}

// gridSize returns the largest size of the grid that is not above n, 0 if n is
// too small for a mean.
func gridSize(n int) int {
	if n < leastCentred {
		return 0
	}
	size := leastCentred
	for {
		next := size + 1
		if size >= gridFine {
			next = size + size/gridPart
		}
		if next > n {
			return size
		}
		size = next
	}
}

// sampleOf returns at most k of the first size docs, those with the lowest
// scramble, and the last of those first. docs ascend.
func sampleOf(docs iter.Seq[int64], size, k int) (sample []int64, last int64) {
	lowest := best[int64]{k: k, better: func(a, b int64) bool { return scramble(a) < scramble(b) }}
	n := 0
	for doc := range docs {
		if n == size {
			break
		}
		n++
		last = doc
		lowest.offer(doc)
	}
	slices.Sort(lowest.items)
	return lowest.items, last
}

// scramble returns a number that looks random and differs for every doc: the
// finaliser of splitmix64 (Steele, Lea, Flood 2014).
func scramble(doc int64) uint64 {
	x := uint64(doc) + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hashVectors returns a hash of the bits of vectors. It tells whether a row's
// vectors changed; it is no protection against someone who wants a collision.
func hashVectors(vectors [][]float32) uint64 {
	h := uint64(len(vectors))
	for _, v := range vectors {
		for _, x := range v {
			h = (h ^ uint64(math.Float32bits(x))) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
	}
	return h
}

// readCentre makes the centre of a sample from the vectors in the store.
func readCentre(ctx context.Context, source Source, sample []int64, dims int) (*centre, error) {
	c := newUncentred(dims)
	sum := make([]float64, dims)
	count := 0
	err := eachVectors(ctx, source, sample, func(i int, vectors [][]float32) {
		if len(vectors) == 0 || !areUnits(vectors, dims) {
			return
		}
		c.docs = append(c.docs, sample[i])
		c.hashes = append(c.hashes, hashVectors(vectors))
		for _, v := range vectors {
			count++
			for i, x := range v {
				sum[i] += float64(x)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range sum {
		c.mean[i] = float32(sum[i] / float64(max(count, 1)))
	}
	c.square = dot(c.mean, c.mean)
	return c, nil
}

// nextCentre returns the centre that a snapshot ought to have: the one it has,
// or one made from the vectors in the store.
func (s *snapshot) nextCentre(ctx context.Context, source Source, k int) (*centre, error) {
	if !s.moved {
		return s.centre, nil
	}
	size := gridSize(s.embedded)
	if size == 0 {
		return newUncentred(s.vectors.dims), nil
	}
	sample, last := sampleOf(s.embeddedDocs(), size, k)
	c, err := readCentre(ctx, source, sample, s.vectors.dims)
	if err != nil {
		return nil, err
	}
	c.size, c.last = size, last
	return c, nil
}

// slotRange is n slots from first on.
type slotRange struct {
	first uint32
	n     int
}

// recode codes the vectors of some slots about a centre, as the store has them
// now.
func (s *snapshot) recode(ctx context.Context, source Source, c *centre, slots slotRange) (*vectorSet, error) {
	docs := make([]int64, slots.n)
	for i := range docs {
		docs[i] = s.embeddedDoc(slots.first + uint32(i))
	}
	set := &vectorSet{dims: s.vectors.dims}
	err := eachVectors(ctx, source, docs, func(_ int, vectors [][]float32) {
		if !areUnits(vectors, set.dims) {
			vectors = nil
		}
		set.add(vectors, c.mean)
	})
	return set, err
}

// eachVectors calls visit with the vectors of each of docs, in their order, and
// with none for those that are 0.
func eachVectors(ctx context.Context, source Source, docs []int64, visit func(i int, vectors [][]float32)) error {
	asked := make([]int64, 0, readDocs)
	for start, end := 0, 0; start < len(docs); start = end {
		asked = asked[:0]
		for ; end < len(docs) && len(asked) < readDocs; end++ {
			if docs[end] != 0 {
				asked = append(asked, docs[end])
			}
		}
		vectors, err := readVectors(ctx, source, asked)
		if err != nil {
			return err
		}
		for i := start; i < end; i++ {
			if docs[i] == 0 {
				visit(i, nil)
				continue
			}
			visit(i, vectors[0])
			vectors = vectors[1:]
		}
	}
	return nil
}

// readVectors asks the store for the vectors of docs.
func readVectors(ctx context.Context, source Source, docs []int64) ([][][]float32, error) {
	if len(docs) == 0 {
		return nil, nil
	}
	vectors, err := source.Vectors(ctx, docs)
	if err != nil {
		return nil, fmt.Errorf("index: reading vectors: %w", err)
	}
	if len(vectors) != len(docs) {
		return nil, fmt.Errorf("index: the store gave vectors of %d rows where %d were asked for", len(vectors), len(docs))
	}
	return vectors, nil
}

// sameSample reports whether two centres were made from the same vectors, and
// so have the same mean.
func (c *centre) sameSample(other *centre) bool {
	return (c.size == 0) == (other.size == 0) &&
		slices.Equal(c.docs, other.docs) && slices.Equal(c.hashes, other.hashes)
}

// movedBy reports whether a row with new vectors, or with vectors where it had
// none or the reverse, may change what the centre ought to be. embedded is the
// number of embedded rows after the change.
func (c *centre) movedBy(doc int64, vectors [][]float32, had bool, embedded int) bool {
	has := len(vectors) > 0
	if had != has && (gridSize(embedded) != c.size || (c.size > 0 && doc <= c.last)) {
		return true
	}
	// The store may have been ahead when the sample was read, so what the row had
	// before says nothing about the sample.
	at, sampled := slices.BinarySearch(c.docs, doc)
	return sampled && (!has || hashVectors(vectors) != c.hashes[at])
}

// doubtful reports whether the centre may be out of date for a file that has so
// many embedded rows: the store may have been ahead when it was written.
func (c *centre) doubtful(embedded, k int) bool {
	return c.size != gridSize(embedded) || len(c.docs) != min(c.size, k)
}
