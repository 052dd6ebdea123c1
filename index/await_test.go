package index

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
)

// TestAwaitedVectors compares searches whose vector is made while they run with those
// of an index made afterwards: the store may change meanwhile, the index follow, its
// file be written anew, or nothing of it happen.
func TestAwaitedVectors(t *testing.T) {
	s, c := newStore(), newCloud(1, modelDims, 3)
	rng := rand.New(rand.NewPCG(1, 2))
	put := func() {
		s.put(Row{
			Live: rng.IntN(5) > 0, Captured: rng.Int64N(50), Facets: []string{fmt.Sprint("tag=", rng.IntN(2))}, Vectors: [][]float32{c.vector()},
			Terms: []TermCount{{"tea", uint16(1 + rng.IntN(3)), 1}, {fmt.Sprint("word", rng.IntN(9)), 1, 1}},
		})
	}
	for range 100 {
		put()
	}
	config := Config{StoreID: "s", Identity: "e", Dims: modelDims, RewriteRows: 20}
	fresh := config
	config.Dir = t.TempDir()
	ix := openCaughtUp(t, config, s)
	for i := range 150 {
		vector := c.vector()
		if i%7 == 0 {
			vector = nil
		}
		q := Query{Terms: []string{"tea", fmt.Sprint("word", rng.IntN(9))}, PerLane: 1 + rng.IntN(30), Neighbours: true}
		if rng.IntN(2) == 0 {
			q.Filter.All = []string{"tag=1"}
		}
		q.Await = func(ctx context.Context) ([]float32, error) {
			if i%3 > 0 {
				for range 1 + rng.IntN(9) {
					put()
				}
				s.change(1+rng.Int64N(100), func(row *Row) { row.Live = !row.Live })
			}
			if i%20 == 0 {
				if err := ix.Rewrite(ctx); err != nil {
					return nil, err
				}
			}
			return vector, ix.CatchUp(ctx)
		}
		got := show(ask(t, ix, q))
		q.Vector, q.Await = vector, nil
		want := show(ask(t, openCaughtUp(t, fresh, s), q))
		if got != want {
			t.Fatalf("search %d answers\n%s\nan index made afterwards\n%s", i, got, want)
		}
	}
}

// TestAVectorThatDoesNotCome holds that the error of who makes it comes back, that a
// vector of another kind is refused, and that the next search finds what it should.
func TestAVectorThatDoesNotCome(t *testing.T) {
	s, c := newStore(), newCloud(1, 8, 2)
	for range 40 {
		s.put(Row{Live: true, Terms: []TermCount{{"tea", 1, 1}}, Vectors: [][]float32{c.vector()}})
	}
	ix := openCaughtUp(t, Config{Identity: "e", Dims: 8}, s)
	q := Query{Terms: []string{"tea"}, Vector: c.vector()}
	want := show(ask(t, ix, q))
	gone := errors.New("the encoder is gone")
	for _, c := range []struct {
		vector []float32
		err    error
		is     func(error) bool
	}{
		{nil, gone, func(err error) bool { return errors.Is(err, gone) }},
		{[]float32{1, 2}, nil, func(err error) bool { return err != nil }},
	} {
		_, err := ix.Search(context.Background(), Query{Terms: []string{"tea"}, Await: func(context.Context) ([]float32, error) { return c.vector, c.err }})
		if !c.is(err) {
			t.Errorf("vector %v, error %v: the search says %v", c.vector, c.err, err)
		}
		if got := show(ask(t, ix, q)); got != want {
			t.Errorf("afterwards it answers\n%s\nbefore\n%s", got, want)
		}
	}
}

// TestManyAwaitVectors holds that searches that wait do not wait for one another, nor
// share what they add up.
func TestManyAwaitVectors(t *testing.T) {
	s, c := newStore(), newCloud(1, 8, 2)
	for i := range 60 {
		s.put(Row{Live: true, Terms: []TermCount{{fmt.Sprint("word", i%4), 1, 1}}, Vectors: [][]float32{c.vector()}})
	}
	ix := openCaughtUp(t, Config{Identity: "e", Dims: 8}, s)
	vector := c.vector()
	const searches = 8
	var waiting, done sync.WaitGroup
	waiting.Add(searches)
	for i := range searches {
		q := Query{Terms: []string{fmt.Sprint("word", i%4)}, Vector: vector}
		want := show(ask(t, ix, q))
		done.Go(func() {
			q.Vector, q.Await = nil, func(context.Context) ([]float32, error) {
				waiting.Done()
				waiting.Wait() // until all others wait too
				return vector, nil
			}
			got, err := ix.Search(context.Background(), q)
			if err != nil || show(got) != want {
				t.Errorf("search %d answers %v\n%s\nalone\n%s", i, err, show(got), want)
			}
		})
	}
	done.Wait()
}
