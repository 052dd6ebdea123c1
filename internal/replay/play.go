package replay

import (
	"context"
	"fmt"
	"time"

	"combray/internal/lives"
	"combray/internal/memory"
)

// Memory is what is measured: the verbs that a client has.
type Memory interface {
	Remember(ctx context.Context, in memory.RememberInput) (memory.Remembered, error)
	Sense(ctx context.Context, in memory.SenseInput) (memory.Sensed, error)
	Pending(ctx context.Context, in memory.PendingInput) ([]memory.RecollectionRow, []string, error)
}

// Run is what came back during a stream.
type Run struct {
	Events  []lives.Event
	Firings []Firing
	Queue   Queue
}

// Firing is a memory that came back for a cue.
type Firing struct {
	Cue    string // id of the event
	Memory string // id of the event that stored it; unknown for one that the stream did not store
	Day    int
	At     time.Time
	Score  float64
}

// Queue compares what was delivered with what fired, day by day. All but Items
// should be 0.
type Queue struct {
	Items    int `json:"items"`
	Missing  int `json:"missing"`  // fired that day and not delivered
	Extra    int `json:"extra"`    // delivered and not fired that day
	Repeated int `json:"repeated"` // delivered more than once
}

// drainsMost is after how many calls a queue that never ends counts as it is.
const drainsMost = 100

// unknown is the id of a memory that the stream did not store.
const unknown = "?"

// player holds a run in the making.
type player struct {
	memory Memory
	names  map[memory.ID]string // ids of the stream
	run    Run
	today  []string // fired and not yet looked for in the queue
}

// Play lets an empty memory live through what others stored before, then through
// the events, in their order and with their own times. The queue is drained at the
// end of each day.
func Play(ctx context.Context, m Memory, others, events []lives.Event) (Run, error) {
	p := &player{memory: m, names: map[memory.ID]string{}, run: Run{Events: append(others[:len(others):len(others)], events...)}}
	day := 0
	for _, e := range p.run.Events {
		if e.Op == lives.OpSense && e.Day != day {
			if err := p.drain(ctx); err != nil {
				return p.run, err
			}
			day = e.Day
		}
		if err := p.take(ctx, e); err != nil {
			return p.run, fmt.Errorf("event %s: %w", e.ID, err)
		}
	}
	return p.run, p.drain(ctx)
}

func (p *player) take(ctx context.Context, e lives.Event) error {
	if e.Op == lives.OpSense {
		return p.sense(ctx, e)
	}
	stored, err := p.memory.Remember(ctx, memory.RememberInput{Content: e.Text, EventAt: &e.At, Lat: e.Lat, Lon: e.Lon, Tags: e.Tags, Salience: e.Salience})
	p.names[stored.Memory.ID] = e.ID
	return err
}

func (p *player) sense(ctx context.Context, e lives.Event) error {
	in := memory.SenseInput{Lat: e.Lat, Lon: e.Lon, At: &e.At, Source: e.Source}
	if e.Text != "" {
		in.Text = &e.Text
	}
	sensed, err := p.memory.Sense(ctx, in)
	if err != nil {
		return err
	}
	at, err := e.Time()
	if err != nil {
		return err
	}
	for _, row := range sensed.Rows {
		f := Firing{Cue: e.ID, Memory: p.name(row.Memory.ID), Day: e.Day, At: at, Score: row.Recollection.Score}
		p.run.Firings = append(p.run.Firings, f)
		p.today = append(p.today, f.Memory)
	}
	return nil
}

func (p *player) name(id memory.ID) string {
	if name, known := p.names[id]; known {
		return name
	}
	return unknown
}

// drain empties the queue and compares it with what fired since the last time.
func (p *player) drain(ctx context.Context) error {
	fired, delivered := map[string]bool{}, map[string]int{}
	for _, id := range p.today {
		fired[id] = true
	}
	p.today = nil
	for range drainsMost {
		rows, _, err := p.memory.Pending(ctx, memory.PendingInput{Drain: true, Limit: memory.PendingMost})
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			break
		}
		for _, row := range rows {
			delivered[p.name(row.Memory.ID)]++
		}
	}
	p.run.Queue.compare(fired, delivered)
	return nil
}

func (q *Queue) compare(fired map[string]bool, delivered map[string]int) {
	for id := range fired {
		if delivered[id] == 0 {
			q.Missing++
		}
	}
	for id, times := range delivered {
		q.Items += times
		q.Repeated += times - 1
		if !fired[id] {
			q.Extra++
		}
	}
}
