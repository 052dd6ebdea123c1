package memtest

import (
	"fmt"
	"sync"
	"time"

	"combray/internal/memory"
)

var queuePromises = []promise{
	{"recollection-fields", recollectionFields},
	{"recollection-wall-clock", recollectionWallClock},
	{"recollection-overwrite", recollectionOverwrite},
	{"firings-by-cue-time", firingsByCueTime},
	{"fired-between", firedBetween},
	{"queue-in-order", queueInOrder},
	{"queue-version-grows", queueVersionGrows},
	{"queue-drained-once", queueDrainedOnce},
}

// fire stores recollections as given.
func (x *subject) fire(rows ...memory.Recollection) {
	x.Helper()
	var plan memory.Plan
	for _, r := range rows {
		plan.Write(memory.PutRecollection{Recollection: r})
	}
	x.apply(plan)
}

func (x *subject) recollection(id memory.ID) *memory.Recollection {
	x.Helper()
	return ask(x, func(r memory.Reader) (*memory.Recollection, error) { return r.Recollection(x.ctx, id) })
}

func (x *subject) pending(limit int) []memory.Recollection {
	x.Helper()
	return ask(x, func(r memory.Reader) ([]memory.Recollection, error) { return r.Pending(x.ctx, limit) })
}

func (x *subject) queueVersion() int64 {
	x.Helper()
	return ask(x, func(r memory.Reader) (int64, error) { return r.QueueVersion(x.ctx) })
}

func recollectionFields(x *subject) {
	m := x.putOne("m")
	full, bare, noise := x.Recollection(m), x.Recollection(m), x.Recollection(m)
	full.Useful, noise.Useful = Of(true), Of(false)
	full.Score, full.At, full.FiredAt = 1.0/3, memory.Micro(full.At.Add(123456789)), full.FiredAt.Add(time.Microsecond)
	full.Channels[memory.ChannelText] = 0.1 + 0.2
	bare.Channels, bare.Via, bare.Source, bare.Score, bare.Queued = nil, nil, "", 0, false
	x.fire(full, bare, noise)
	for _, want := range []memory.Recollection{full, bare, noise} {
		got := x.recollection(want.ID)
		x.same("recollection", got, &want)
		if got == nil || got.Sequence < 1 {
			x.Errorf("recollection %+v has no place", got)
		}
	}
	x.same("unknown", x.recollection("000000000000"), (*memory.Recollection)(nil))
}

// The time of a cue keeps its wall clock.
func recollectionWallClock(x *subject) {
	m := x.putOne("m")
	for _, minutes := range []int{0, 120, -210, 14 * 60, -12 * 60} {
		r := x.Recollection(m)
		r.At = r.At.In(time.FixedZone("somewhere", minutes*60))
		x.fire(r)
		got := x.recollection(r.ID)
		if got.At.Format(time.RFC3339Nano) != r.At.Format(time.RFC3339Nano) {
			x.Errorf("the cue of %s came at %s", r.At.Format(time.RFC3339Nano), got.At.Format(time.RFC3339Nano))
		}
	}
}

func recollectionOverwrite(x *subject) {
	m := x.putOne("m")
	first, second := x.Recollection(m), x.Recollection(m)
	x.fire(first, second)
	old := *x.recollection(first.ID)
	changed := x.Recollection(m)
	changed.ID, changed.Sequence = old.ID, old.Sequence
	changed.Score, changed.Channels, changed.Via = 0.9, map[memory.Channel]float64{memory.ChannelText: 1}, []memory.Channel{memory.ChannelText}
	changed.At, changed.Source, changed.Useful = old.At.Add(time.Hour).UTC(), "watch", Of(true)
	x.fire(changed)
	got := x.recollection(first.ID)
	x.same("overwritten", got, &changed)
	if _, seconds := got.At.Zone(); seconds != 0 {
		x.Errorf("an overwrite leaves the wall clock %d seconds east", seconds)
	}
	if got.Sequence != old.Sequence {
		x.Errorf("an overwrite moves a recollection from place %d to %d", old.Sequence, got.Sequence)
	}
	x.same("the other", x.recollection(second.ID), &second)
}

// Firings of a memory stay after delivery, and come by the time of their cues.
func firingsByCueTime(x *subject) {
	a, b, c := x.putOne("a"), x.putOne("b"), x.putOne("c")
	var rows []memory.Recollection
	for i, hour := range []int{5, 1, 3, 3, 3, 2} {
		r := x.Recollection([]memory.Memory{a, b, c}[i%3])
		r.At = Start.Add(time.Duration(hour) * time.Hour)
		r.Queued = i%2 == 0
		rows = append(rows, r)
	}
	x.fire(rows...)
	firings := func(ids ...memory.ID) []memory.Recollection {
		return ask(x, func(r memory.Reader) ([]memory.Recollection, error) { return r.Firings(x.ctx, ids) })
	}
	x.same("of two", firings(b.ID, a.ID), []memory.Recollection{rows[1], rows[3], rows[4], rows[0]})
	x.same("of one", firings(c.ID), []memory.Recollection{rows[5], rows[2]})
	x.same("of none", firings(), []memory.Recollection(nil))
}

// The first moment does not count, the last does.
func firedBetween(x *subject) {
	m := x.putOne("m")
	var rows []memory.Recollection
	for hour := range 5 {
		r := x.Recollection(m)
		r.At = Start.Add(time.Duration(hour) * time.Hour)
		r.Queued = hour%2 == 0
		rows = append(rows, r)
	}
	x.fire(rows...)
	for _, c := range []struct{ after, until, want int }{{0, 4, 4}, {-1, 4, 5}, {1, 2, 1}, {2, 2, 0}, {3, 1, 0}, {4, 9, 0}} {
		n := ask(x, func(r memory.Reader) (int, error) {
			return r.FiredBetween(x.ctx, Start.Add(time.Duration(c.after)*time.Hour), Start.Add(time.Duration(c.until)*time.Hour))
		})
		if n != c.want {
			x.Errorf("between hour %d and %d fired %d, want %d", c.after, c.until, n, c.want)
		}
	}
}

// The queue gives what waits, oldest first, whatever the time of the cue.
func queueInOrder(x *subject) {
	m := x.putOne("m")
	var rows []memory.Recollection
	for i := range 6 {
		r := x.Recollection(m)
		r.At = Start.Add(time.Duration(i*i%7) * time.Hour)
		r.Score = float64(i%3) / 3
		rows = append(rows, r)
	}
	x.fire(rows[:3]...)
	x.fire(rows[3:]...)
	stored := x.pending(0)
	x.same("queue", stored, rows)
	if len(stored) != len(rows) {
		return
	}
	for i := 1; i < len(stored); i++ {
		if stored[i].Sequence <= stored[i-1].Sequence {
			x.Errorf("place %d behind %d", stored[i].Sequence, stored[i-1].Sequence)
		}
	}
	stored[1].Queued, stored[4].Queued, stored[0].Score = false, false, 1
	x.fire(stored[4], stored[1], stored[0])
	waiting := []memory.Recollection{stored[0], stored[2], stored[3], stored[5]}
	for _, limit := range []int{-1, 0, 1, 3, 4, 9} {
		x.same(fmt.Sprint("at most ", limit), x.pending(limit), cut(waiting, limit))
	}
	stored[1].Queued = true
	x.fire(stored[1])
	x.same("one again", x.pending(0), []memory.Recollection{stored[0], stored[1], stored[2], stored[3], stored[5]})
}

// Whatever changes the queue raises its version; what does not may leave it.
func queueVersionGrows(x *subject) {
	m, other := x.putOne("m"), x.putOne("other")
	r := x.Recollection(m)
	last := x.queueVersion()
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"a firing", func() { x.fire(r) }},
		{"another score", func() { r.Score = 0.9; x.fire(r) }},
		{"a delivery", func() { r.Queued = false; x.fire(r) }},
		{"a return", func() { r.Queued = true; x.fire(r) }},
		{"two at once", func() { x.fire(x.Recollection(other), x.Recollection(other)) }},
		{"an erasure", func() { x.write(memory.EraseMemory{MemoryID: m.ID}) }},
	} {
		step.do()
		now := x.queueVersion()
		if now <= last {
			x.Errorf("%s: the version went from %d to %d", step.name, last, now)
		}
		last = now
	}
	if x.pending(0); x.queueVersion() != last {
		x.Error("reading changes the version")
	}
}

// Of many who drain the queue at once, each item is delivered to one.
func queueDrainedOnce(x *subject) {
	const items, drainers, batch = 60, 4, 7
	m := x.putOne("m")
	var plan memory.Plan
	for range items {
		plan.Write(memory.PutRecollection{Recollection: x.Recollection(m)})
	}
	x.apply(plan)
	var all sync.WaitGroup
	var mu sync.Mutex
	delivered := map[memory.ID]int{}
	for range drainers {
		all.Go(func() {
			for {
				got, err := Drain(x.ctx, x.store, batch)
				if err != nil {
					x.Errorf("a drainer among others: %v", err)
				}
				if len(got) == 0 {
					return
				}
				mu.Lock()
				for _, r := range got {
					delivered[r.ID]++
				}
				mu.Unlock()
			}
		})
	}
	all.Wait()
	for id, n := range delivered {
		if n != 1 {
			x.Errorf("%s was delivered %d times", id, n)
		}
	}
	if len(delivered) != items {
		x.Errorf("%d of %d items were delivered", len(delivered), items)
	}
}
