package lives

import (
	"math"
	"time"
)

// What is due. A memory comes back rightly
//   - of a place: where it was made, when that is seldom visited,
//   - of a ritual: at its place and hour of the week,
//   - of a matter or a person: when somebody speaks of it, in whatever words.
//
// It is due where the cue could show it (a position for the first two, a text for
// the others), not within firstHours of its making, and once a day. Around that lies
// what nobody should count: see borderline.
const (
	hereMetres   = 150            // a place and its surroundings, as visits have it (contract/sense.md 4.11)
	firstHours   = 12 * time.Hour // a fresh memory is still in mind
	againHours   = 24 * time.Hour // between two occasions of a memory
	lookBack     = 60             // days over which a visit counts
	seldomMost   = 3              // days in lookBack on which a seldom place was visited
	frequentFrom = 7              // from so many on it is routine
	sameHour     = 1.5            // hours within which two visits are at about the same hour
	partOfDay    = 3.5            // hours around a memory's that belong to it or nearly so
)

// witness knows everything that happened so far.
type witness struct {
	visits   map[*place]map[int][]float64 // by day: the hours of the cues
	memories []*deposit
}

// judge says which memories are due for a cue and why, and which do not count.
func (w *witness) judge(m moment) (due []string, why map[string]string, ok []string) {
	due, ok, why = []string{}, []string{}, map[string]string{}
	for _, d := range w.memories {
		reason := w.reason(d, m)
		switch {
		case reason == "":
			if w.borderline(d, m) {
				ok = append(ok, d.id)
			}
		case m.at.Sub(d.at) < firstHours, !d.began.IsZero() && d.beganDay != m.day && m.at.Sub(d.began) < againHours:
			ok = append(ok, d.id)
		default:
			if d.began.IsZero() || d.beganDay != m.day {
				d.began, d.beganDay = m.at, m.day
			}
			due = append(due, d.id)
			why[d.id] = reason
		}
	}
	w.visit(m)
	return due, why, ok
}

func (w *witness) reason(d *deposit, m moment) string {
	switch d.kind {
	case KindTopic, KindPerson:
		if m.about.name == d.about.name && m.about.kind == d.kind {
			return m.about.why
		}
	case KindPlace:
		if m.reported != nil && m.is.metres(d.is) <= hereMetres && w.days(d.where, m.day) <= seldomMost {
			return KindPlace
		}
	case KindRitual:
		if m.reported != nil && m.ritual == d.ritual {
			return KindRitual
		}
	}
	return ""
}

// borderline says whether a memory that is not due may come back without harm,
// because the context points to it: somebody is where it was made, and the place is
// not routine, or seldom visited at this hour; or it is nearly the hour of its
// ritual. What a memory is of makes no difference to how far a place points to it.
func (w *witness) borderline(d *deposit, m moment) bool {
	if m.is.metres(d.is) > hereMetres {
		return false
	}
	switch {
	case w.days(d.where, m.day) < frequentFrom:
		return true
	case d.kind == KindRitual:
		return m.at.Weekday() == d.at.Weekday() && hoursApart(m.at, d.at) < partOfDay
	}
	return d.kind != KindPlace && w.slots(d.where, m.day, m.at) <= seldomMost && hoursApart(m.at, d.at) < partOfDay
}

// days counts the days before one, of the last lookBack, on which a place was
// visited.
func (w *witness) days(p *place, day int) (n int) {
	for d := max(0, day-lookBack); d < day; d++ {
		if len(w.visits[p][d]) > 0 {
			n++
		}
	}
	return n
}

// slots counts those of them on which it was visited at about an hour.
func (w *witness) slots(p *place, day int, at time.Time) (n int) {
	for d := max(0, day-lookBack); d < day; d++ {
		for _, hour := range w.visits[p][d] {
			if around(hour, hourOf(at)) < sameHour {
				n++
				break
			}
		}
	}
	return n
}

func hourOf(t time.Time) float64 { return float64(t.Hour()) + float64(t.Minute())/60 }

// hoursApart is how far two wall clocks are apart on the dial.
func hoursApart(a, b time.Time) float64 { return around(hourOf(a), hourOf(b)) }

func around(a, b float64) float64 {
	d := math.Abs(a - b)
	return min(d, 24-d)
}

func newWitness() *witness { return &witness{visits: map[*place]map[int][]float64{}} }

func (w *witness) visit(m moment) {
	if m.where == nil {
		return
	}
	if w.visits[m.where] == nil {
		w.visits[m.where] = map[int][]float64{}
	}
	w.visits[m.where][m.day] = append(w.visits[m.where][m.day], hourOf(m.at))
}
