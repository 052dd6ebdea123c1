package index

import (
	"math"
	"math/bits"
)

// timeWords is how many words of the bitset, 64 slots each, a timeBlock stands for: at
// a million rows 245 of them take 8 KiB.
const timeWords = 64

// span is a range of times in microseconds since 1970, both ends included.
type span struct {
	since, until int64
}

// newSpan returns a span without an end where a bound is nil.
func newSpan(since, until *int64) span {
	s := span{math.MinInt64, math.MaxInt64}
	if since != nil {
		s.since = *since
	}
	if until != nil {
		s.until = *until
	}
	return s
}

func (s span) holds(t int64) bool { return s.since <= t && t <= s.until }

// within reports whether s holds all of other.
func (s span) within(other span) bool { return s.since <= other.since && other.until <= s.until }

// apart reports whether s holds nothing of other.
func (s span) apart(other span) bool { return other.until < s.since || s.until < other.since }

// add widens s to hold t.
func (s *span) add(t int64) { s.since, s.until = min(s.since, t), max(s.until, t) }

// nothing is the span that add starts from.
var nothing = span{math.MaxInt64, math.MinInt64}

// timeBlock is when the rows of some consecutive slots happened and were captured. Rows
// come in about the order of their times, so that a filter need not look at those of
// most blocks.
type timeBlock struct {
	captured, event span // of event, those that have one
	undated         bool // a row has no event
}

func timeBlocks(c *columns) []timeBlock {
	const rows = timeWords * 64
	blocks := make([]timeBlock, 0, (c.len()+rows-1)/rows)
	for first := 0; first < c.len(); first += rows {
		b := timeBlock{captured: nothing, event: nothing}
		for slot := first; slot < min(first+rows, c.len()); slot++ {
			b.captured.add(c.captured[slot])
			if c.flags[slot]&flagEvent != 0 {
				b.event.add(c.event[slot])
			} else {
				b.undated = true
			}
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// timeFilter is the bounds of a Filter on times.
type timeFilter struct {
	captured, event span
	dated           bool // rows without an event do not pass
	undated         bool // rows with an event do not pass
}

// all and none say what is known of a block without a look at its rows.
func (f *timeFilter) all(b *timeBlock) bool {
	return f.captured.within(b.captured) && (!f.dated || !b.undated && f.event.within(b.event)) && (!f.undated || b.event == nothing)
}

func (f *timeFilter) none(b *timeBlock) bool {
	return f.captured.apart(b.captured) || f.dated && f.event.apart(b.event) || f.undated && !b.undated
}

// keepTimes takes away the slots whose times lie outside the bounds.
func (s *state) keepTimes(allowed bitset, f *Filter) {
	times := timeFilter{
		newSpan(f.CapturedSince, f.CapturedUntil), newSpan(f.EventSince, f.EventUntil),
		f.EventSince != nil || f.EventUntil != nil, f.Undated,
	}
	if !times.dated && !times.undated && f.CapturedSince == nil && f.CapturedUntil == nil {
		return
	}
	words := int(s.split) / 64
	if s.segment != nil {
		for i, block := range s.segment.times() {
			part := allowed[i*timeWords : min((i+1)*timeWords, words)]
			switch {
			case times.none(&block):
				clear(part)
			case !times.all(&block):
				times.keep(part, &s.file, i*timeWords)
			}
		}
	}
	times.keep(allowed[words:], &s.delta.columns, 0)
}

// keep looks at the rows of some words of a bitset, the first of which is that of slot
// 64·first of the columns.
func (f *timeFilter) keep(allowed bitset, c *columns, first int) {
	for i, word := range allowed {
		kept := word
		for rest := word; rest != 0; rest &= rest - 1 {
			slot := (first+i)<<6 + bits.TrailingZeros64(rest)
			if !f.holds(c, slot) {
				kept &^= rest & -rest
			}
		}
		allowed[i] = kept
	}
}

// holds reports whether the row of a slot passes.
func (f *timeFilter) holds(c *columns, slot int) bool {
	if !f.captured.holds(c.captured[slot]) {
		return false
	}
	if c.flags[slot]&flagEvent == 0 {
		return !f.dated
	}
	return !f.undated && (!f.dated || f.event.holds(c.event[slot]))
}
