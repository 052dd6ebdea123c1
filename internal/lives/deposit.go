package lives

import (
	"math"
	"slices"
	"strings"
	"time"
)

// deposit is a memory that is stored.
type deposit struct {
	id       string
	at       time.Time
	day      int
	is       spot
	where    *place
	kind     string
	about    subject
	ritual   int
	text     string
	tags     []string
	salience float64
	began    time.Time // of its last occasion; zero for never
	beganDay int
}

// When memories are stored.
const (
	placesFrom, placesUntil     = 3, 320 // days
	subjectsFrom, subjectsUntil = 5, 165
	ritualsFrom                 = 20
	atPlace                     = 2   // memories of one place at most
	placeShare                  = 0.7 // of the visits
	routineShare                = 0.11
	tagged                      = 0.75 // of the memories of persons
)

// keep lists what a life stores, found while its cues go by.
func (l *life) keep(cues []moment) (out []*deposit) {
	p := sentences()
	var places []string
	for _, language := range l.languages() {
		places = append(places, p.places[language]...)
	}
	places = drawn(l.rand, places, len(places))
	weekly := drawn(l.rand, p.rituals, len(l.profile.rituals))
	w := newWitness()
	made := map[*place]int{} // day of the last memory of a place
	rituals := map[int]bool{}
	for i, m := range cues {
		w.visit(m)
		switch {
		case m.where == nil || i+1 < len(cues) && cues[i+1].where == m.where && cues[i+1].day == m.day: // stored at the end of a stay
		case m.ritual > 0:
			if m.day >= ritualsFrom && !rituals[m.ritual] {
				rituals[m.ritual] = true
				text := strings.ReplaceAll(weekly[m.ritual-1], "{weekday}", m.at.Weekday().String())
				out = append(out, l.store(m, KindRitual, text))
			}
		case l.memorable(m) && len(places) > 0 && m.where.memories < atPlace && made[m.where] != m.day && l.chance(placeShare):
			m.where.memories++
			made[m.where] = m.day
			out = append(out, l.store(m, KindPlace, places[0]))
			places = places[1:]
		case w.slots(m.where, m.day, m.at) >= frequentFrom && l.chance(routineShare):
			out = append(out, l.store(m, KindRoutine, l.befriended(one(l.rand, p.routine))))
		}
	}
	out = append(out, l.keepSubjects(cues)...)
	slices.SortStableFunc(out, func(a, b *deposit) int { return a.at.Compare(b.at) })
	return out
}

// memorable says whether a stay may leave a memory of its place: a seldom one, or
// the home of a family that will leave it.
func (l *life) memorable(m moment) bool {
	if m.day < placesFrom || m.day > placesUntil {
		return false
	}
	const sometimes = 37 // days
	return !m.usual || m.where.home && m.day < l.profile.moves && m.day%sometimes == 0
}

// keepSubjects stores the matters and persons at home.
func (l *life) keepSubjects(cues []moment) (out []*deposit) {
	p := sentences()
	evening := func() moment {
		for {
			m := cues[l.rand.IntN(len(cues))]
			if m.day >= subjectsFrom && m.day <= subjectsUntil && m.where != nil && m.where.home {
				return m
			}
		}
	}
	for _, t := range l.topics[:topicsKept] {
		d := l.store(evening(), KindTopic, t.memory)
		d.about = subject{kind: KindTopic, name: t.memory}
		out = append(out, d)
	}
	for i, text := range drawn(l.rand, p.persons, personsKept) {
		name := l.names[i]
		d := l.store(evening(), KindPerson, strings.ReplaceAll(text, "{name}", name))
		d.about = subject{kind: KindPerson, name: name}
		if l.chance(tagged) {
			d.tags = []string{name}
		}
		out = append(out, d)
	}
	return out
}

// store is a memory of a moment, some minutes later.
func (l *life) store(m moment, kind, text string) *deposit {
	return &deposit{at: m.at.Add(time.Duration(2+l.rand.IntN(9)) * time.Minute), day: m.day, is: m.where.near(l.rand, bodyScatter+gpsScatter),
		where: m.where, kind: kind, ritual: m.ritual, text: text, salience: math.Round((0.2+0.7*l.rand.Float64())*100) / 100}
}
