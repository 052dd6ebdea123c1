package index

import "math"

// unknownPosition marks a row without a place in its session.
const unknownPosition = -1

// Bits of columns.flags.
const (
	flagLive uint8 = 1 << iota
	flagEvent
)

// columns are the fields of rows that filters, orders and scores read, one
// array a field, indexed by slot. They lie in a file or in memory.
type columns struct {
	docs, captured, event, position []int64
	lineLength, contentLength       []uint32 // terms, repetitions counted
	session                         []uint32 // number of the session + 1, 0 for none
	offset                          []int16  // of the event's wall clock in minutes, noHour when unknown
	flags, class                    []uint8
}

// noHour marks a row whose hour on the wall clock is unknown.
const noHour = math.MinInt16

func (c *columns) len() int { return len(c.docs) }

// add appends a row of a session with the given number + 1.
func (c *columns) add(row *Row, session uint32) {
	var flags uint8
	if row.Live {
		flags |= flagLive
	}
	if row.HasEvent {
		flags |= flagEvent
	}
	var line, content uint32
	for _, term := range row.Terms {
		line += uint32(term.Line)
		content += uint32(term.Content)
	}
	c.docs = append(c.docs, row.Doc)
	c.captured = append(c.captured, row.Captured)
	c.event = append(c.event, row.Event)
	c.position = append(c.position, max(row.Position, unknownPosition))
	c.lineLength = append(c.lineLength, line)
	c.contentLength = append(c.contentLength, content)
	c.session = append(c.session, session)
	c.offset = append(c.offset, row.offset())
	c.flags = append(c.flags, flags)
	c.class = append(c.class, row.Class)
}

// lengths returns the column of lengths that a field uses.
func (c *columns) lengths(field Field) []uint32 {
	if field == Content {
		return c.contentLength
	}
	return c.lineLength
}

// places holds where rows happened, for those that have a place, ascending by slot.
type places struct {
	slots    []uint32
	lat, lon []float64 // degrees
}

func (p *places) add(slot uint32, lat, lon float64) {
	p.slots = append(p.slots, slot)
	p.lat = append(p.lat, lat)
	p.lon = append(p.lon, lon)
}
