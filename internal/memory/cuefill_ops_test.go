package memory_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// fussy refuses to encode texts that hold a word.
type fussy struct {
	*memtest.Encoder
	word string
}

func (f fussy) Symmetric(ctx context.Context, text string) ([]float32, error) {
	if strings.Contains(text, f.word) {
		return nil, errors.New("not this text")
	}
	return f.Encoder.Symmetric(ctx, text)
}

// cueVectors counts the cue vectors of each memory.
func (d *desk) cueVectors(encoder memory.Encoder, memories ...memory.Memory) []int {
	d.Helper()
	numbers := make([]int64, len(memories))
	for i, m := range memories {
		numbers[i] = m.Number
	}
	vectors, err := d.store.Vectors(d.ctx, numbers, memory.CueIdentity(encoder.Identity()))
	if err != nil {
		d.Fatal(err)
	}
	out := make([]int, len(vectors))
	for i, windows := range vectors {
		out[i] = len(windows)
	}
	return out
}

func TestCueVectorsOfTextAndOfPerceivedWords(t *testing.T) {
	d := sensing(t)
	bare, heard := d.keep("tea"), d.keep("cake")
	err := d.store.Update(d.ctx, func(tx memory.Tx) error {
		return tx.Apply(d.ctx, memory.Plan{Changes: []memory.Change{memory.PutFingerprints{MemoryID: heard.ID, Fingerprints: []memory.Fingerprint{
			{Channel: memory.ChannelText, Text: "a bell rang", Chance: 1}, {Channel: memory.ChannelImage, Backend: "x", Data: []byte{1}},
			{Channel: memory.ChannelAudio, Text: "a bell rang", Chance: 1}, {Channel: memory.ChannelAudio, Text: "cake", Chance: 1}}}}})
	})
	if err != nil {
		t.Fatal(err)
	}
	var told []int
	made, err := d.BackfillCues(d.ctx, func(n int) { told = append(told, n) })
	if err != nil || made != 2 || fmt.Sprint(told) != "[2]" {
		t.Errorf("%v: made %d, told %v", err, made, told)
	}
	if got := d.cueVectors(d.encoder, bare, heard); fmt.Sprint(got) != "[1 2]" {
		t.Errorf("vectors %v, want one for the text and one for the bell", got)
	}
	if made, err := d.BackfillCues(d.ctx, nil); err != nil || made != 0 {
		t.Errorf("%v: made %d once more", err, made)
	}
	d.encoder.Fail("no library")
	late := d.keep("milk")
	d.encoder.Fail("")
	if made, err := d.BackfillCues(d.ctx, nil); err != nil || made != 1 || ok[memory.Inspection](d)(d.InspectMemory(d.ctx, late.ID)).Memory.Embedded() {
		t.Errorf("%v: with %d vectors for cues alone the memory counts as embedded", err, made)
	}
}

func TestATextThatCannotBeEncodedHoldsNoOtherUp(t *testing.T) {
	encoder := fussy{&memtest.Encoder{}, "thorn"}
	d := sensing(t, func(c *memory.Config) { c.Encoder = encoder })
	var all []memory.Memory
	for i := range 40 {
		all = append(all, d.keep(fmt.Sprintf("rose %d", i)))
	}
	all = append(all, d.keep("thorn")) // the newest goes first
	made, err := d.BackfillCues(d.ctx, nil)
	if got := d.cueVectors(encoder, all...); err != nil || made != 40 || got[40] != 0 || got[0] != 1 {
		t.Errorf("%v: made %d, %v", err, made, got)
	}
}

func TestCuesAreMadeBehindWhenTheyAreMany(t *testing.T) {
	told := 0
	d := sensing(t, func(c *memory.Config) { c.Behind = func() { told++ } })
	for i := range 100 {
		d.keep(fmt.Sprintf("rose %d", i))
	}
	told = 0
	d.cue(said("a rose", nextSunday))
	missing, err := d.store.Unembedded(d.ctx, memory.CueIdentity(d.encoder.Identity()), 0)
	if err != nil || len(missing) == 0 || len(missing) == 100 || told != 1 {
		t.Errorf("%v: %d of 100 still without, told %d times", err, len(missing), told)
	}
}

func TestNoCueVectorsWithoutEncoderOrIndex(t *testing.T) {
	for name, change := range map[string]func(*memory.Config){
		"no encoder":   func(c *memory.Config) { c.Encoder, c.Cues = nil, memtest.NewCueIndex(c.Store, "") },
		"no cue index": func(c *memory.Config) { c.Cues = nil },
	} {
		d := sensing(t, change)
		d.keep("tea")
		if made, err := d.BackfillCues(d.ctx, nil); err != nil || made != 0 {
			t.Errorf("%s: %v, made %d", name, err, made)
		}
	}
	d := sensing(t)
	tea := d.keep("tea")
	d.encoder.Fail("no library")
	d.cue(said("tea", nextSunday))
	if _, err := d.BackfillCues(d.ctx, nil); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("a failed encoder: %v", err)
	}
	if got := d.cueVectors(d.encoder, tea); got[0] != 0 {
		t.Errorf("a failed encoder made %v", got)
	}
}
