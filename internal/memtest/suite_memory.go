package memtest

import (
	"math"
	"slices"
	"strings"
	"time"

	"combray/internal/memory"
)

var memoryPromises = []promise{
	{"memory-fields", memoryFields},
	{"memory-null-and-blank", memoryNullAndBlank},
	{"memory-text-bytes", memoryTextBytes},
	{"memory-by-ids", memoryByIDs},
	{"memory-by-numbers", memoryByNumbers},
	{"memory-overwrite", memoryOverwrite},
	{"memory-position", memoryPosition},
	{"memory-beside", memoryBeside},
	{"memory-idempotency-key", memoryIdempotencyKey},
	{"memory-labels", memoryLabels},
	{"memory-frames", memoryFrames},
}

func (x *subject) memory(id memory.ID) *memory.Memory {
	x.Helper()
	return ask(x, func(r memory.Reader) (*memory.Memory, error) { return r.Memory(x.ctx, id) })
}

// Every field comes back as it went in, at the ends of what may be stored too.
func memoryFields(x *subject) {
	early, late := x.FullMemory("first"), x.FullMemory("last")
	early.CreatedAt = time.Date(1, time.January, 1, 0, 0, 0, 1000, time.UTC)
	early.EventAt = &time.Time{}
	early.SessionPosition = Of(int64(0))
	early.Place = Here(-90, -180)
	early.EventOffset = Of(14 * 60)
	late.CreatedAt = time.Date(9999, time.December, 31, 23, 59, 59, 999_999_000, time.UTC)
	late.SessionPosition = Of(int64(math.MaxInt64))
	late.Place = Here(89.999999, 179.999999)
	late.Salience = 1
	for _, m := range []memory.Memory{x.FullMemory("full"), x.Memory("plain"), early, late} {
		x.same("stored memory", x.put(m), []memory.Memory{m})
		x.same("memory by id", x.memory(m.ID), &m)
	}
}

// Null, blank and zero are three things.
func memoryNullAndBlank(x *subject) {
	blank := x.FullMemory("blank")
	for _, s := range []*string{blank.Source, blank.Frame, blank.ConsolidationReason, blank.ForgottenReason,
		blank.OriginID, blank.CaptureContext} {
		*s = ""
	}
	blank.SessionID, blank.SessionPosition = Of(""), Of(int64(0))
	blank.IdempotencyKey = Of(" ")
	blank.EventOffset = Of(0)
	blank.Place = Here(0, 0)
	blank.Place.AccuracyM = Of(0.0)
	blank.Salience = 0
	blank.Tags, blank.MediaRefs = []string{""}, []string{"", ""}
	blank.Biometric = map[string]float64{"": 0}
	blank.Metadata = "{}"
	null := x.Memory("null")
	empty := x.Memory("empty")
	empty.Tags, empty.MediaRefs, empty.Biometric = []string{}, []string{}, map[string]float64{}
	for _, m := range []memory.Memory{blank, null, empty} {
		x.put(m)
		x.same("memory", x.memory(m.ID), &m)
	}
}

// Text is kept byte for byte.
func memoryTextBytes(x *subject) {
	for name, text := range map[string]string{
		"line ends":       "a\r\nb\rc\n\td ",
		"decomposed":      "cafe\u0301 vs caf\u00e9",
		"right to left":   "\u202eשלום مرحبا",
		"quotes":          `'; DROP TABLE memories; -- "\`,
		"zero byte":       "before\x00after",
		"not UTF-8":       "before\xff\xfe\xc0after",
		"number":          "1e999",
		"as long as ever": strings.Repeat("Straße 家 ", memory.MaxContentBytes/12),
	} {
		m := x.Memory(text)
		x.put(m)
		if got := x.memory(m.ID); got == nil || got.Content != m.Content {
			x.Errorf("%s: the text of %d bytes came back changed", name, len(text))
		}
	}
}

// Known ones among ids come in the order of ids.
func memoryByIDs(x *subject) {
	a, b, c := x.putOne("a"), x.putOne("b"), x.putOne("c")
	get := func(ids ...memory.ID) []memory.Memory {
		return ask(x, func(r memory.Reader) ([]memory.Memory, error) { return r.Memories(x.ctx, ids) })
	}
	x.same("c a b", get(c.ID, x.IDs.Next(), a.ID, b.ID), []memory.Memory{c, a, b})
	x.same("b c", get(b.ID, c.ID, "", "0"), []memory.Memory{b, c})
	x.same("none", get(), []memory.Memory(nil))
	x.same("unknown", x.memory(x.IDs.Next()), (*memory.Memory)(nil))
}

func memoryByNumbers(x *subject) {
	a, b, c := x.putOne("a"), x.putOne("b"), x.putOne("c")
	get := func(numbers ...int64) []memory.Memory {
		return ask(x, func(r memory.Reader) ([]memory.Memory, error) { return r.Numbered(x.ctx, numbers) })
	}
	x.same("c a b", get(c.Number, 1<<40, a.Number, b.Number), []memory.Memory{c, a, b})
	x.same("b a", get(b.Number, 0, -1, a.Number), []memory.Memory{b, a})
	x.same("none", get(), []memory.Memory(nil))
}

// A PutMemory with a number overwrites every mutable column, to null too, and
// touches no other memory.
func memoryOverwrite(x *subject) {
	other := x.put(x.FullMemory("other"))[0]
	full, plain := x.put(x.FullMemory("full"))[0], x.put(x.Memory("plain"))[0]
	// overwrite keeps what never changes and takes the rest from another.
	overwrite := func(old, from memory.Memory) memory.Memory {
		m := from
		m.ID, m.Number, m.Seq, m.Content, m.CreatedAt = old.ID, old.Number, old.Seq, old.Content, old.CreatedAt
		m.RecordedBy, m.IdempotencyKey, m.Windows = old.RecordedBy, old.IdempotencyKey, old.Windows
		return m
	}
	emptied, filled := overwrite(full, x.Memory("")), overwrite(plain, x.FullMemory(""))
	x.write(memory.PutMemory{Memory: emptied}, memory.PutMemory{Memory: filled})
	for _, want := range []memory.Memory{emptied, filled, other} {
		got := x.memory(want.ID)
		x.same("memory", got, &want)
		if got.Number != want.Number {
			x.Errorf("the number changed from %d to %d", want.Number, got.Number)
		}
	}
}

// AtPosition finds forgotten memories too, and blank sessions.
func memoryPosition(x *subject) {
	place := func(content, session string, position int64, forgotten bool) memory.Memory {
		m := x.Memory(content)
		m.SessionID, m.SessionPosition = &session, &position
		if forgotten {
			m.ForgottenAt, m.ForgottenReason = Of(x.Clock.Now()), Of("wrong")
		}
		return x.put(m)[0]
	}
	want := map[string]memory.Memory{
		"active": place("active", "s", 1, false), "forgotten": place("forgotten", "s", 2, true),
		"blank": place("blank", "", 1, false), "far": place("far", "s", math.MaxInt64, false),
	}
	for _, m := range want {
		got := ask(x, func(r memory.Reader) (*memory.Memory, error) {
			return r.AtPosition(x.ctx, *m.SessionID, *m.SessionPosition)
		})
		x.same(string(m.Content), got, &m)
	}
	none := ask(x, func(r memory.Reader) (*memory.Memory, error) { return r.AtPosition(x.ctx, "", 2) })
	x.same("position of another session", none, (*memory.Memory)(nil))
}

// Beside knows two orders in a session, positions and captures, and forgotten
// memories in both.
func memoryBeside(x *subject) {
	turn := func(content string, session *string, position *int64) memory.Memory {
		m := x.Memory(content)
		m.SessionID, m.SessionPosition = session, position
		return m
	}
	s := Of("s")
	first, gone := turn("first", s, nil), turn("second", s, nil)
	gone.ForgottenAt, gone.ForgottenReason = Of(x.Clock.Now()), Of("wrong")
	rows := x.put(first, gone, turn("third", s, nil), turn("elsewhere", Of("t"), nil), turn("alone", nil, nil),
		turn("at 7", s, Of[int64](7)), turn("at 3", s, Of[int64](3)))
	fresh, late := turn("not stored", s, nil), turn("not stored at 5", s, Of[int64](5))
	fresh.CreatedAt = rows[2].CreatedAt
	for _, c := range []struct {
		of            memory.Memory
		before, after *memory.Memory
	}{
		{rows[0], nil, &rows[1]}, {rows[1], &rows[0], &rows[2]}, {rows[2], &rows[1], nil}, {rows[3], nil, nil}, {rows[4], nil, nil},
		{rows[5], &rows[6], nil}, {rows[6], nil, &rows[5]}, {fresh, &rows[2], nil}, {late, &rows[6], &rows[5]},
	} {
		got := ask(x, func(r memory.Reader) ([2]*memory.Memory, error) {
			before, after, err := r.Beside(x.ctx, c.of)
			return [2]*memory.Memory{before, after}, err
		})
		x.same("beside "+string(c.of.Content), got, [2]*memory.Memory{c.before, c.after})
	}
}

func memoryIdempotencyKey(x *subject) {
	m := x.Memory("once")
	m.IdempotencyKey = Of("Key 1")
	x.put(m, x.Memory("without"))
	get := func(key string) *memory.Memory {
		return ask(x, func(r memory.Reader) (*memory.Memory, error) { return r.ByIdempotencyKey(x.ctx, key) })
	}
	x.same("known key", get("Key 1"), &m)
	x.same("other case", get("key 1"), (*memory.Memory)(nil))
	x.same("blank", get(""), (*memory.Memory)(nil))
}

// Labels come as given, oldest first, repeated ones too.
func memoryLabels(x *subject) {
	a, b, c := x.putOne("a"), x.putOne("b"), x.putOne("c")
	var rows []memory.Corroboration
	for _, source := range []string{" Ada ", "Ben", "", "Ben"} {
		rows = append(rows, x.Corroboration(a, source))
	}
	other := x.Corroboration(b, "Cy")
	for _, row := range []memory.Corroboration{rows[2], other, rows[3], rows[0], rows[1]} {
		x.write(memory.PutCorroboration{Corroboration: row})
	}
	get := func(ids ...memory.ID) map[memory.ID][]string {
		return ask(x, func(r memory.Reader) (map[memory.ID][]string, error) { return r.Labels(x.ctx, ids) })
	}
	wantA := []string{" Ada ", "Ben", "", "Ben"}
	x.same("all", get(c.ID, b.ID, a.ID), map[memory.ID][]string{a.ID: wantA, b.ID: {"Cy"}})
	x.same("one", get(a.ID, x.IDs.Next()), map[memory.ID][]string{a.ID: wantA})
	x.same("none", get(), map[memory.ID][]string{})
}

// Frames are distinct and sorted, those of forgotten memories and blank ones too.
func memoryFrames(x *subject) {
	frames := []*string{Of("b"), Of("a"), nil, Of("b"), Of(""), Of("B"), Of("ä"), Of("a b")}
	for i, frame := range frames {
		m := x.Memory("m")
		m.Frame = frame
		if i == 1 {
			m.ForgottenAt, m.ForgottenReason = Of(x.Clock.Now()), Of("over")
		}
		x.put(m)
	}
	got := ask(x, func(r memory.Reader) ([]string, error) { return r.Frames(x.ctx) })
	want := []string{"", "B", "a", "a b", "b", "ä"}
	if !slices.Equal(got, want) {
		x.Errorf("frames %q, want %q", got, want)
	}
}
