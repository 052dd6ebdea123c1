package index

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestDistinctCountsLikeAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var d distinct
	plain := map[float64]bool{}
	for range 20000 {
		x := math.Round(random.NormFloat64()*1000) / 4096
		if added := d.add(x); added == plain[x] {
			t.Fatalf("%g: added %v, known %v", x, added, plain[x])
		}
		plain[x] = true
	}
	if !d.add(-7) || d.add(-7) {
		t.Error("a number is added once")
	}
}
