package memtest

import (
	"fmt"
	"math"
	"time"

	"combray/internal/memory"
)

var sensePromises = []promise{
	{"fingerprints-fields", fingerprintsFields},
	{"fingerprints-replaced", fingerprintsReplaced},
	{"fingerprints-raise-the-sequence", fingerprintsRaiseSequence},
	{"perceived-by-number", perceivedByNumber},
	{"perceived-version-grows", perceivedVersionGrows},
	{"media-refused-for-nobody", mediaRefused},
	{"cue-vectors-stand-apart", cueVectorsApart},
	{"cue-vectors-follow-the-words", cueVectorsFollow},
	{"heard-fields", heardFields},
	{"heard-once", heardOnce},
	{"heard-since", heardSince},
	{"heard-of-one-identity", heardOfOneIdentity},
	{"heard-forgotten", heardForgotten},
	{"heard-wiped", heardWiped},
	{"visits", visitsKept},
}

const cueIdentity = "suite/cue"

func (x *subject) perceive(m memory.Memory, list ...memory.Fingerprint) {
	x.Helper()
	x.write(memory.PutFingerprints{MemoryID: m.ID, Fingerprints: list})
}

func (x *subject) fingerprints(ids ...memory.ID) map[memory.ID][]memory.Fingerprint {
	x.Helper()
	return ask(x, func(r memory.Reader) (map[memory.ID][]memory.Fingerprint, error) { return r.Fingerprints(x.ctx, ids) })
}

func (x *subject) heard(after int64, sinceDay int, identity string) (rows []memory.Heard, epoch int64) {
	x.Helper()
	x.view(func(r memory.Reader) {
		var err error
		if rows, epoch, err = r.Heard(x.ctx, after, sinceDay, identity); err != nil {
			x.Fatalf("Heard: %v", err)
		}
	})
	return rows, epoch
}

func fingerprintsFields(x *subject) {
	a, b, bare := x.putOne("a"), x.putOne("b"), x.putOne("bare")
	of := map[memory.ID][]memory.Fingerprint{
		a.ID: {
			{Channel: memory.ChannelText, Text: "the bells\x00\r\n", Chance: 1},
			{Channel: memory.ChannelImage, Backend: "picture", Data: []byte{0, 1, 255}, Text: "a steeple", Chance: 1.0 / 3},
			{Channel: memory.ChannelImage, Backend: "picture", Data: []byte{0, 1, 255}},
			{Channel: memory.ChannelAudio, Backend: "print", Data: make([]byte, 9000), Chance: 0.5},
		},
		b.ID: {{Channel: memory.ChannelImage, Data: []byte("x")}},
	}
	given := copied(of)
	for _, m := range []memory.Memory{a, b} {
		x.perceive(m, given[m.ID]...)
	}
	x.same("channels", [][]memory.Channel{x.memory(a.ID).Perceived, x.memory(b.ID).Perceived, x.memory(bare.ID).Perceived},
		[][]memory.Channel{{memory.ChannelAudio, memory.ChannelImage}, {memory.ChannelImage}, nil})
	given[a.ID][1].Data[0] = 9 // what a caller does to it later is the caller's own
	got := x.fingerprints(b.ID, bare.ID, a.ID, "000000000000")
	x.same("fingerprints", got, of)
	if _, there := got[bare.ID]; there || len(got) != 2 {
		x.Errorf("%d memories have fingerprints, want 2", len(got))
	}
}

func fingerprintsReplaced(x *subject) {
	m := x.putOne("m")
	list := x.Fingerprints("bells")
	x.perceive(m, list...)
	x.perceive(m, list[1])
	x.same("one left", x.fingerprints(m.ID), map[memory.ID][]memory.Fingerprint{m.ID: {list[1]}})
	x.perceive(m)
	x.same("none left", x.fingerprints(m.ID), map[memory.ID][]memory.Fingerprint{})
	x.refused("a memory that is not there", x.try(memory.Plan{Changes: []memory.Change{
		memory.PutFingerprints{MemoryID: "000000000000", Fingerprints: list}}}), memory.CodeNotFound)
}

func fingerprintsRaiseSequence(x *subject) {
	m, _ := x.putOne("m"), x.putOne("other")
	before := x.sequence()
	x.perceive(m, x.Fingerprints("bells")...)
	if now := x.memory(m.ID); now.Seq <= before || now.Seq != x.sequence() {
		x.Errorf("the memory has sequence %d, the store had %d and has %d", now.Seq, before, x.sequence())
	}
	m.Perceived = []memory.Channel{memory.ChannelImage}
	x.same("changes", x.changes(before, 10), []memory.Changed{{Memory: m}})
}

// What was perceived comes by the number of its memory, forgotten ones too.
func perceivedByNumber(x *subject) {
	a, b, c := x.putOne("a"), x.putOne("b"), x.putOne("c")
	picture := func(backend string, data ...byte) memory.Fingerprint {
		return memory.Fingerprint{Channel: memory.ChannelImage, Backend: backend, Data: data}
	}
	x.perceive(c, picture("one", 5), picture("two", 6), picture("one", 7))
	x.perceive(a, memory.Fingerprint{Channel: memory.ChannelAudio, Backend: "one", Data: []byte{8}}, picture("one", 1))
	b.ForgottenAt, b.ForgottenReason = Of(x.Clock.Now()), Of("over")
	x.write(memory.PutMemory{Memory: b})
	x.perceive(b, picture("one", 3))
	perceived := func(channel memory.Channel, backend string) string {
		rows := ask(x, func(r memory.Reader) ([]memory.Perceived, error) { return r.PerceivedBy(x.ctx, channel, backend) })
		return fmt.Sprint(rows)
	}
	for _, c := range []struct {
		channel memory.Channel
		backend string
		want    []memory.Perceived
	}{
		{memory.ChannelImage, "one", []memory.Perceived{{Number: a.Number, Data: []byte{1}}, {Number: b.Number, Data: []byte{3}},
			{Number: c.Number, Data: []byte{5}}, {Number: c.Number, Data: []byte{7}}}},
		{memory.ChannelImage, "two", []memory.Perceived{{Number: c.Number, Data: []byte{6}}}},
		{memory.ChannelAudio, "one", []memory.Perceived{{Number: a.Number, Data: []byte{8}}}},
		{memory.ChannelText, "one", nil},
	} {
		if got := perceived(c.channel, c.backend); got != fmt.Sprint(c.want) {
			x.Errorf("%s by %s: %s, want %v", c.channel, c.backend, got, c.want)
		}
	}
}

func perceivedVersionGrows(x *subject) {
	m, other := x.putOne("m"), x.putOne("other")
	list := x.Fingerprints("bells")
	version := func() int64 {
		return ask(x, func(r memory.Reader) (int64, error) { return r.PerceivedVersion(x.ctx) })
	}
	last := version()
	for _, step := range []struct {
		name string
		do   func()
	}{
		{"the first", func() { x.perceive(m, list...) }},
		{"another memory's", func() { x.perceive(other, list[1]) }},
		{"fewer", func() { x.perceive(m, list[:1]...) }},
		{"none", func() { x.perceive(m) }},
		{"an erasure", func() { x.write(memory.EraseMemory{MemoryID: other.ID}) }},
	} {
		step.do()
		now := version()
		if now <= last {
			x.Errorf("%s: the version went from %d to %d", step.name, last, now)
		}
		last = now
	}
}

// Media can be put, replaced and taken away; nobody's are refused.
func mediaRefused(x *subject) {
	m := x.putOne("m")
	for _, list := range [][]memory.Medium{{{Channel: memory.ChannelImage, Mime: "image/png", Data: []byte("png")}, {Channel: memory.ChannelAudio}}, nil} {
		x.write(memory.PutMedia{MemoryID: m.ID, Media: list})
	}
	x.refused("a memory that is not there", x.try(memory.Plan{Changes: []memory.Change{memory.PutMedia{MemoryID: "000000000000"}}}), memory.CodeNotFound)
}

func (x *subject) embedForCues(m memory.Memory, seeds ...int) {
	x.Helper()
	x.write(memory.PutVectors{Number: m.Number, Identity: cueIdentity, Windows: windows(seeds...), Cue: true})
}

func (x *subject) unembedded(identity string) []memory.ID {
	x.Helper()
	return idsOf(must[[]memory.Memory](x)(x.store.Unembedded(x.ctx, identity, 10)))
}

// Vectors for cues are found by their identity, and are no sign that a memory is
// embedded.
func cueVectorsApart(x *subject) {
	a, b, c := x.putOne("a"), x.putOne("b"), x.putOne("c")
	x.same("all before the first", x.unembedded(cueIdentity), []memory.ID{c.ID, b.ID, a.ID})
	before := x.sequence()
	x.embedForCues(a, 1, 2)
	x.same("the memory", x.memory(a.ID), &a)
	if now := x.memory(a.ID).Seq; now <= before {
		x.Errorf("sequence %d of the memory after vectors for cues, %d before", now, before)
	}
	x.embed(b, suiteIdentity, 3)
	x.embedForCues(b, 4)
	b.Windows = Of(1)
	x.same("an embedded memory", x.memory(b.ID), &b)
	d := x.putOne("d")
	x.same("vectors", x.vectors(cueIdentity, b.Number, a.Number, c.Number), [][][]float32{windows(4), windows(1, 2), nil})
	x.same("vectors of the other", x.vectors(suiteIdentity, a.Number, b.Number), [][][]float32{nil, windows(3)})
	x.same("left for cues", x.unembedded(cueIdentity), []memory.ID{d.ID, c.ID})
	x.same("left for the other", x.unembedded(suiteIdentity), []memory.ID{d.ID, c.ID, a.ID})
	changed := must[[]memory.Changed](x)(x.store.Changes(x.ctx, before, 10, cueIdentity))
	x.same("changes", changed, []memory.Changed{{Memory: a, Vectors: windows(1, 2)}, {Memory: b, Vectors: windows(4)}, {Memory: d}})
	mixed := memory.PutVectors{Number: c.Number, Identity: cueIdentity, Windows: windows(5)}
	x.refused("an encoder for cues as another", x.try(memory.Plan{Changes: []memory.Change{mixed}}), memory.CodeInvalid)
	mixed.Identity, mixed.Cue = suiteIdentity, true
	x.refused("another encoder for cues", x.try(memory.Plan{Changes: []memory.Change{mixed}}), memory.CodeInvalid)
}

// Vectors for cues were made of the perceived words too: other words take them away.
func cueVectorsFollow(x *subject) {
	m, other := x.putOne("m"), x.putOne("other")
	list := x.Fingerprints("bells")
	x.perceive(m, list...)
	x.embed(m, suiteIdentity, 1)
	x.embedForCues(m, 2)
	x.embedForCues(other, 3)
	same := copied(list)
	same[0].Chance, same[1].Data = 0.5, []byte("other")
	x.perceive(m, same...)
	x.same("with the same words", x.vectors(cueIdentity, m.Number), [][][]float32{windows(2)})
	for what, words := range map[string][]memory.Fingerprint{
		"other words": x.Fingerprints("hawthorn"), "more words": append(x.Fingerprints("hawthorn"), x.Fingerprints("bells")...), "no words": nil,
	} {
		x.embedForCues(m, 2)
		x.perceive(m, words...)
		x.same(what, x.vectors(cueIdentity, m.Number, other.Number), [][][]float32{nil, windows(3)})
		x.same(what+": left", x.unembedded(cueIdentity), []memory.ID{m.ID})
		x.perceive(m, same...)
	}
	x.same("vectors of the other encoder", x.vectors(suiteIdentity, m.Number), [][][]float32{windows(1)})
}

func heardFields(x *subject) {
	want := []memory.Heard{
		{Kind: memory.HeardPlace, Key: math.MaxInt64, Day: 20_000, Half: 47},
		{Kind: memory.HeardWord, Key: math.MinInt64, Day: -3, Half: -1},
		{Kind: memory.HeardText, Key: 5, Day: 20_000, Half: -1, Identity: cueIdentity, Vector: Vector(1, 384)},
		{Kind: memory.HeardReading, Key: 0, Day: 20_000, Half: 0, Value: 0.1},
	}
	x.write(memory.PutHeard{Rows: want})
	got, _ := x.heard(0, -10, cueIdentity)
	x.same("heard", got, want)
	for i := 1; i < len(got); i++ {
		if got[0].Row < 1 || got[i].Row <= got[i-1].Row {
			x.Errorf("row %d after %d", got[i].Row, got[i-1].Row)
		}
	}
}

// What is there already stays as it is, in the same batch and later.
func heardOnce(x *subject) {
	body := memory.Heard{Kind: memory.HeardReading, Key: 2, Day: 7, Half: 3, Value: 60}
	again, word := body, memory.Heard{Kind: memory.HeardWord, Key: 2, Day: 7, Half: -1}
	again.Value = 90
	x.write(memory.PutHeard{Rows: []memory.Heard{body, again}})
	first, _ := x.heard(0, 0, "")
	x.write(memory.PutHeard{Rows: []memory.Heard{again, word, again}})
	var want []memory.Heard
	for _, differs := range []func(*memory.Heard){
		func(h *memory.Heard) { h.Key++ }, func(h *memory.Heard) { h.Day++ }, func(h *memory.Heard) { h.Half++ },
	} {
		other := body
		differs(&other)
		want = append(want, other)
	}
	x.write(memory.PutHeard{Rows: want})
	got, _ := x.heard(0, 0, "")
	x.same("heard", got, append([]memory.Heard{body, word}, want...))
	if len(first) != 1 || len(got) == 0 || got[0].Row != first[0].Row {
		x.Errorf("the first row became another: %v and then %v", first, got[0])
	}
}

// A reader asks for what it has not seen, and for what is not too old.
func heardSince(x *subject) {
	var rows []memory.Heard
	for i := range 6 {
		rows = append(rows, memory.Heard{Kind: memory.HeardPlace, Key: int64(i), Day: 10 + i%3, Half: i})
	}
	x.write(memory.PutHeard{Rows: rows})
	all, _ := x.heard(0, 10, "")
	if x.same("all", all, rows); len(all) != len(rows) {
		return
	}
	later, _ := x.heard(all[2].Row, 10, "")
	x.same("after the third", later, rows[3:])
	newer, _ := x.heard(all[0].Row, 11, "")
	x.same("of the second day and later", newer, []memory.Heard{rows[1], rows[2], rows[4], rows[5]})
	none, _ := x.heard(all[5].Row, 10, "")
	x.same("after the last", none, []memory.Heard(nil))
}

func heardOfOneIdentity(x *subject) {
	bare := memory.Heard{Kind: memory.HeardText, Key: 1, Day: 1, Half: -1}
	mine, other := bare, bare
	mine.Key, mine.Identity, mine.Vector = 2, cueIdentity, Vector(1, 8)
	other.Key, other.Identity, other.Vector = 3, otherIdentity, Vector(2, 16)
	x.write(memory.PutHeard{Rows: []memory.Heard{other, bare, mine}})
	for identity, want := range map[string][]memory.Heard{cueIdentity: {bare, mine}, otherIdentity: {other, bare}, "": {bare}} {
		got, _ := x.heard(0, 0, identity)
		x.same("for "+identity, got, want)
	}
}

// What is too old goes. A row that comes later is above all that ever were, so
// that nobody misses it.
func heardForgotten(x *subject) {
	heard := func(key int64, day int) memory.Heard {
		return memory.Heard{Kind: memory.HeardWord, Key: key, Day: day, Half: -1}
	}
	x.write(memory.PutHeard{Rows: []memory.Heard{heard(1, 5), heard(2, 6), heard(3, 7), heard(4, 4)}})
	before, epoch := x.heard(0, 0, "")
	if len(before) != 4 {
		x.Fatalf("%d things heard, want 4", len(before))
	}
	sixth := time.Date(1970, 1, 7, 0, 0, 0, 0, time.UTC)
	late, early := memory.Visit{Source: "phone", At: sixth}, memory.Visit{Source: "watch", At: sixth.Add(-time.Microsecond)}
	x.write(memory.PutVisit{Visit: late}, memory.PutVisit{Visit: early})
	x.write(memory.ForgetHeard{Before: 6})
	got, now := x.heard(0, 0, "")
	x.same("left", got, []memory.Heard{heard(2, 6), heard(3, 7)})
	x.same("a visit of that day", x.visit("phone"), &late)
	x.same("a visit before", x.visit("watch"), (*memory.Visit)(nil))
	if now != epoch {
		x.Errorf("forgetting what is old starts epoch %d after %d", now, epoch)
	}
	x.write(memory.PutHeard{Rows: []memory.Heard{heard(5, 8)}})
	later, _ := x.heard(before[3].Row, 0, "")
	x.same("after what was seen", later, []memory.Heard{heard(5, 8)})
}

func heardWiped(x *subject) {
	h := memory.Heard{Kind: memory.HeardWord, Key: 1, Day: 5, Half: -1}
	x.write(memory.PutHeard{Rows: []memory.Heard{h}}, memory.PutVisit{Visit: memory.Visit{Source: "phone", At: Start}})
	_, first := x.heard(0, 0, "")
	x.write(memory.WipeHeard{})
	left, second := x.heard(0, 0, "")
	x.same("left", left, []memory.Heard(nil))
	x.same("visit", x.visit("phone"), (*memory.Visit)(nil))
	x.write(memory.PutHeard{Rows: []memory.Heard{h}}, memory.WipeHeard{}, memory.PutHeard{Rows: []memory.Heard{h}})
	again, third := x.heard(0, 0, "")
	x.same("heard after a wipe", again, []memory.Heard{h})
	if first == second || second == third || first == third {
		x.Errorf("epochs %d, %d, %d: each wipe starts a new one", first, second, third)
	}
}

func (x *subject) visit(source string) *memory.Visit {
	x.Helper()
	return ask(x, func(r memory.Reader) (*memory.Visit, error) { return r.Visit(x.ctx, source) })
}

func visitsKept(x *subject) {
	here := memory.Visit{Source: "phone", HasPlace: true, Lat: -0.5, Lon: 179.999, At: Start, Cue: math.MinInt64}
	nowhere := memory.Visit{Source: "", At: x.Clock.Now(), Cue: 7}
	x.write(memory.PutVisit{Visit: here}, memory.PutVisit{Visit: nowhere})
	x.same("with a place", x.visit("phone"), &here)
	x.same("without", x.visit(""), &nowhere)
	x.same("unknown", x.visit("watch"), (*memory.Visit)(nil))
	here.HasPlace, here.Lat, here.Lon, here.At, here.Cue = false, 0, 0, x.Clock.Now(), 3
	x.write(memory.PutVisit{Visit: here})
	x.same("the next", x.visit("phone"), &here)
	x.same("the other stays", x.visit(""), &nowhere)
}
