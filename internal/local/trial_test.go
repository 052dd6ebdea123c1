package local

import (
	"context"
	"slices"
	"testing"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// TestTrialsBeginAlikeAndEmpty: what one trial stored is not in the next, and ids
// come in the same order, so that two runs of one measurement give the same.
func TestTrialsBeginAlikeAndEmpty(t *testing.T) {
	trials, err := NewTrials(t.Context(), Config{Model: ModelNone})
	if err != nil {
		t.Fatal(err)
	}
	defer trials.Close()
	var ids [2][]memory.ID
	for i := range ids {
		trial, err := trials.Open(t.Context(), memory.SenseSettings{})
		if err != nil {
			t.Fatal(err)
		}
		if stats, err := trial.Stats(t.Context()); err != nil || stats.Store.Memories != 0 {
			t.Fatalf("trial %d begins with %d memories: %v", i, stats.Store.Memories, err)
		}
		for _, text := range []string{"one", "two"} {
			stored, err := trial.Remember(t.Context(), memory.RememberInput{Content: text})
			if err != nil {
				t.Fatal(err)
			}
			ids[i] = append(ids[i], stored.Memory.ID)
		}
		if err := trial.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(ids[0], ids[1]) || ids[0][0] == ids[0][1] {
		t.Errorf("ids are %v and %v", ids[0], ids[1])
	}
}

func TestTrialsTakeTheirSettings(t *testing.T) {
	trials, err := NewTrials(t.Context(), Config{Model: ModelNone})
	if err != nil {
		t.Fatal(err)
	}
	defer trials.Close()
	lat, lon, then, now := 48.2, 16.37, "2023-03-01T15:00:00+01:00", "2023-07-04T15:00:00+02:00"
	for threshold, want := range map[float64]int{0: 1, 0.99: 0} {
		trial, err := trials.Open(t.Context(), memory.SenseSettings{Threshold: threshold})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trial.Remember(t.Context(), memory.RememberInput{Content: "a lock keeper", EventAt: &then, Lat: &lat, Lon: &lon}); err != nil {
			t.Fatal(err)
		}
		sensed, err := trial.Sense(t.Context(), memory.SenseInput{Lat: &lat, Lon: &lon, At: &now})
		if err != nil || len(sensed.Rows) != want {
			t.Errorf("threshold %g: %d came back, want %d: %v", threshold, len(sensed.Rows), want, err)
		}
		if err := trial.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// failing counts what is asked of an encoder and fails the first time.
type failing struct {
	memtest.Encoder
	asked int
}

func (f *failing) Symmetric(ctx context.Context, text string) ([]float32, error) {
	if f.asked++; f.asked == 1 {
		return nil, context.Canceled
	}
	return f.Encoder.Symmetric(ctx, text)
}

func TestEachTextIsEncodedOnce(t *testing.T) {
	inner := &failing{}
	e := &encodedOnce{Encoder: inner, symmetric: map[string][]float32{}, passages: map[string][][]float32{}}
	if _, err := e.Symmetric(t.Context(), "a"); err == nil {
		t.Error("a failure was hidden")
	}
	var first []float32
	for range 3 {
		v, err := e.Symmetric(t.Context(), "a")
		if err != nil || first != nil && !slices.Equal(first, v) {
			t.Fatalf("%v, %v", v, err)
		}
		first = v
		if _, err := e.Passage(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
	}
	if other, _ := e.Symmetric(t.Context(), "b"); slices.Equal(first, other) {
		t.Error("two texts have one vector")
	}
	if inner.asked != 3 || inner.Passages.Load() != 1 {
		t.Errorf("%d cues and %d passages were encoded; 3 and 1 are enough", inner.asked, inner.Passages.Load())
	}
}
