package memory

import "slices"

// Part is a part of involuntary memory that a measurement can switch off, to tell
// what it is good for. Several are joined with |; 0 is none.
type Part uint

// The parts (contract/sense.md 4).
const (
	PartPlaceRarity Part = 1 << iota // 4.7: how seldom a place is visited
	PartSlot                         // 4.15b: a routine place at a rare hour
	PartOtherDays                    // docs/decisions/0009: the hour on days of the other kind
	PartNames                        // 4.15b: rare names
	PartChance                       // 4.15b: the best of so many texts by chance
	PartTerse                        // docs/decisions/0009: a memory that says little must stand out further
	PartHeard                        // docs/decisions/0009: the cue must stand out among what was heard
	PartNearest                      // 4.15b: the nearest text alone counts; off: the eight nearest alike
	PartTopicRarity                  // 4.15b: how seldom the matter is spoken of
	PartFan                          // 4.15b: how many memories speak of it
	PartSalience                     // 4.8
	PartSilence                      // 4.9
	PartVisits                       // 4.11: one visit is one cue
	PartCompetition                  // 4.10
	PartBudget                       // 4.11
)

func (p Part) has(part Part) bool { return p&part != 0 }

// or is v, or what stands for it when the part is among those switched off.
func (p Part) or(part Part, v, without float64) float64 {
	if p.has(part) {
		return without
	}
	return v
}

// Ablation is involuntary memory with one part switched off.
type Ablation struct {
	Off      string // what is switched off
	Settings SenseSettings
}

// Ablations switches off each part of the given settings in turn.
func Ablations(of SenseSettings) []Ablation {
	var out []Ablation
	for _, c := range []struct {
		off     string
		channel Channel
	}{{"place", ChannelGeo}, {"hour", ChannelTime}, {"words and meaning", ChannelText}} {
		s := of
		s.Channels = channelsBut(of.Channels, c.channel)
		out = append(out, Ablation{c.off, s})
	}
	s := of
	s.Unfamiliar = true
	out = append(out, Ablation{"all that is usual", s})
	for _, c := range []struct {
		off  string
		part Part
	}{{"rarity of places", PartPlaceRarity}, {"slot", PartSlot}, {"days of the other kind", PartOtherDays}, {"names", PartNames}, {"level of chance", PartChance},
		{"price of terseness", PartTerse}, {"standing out among what was heard", PartHeard}, {"nearest text alone", PartNearest},
		{"rarity of matters", PartTopicRarity}, {"fan of memories", PartFan}, {"salience", PartSalience}, {"silence", PartSilence}, {"visits", PartVisits},
		{"competition", PartCompetition}, {"daily budget", PartBudget}} {
		s := of
		s.Without |= c.part
		out = append(out, Ablation{c.off, s})
	}
	return out
}

// channelsBut gives the channels that are on without one of them; none given means
// that all are on.
func channelsBut(on []Channel, off Channel) []Channel {
	if len(on) == 0 {
		on = []Channel{ChannelText, ChannelGeo, ChannelTime, ChannelBiometric, ChannelImage, ChannelAudio}
	}
	return slices.DeleteFunc(slices.Clone(on), func(c Channel) bool { return c == off })
}
