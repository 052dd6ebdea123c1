package index

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"combray/index/kernel"
)

// shelf is a Source of many rows that have vectors and nothing else, and knows
// the exact answer to a question.
type shelf struct {
	*library
	vectors [][]float32
}

func newShelf(rows int) *shelf {
	s := &shelf{library: newLibrary(rows)}
	for doc := range int64(rows) {
		s.vectors = append(s.vectors, s.vector(doc+1))
	}
	return s
}

// nearest returns the k rows nearest to a question in float64, both less a mean.
func (s *shelf) nearest(question, mean []float32, k int) []int64 {
	type scored struct {
		doc int64
		c   float64
	}
	q := less(question, mean)
	all := make([]scored, len(s.vectors))
	for i, v := range s.vectors {
		d := less(v, mean)
		var product, square float64
		for j, x := range d {
			product += x * q[j]
			square += x * x
		}
		all[i] = scored{int64(i + 1), product / math.Sqrt(square)}
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Or(cmp.Compare(b.c, a.c), cmp.Compare(a.doc, b.doc)) })
	docs := make([]int64, k)
	for i := range docs {
		docs[i] = all[i].doc
	}
	return docs
}

func less(v, mean []float32) []float64 {
	d := make([]float64, len(v))
	for i := range v {
		d[i] = float64(v[i]) - float64(mean[i])
	}
	return d
}

// recall returns the share of the ten nearest rows that a search gives as its
// ten best, mean over some questions, half of them near a row.
func recall(t *testing.T, ix *Index, s *shelf, questions int) float64 {
	t.Helper()
	mean, err := ix.Centre(t.Context())
	if err != nil || mean == nil {
		t.Fatalf("mean %v (%v)", mean, err)
	}
	found := 0
	for i := range questions {
		question := s.vector(int64(1_000_000 + i))
		if i%2 == 0 {
			question = s.base.near(s.vectors[i*37%len(s.vectors)], 0.2)
		}
		best := byC(ask(t, ix, Query{Vector: question}))[:10]
		for _, doc := range s.nearest(question, mean, 10) {
			found += count(slices.Contains(best, doc))
		}
	}
	return float64(found) / float64(10*questions)
}

// TestRecallIsExact holds that up to 10,000 rows the ten nearest are found, all
// of them, as float64 has them: from memory, from a file, by either kernel.
func TestRecallIsExact(t *testing.T) {
	s := newShelf(10_000)
	ix := openCaughtUp(t, libraryConfig(t.TempDir()), s)
	if got := recall(t, ix, s, 30); got != 1 {
		t.Errorf("recall@10 from memory %v", got)
	}
	rewrite(t, ix)
	if got := recall(t, ix, s, 30); got != 1 {
		t.Errorf("recall@10 from a file %v", got)
	}
	defer kernel.Portable(true)()
	if got := recall(t, ix, s, 10); got != 1 {
		t.Errorf("recall@10 with the plain kernel %v", got)
	}
}

// TestRecallOfTheShortlist holds that the signs leave what is needed when they
// have to choose: one row in ten here, as at 100,000.
func TestRecallOfTheShortlist(t *testing.T) {
	choosesKind(t)
	s := newShelf(10_000)
	config := libraryConfig(t.TempDir())
	config.Shortlist = 1000
	ix := openCaughtUp(t, config, s)
	rewrite(t, ix)
	if got := recall(t, ix, s, 50); got < 0.995 {
		t.Errorf("recall@10 %v, want 0.995", got)
	}
	question := s.base.near(s.vectors[5], 0.2)
	got := ask(t, ix, Query{Vector: question})
	if n := got.Vectors.Shortlisted; n < 1000 || n > 1300 {
		t.Errorf("%d rows were shortlisted, want 1,000 and those at the same distance", n)
	}
	audit, err := ix.Audit(t.Context(), question, 10)
	if err != nil || len(audit.Docs) != 10 || audit.Found < 9 || audit.Docs[0] != byC(got)[0] {
		t.Errorf("audit %+v (%v), the search finds %v", audit, err, byC(got)[:10])
	}
}

// TestKernelsAgree holds that both kernels give the same answers bit for bit.
func TestKernelsAgree(t *testing.T) {
	s := newShelf(3000)
	config := libraryConfig("")
	config.Shortlist = 300
	ix := openCaughtUp(t, config, s)
	for _, q := range s.questions(10) {
		fast := show(ask(t, ix, q))
		restore := kernel.Portable(true)
		plain := show(ask(t, ix, q))
		restore()
		if fast != plain {
			t.Fatalf("the kernels answer\n%s\n%s", fast, plain)
		}
	}
}

// TestScansAreShared holds that a scan by several processors gives what one
// gives.
func TestScansAreShared(t *testing.T) {
	s := newShelf(64*spanWords + 1000) // two spans
	config := libraryConfig("")
	config.Shortlist, config.shareRows = 300, 1
	alone := libraryConfig("")
	alone.Shortlist = 300
	many, one := openCaughtUp(t, config, s), openCaughtUp(t, alone, s)
	for _, q := range s.questions(10) {
		if a, b := show(ask(t, many, q)), show(ask(t, one, q)); a != b {
			t.Fatalf("shared and alone they answer\n%s\n%s", a, b)
		}
	}
}

func TestAuditNeedsAQuestion(t *testing.T) {
	ix := open(t, libraryConfig(""), newLibrary(1))
	if _, err := ix.Audit(t.Context(), nil, 10); err == nil {
		t.Error("no vector: no error")
	}
	if _, err := ix.Audit(t.Context(), newLibrary(1).vector(1), 0); err == nil {
		t.Error("no rows asked for: no error")
	}
}

// TestAlikeNeedsAShortShortlist asks for rows that say nearly the same, as a new
// memory does, among many that do not.
func TestAlikeNeedsAShortShortlist(t *testing.T) {
	s := newShelf(20_000)
	ix := openCaughtUp(t, libraryConfig(t.TempDir()), s)
	rewrite(t, ix)
	for i := range 100 {
		doc := int64(i*199 + 1)
		question := s.base.near(s.vectors[doc-1], 0.3) // cosine .96
		found := byC(ask(t, ix, Query{Vector: question, PerLane: 4, Shortlist: 100}))
		if !slices.Contains(found, doc) {
			t.Errorf("row %d is not among %v", doc, found)
		}
	}
}
