package encoder

import (
	"math"
	"strings"
	"testing"
)

func FuzzGolden(f *testing.F) {
	for _, seed := range []string{`{"text":"a","prefix":"query: ","vector":[1,0]}`, `{"ramp":{"step":97,"modulus":256,"scale":1},"vector":[0.5]}` + "\n",
		`{"ramp":{"step":-1,"modulus":0},"vector":[1]}`, `{"vector":[]}`, "", "\n", `{"vector":[1e99]}`, `[`, `{"ramp":{"modulus":1048577},"vector":[1]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := parseGolden(data)
		if err != nil {
			return
		}
		for _, g := range all {
			if g.Ramp == nil {
				continue
			}
			for _, v := range g.Ramp.values(10) {
				if math.IsNaN(float64(v)) {
					t.Fatalf("%+v gives no number", g.Ramp)
				}
			}
		}
	})
}

func TestGoldenRefuses(t *testing.T) {
	for text, says := range map[string]string{
		"":                         "line 1",
		"{}":                       "there is no vector",
		`{"vector":[1]}` + "\n{":   "line 2",
		`{"ramp":{},"vector":[1]}`: "modulus 0",
		`{"ramp":{"step":-1,"modulus":3},"vector":[1]}`: "step -1",
	} {
		if _, err := parseGolden([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v does not say %q", text, err, says)
		}
	}
}

// TestAgreeTellsTheWorst finds the one vector that is off, and refuses vectors of
// another length.
func TestAgreeTellsTheWorst(t *testing.T) {
	all := []Golden{{Text: "a", Vector: []float32{1, 0}}, {Text: "b", Prefix: "q ", Vector: []float32{1, 0}}, {Text: "c", Vector: []float32{0, 0}}}
	got, err := agree(all[:2], func(g Golden) ([]float32, error) {
		if g.Text == "b" {
			return []float32{0.6, 0.8}, nil
		}
		return []float32{1, 0}, nil
	})
	if err != nil || math.Abs(got.Worst-0.6) > 1e-6 || got.At != "q b" || got.Vectors != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := agree(all[2:], func(Golden) ([]float32, error) { return []float32{1, 0}, nil }); err != nil || got.Worst != 0 {
		t.Errorf("a vector without direction: %+v, %v", got, err)
	}
	if _, err := agree(all, func(Golden) ([]float32, error) { return []float32{1}, nil }); err == nil {
		t.Error("vectors of another length are compared")
	}
}
