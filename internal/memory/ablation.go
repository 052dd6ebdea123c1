package memory

import "slices"

// Ablation is involuntary memory with one part switched off, so that a measurement
// can tell what the part is good for.
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
	return append(out, Ablation{"what is usual", s})
}

// channelsBut gives the channels that are on without one of them; none given means
// that all are on.
func channelsBut(on []Channel, off Channel) []Channel {
	if len(on) == 0 {
		on = []Channel{ChannelText, ChannelGeo, ChannelTime, ChannelBiometric, ChannelImage, ChannelAudio}
	}
	return slices.DeleteFunc(slices.Clone(on), func(c Channel) bool { return c == off })
}
