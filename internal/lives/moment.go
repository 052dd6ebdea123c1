package lives

import (
	"math"
	"slices"
	"time"
)

// moment is a cue before its truth is known.
type moment struct {
	at       time.Time
	day      int
	where    *place // nil on the way
	usual    bool   // where was part of the routine then
	is       spot   // where the person is
	reported *spot  // where the reporter says so; nil for nowhere
	ritual   int    // as in stay
	source   string
	hears    bool
	text     string
	about    subject
}

// subject is what a memory holds and a text speaks of. The zero value is nothing.
type subject struct {
	kind string // KindTopic or KindPerson
	name string // a person's name, or the text of a matter's memory
	why  string
}

// How a position is wrong (issue 5; a phone's usual error, and a jump now and then).
const (
	bodyScatter = 8  // metres, within a place
	gpsScatter  = 12 // metres
	jumpShare   = 0.02
	jumpMetres  = 400
	passShare   = 0.08 // of the ways between two stays that pass a seldom place
)

// moments lists the cues of a day.
func (l *life) moments(a agenda) (out []moment) {
	if l.chance(l.profile.gaps) {
		return nil
	}
	for i, s := range a.stays {
		hours := s.from + l.rand.Float64()*0.12
		for hours < s.to {
			out = append(out, l.perceive(a, s, hours))
			hours += 0.35 + 2.8*l.rand.Float64()
		}
		if i > 0 && l.chance(passShare) {
			out = append(out, l.pass(a, s.from-0.1))
		}
	}
	slices.SortStableFunc(out, func(x, y moment) int { return x.at.Compare(y.at) })
	return out
}

func (l *life) perceive(a agenda, s stay, hours float64) moment {
	m := moment{at: a.zone.at(l.date(a.day), hours), day: a.day, where: s.at, usual: s.at.usual, is: s.at.near(l.rand, bodyScatter), ritual: s.ritual}
	by := l.reporter(s.at.home)
	m.source, m.hears = by.name, by.hears
	if by.moves && !l.chance(l.profile.lost) {
		seen := l.measured(m.is)
		m.reported = &seen
	}
	if by.hears && (m.reported == nil || l.chance(l.profile.talk)) {
		m.text = l.smallTalk()
	}
	if m.text == "" && m.reported == nil { // a watch without a fix tells nothing
		seen := l.measured(m.is)
		m.reported = &seen
	}
	return m
}

// pass is a cue on the way, some hundred metres from a seldom place.
func (l *life) pass(a agenda, hours float64) moment {
	is := one(l.rand, a.town.seldom).off(closeLeast+(closeMost-closeLeast)*l.rand.Float64(), bearing(l.rand))
	seen := is.near(l.rand, gpsScatter)
	return moment{at: a.zone.at(l.date(a.day), hours), day: a.day, is: is, reported: &seen, source: phone.name}
}

// measured is where a reporter believes to be.
func (l *life) measured(is spot) spot {
	if l.chance(jumpShare) {
		return is.off(jumpMetres, bearing(l.rand))
	}
	return is.near(l.rand, gpsScatter)
}

func (l *life) reporter(home bool) reporter {
	var can []reporter
	sum := 0
	for _, by := range l.profile.reporters {
		if by.moves || home {
			can = append(can, by)
			sum += by.weight
		}
	}
	at := l.rand.IntN(sum)
	for _, by := range can {
		if at -= by.weight; at < 0 {
			return by
		}
	}
	return can[0]
}

// rounded is a coordinate as phones give it: five digits are a metre.
func rounded(degrees float64) *float64 {
	v := math.Round(degrees*1e5) / 1e5
	return &v
}
