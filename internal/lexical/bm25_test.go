package lexical

import (
	"math"
	"testing"
)

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestIDF(t *testing.T) {
	tests := []struct {
		n, df int
		want  float64
	}{
		{0, 0, math.Log(2)},           // 1 + 0.5/0.5
		{3, 0, math.Log(8)},           // 1 + 3.5/0.5
		{3, 1, math.Log(8.0 / 3)},     // 1 + 2.5/1.5
		{3, 2, math.Log(8.0 / 5)},     // 1 + 1.5/2.5
		{3, 3, math.Log(8.0 / 7)},     // 1 + 0.5/3.5
		{100, 1, math.Log(202.0 / 3)}, // 1 + 99.5/1.5
	}
	for _, tt := range tests {
		if got := IDF(tt.n, tt.df); !near(got, tt.want) {
			t.Errorf("IDF(%d, %d) = %v, want %v", tt.n, tt.df, got, tt.want)
		}
	}
}

func TestSaturation(t *testing.T) {
	tests := []struct {
		name             string
		m                BM25
		tf, length, mean float64
		want             float64
	}{
		{"absent", Relevance, 0, 4, 4, 0},
		{"once at mean length", Relevance, 1, 4, 4, 1},             // 2.5 / (1 + 1.5)
		{"twice at mean length", Relevance, 2, 4, 4, 10.0 / 7},     // 5 / 3.5
		{"once at double length", Relevance, 1, 8, 4, 2.5 / 3.625}, // 1.5*(0.25+1.5) = 2.625
		{"once at half length", Ranking, 1, 2, 4, 1.9 / 1.72},      // 0.9*(0.6+0.2) = 0.72
		{"three times at double length", Ranking, 3, 8, 4, 5.7 / 4.26},
		{"mean 0 counts as 1", Relevance, 1, 1, 0, 1},
		{"zero value counts presence", BM25{}, 7, 9, 3, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.m.Saturation(tt.tf, tt.length, tt.mean); !near(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

// Three documents, "red boat", "red red sail" and "sea", of mean length 2:
// "red" is in two, "boat" in one.
func TestScore(t *testing.T) {
	df := map[string]int{"red": 2, "boat": 1, "sail": 1, "sea": 1}
	c := Collection{Size: 3, MeanLength: 2, DF: func(t string) int { return df[t] }}
	red, boat, unknown := math.Log(8.0/5), math.Log(8.0/3), math.Log(8)
	tests := []struct {
		name               string
		question, document []string
		want               float64
	}{
		{"both terms", []string{"red", "boat"}, []string{"red", "boat"}, red + boat},
		{"term twice in a longer document", []string{"red", "boat"}, []string{"red", "red", "sail"}, red * 5 / (2 + 1.5*(0.25+0.75*1.5))},
		{"a repeated question term counts once", []string{"red", "red"}, []string{"red", "boat"}, red},
		{"nothing shared", []string{"red"}, []string{"sea"}, 0},
		{"unknown term", []string{"mast"}, []string{"red", "boat"}, 0},
		{"no terms", nil, []string{"red"}, 0},
		{"empty document", []string{"red"}, nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Relevance.Score(tt.question, tt.document, c); !near(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	if got, want := c.IDFSum([]string{"red", "boat", "mast"}), red+boat+unknown; !near(got, want) {
		t.Errorf("IDFSum = %v, want %v", got, want)
	}
	if got := Ranking.Score([]string{"red"}, []string{"red"}, Collection{}); !near(got, math.Log(2)) {
		t.Errorf("in an empty collection: %v, want ln 2", got)
	}
}
