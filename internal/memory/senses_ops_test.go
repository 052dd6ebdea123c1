package memory_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// crossing is a store that begins a second write while the first is under way.
type crossing struct {
	*memtest.Store
	second  func()        // called once
	arrived chan struct{} // closed when the second asks for the store
}

func (x *crossing) Update(ctx context.Context, f func(memory.Tx) error) error {
	second := x.second
	if x.second = nil; second == nil {
		close(x.arrived)
		return x.Store.Update(ctx, f)
	}
	return x.Store.Update(ctx, func(tx memory.Tx) error {
		go second()
		<-x.arrived
		return f(tx)
	})
}

// A cue that fires holds the writer and then what was heard; wiping must not hold
// them the other way round.
func TestWipingWhileACueFires(t *testing.T) {
	d := sensing(t)
	store := &crossing{Store: d.store, arrived: make(chan struct{})}
	d.at(walkContent, walkLat, walkLon, sunday)
	s := memory.New(memory.Config{Store: store, Index: d.index, Cues: memtest.NewCueIndex(store, ""), Now: d.Clock.Now, Random: &d.IDs, Zone: time.UTC})
	wiped, sensed := make(chan error, 1), make(chan error, 1)
	store.second = func() { wiped <- s.WipeHeard(d.ctx) }
	go func() {
		_, err := s.Sense(d.ctx, here(walkLat, walkLon, nextSunday))
		sensed <- err
	}()
	for _, done := range []chan error{sensed, wiped} {
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Fatal("the cue and the wipe wait for each other")
		}
	}
}

// Nothing that a wipe takes away may be missed by a cue under way.
func TestWipingWhileCuesComeIn(t *testing.T) {
	const places = 60
	d := sensing(t)
	for i := range places {
		d.at(fmt.Sprintf("moment %d", i), float64(i), walkLon, sunday)
	}
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range places {
				in := here(float64(i), walkLon, nextSunday)
				in.Source = fmt.Sprint(worker)
				if _, err := d.Sense(d.ctx, in); err != nil {
					t.Error(err)
				}
				if err := d.WipeHeard(d.ctx); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if err := errors.Join(d.WipeHeard(d.ctx), d.FlushHeard(d.ctx)); err != nil {
		t.Fatal(err)
	}
	_ = d.store.View(d.ctx, func(r memory.Reader) error {
		rows, _, err := r.Heard(d.ctx, 0, -1<<31, "")
		if err != nil || len(rows) != 0 {
			t.Errorf("after the last wipe %d rows are stored, %v", len(rows), err)
		}
		return nil
	})
}

// unlucky is a store whose writes fail at their end while full is set.
type unlucky struct {
	*memtest.Store
	full bool
}

var errFull = errors.New("the disk is full")

func (u *unlucky) Update(ctx context.Context, f func(memory.Tx) error) error {
	return u.Store.Update(ctx, func(tx memory.Tx) error {
		if err := f(tx); err != nil || !u.full {
			return err
		}
		return errFull
	})
}

func TestACueThatFailedIsNoRepeat(t *testing.T) {
	var store *unlucky
	d := sensing(t, func(c *memory.Config) {
		store = &unlucky{Store: c.Store.(*memtest.Store)}
		c.Store = store
	})
	d.at(walkContent, walkLat, walkLon, sunday)
	d.cue(here(walkLat+1, walkLon, "2026-06-14T15:00:00+02:00")) // the visit before
	store.full = true
	if _, err := d.Sense(d.ctx, here(walkLat, walkLon, nextSunday)); !errors.Is(err, errFull) {
		t.Fatalf("a full disk: %v", err)
	}
	store.full = false
	if rows := d.cue(here(walkLat, walkLon, nextSunday)); len(rows) != 1 {
		t.Errorf("the cue was sent again when there was room, and brought %d memories", len(rows))
	}
}

// measured is an encoder that keeps the longest text of a cue's kind.
type measured struct {
	*memtest.Encoder
	longest int
}

func (m *measured) Symmetric(ctx context.Context, text string) ([]float32, error) {
	m.longest = max(m.longest, len(text))
	return m.Encoder.Symmetric(ctx, text)
}

func TestNoCueWaitsForALongText(t *testing.T) {
	encoder := &measured{Encoder: &memtest.Encoder{}}
	d := sensing(t, func(c *memory.Config) { c.Encoder = encoder })
	long := strings.Repeat("ää ", memory.EmbedAtOnceBytes)
	kept := d.keep(long)
	d.keep("tea with Ada")
	out, err := d.Sense(d.ctx, said(long, nextSunday))
	if err != nil || len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], "first 819") || !utf8.ValidString(out.Warnings[0]) {
		t.Errorf("a long cue: %v, warnings %q", err, out.Warnings)
	}
	d.cue(said("tea", nextSunday))
	if encoder.longest == 0 || encoder.longest > memory.EmbedAtOnceBytes {
		t.Errorf("a cue waited for a text of %d bytes", encoder.longest)
	}
	if got := d.cueVectors(encoder, kept); got[0] != 0 {
		t.Errorf("the long memory has %d vectors", got[0])
	}
	if _, err := d.BackfillCues(d.ctx, nil); err != nil || d.cueVectors(encoder, kept)[0] == 0 {
		t.Errorf("it got none behind, %v", err)
	}
}

func TestExplainingMakesNoVectors(t *testing.T) {
	var store *unlucky
	d := sensing(t, func(c *memory.Config) {
		store = &unlucky{Store: c.Store.(*memtest.Store)}
		c.Store = store
	})
	walk := d.at(walkContent, walkLat, walkLon, sunday)
	store.full = true
	if _, _, err := d.ExplainSilence(d.ctx, walk.ID, said("the walk with Ada", nextSunday)); err != nil {
		t.Errorf("explaining wrote: %v", err)
	}
}
