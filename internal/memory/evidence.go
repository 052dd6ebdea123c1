package memory

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/mmcloughlin/geohash"

	"combray/internal/sense"
)

// evidence is what one channel says: how alike cue and memory are, and how far
// that proves that the memory's moment is back, both 0 to 1.
type evidence struct {
	channel    Channel
	similarity float64
	proof      float64
}

// spokenWord is a word of a cue.
type spokenWord struct {
	term   string
	name   bool    // written as a name in the cue
	idf    float64 // over the remembered texts
	rarity float64 // D of the days it was heard on
}

// backdrop is what a cue is held against: how usual its place, hour and words are
// for this person, and which memory its text is nearest to.
type backdrop struct {
	cue       perception
	channels  []Channel // that are on; empty: all
	without   Part
	place     float64 // D of the days spent here
	slot      float64 // D of the days spent here at this hour
	familiar  bool    // there was an earlier day here
	words     []spokenWord
	unknown   float64                // idf of a word that no memory holds
	topic     float64                // rarity of the matter: among cues and among memories
	nearest   map[int64]bool         // the memories whose text is the cue's best
	nearness  float64                // s of that text
	usualBody sense.BodyNorm         // the person's own
	shared    float64                // without an encoder: the best share of words
	sharedBy  int                    // and how many memories have at least half of the words
	media     map[Channel]likenesses // what pictures and sounds matched
}

// likenesses are the memories with a like picture or sound, by number.
type likenesses map[int64]likeness

// likeness is how alike two pictures or sounds are and how far that proves it.
type likeness struct{ similarity, proof float64 }

func (b *backdrop) on(c Channel) bool { return len(b.channels) == 0 || slices.Contains(b.channels, c) }

// rival is a memory that may come back.
type rival struct {
	memory  Memory
	words   map[string]bool // of its text and tags: whether it is a name there
	labels  []string
	firings []Recollection // by At
}

// evidenceFor gives what each channel says of a memory (contract/sense.md 4.15b).
// A channel that either side lacks is absent.
func (b *backdrop) evidenceFor(r rival) []evidence {
	var out []evidence
	for _, channel := range []func(rival) (evidence, bool){b.text, b.geo, b.time, b.biometric, b.image, b.audio} {
		if e, shared := channel(r); shared && b.on(e.channel) {
			out = append(out, e)
		}
	}
	return out
}

// text joins what the cue speaks of with the names it holds.
func (b *backdrop) text(r rival) (evidence, bool) {
	if b.cue.text == "" {
		return evidence{}, false
	}
	s := 0.0
	if b.nearest[r.memory.Number] {
		s = b.nearness
	}
	if b.nearest == nil {
		s = b.sharedWords(r)
	}
	topic := reliabilityText * b.topic * s // without an encoder rarity stands in s already, and topic is 1
	name := reliabilityName * b.without.or(PartNames, b.sharedName(r), 0)
	return evidence{ChannelText, max(s, name/reliabilityName), 1 - (1-topic)*(1-name)}, true
}

// sharedName is the rarest name that cue and memory share: a tag, or a word that
// either side writes with a capital inside a sentence.
func (b *backdrop) sharedName(r rival) float64 {
	best := 0.0
	for _, w := range b.words {
		named, shared := r.words[w.term]
		if shared && (named || w.name) {
			best = max(best, w.idf/b.unknown*w.rarity)
		}
	}
	return best
}

// share is how much of a cue's words a memory holds, rare ones counting more:
// s_w of contract/sense.md 4.15b. It serves where there is no encoder.
func (b *backdrop) share(r rival) float64 {
	var held, all float64
	for _, w := range b.words {
		all += w.idf
		if _, shared := r.words[w.term]; shared {
			held += w.idf * w.rarity
		}
	}
	if all == 0 {
		return 0
	}
	return min(1, wordShare*held/all)
}

// shareWords finds how much of the cue's words the memories hold at best; without
// an encoder that stands for the nearest text.
func (b *backdrop) shareWords(rivals []rival) {
	b.shared, b.sharedBy = 0, 0
	if b.nearest != nil {
		return
	}
	for _, r := range rivals {
		s := b.share(r)
		b.shared = max(b.shared, s)
		if s >= wordFan {
			b.sharedBy++
		}
	}
}

// sharedWords counts for the memory that shares most, and the less the more other
// memories share at least half.
func (b *backdrop) sharedWords(r rival) float64 {
	s := b.share(r)
	if s < b.shared {
		return 0
	}
	return s * rarityOf(float64(max(b.sharedBy-1, 0)))
}

func (b *backdrop) geo(r rival) (evidence, bool) {
	s, shared := b.nearPlace(r)
	if !shared {
		return evidence{}, false
	}
	proof := reliabilityPlace * b.place * s
	if when, known, sure := happened(r.memory, b.cue.at.Location()); known && b.familiar {
		hour := sense.Slot(sense.HourOf(b.cue.at)-sense.HourOf(when)) * sense.Weekdays(b.cue.at, when)
		proof = max(proof, sure*reliabilitySlot*b.slot*s*hour)
	}
	u := max(uncertainty(*b.cue.place), uncertainty(*r.memory.Place))
	return evidence{ChannelGeo, s, proof * sense.PlaceReliability(u)}, true
}

func (b *backdrop) nearPlace(r rival) (s float64, shared bool) {
	here, there := b.cue.place, r.memory.Place
	if here == nil || there == nil {
		return 0, false
	}
	return sense.Place(sense.Distance(here.Lat, here.Lon, there.Lat, there.Lon)), true
}

// time counts beside a place only: an hour alone proves nothing.
func (b *backdrop) time(r rival) (evidence, bool) {
	s, shared := b.nearPlace(r)
	when, known, sure := happened(r.memory, b.cue.at.Location())
	if !shared || !known {
		return evidence{}, false
	}
	t := sense.Clock(b.cue.at, when)
	return evidence{ChannelTime, t, sure * reliabilityTime * t * s * b.slot}, true
}

// happened is when a memory's moment was, on its own wall clock. Where nobody said
// so it is the moment of writing, in the zone of the cue, and counts half
// (contract/sense.md U3). A day without an hour is no cue.
func happened(m Memory, zone *time.Location) (when time.Time, known bool, sure float64) {
	switch {
	case m.EventAt == nil:
		return m.CreatedAt.In(zone), true, assumedTime
	case m.EventPrecision != nil && *m.EventPrecision == PreciseDay:
		return time.Time{}, false, 0
	case m.EventOffset == nil:
		return m.EventAt.In(zone), true, assumedTime
	}
	return wallClock(*m.EventAt, *m.EventOffset), true, 1
}

// most is as much as place, hour and body can prove of a memory that happened
// there and then.
func (b *backdrop) most(at Situation) float64 {
	hour, slot := assumedTime, assumedTime
	if at.EventAt != nil {
		hour = sense.Clock(b.cue.at, *at.EventAt)
		slot = sense.Slot(sense.HourOf(b.cue.at)-sense.HourOf(*at.EventAt)) * sense.Weekdays(b.cue.at, *at.EventAt)
	}
	return b.mostWith(sense.Place(sense.Distance(b.cue.place.Lat, b.cue.place.Lon, at.Lat, at.Lon)), hour, slot)
}

// mostWith is most for similarities of place, hour and slot.
func (b *backdrop) mostWith(s, hour, slot float64) float64 {
	place := reliabilityPlace * b.place * s
	if b.familiar {
		place = max(place, reliabilitySlot*b.slot*s*slot)
	}
	rest := (1 - place) * (1 - reliabilityTime*hour*s*b.slot)
	if b.cue.body != nil {
		rest *= 1 - reliabilityBody
	}
	return 1 - rest
}

// reach is how far from the cue, in metres and to the metre, a memory of the very
// hour can lie to reach a score; at most placeReachM, 0 when nowhere.
func (b *backdrop) reach(score float64) float64 {
	far := func(metres float64) bool { return b.mostWith(sense.Place(metres), 1, 1) < score }
	if far(0) {
		return 0
	}
	within, beyond := 0.0, float64(placeReachM)
	for beyond-within > 1 && far(beyond) {
		if middle := (within + beyond) / 2; far(middle) {
			beyond = middle
		} else {
			within = middle
		}
	}
	return beyond
}

// uncertainty of a place in metres: as reported, else half the diagonal of its
// geohash's cell.
func uncertainty(p Place) float64 {
	if p.AccuracyM != nil {
		return *p.AccuracyM
	}
	box := geohash.BoundingBox(p.Geohash)
	return sense.Distance(box.MinLat, box.MinLng, box.MaxLat, box.MaxLng) / 2
}

func (b *backdrop) biometric(r rival) (evidence, bool) {
	if !shareReading(b.cue.body, r.memory.Biometric) {
		return evidence{}, false
	}
	s := sense.Body(b.cue.body, r.memory.Biometric, b.usualBody)
	return evidence{ChannelBiometric, s, reliabilityBody * s}, true
}

func shareReading(a, b map[string]float64) bool {
	for name := range a {
		if _, both := b[name]; both {
			return true
		}
	}
	return false
}

func (b *backdrop) image(r rival) (evidence, bool) { return b.seen(ChannelImage, r) }
func (b *backdrop) audio(r rival) (evidence, bool) { return b.seen(ChannelAudio, r) }

func (b *backdrop) seen(c Channel, r rival) (evidence, bool) {
	s, matched := b.media[c][r.memory.Number]
	return evidence{c, s.similarity, s.proof}, matched
}

// joined is the noisy-OR of contract/sense.md 4.6: 0 without evidence, below 1.
func joined(all []evidence) float64 {
	rest := 1.0
	for _, e := range all {
		rest *= 1 - e.proof
	}
	return 1 - rest
}

// carriers are the channels that brought a memory back, the largest share first.
func carriers(all []evidence) []Channel {
	weight := func(e evidence) float64 { return -math.Log(1 - e.proof) }
	sum := 0.0
	for _, e := range all {
		sum += weight(e)
	}
	sorted := slices.Clone(all)
	slices.SortStableFunc(sorted, func(a, b evidence) int { return cmp.Compare(b.proof, a.proof) })
	var via []Channel
	for _, e := range sorted {
		if e.similarity >= viaLeast && weight(e) >= viaShare*sum {
			via = append(via, e.channel)
		}
	}
	return via
}
