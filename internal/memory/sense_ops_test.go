package memory_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// sensing is a desk that compares perceptions.
func sensing(t *testing.T, change ...func(*memory.Config)) *desk {
	d := newDesk(t, append([]func(*memory.Config){func(c *memory.Config) {
		c.Cues = memtest.NewCueIndex(c.Store, memory.CueIdentity(c.Encoder.Identity()))
	}}, change...)...)
	d.Clock.Advance(time.Date(2026, 6, 20, 12, 0, 0, 0, time.UTC).Sub(d.Clock.Now()))
	return d
}

// at remembers a text at a place and time.
func (d *desk) at(content string, lat, lon float64, when string) memory.Memory {
	d.Helper()
	return d.keep(content, func(in *memory.RememberInput) { in.Lat, in.Lon, in.At = &lat, &lon, &when })
}

func (d *desk) cue(in memory.SenseInput) []memory.RecollectionRow {
	d.Helper()
	out, err := d.Sense(d.ctx, in)
	if err != nil {
		d.Fatalf("sense: %v", err)
	}
	return out.Rows
}

func here(lat, lon float64, when string) memory.SenseInput {
	return memory.SenseInput{Lat: &lat, Lon: &lon, At: &when}
}

func said(text, when string) memory.SenseInput { return memory.SenseInput{Text: &text, At: &when} }

const (
	sunday      = "2026-06-07T15:00:00+02:00"
	nextSunday  = "2026-06-14T15:40:00+02:00"
	longAgo     = "2026-04-01T10:00:00+02:00" // makes a history in which one visit is rare
	walkLat     = 48.2082
	walkLon     = 16.3738
	walkContent = "The walk along the canal with Ada"
)

func TestAMemoryComesBackWithItsPlaceAndHour(t *testing.T) {
	d := sensing(t)
	walk := d.at(walkContent, walkLat, walkLon, sunday)
	d.at("Elsewhere altogether", 52.5, 13.4, sunday)
	rows := d.cue(here(walkLat+30/111195.0, walkLon, nextSunday))
	if len(rows) != 1 || rows[0].Memory.ID != walk.ID {
		t.Fatalf("fired: %+v", rows)
	}
	r := rows[0].Recollection
	if r.Score < .77 || r.Score > .83 || len(r.Via) != 2 {
		t.Errorf("score %.3f via %v", r.Score, r.Via)
	}
	if line := rows[0].PromptLine("combray", false); line != "[combray 0.80 via geo+time] The walk along the canal with Ada (2026-06-07)" {
		t.Errorf("prompt line %q", line)
	}
	if again := d.cue(here(walkLat+30/111195.0, walkLon, nextSunday)); len(again) != 0 {
		t.Errorf("the same cue again fired: %+v", again)
	}
	later := "2026-06-14T18:00:00+02:00"
	if again := d.cue(here(walkLat, walkLon, later)); len(again) != 0 {
		t.Errorf("three hours later it fired again: %+v", again)
	}
}

func TestEightyEightTimesInASessionFireOnce(t *testing.T) {
	d := sensing(t)
	d.at(walkContent, walkLat, walkLon, sunday)
	start, _ := time.Parse(time.RFC3339, nextSunday)
	fired := 0
	for i := range 88 {
		fired += len(d.cue(here(walkLat, walkLon, start.Add(time.Duration(i)*4*time.Minute).Format(time.RFC3339))))
	}
	if fired != 1 {
		t.Errorf("fired %d times", fired)
	}
}

func TestARecollectionIsDeliveredOnce(t *testing.T) {
	d := sensing(t)
	d.cue(here(walkLat+1, walkLon, longAgo))
	walk := d.at(walkContent, walkLat, walkLon, sunday)
	fired := d.cue(here(walkLat, walkLon, nextSunday))
	before, _ := d.QueueVersion(d.ctx)
	for range 2 {
		peek, _, err := d.Pending(d.ctx, memory.PendingInput{})
		if err != nil || len(peek) != 1 || peek[0].Recollection.ID != fired[0].Recollection.ID || peek[0].Memory.ID != walk.ID {
			t.Fatalf("peeked %+v, %v", peek, err)
		}
	}
	if got, _, err := d.Pending(d.ctx, memory.PendingInput{Drain: true}); err != nil || len(got) != 1 {
		t.Fatalf("drained %d, %v", len(got), err)
	}
	if got, _, _ := d.Pending(d.ctx, memory.PendingInput{Drain: true}); len(got) != 0 {
		t.Errorf("drained twice: %+v", got)
	}
	if after, _ := d.QueueVersion(d.ctx); after == before {
		t.Error("draining did not change the queue's version")
	}
	if err := d.Feedback(d.ctx, fired[0].Recollection.ID, false); err != nil {
		t.Errorf("feedback after draining: %v", err)
	}
	soon := "2026-06-15T15:00:00+02:00"
	v, _, err := d.ExplainSilence(d.ctx, walk.ID, here(walkLat, walkLon, soon))
	if err != nil || v.Gate != memory.GateSilent || v.SilentUntil == nil {
		t.Errorf("noise silences for two days: %+v, %v", v, err)
	}
}

func TestNamedRecollectionsAreTakenOnceAndAlone(t *testing.T) {
	d := sensing(t)
	var fired []memory.ID
	for i := range 3 {
		d.at(fmt.Sprintf("moment %d", i), float64(i), walkLon, sunday)
		fired = append(fired, d.cue(here(float64(i), walkLon, nextSunday))[0].Recollection.ID)
	}
	take := func(only ...memory.ID) string {
		rows, _, err := d.Pending(d.ctx, memory.PendingInput{Drain: true, Limit: 1, Only: only})
		got := make([]memory.ID, len(rows))
		for i, r := range rows {
			got[i] = r.Recollection.ID
		}
		return fmt.Sprint(got, err)
	}
	if got := take(fired[2], fired[1], "ffffffffffff"); got != fmt.Sprint(fired[1:], nil) { // more than the limit, and behind it
		t.Errorf("took %s", got)
	}
	if got := take(fired[1:]...); got != "[] <nil>" {
		t.Errorf("took again %s", got)
	}
	if got := take([]memory.ID{}...); got != "[] <nil>" {
		t.Errorf("of no name: %s", got)
	}
	if got := take(); got != fmt.Sprint(fired[:1], nil) {
		t.Errorf("without names: %s", got)
	}
}

func TestNoiseIsRememberedOfAnItemThatWaits(t *testing.T) {
	d := sensing(t)
	d.cue(here(walkLat+1, walkLon, longAgo))
	d.at(walkContent, walkLat, walkLon, sunday)
	d.Clock.Advance(-48 * time.Hour) // to 18 June, between the second time and the end of its silence
	first := d.cue(here(walkLat, walkLon, nextSunday))[0].Recollection
	if err := d.Feedback(d.ctx, first.ID, false); err != nil {
		t.Fatal(err)
	}
	again := d.cue(here(walkLat, walkLon, first.At.AddDate(0, 0, 3).Format(time.RFC3339)))
	if len(again) != 1 {
		t.Fatalf("three days later: %+v", again)
	}
	last, err := d.LastSilence(d.ctx, again[0].Memory.ID)
	if want := first.At.AddDate(0, 0, 5); err != nil || last.SilentUntil == nil || !last.SilentUntil.Equal(want) {
		t.Errorf("silent until %v, want two days after the last time, %v; %v", last.SilentUntil, want, err)
	}
}

func TestUsedRecollectionsAreMarkedWhereverTheyAre(t *testing.T) {
	d := sensing(t)
	walk := d.at(walkContent, walkLat, walkLon, sunday)
	fired := d.cue(here(walkLat, walkLon, nextSunday))
	_, warnings, err := d.Pending(d.ctx, memory.PendingInput{Drain: true, Used: []memory.ID{fired[0].Recollection.ID, "ffffffffffff"}})
	if err != nil || len(warnings) != 1 || !strings.Contains(warnings[0], "ffffffffffff") {
		t.Errorf("warnings %q, %v", warnings, err)
	}
	err = d.store.View(d.ctx, func(r memory.Reader) error {
		f, err := r.Firings(d.ctx, []memory.ID{walk.ID})
		if len(f) != 1 || f[0].Useful == nil || !*f[0].Useful || f[0].Queued {
			t.Errorf("firing %+v", f)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func TestTheQueueForgetsWithTheMemory(t *testing.T) {
	for name, away := range map[string]func(*desk, memory.ID) error{
		"forget": func(d *desk, id memory.ID) error { _, err := d.Forget(d.ctx, id, "no more"); return err },
		"erase":  func(d *desk, id memory.ID) error { _, err := d.Erase(d.ctx, id, "no more", true); return err },
		"flag":   func(d *desk, id memory.ID) error { _, err := d.FlagSensitive(d.ctx, id, "an order"); return err },
	} {
		d := sensing(t)
		walk := d.at(walkContent, walkLat, walkLon, sunday)
		d.cue(here(walkLat, walkLon, nextSunday))
		if err := away(d, walk.ID); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, _, err := d.Pending(d.ctx, memory.PendingInput{Drain: true}); err != nil || len(got) != 0 {
			t.Errorf("%s: delivered %+v, %v", name, got, err)
		}
	}
}

// TestANewFiringKeepsItsPlaceAndTheOldOne: the queue shows the newest firing where the
// first one waited, and both silence the memory, whatever order a log is replayed in.
func TestANewFiringKeepsItsPlaceAndTheOldOne(t *testing.T) {
	d := sensing(t)
	walk := d.at(walkContent, walkLat, walkLon, sunday)
	d.at("Another place", walkLat+1, walkLon, sunday)
	first := d.cue(here(walkLat, walkLon, nextSunday))
	d.cue(here(walkLat+1, walkLon, nextSunday))
	again := d.cue(here(walkLat, walkLon, "2025-06-15T15:40:00+02:00"))
	if len(first) != 1 || len(again) != 1 || first[0].Recollection.ID == again[0].Recollection.ID {
		t.Fatalf("fired %+v, then %+v", first, again)
	}
	got, _, err := d.Pending(d.ctx, memory.PendingInput{})
	if err != nil || len(got) != 2 || got[0].Recollection.ID != again[0].Recollection.ID || got[0].Memory.ID != walk.ID {
		t.Errorf("waiting: %+v, %v", got, err)
	}
	if rows := d.cue(here(walkLat, walkLon, "2026-06-14T19:00:00+02:00")); len(rows) != 0 {
		t.Errorf("three hours after its first firing it fired again: %+v", rows)
	}
	for _, r := range []memory.RecollectionRow{first[0], again[0]} {
		if err := d.Feedback(d.ctx, r.Recollection.ID, true); err != nil {
			t.Error(err)
		}
	}
}

func TestItemsWaitSevenDays(t *testing.T) {
	d := sensing(t)
	d.at(walkContent, walkLat, walkLon, sunday)
	d.cue(here(walkLat, walkLon, nextSunday))
	d.Clock.Advance(7*24*time.Hour + time.Second)
	if got, _, _ := d.Pending(d.ctx, memory.PendingInput{}); len(got) != 0 {
		t.Errorf("after seven days: %+v", got)
	}
}

func TestAFullQueueDropsTheWeakest(t *testing.T) {
	d := sensing(t, func(c *memory.Config) { c.Sense.QueueMax = 2 })
	for i, metres := range []float64{0, 60, 20} {
		lat := walkLat + float64(i)
		d.at(fmt.Sprintf("text %d", i), lat, walkLon, sunday)
		if len(d.cue(here(lat+metres/111195, walkLon, nextSunday))) != 1 {
			t.Fatalf("memory %d did not fire", i)
		}
	}
	got, _, err := d.Pending(d.ctx, memory.PendingInput{})
	if err != nil || len(got) != 2 || got[0].Memory.Content != "text 0" || got[1].Memory.Content != "text 2" {
		t.Errorf("waiting: %+v, %v", got, err)
	}
}

// TestTopicsComeBackInTheirWords: the nearest text alone, and only when it stands out.
func TestTopicsComeBackInTheirWords(t *testing.T) {
	d := sensing(t)
	for i := range 40 {
		d.keep(fmt.Sprintf("ordinary day number%d with thing%d and item%d", i, i*3, i*7))
	}
	heron := d.keep("a grey heron nested by the northern weir")
	rows := d.cue(said("the heron nested near the weir again", nextSunday))
	if len(rows) != 1 || rows[0].Memory.ID != heron.ID || rows[0].Recollection.Via[0] != memory.ChannelText {
		t.Fatalf("fired %+v", rows)
	}
	if rows := d.cue(said("nothing of all that", "2026-06-16T10:00:00+02:00")); len(rows) != 0 {
		t.Errorf("fired %+v", rows)
	}
}

func TestWordsServeWithoutAnEncoder(t *testing.T) {
	d := sensing(t)
	for i := range 20 {
		d.keep(fmt.Sprintf("ordinary day number%d", i))
	}
	heron := d.keep("a grey heron nested by the northern weir")
	in := said("heron nested weir", nextSunday)
	in.WordsOnly = true
	if rows := d.cue(in); len(rows) != 1 || rows[0].Memory.ID != heron.ID {
		t.Errorf("fired %+v", rows)
	}
}

func TestSenseRefusesWhatIsNoCue(t *testing.T) {
	d := sensing(t)
	blank, far, bad := "  ", time.Now().AddDate(200, 0, 0).Format(time.RFC3339), "yesterday"
	lat := 48.0
	text := "x"
	long := strings.Repeat("s", 129)
	for name, c := range map[string]struct {
		in    memory.SenseInput
		field string
	}{
		"nothing":           {memory.SenseInput{}, "text"},
		"blank text":        {memory.SenseInput{Text: &blank}, "text"},
		"lat alone":         {memory.SenseInput{Lat: &lat}, "lat"},
		"a time ahead":      {memory.SenseInput{Text: &text, At: &far}, "at"},
		"no time":           {memory.SenseInput{Text: &text, At: &bad}, "at"},
		"a reading twice":   {memory.SenseInput{Text: &text, Signals: &memory.Signals{Text: &blank}}, "signals"},
		"an absurd reading": {memory.SenseInput{Biometric: map[string]float64{"heart_rate": 4000}}, "biometric"},
		"a long source":     {memory.SenseInput{Text: &text, Source: long}, "source"},
	} {
		_, err := d.Sense(d.ctx, c.in)
		var e *memory.Error
		if !errors.As(err, &e) || e.Field != c.field || e.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := d.Sense(d.ctx, memory.SenseInput{Biometric: map[string]float64{"mood": 7}}); err == nil || !strings.Contains(err.Error(), "biometric.mood was ignored") {
		t.Errorf("an unknown reading alone: %v", err)
	}
}

func TestWhatWasHeardIsStoredAndCanBeWiped(t *testing.T) {
	d := sensing(t)
	d.cue(here(walkLat, walkLon, sunday))
	d.cue(said("the boiler hums", "2026-06-08T15:00:00+02:00"))
	if err := d.FlushHeard(d.ctx); err != nil {
		t.Fatal(err)
	}
	heard := func() (n int) {
		_ = d.store.View(d.ctx, func(r memory.Reader) error {
			rows, _, err := r.Heard(d.ctx, 0, -1<<31, memory.CueIdentity(d.encoder.Identity()))
			n = len(rows)
			return err
		})
		return n
	}
	if heard() < 4 {
		t.Errorf("%d rows: a place, words and a text were expected", heard())
	}
	if err := d.WipeHeard(d.ctx); err != nil || heard() != 0 {
		t.Errorf("after wiping %d rows, %v", heard(), err)
	}
	off := sensing(t, func(c *memory.Config) { c.Sense.Unfamiliar = true })
	off.cue(here(walkLat, walkLon, sunday))
	if err := off.FlushHeard(off.ctx); err != nil {
		t.Fatal(err)
	}
	_ = off.store.View(off.ctx, func(r memory.Reader) error {
		if rows, _, err := r.Heard(off.ctx, 0, -1<<31, ""); err != nil || len(rows) != 0 {
			t.Errorf("switched off, it keeps %d rows, %v", len(rows), err)
		}
		return nil
	})
}

func TestExplainSilenceWritesNothing(t *testing.T) {
	d := sensing(t)
	walk := d.at(walkContent, walkLat, walkLon, sunday)
	for range 3 {
		v, _, err := d.ExplainSilence(d.ctx, walk.ID, here(walkLat, walkLon, nextSunday))
		if err != nil || !v.Fires {
			t.Fatalf("%+v, %v", v, err)
		}
	}
	if _, _, err := d.ExplainSilence(d.ctx, "ffffffffffff", here(walkLat, walkLon, nextSunday)); memory.CodeOf(err) != memory.CodeNotFound {
		t.Errorf("unknown memory: %v", err)
	}
	if v, err := d.LastSilence(d.ctx, walk.ID); err != nil || v.SilentUntil != nil {
		t.Errorf("it never fired: %+v, %v", v, err)
	}
	if got, _, _ := d.Pending(d.ctx, memory.PendingInput{}); len(got) != 0 {
		t.Error("explaining queued something")
	}
}

// plainEyes takes a picture for its own bytes.
type plainEyes struct{}

func (plainEyes) Perceive(_ context.Context, c memory.Channel, s memory.MediaSignal) (memory.Percept, error) {
	if len(s.Data) == 0 {
		return memory.Percept{}, memory.Invalid("signals", "Pass a picture.", "the picture is empty")
	}
	lat := walkLat
	return memory.Percept{Fingerprints: []memory.Fingerprint{{Channel: c, Backend: "bytes", Data: s.Data, Text: memory.Text(s.Caption), Chance: 1}},
		Place: &memory.Place{Lat: lat, Lon: walkLon, Geohash: "u2edk8"}}, nil
}

func (plainEyes) InSpace([]memory.Fingerprint) [][]float32 { return nil }

func (plainEyes) Alike(_ string, a, b []byte) (float64, float64) {
	if bytes.Equal(a, b) {
		return 1, 1
	}
	return 0, 0
}

func TestAPictureBringsItsMemoryBack(t *testing.T) {
	d := sensing(t, func(c *memory.Config) { c.Perceiver = plainEyes{} })
	stamp := d.keep("the stamp from Oslo", func(in *memory.RememberInput) {
		in.Signals = &memory.Signals{Image: &memory.MediaSignal{Data: []byte("stamp")}}
	})
	if stamp.Place == nil {
		t.Error("the picture's place was not taken")
	}
	cue := func(data string) memory.SenseInput {
		at := nextSunday
		return memory.SenseInput{At: &at, Signals: &memory.Signals{Image: &memory.MediaSignal{Data: []byte(data)}}}
	}
	if rows := d.cue(cue("another")); len(rows) != 0 {
		// The place of the picture is where the cue is, so that place alone may bring it back.
		for _, r := range rows {
			if r.Recollection.Channels[memory.ChannelImage] > 0 {
				t.Errorf("another picture fired: %+v", r)
			}
		}
	}
	d2 := sensing(t, func(c *memory.Config) {
		c.Perceiver, c.Sense.Channels = plainEyes{}, []memory.Channel{memory.ChannelImage}
	})
	d2.keep("the stamp from Oslo", func(in *memory.RememberInput) {
		in.Signals = &memory.Signals{Image: &memory.MediaSignal{Data: []byte("stamp")}}
	})
	rows := d2.cue(cue("stamp"))
	if len(rows) != 1 || rows[0].Recollection.Via[0] != memory.ChannelImage || math.Abs(rows[0].Recollection.Score-.8) > 1e-9 {
		t.Errorf("fired %+v: the very same picture alone proves .80", rows)
	}
	none := sensing(t)
	if _, err := none.Sense(none.ctx, cue("stamp")); memory.CodeOf(err) != memory.CodeUnavailable {
		t.Errorf("without eyes: %v", err)
	}
}
