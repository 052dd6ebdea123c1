package memtest

import (
	"math"

	"combray/internal/memory"
)

var vectorPromises = []promise{
	{"vectors-round-trip", vectorsRoundTrip},
	{"vectors-in-order-of-numbers", vectorsInOrder},
	{"vectors-replaced", vectorsReplaced},
	{"vectors-of-one-identity", vectorsOfOneIdentity},
	{"vectors-survive-an-overwrite", vectorsSurviveOverwrite},
	{"windows-counted", windowsCounted},
	{"windows-of-the-present-encoder", windowsOfThePresent},
	{"vectors-of-a-reworded-memory", vectorsReworded},
	{"unembedded-newest-first", unembeddedNewestFirst},
	{"unembedded-by-identity", unembeddedByIdentity},
}

const suiteIdentity, otherIdentity = "suite/one", "suite/two"

// windows makes unit vectors as long as the bundled encoder's.
func windows(seeds ...int) [][]float32 {
	var out [][]float32
	for _, seed := range seeds {
		out = append(out, Vector(seed, 384))
	}
	return out
}

func (x *subject) vectors(identity string, numbers ...int64) [][][]float32 {
	x.Helper()
	return must[[][][]float32](x)(x.store.Vectors(x.ctx, numbers, identity))
}

func (x *subject) embed(m memory.Memory, identity string, seeds ...int) {
	x.Helper()
	x.write(memory.PutVectors{Number: m.Number, Identity: identity, Windows: windows(seeds...)})
}

// Vectors come back within vectorTolerance and of length 1.
func vectorsRoundTrip(x *subject) {
	m := x.putOne("m")
	tiny := make([]float32, 384) // one great component beside many that are nearly nothing
	for i := range tiny {
		tiny[i] = 3e-5
	}
	tiny[17] = -1
	given := append(windows(1, 2, 3), unit(tiny))
	x.write(memory.PutVectors{Number: m.Number, Identity: suiteIdentity, Windows: given})
	got := x.vectors(suiteIdentity, m.Number)
	x.same("vectors", got, [][][]float32{given})
	for i, v := range got[0] {
		if math.Abs(math.Sqrt(dot(v, v))-1) > vectorTolerance {
			x.Errorf("window %d has length %f", i, math.Sqrt(dot(v, v)))
		}
	}
}

// Vectors come in the order of numbers, nil where there is none.
func vectorsInOrder(x *subject) {
	a, b, c := x.putOne("a"), x.putOne("b"), x.putOne("c")
	x.embed(a, suiteIdentity, 1, 2)
	x.embed(c, suiteIdentity, 3)
	got := x.vectors(suiteIdentity, c.Number, 1<<40, b.Number, a.Number)
	if len(got) != 4 {
		x.Fatalf("%d answers to 4 numbers", len(got))
	}
	x.same("vectors", got, [][][]float32{windows(3), nil, nil, windows(1, 2)})
	if got[1] != nil || got[2] != nil {
		x.Error("a memory without vectors has something else than nil")
	}
	if none := x.vectors(suiteIdentity); len(none) != 0 {
		x.Errorf("%d answers to no number", len(none))
	}
}

func vectorsReplaced(x *subject) {
	m := x.putOne("m")
	x.embed(m, suiteIdentity, 1, 2, 3)
	x.embed(m, suiteIdentity, 4)
	x.same("vectors", x.vectors(suiteIdentity, m.Number), [][][]float32{windows(4)})
}

// Vectors of one identity never answer for another.
func vectorsOfOneIdentity(x *subject) {
	old, both := x.putOne("old"), x.putOne("both")
	x.embed(old, suiteIdentity, 1)
	x.embed(both, suiteIdentity, 2)
	x.embed(both, otherIdentity, 3, 4)
	x.same("newer", x.vectors(otherIdentity, old.Number, both.Number), [][][]float32{nil, windows(3, 4)})
	x.same("older", x.vectors(suiteIdentity, old.Number), [][][]float32{windows(1)})
	x.same("unknown", x.vectors("suite/three", old.Number, both.Number), [][][]float32{nil, nil})
	for _, c := range must[[]memory.Changed](x)(x.store.Changes(x.ctx, 0, 10, otherIdentity)) {
		want := windows(3, 4)
		if c.Memory.ID == old.ID {
			want = nil
		}
		x.same("change of "+string(c.Memory.Content), c.Vectors, want)
	}
}

func vectorsSurviveOverwrite(x *subject) {
	m := x.putOne("m")
	x.embed(m, suiteIdentity, 1, 2)
	m = *x.memory(m.ID)
	m.Status, m.ConsolidatedAt, m.ConsolidationReason = memory.Consolidated, Of(x.Clock.Now()), Of("keep")
	x.write(memory.PutMemory{Memory: m})
	x.same("vectors", x.vectors(suiteIdentity, m.Number), [][][]float32{windows(1, 2)})
	x.same("memory", x.memory(m.ID), &m)
}

// Windows says how many vectors there are, and is null before.
func windowsCounted(x *subject) {
	m, bare := x.putOne("m"), x.putOne("bare")
	if m.Windows != nil {
		x.Errorf("%d windows before there is a vector", *m.Windows)
	}
	for _, seeds := range [][]int{{1}, {2, 3, 4}, {5, 6}} {
		x.embed(m, suiteIdentity, seeds...)
		m.Windows = Of(len(seeds))
		x.same("by id", x.memory(m.ID), &m)
		x.same("list", x.list(memory.ListQuery{Order: memory.OldestCaptured}), []memory.Memory{m, bare})
	}
}

// The encoder whose vectors were stored last is the present one, unless it is the
// next.
func windowsOfThePresent(x *subject) {
	m := x.putOne("m")
	x.embed(m, suiteIdentity, 1)
	x.write(memory.PutVectors{Number: m.Number, Identity: otherIdentity, Windows: windows(2, 3), Next: true})
	m.Windows = Of(1)
	x.same("while the next is made", x.memory(m.ID), &m)
	x.same("vectors of the next", x.vectors(otherIdentity, m.Number), [][][]float32{windows(2, 3)})
	x.embed(m, otherIdentity, 2, 3)
	m.Windows = Of(2)
	x.same("when it is present", x.memory(m.ID), &m)
}

// What other encoders made of a line that reads otherwise goes, with new vectors of
// its own or without; those for cues stay.
func vectorsReworded(x *subject) {
	m, beside := x.putOne("m"), x.putOne("beside")
	for _, given := range [][][]float32{windows(4), nil} {
		for _, row := range []memory.Memory{m, beside} {
			x.embed(row, suiteIdentity, 1)
			x.embed(row, otherIdentity, 2)
			x.write(memory.PutVectors{Number: row.Number, Identity: cueIdentity, Windows: windows(3), Cue: true})
		}
		x.write(memory.PutVectors{Number: m.Number, Identity: suiteIdentity, Windows: given, Reworded: true})
		x.same("its own", x.vectors(suiteIdentity, m.Number, beside.Number), [][][]float32{given, windows(1)})
		x.same("of the other", x.vectors(otherIdentity, m.Number, beside.Number), [][][]float32{nil, windows(2)})
		x.same("to be made again", x.unembedded(otherIdentity), []memory.ID{m.ID})
		x.same("for cues", x.vectors(cueIdentity, m.Number), [][][]float32{windows(3)})
	}
	x.write(memory.PutVectors{Number: beside.Number, Reworded: true})
	x.same("reworded without an encoder", x.vectors(otherIdentity, beside.Number), [][][]float32{nil})
}

// Unembedded gives the newest captured first, forgotten ones too, at most limit.
func unembeddedNewestFirst(x *subject) {
	var rows []memory.Memory
	for i, minute := range []int{3, 1, 4, 2, 5} {
		m := x.Memory("m")
		m.CreatedAt = Start.AddDate(0, 0, minute)
		if i == 2 {
			m.ForgottenAt, m.ForgottenReason = Of(Start.AddDate(1, 0, 0)), Of("over")
		}
		rows = append(rows, m)
	}
	rows = x.put(rows...)
	x.embed(rows[0], suiteIdentity, 1)
	want := []memory.Memory{rows[4], rows[2], rows[3], rows[1]}
	for limit := 1; limit <= 5; limit++ {
		got := must[[]memory.Memory](x)(x.store.Unembedded(x.ctx, suiteIdentity, limit))
		x.same("unembedded", got, want[:min(limit, len(want))])
	}
}

// With another encoder everything is to be made again.
func unembeddedByIdentity(x *subject) {
	a, b := x.putOne("a"), x.putOne("b")
	x.embed(a, suiteIdentity, 1)
	x.embed(b, suiteIdentity, 2)
	x.same("none left", x.unembedded(suiteIdentity), []memory.ID{})
	x.same("all again", x.unembedded(otherIdentity), []memory.ID{b.ID, a.ID})
	x.embed(b, otherIdentity, 3)
	x.same("one made", x.unembedded(otherIdentity), []memory.ID{a.ID})
	x.write(memory.EraseMemory{MemoryID: a.ID})
	x.same("erased", x.unembedded(otherIdentity), []memory.ID{})
}
