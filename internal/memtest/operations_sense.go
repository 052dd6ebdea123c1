package memtest

import (
	"time"

	"pgregory.net/rapid"

	"combray/internal/memory"
)

// fire is a new firing: behind all others, or in the place of one that waits.
func (m *machine) fire(d *draw) memory.Plan {
	r := m.Recollection(d.memory("memory"))
	r.At = r.At.Add(time.Duration(rapid.IntRange(-3, 3).Draw(d.T, "hours")) * time.Hour)
	r.Source, r.Score = d.one("source", "phone", "watch", ""), float64(rapid.IntRange(0, 10).Draw(d.T, "score"))/10
	plan := memory.Plan{}
	if waiting, err := d.Pending(d.ctx, 0); err == nil && len(waiting) > 0 && d.flip("replace") {
		old := pick(d, "replaced", waiting, err)
		r.Sequence, old.Queued = old.Sequence, false
		plan.Write(memory.PutRecollection{Recollection: old})
	}
	plan.Write(memory.PutRecollection{Recollection: r})
	return plan
}

func (m *machine) deliver(d *draw) memory.Plan {
	waiting, err := d.Pending(d.ctx, rapid.IntRange(1, 3).Draw(d.T, "limit"))
	r := pick(d, "recollection", waiting, err)
	r.Queued = false
	return memory.Plan{Changes: []memory.Change{memory.PutRecollection{Recollection: r}}}
}

func (m *machine) judge(d *draw) memory.Plan {
	firings, err := d.Firings(d.ctx, []memory.ID{d.memory("memory").ID})
	r := pick(d, "recollection", firings, err)
	r.Useful = Of(d.flip("useful"))
	return memory.Plan{Changes: []memory.Change{memory.PutRecollection{Recollection: r}}}
}

func (m *machine) perceive(d *draw) memory.Plan {
	list := m.Fingerprints(d.one("words", "bells", "hawthorn", ""))
	return memory.Plan{Changes: []memory.Change{memory.PutFingerprints{MemoryID: d.memory("memory").ID,
		Fingerprints: list[:rapid.IntRange(0, len(list)).Draw(d.T, "how many")]}}}
}

func (m *machine) keepMedia(d *draw) memory.Plan {
	media := []memory.Medium{{Channel: memory.ChannelAudio, Mime: "audio/wav", Data: []byte("RIFF")}}
	return memory.Plan{Changes: []memory.Change{memory.PutMedia{MemoryID: d.memory("memory").ID, Media: media}}}
}

func (m *machine) embedForCues(d *draw) memory.Plan {
	return memory.Plan{Changes: []memory.Change{memory.PutVectors{Number: d.memory("memory").Number, Identity: cueIdentity, Windows: d.windows(), Cue: true}}}
}

func (m *machine) hear(d *draw) memory.Plan {
	var rows []memory.Heard
	for range rapid.IntRange(1, 4).Draw(d.T, "rows") {
		h := memory.Heard{Kind: memory.HeardKind(rapid.IntRange(0, 3).Draw(d.T, "kind")), Half: -1,
			Key: rapid.Int64Range(0, 1).Draw(d.T, "key"), Day: rapid.IntRange(0, 3).Draw(d.T, "day")}
		switch h.Kind {
		case memory.HeardText:
			h.Identity = d.one("identity", cueIdentity, otherIdentity)
			h.Vector = Vector(int(h.Key), encoderDims)
		case memory.HeardPlace, memory.HeardReading:
			h.Half = rapid.IntRange(0, 1).Draw(d.T, "half")
			h.Value = float64(rapid.IntRange(0, 3).Draw(d.T, "value"))
		}
		rows = append(rows, h)
	}
	return memory.Plan{Changes: []memory.Change{memory.PutHeard{Rows: rows}}}
}

func (m *machine) visit(d *draw) memory.Plan {
	v := memory.Visit{Source: d.one("source", observedSources...), HasPlace: d.flip("with place"), Lat: 1, Lon: 2, At: m.Clock.Now(),
		Cue: rapid.Int64Range(0, 9).Draw(d.T, "cue")}
	return memory.Plan{Changes: []memory.Change{memory.PutVisit{Visit: v}}}
}

func (m *machine) forgetHeard(d *draw) memory.Plan {
	return memory.Plan{Changes: []memory.Change{memory.ForgetHeard{Before: rapid.IntRange(0, 4).Draw(d.T, "before")}}}
}

// wipeHeard is rarer than hear, or little would ever be there.
func (m *machine) wipeHeard(d *draw) memory.Plan {
	if !d.flip("wipe") {
		return m.hear(d)
	}
	return memory.Plan{Changes: []memory.Change{memory.WipeHeard{}}}
}
