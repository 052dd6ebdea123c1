package index

import (
	"context"
	"math"
	"slices"
	"testing"
)

// TestBM25ByHand compares with figures worked out by hand from the formula.
func TestBM25ByHand(t *testing.T) {
	s := newStore()
	s.put(Row{Live: true, Terms: words("(may)", "tea", "tea", "cake")})    // line 4, content 3
	s.put(Row{Live: true, Terms: words("(may)", "cake")})                  // line 2, content 1
	s.put(Row{Live: true})                                                 // counts in N and in the mean
	s.put(Row{Live: false, Terms: words("tea", "tea", "tea", "tea", "x")}) // forgotten: in none
	ix := openCaughtUp(t, Config{}, s)

	// Three live rows of mean length 2 in the line, 4/3 in the content.
	got := ask(t, ix, Query{Terms: []string{"tea", "may", "none", "tea"}, K1: 1.5, B: 0.75})
	tea, may, none := math.Log(1+2.5/1.5), math.Log(1+1.5/2.5), math.Log(1+3.5/0.5)
	for i, want := range []float64{tea, may, none, 0} {
		if math.Abs(got.IDF[i]-want) > 1e-12 {
			t.Errorf("idf %d is %v, want %v", i, got.IDF[i], want)
		}
	}
	if got.N != 3 || got.MeanLength != 2 || !slices.Equal(docs(got), []int64{1, 2}) {
		t.Fatalf("got %s", show(got))
	}
	first := tea*2*2.5/(2+1.5*(0.25+0.75*4/2)) + may*2.5/(1+1.5*(0.25+0.75*4/2))
	second := may * 2.5 / (1 + 1.5*(0.25+0.75*2/2))
	for i, want := range []float64{first, second} {
		if math.Abs(got.Candidates[i].Words-want) > 1e-6 {
			t.Errorf("row %d has %v, want %v", i+1, got.Candidates[i].Words, want)
		}
	}

	got = ask(t, ix, Query{Terms: []string{"tea", "may"}, K1: 1.5, B: 0.75, Field: Content})
	want := math.Log(1+2.5/1.5) * 2 * 2.5 / (2 + 1.5*(0.25+0.75*3/(4.0/3)))
	if !slices.Equal(docs(got), []int64{1}) || math.Abs(got.Candidates[0].Words-want) > 1e-6 || math.Abs(got.MeanLength-4.0/3) > 1e-12 {
		t.Errorf("in the content: %swant row 1 with %v", show(got), want)
	}
}

func TestForgottenRowsAreScoredWhenAskedFor(t *testing.T) {
	s := newStore()
	s.put(Row{Live: true, Terms: words("tea")})
	s.put(Row{Terms: words("tea", "cake")})
	ix := openCaughtUp(t, Config{}, s)
	for state, want := range map[State][]int64{Live: {1}, NotLive: {2}, Any: {1, 2}} {
		got := ask(t, ix, Query{Terms: []string{"tea"}, Filter: Filter{State: state}})
		if !slices.Equal(docs(got), want) || got.N != 1 {
			t.Errorf("state %d finds %v of %d live rows, want %v", state, docs(got), got.N, want)
		}
	}
}

// TestBestOfALane holds which rows a lane gives when more match than it may give.
func TestBestOfALane(t *testing.T) {
	s := newStore()
	for i := range 3000 { // several blocks of slots
		terms := words("tea")
		if i%1000 == 7 {
			terms = words("tea", "tea")
		}
		s.put(Row{Live: true, Terms: terms})
	}
	for _, dir := range []string{"", t.TempDir()} {
		ix := openCaughtUp(t, Config{Dir: dir}, s)
		rewrite(t, ix)
		got := ask(t, ix, Query{Terms: []string{"tea"}, PerLane: 5})
		if want := []int64{1, 2, 8, 1008, 2008}; !slices.Equal(docs(got), want) {
			t.Errorf("the best five are %v, want %v", docs(got), want)
		}
		s.change(8, func(row *Row) { row.Class = 1 }) // moves to the delta, and no term changes
		s.change(2, func(row *Row) { row.Class = 1 })
		catchUp(t, ix)
		got = ask(t, ix, Query{Terms: []string{"tea"}, PerLane: 5})
		if want := []int64{1, 2, 8, 1008, 2008}; !slices.Equal(docs(got), want) {
			t.Errorf("after a change the best five are %v, want %v", docs(got), want)
		}
	}
}

func TestStatistics(t *testing.T) {
	s := newStore()
	s.put(Row{Live: true, Terms: words("(may)", "tea")})
	s.put(Row{Live: true, Terms: words("tea", "cake")})
	s.put(Row{Terms: words("tea")})
	ix := openCaughtUp(t, Config{}, s)
	for field, want := range map[Field][]int{Line: {2, 1, 0}, Content: {2, 0, 0}} {
		n, df, mean, err := ix.Statistics(context.Background(), []string{"tea", "may", "none"}, field)
		if err != nil || n != 2 || !slices.Equal(df, want) || mean != float64(4-int(field))/2 {
			t.Errorf("field %d: %d rows, %v, mean %v (%v)", field, n, df, mean, err)
		}
	}
}

func TestRepeatedTermsAndFacetsCountOnce(t *testing.T) {
	s := newStore()
	s.put(Row{Live: true, Terms: []TermCount{{"tea", 1, 1}, {"tea", 1, 1}, {"", 3, 3}, {"nil", 0, 0}}, Facets: []string{"a", "a"}})
	ix := openCaughtUp(t, Config{}, s)
	_, df, _, err := ix.Statistics(context.Background(), []string{"tea", "", "nil"}, Line)
	if err != nil || !slices.Equal(df, []int{1, 0, 0}) {
		t.Errorf("frequencies %v (%v)", df, err)
	}
	s.erase(1)
	catchUp(t, ix)
	if _, df, _, _ := ix.Statistics(context.Background(), []string{"tea"}, Line); df[0] != 0 {
		t.Errorf("an erased row counts %d times", df[0])
	}
}
