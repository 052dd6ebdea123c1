package memory

import (
	"slices"
	"time"

	"combray/internal/sense"
)

// Cue is a place or an hour that a question is asked with. It ranks and never
// filters.
type Cue struct {
	Place *Place
	At    *time.Time // on the wall clock it was given with
}

// Reliabilities of contract/sense.md 4.6 and 4.13: how far a perfect match of
// one channel proves the context, and so its weight in a pull score.
const (
	weightText = 0.85
	weightGeo  = 0.75
	weightTime = 0.60 // 4.13: when it was asked for
)

// Channel names a cue.
type Channel string

// The channels of contract/sense.md 2.
const (
	ChannelText      Channel = "text"
	ChannelGeo       Channel = "geo"
	ChannelTime      Channel = "time"
	ChannelBiometric Channel = "biometric"
	ChannelImage     Channel = "image"
	ChannelAudio     Channel = "audio"
)

var channelNames = []string{"text", "geo", "time", "biometric", "image", "audio"}

func (q *question) readCue(in RecallInput, zone *time.Location) error {
	for _, c := range in.Channels {
		if !slices.Contains(channelNames, c) {
			return Invalid("channels", "Leave channels out to compare all of them.",
				"channels may hold text, geo, time, biometric, image, audio, not %q", c)
		}
	}
	on := func(c Channel) bool { return len(in.Channels) == 0 || slices.Contains(in.Channels, string(c)) }
	place, err := ParsePlace(in.Geohash, in.Lat, in.Lon, nil)
	if err != nil {
		return err
	}
	var cue Cue
	if on(ChannelGeo) {
		cue.Place = place
	}
	if in.At != nil {
		t, offset, assumed, err := ParseLocal("at", *in.At, zone)
		if err != nil {
			return err
		}
		if assumed {
			q.warnings = append(q.warnings, assumedZone(t, zone))
		}
		if on(ChannelTime) {
			wall := wallClock(t, offset)
			cue.At = &wall
		}
	}
	if cue.Place != nil || cue.At != nil {
		q.cue = &cue
	}
	if !on(ChannelText) {
		q.query = ""
	}
	return nil
}

func assumedZone(t time.Time, zone *time.Location) string {
	return "at has no offset: it was read in the server's zone, " + t.In(zone).Format("-07:00") + "."
}

// wallClock is an instant on the wall clock offset minutes east of UTC.
func wallClock(t time.Time, offset int) time.Time {
	return t.In(time.FixedZone("", offset*60))
}

// channels gives the similarity of a row on each channel of the cue; a channel
// that the row lacks counts 0 (contract/sense.md 4.13).
func (c *Cue) channels(s Situation) map[string]float64 {
	out := make(map[string]float64, 2)
	if c.Place != nil {
		out[string(ChannelGeo)] = c.geo(s)
	}
	if c.At != nil {
		out[string(ChannelTime)] = c.time(s)
	}
	return out
}

func (c *Cue) geo(s Situation) float64 {
	if !s.HasPlace {
		return 0
	}
	return sense.Place(sense.Distance(c.Place.Lat, c.Place.Lon, s.Lat, s.Lon))
}

func (c *Cue) time(s Situation) float64 {
	if s.EventAt == nil {
		return 0
	}
	return sense.Clock(*c.At, *s.EventAt)
}

// score is the pull score of contract/sense.md 4.13 over the cue's channels
// and, when asked is true, the text channel with similarity text.
func (c *Cue) score(s Situation, text float64, asked bool) float64 {
	var sum, weights float64
	if asked {
		sum, weights = weightText*min(max(text, 0), 1), weightText
	}
	if c.Place != nil {
		sum += weightGeo * c.geo(s)
		weights += weightGeo
	}
	if c.At != nil {
		sum += weightTime * c.time(s)
		weights += weightTime
	}
	return sum / weights
}
