package bundled

import (
	"math"
	"testing"
)

func TestLanguageDirectionsAreOrthonormal(t *testing.T) {
	files := Files()
	if len(files.Languages) != 8 {
		t.Fatalf("%d directions", len(files.Languages))
	}
	for i, a := range files.Languages {
		for j, b := range files.Languages[:i+1] {
			sum, want := 0.0, 0.0
			for k := range a {
				sum += float64(a[k]) * float64(b[k])
			}
			if i == j {
				want = 1
			}
			if math.Abs(sum-want) > 1e-5 {
				t.Errorf("directions %d and %d: %v", i, j, sum)
			}
		}
	}
}
