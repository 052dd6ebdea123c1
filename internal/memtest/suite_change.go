package memtest

import (
	"combray/internal/memory"
)

var changePromises = []promise{
	{"sequence-ascends", sequenceAscends},
	{"sequence-of-rows", sequenceOfRows},
	{"changes-complete-in-pages", changesComplete},
	{"changes-show-the-newest-state", changesNewest},
	{"changes-with-tombstones", changesTombstones},
	{"numbers-ascend-and-never-return", numbersNeverReturn},
}

func (x *subject) sequence() int64 {
	x.Helper()
	return must[int64](x)(x.store.Sequence(x.ctx))
}

func (x *subject) changes(after int64, limit int) []memory.Changed {
	x.Helper()
	return must[[]memory.Changed](x)(x.store.Changes(x.ctx, after, limit, suiteIdentity))
}

// Whatever an index must know of raises the sequence.
func sequenceAscends(x *subject) {
	last := x.sequence()
	var m memory.Memory
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"insert", func() { m = x.putOne("m") }},
		{"overwrite", func() { x.write(memory.PutMemory{Memory: m}) }},
		{"vectors", func() { x.embed(m, suiteIdentity, 1) }},
		{"vectors again", func() { x.embed(m, suiteIdentity, 2) }},
		{"erase", func() { x.write(memory.EraseMemory{MemoryID: m.ID}) }},
	} {
		step.do()
		if now := x.sequence(); now <= last {
			x.Errorf("%s: the sequence went from %d to %d", step.name, last, now)
		} else {
			last = now
		}
	}
}

// A row carries the sequence of its newest change, everywhere the same.
func sequenceOfRows(x *subject) {
	a, b := x.putOne("a"), x.putOne("b")
	x.embed(a, suiteIdentity, 1)
	now := *x.memory(a.ID)
	if now.Seq != x.sequence() || now.Seq <= b.Seq || b.Seq <= a.Seq {
		x.Errorf("sequences %d, %d and then %d, the store's is %d", a.Seq, b.Seq, now.Seq, x.sequence())
	}
	changed := x.changes(0, 10)
	if len(changed) != 2 || changed[0].Memory.Seq != b.Seq || changed[1].Memory.Seq != now.Seq {
		x.Errorf("changes do not carry the sequences of the rows: %d rows", len(changed))
	}
}

// Changes of one transaction have sequences of their own, and pages of any
// length show every memory once.
func changesComplete(x *subject) {
	var batch []memory.Memory
	for range 7 {
		batch = append(batch, x.Memory("m"))
	}
	rows := x.put(batch...)
	x.write(memory.PutMemory{Memory: rows[2]}, memory.PutMemory{Memory: rows[0]})
	want := idsOf([]memory.Memory{rows[1], rows[3], rows[4], rows[5], rows[6], rows[2], rows[0]})
	for size := 1; size <= 8; size++ {
		var got []memory.ID
		var after int64
		for range len(want) + 1 {
			for _, c := range x.changes(after, size) {
				if c.Memory.Seq <= after {
					x.Fatalf("sequence %d after %d", c.Memory.Seq, after)
				}
				after = c.Memory.Seq
				got = append(got, c.Memory.ID)
			}
		}
		x.same("changes", got, want)
		if after != x.sequence() {
			x.Errorf("the last change has %d, the store %d", after, x.sequence())
		}
	}
	if more := x.changes(x.sequence(), 5); len(more) != 0 {
		x.Errorf("%d changes above the newest sequence", len(more))
	}
}

// A change shows the memory whole and as it now is, with its vectors.
func changesNewest(x *subject) {
	m := x.put(x.FullMemory("m"))[0]
	before := x.sequence()
	m.Frame, m.ForgottenAt, m.ForgottenReason = Of("new"), nil, nil
	x.write(memory.PutMemory{Memory: m})
	x.embed(m, suiteIdentity, 1, 2)
	m.Windows = Of(2)
	want := []memory.Changed{{Memory: m, Vectors: windows(1, 2)}}
	x.same("changes from the start", x.changes(0, 10), want)
	x.same("changes since", x.changes(before, 10), want)
}

// An erased memory leaves a tombstone with its number.
func changesTombstones(x *subject) {
	a, b, c := x.put(x.FullMemory("a"))[0], x.putOne("b"), x.putOne("c")
	before := x.sequence()
	x.embed(a, suiteIdentity, 1)
	x.write(memory.EraseMemory{MemoryID: a.ID})
	x.write(memory.PutMemory{Memory: b})
	for _, after := range []int64{0, before} {
		changed := x.changes(after, 10)
		if after == 0 {
			if len(changed) != 3 || changed[0].Memory.ID != c.ID {
				x.Fatalf("%d changes from the start, want 3", len(changed))
			}
			changed = changed[1:]
		}
		if len(changed) != 2 || changed[1].Memory.ID != b.ID {
			x.Fatalf("%d changes, want 2", len(changed))
		}
		grave := changed[0]
		if !grave.Erased || grave.Memory.Number != a.Number || grave.Memory.Seq <= before || grave.Vectors != nil {
			x.Errorf("tombstone: erased %t, number %d (want %d), sequence %d", grave.Erased, grave.Memory.Number, a.Number, grave.Memory.Seq)
		}
		x.same("what a tombstone shows", grave.Memory, memory.Memory{})
	}
}

func numbersNeverReturn(x *subject) {
	a, b := x.putOne("a"), x.putOne("b")
	x.write(memory.EraseMemory{MemoryID: b.ID})
	c := x.putOne("c")
	x.write(memory.EraseMemory{MemoryID: c.ID}, memory.EraseMemory{MemoryID: a.ID})
	d := x.putOne("d")
	if a.Number < 1 || b.Number <= a.Number || c.Number <= b.Number || d.Number <= c.Number {
		x.Errorf("numbers %d, %d, %d, %d do not ascend from 1", a.Number, b.Number, c.Number, d.Number)
	}
}
