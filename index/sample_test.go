package index

import "testing"

// TestSampleSeesWhatSearchesMiss holds that a sample finds all where a search compares
// every row, and less where the shortlist has nine rows.
func TestSampleSeesWhatSearchesMiss(t *testing.T) {
	choosesKind(t)
	s := newShelf(300)
	config := libraryConfig(t.TempDir())
	all := openCaughtUp(t, config, s)
	rewrite(t, all)
	if got, err := all.Sample(t.Context()); err != nil || got != (Sample{80, 80}) {
		t.Errorf("a search of all rows: %+v (%v)", got, err)
	}
	config.Shortlist = 1
	few := openCaughtUp(t, config, s)
	got, err := few.Sample(t.Context())
	if err != nil || got.Due != 80 || got.Found >= 80 || got.Found < 8 {
		t.Errorf("a search of nine rows: %+v (%v)", got, err)
	}
	if again, _ := few.Sample(t.Context()); again != got {
		t.Errorf("asked again: %+v, before %+v", again, got)
	}
}

// TestSampleOfWords holds that an index without vectors has nothing to sample.
func TestSampleOfWords(t *testing.T) {
	ix := openCaughtUp(t, Config{}, smallStore())
	if got, err := ix.Sample(t.Context()); err != nil || got != (Sample{}) {
		t.Errorf("%+v (%v)", got, err)
	}
}
