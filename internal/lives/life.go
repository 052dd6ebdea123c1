package lives

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// Days is how long a life is, and ScoredFrom the day from which it is scored: what
// comes before is the time to learn what is usual.
const (
	Days       = 365
	ScoredFrom = 183
)

// life is a life in the making.
type life struct {
	rand     *rand.Rand
	profile  Profile
	district *district
	abroad   []*district
	friend   string // met every week, and so never due
	topics   []topic
	small    []string // what is said all the time, the commonest first
	names    []string
	taken    map[*moment]bool
	spoken   map[spokenOn]bool
}

// Live makes the year of a profile from a seed: the same events for the same two,
// on every machine.
func Live(p Profile, seed uint64) []Event {
	l := &life{rand: rand.New(rand.NewPCG(seed, 5)), profile: p, taken: map[*moment]bool{}, spoken: map[spokenOn]bool{}}
	const errands, seldom, seldomAbroad = 4, 32, 10
	l.district = settle(l.rand, p.home, errands, seldom)
	for _, t := range p.abroad {
		l.abroad = append(l.abroad, settle(l.rand, t, errands, seldomAbroad))
	}
	l.settleSubjects()
	var cues []moment
	for day := range Days {
		cues = append(cues, l.moments(l.plan(day))...)
	}
	slices.SortStableFunc(cues, func(a, b moment) int { return a.at.Compare(b.at) })
	l.talk(cues)
	return witnessed(cues, l.keep(cues))
}

// witnessed puts cues and memories into one stream, with the truth of each cue.
func witnessed(cues []moment, memories []*deposit) (out []Event) {
	w := newWitness()
	next := 0
	for i, m := range cues {
		for next < len(memories) && memories[next].at.Before(m.at) {
			d := memories[next]
			next++
			d.id = fmt.Sprintf("m%03d", next)
			w.memories = append(w.memories, d)
			out = append(out, d.event())
		}
		e := Event{Op: OpSense, ID: fmt.Sprintf("s%05d", i+1), Text: m.text, At: m.at.Format(time.RFC3339), Source: m.source, Day: m.day}
		if m.reported != nil {
			e.Lat, e.Lon = rounded(m.reported.lat), rounded(m.reported.lon)
		}
		e.Due, e.Why, e.OK = w.judge(m)
		out = append(out, e)
	}
	return out
}

func (d *deposit) event() Event {
	return Event{Op: OpRemember, ID: d.id, Text: d.text, At: d.at.Format(time.RFC3339), Lat: rounded(d.is.lat), Lon: rounded(d.is.lon),
		Tags: d.tags, Salience: &d.salience, Kind: d.kind, Day: d.day}
}
