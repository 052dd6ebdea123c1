package memtest

import (
	"encoding/binary"
	"encoding/hex"
	"sync"
	"time"

	"combray/internal/memory"
)

// Start is when a Clock begins: 8 May 2023, 12:00 UTC.
var Start = time.Date(2023, time.May, 8, 12, 0, 0, 0, time.UTC)

// Clock is a source of times that ticks by itself. The zero value starts at
// Start and ticks a second a call. Safe for concurrent use.
type Clock struct {
	Tick time.Duration // after each Now; 0 means a second, less than 0 a clock that stands

	mu  sync.Mutex
	now time.Time
}

// Now gives the present time, then lets the clock tick.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.start()
	now := c.now
	switch {
	case c.Tick == 0:
		c.now = c.now.Add(time.Second)
	case c.Tick > 0:
		c.now = c.now.Add(c.Tick)
	}
	return now
}

// Set puts the clock to a time, before or after the present one.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// Advance moves the clock on.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.start()
	c.now = c.now.Add(d)
}

func (c *Clock) start() {
	if c.now.IsZero() {
		c.now = Start
	}
}

// IDs is a source of names that is the same on every run. No name comes twice,
// and their order is not that of their making, so that a test notices an order
// that leans on it. The zero value works. Safe for concurrent use.
type IDs struct {
	mu    sync.Mutex
	count uint64
}

// scramble is odd, so that multiplying by it modulo 2^48 is a permutation
// (Knuth, The Art of Computer Programming 3, 6.4: 2^48 over the golden ratio).
const scramble = 0x9E3779B97F4B

// Next gives the next ID.
func (i *IDs) Next() memory.ID {
	var b [6]byte
	_, _ = i.Read(b[:])
	return memory.ID(hex.EncodeToString(b[:]))
}

// Read fills p with six bytes a name, so that IDs can serve as
// memory.Config.Random. It never fails.
func (i *IDs) Read(p []byte) (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for n := 0; n < len(p); n += 6 {
		i.count++
		var b [8]byte
		binary.BigEndian.PutUint64(b[:], i.count*scramble<<16)
		copy(p[n:], b[:6])
	}
	return len(p), nil
}
