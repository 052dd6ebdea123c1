package lives

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// stay is some hours at a place, counted from the midnight that begins its day; a
// night shift ends at more than 24.
type stay struct {
	at       *place
	from, to float64
	ritual   int // which, counted from 1; 0 for none
}

// agenda is a day in the order of its stays.
type agenda struct {
	day   int
	zone  zone
	town  *district
	away  bool
	stays []stay
}

// travel gives where a day is spent, and whether it begins elsewhere.
func (l *life) travel(day int) (d *district, away, arriving bool) {
	for _, j := range l.profile.journeys {
		if day >= j.first && day < j.last {
			return l.abroad[j.town], true, day == j.first
		}
		if day == j.last {
			return l.district, false, true
		}
	}
	return l.district, false, false
}

func (l *life) date(day int) time.Time { return l.profile.first.AddDate(0, 0, day) }

func (l *life) shift(day int) byte {
	return l.profile.shifts[day%len(l.profile.shifts)]
}

// plan makes a day. Rituals come first; what would overlap a stay that is planned
// already does not take place.
func (l *life) plan(day int) agenda {
	if day == l.profile.moves && day > 0 {
		l.move()
	}
	d, away, arriving := l.travel(day)
	a := agenda{day: day, zone: d.zone, town: d, away: away}
	if arriving {
		a.add(stay{at: d.home, from: 20, to: 23})
		return a
	}
	if !away {
		l.attend(&a)
	}
	shift := l.shift(day)
	switch {
	case away && shift == 'n':
		shift = 'd'
	case day > 0 && shift != 'n' && !away && l.shift(day-1) == 'n':
		shift = 'r'
	}
	map[byte]func(*agenda){'d': l.dayShift, 'l': l.lateShift, 'n': l.nightShift, 'o': l.dayOff, 'r': l.afterNight}[shift](&a)
	slices.SortFunc(a.stays, func(x, y stay) int { return cmp.Compare(x.from, y.from) })
	return a
}

// add puts a stay into the day when there is room.
func (a *agenda) add(s stay) {
	const way = 0.2 // hours between two places
	for _, other := range a.stays {
		if s.from < other.to+way && other.from < s.to+way {
			return
		}
	}
	a.stays = append(a.stays, s)
}

func (l *life) attend(a *agenda) {
	for i, r := range l.profile.rituals {
		if l.date(a.day).Weekday() == r.weekday && l.chance(r.attended) {
			from := r.hour + l.rand.Float64()*0.4
			a.add(stay{at: a.town.errands[r.errand], from: from, to: from + 1 + l.rand.Float64()*0.6, ritual: i + 1})
		}
	}
}

func (l *life) chance(p float64) bool { return l.rand.Float64() < p }

// about is an hour that varies from day to day.
func (l *life) about(hour float64) float64 { return hour + l.rand.NormFloat64()*0.25 }

func (l *life) dayShift(a *agenda) {
	a.add(stay{at: a.town.home, from: l.about(6.6), to: 7.9})
	if l.chance(0.4) {
		a.add(stay{at: a.town.work, from: l.about(8.8), to: 12})
		l.errand(a, 12.3, 0.6, 1)
		a.add(stay{at: a.town.work, from: 13.2, to: 16.7})
	} else {
		a.add(stay{at: a.town.work, from: l.about(8.8), to: 16.7})
	}
	l.errand(a, l.about(17.1), 0.8, 0.45)
	l.outing(a, l.about(18.6), 1)
	a.add(stay{at: a.town.home, from: l.about(20.5), to: 23})
}

func (l *life) lateShift(a *agenda) {
	a.add(stay{at: a.town.home, from: l.about(8.3), to: 10.8})
	l.outing(a, l.about(11.4), 1)
	a.add(stay{at: a.town.work, from: l.about(13.9), to: 21.4})
	a.add(stay{at: a.town.home, from: 22.1, to: 23.8})
}

func (l *life) nightShift(a *agenda) {
	a.add(stay{at: a.town.home, from: l.about(14.6), to: 16.2})
	l.outing(a, l.about(16.8), 1)
	l.errand(a, l.about(19), 0.7, 0.4)
	a.add(stay{at: a.town.work, from: l.about(21), to: 30.6})
	a.add(stay{at: a.town.home, from: 31.3, to: 32})
}

func (l *life) afterNight(a *agenda) {
	l.outing(a, l.about(15), 1)
	l.errand(a, l.about(17), 0.8, 0.6)
	a.add(stay{at: a.town.home, from: l.about(18.6), to: 23})
}

func (l *life) dayOff(a *agenda) {
	a.add(stay{at: a.town.home, from: l.about(7.8), to: 9.4})
	l.errand(a, l.about(10.3), 1, 0.75)
	a.add(stay{at: a.town.home, from: l.about(12.2), to: 13.5})
	l.outing(a, l.about(14.7), 2)
	l.errand(a, l.about(17), 0.9, 0.4)
	a.add(stay{at: a.town.home, from: l.about(18.7), to: 23})
}

// errand goes to a routine place, oftener to the first ones. The hour of a ritual is
// the ritual's: nobody is at its place then for another reason, on any day.
func (l *life) errand(a *agenda, from, hours, chance float64) {
	if !l.chance(chance) {
		return
	}
	p := a.town.errands[int(float64(len(a.town.errands))*math.Pow(l.rand.Float64(), 1.6))]
	const apart = 2.5 // hours
	taken := func(r ritual) bool { return !a.away && a.town.errands[r.errand] == p && around(r.hour, from) < apart }
	if !slices.ContainsFunc(l.profile.rituals, taken) && !slices.ContainsFunc(a.stays, func(s stay) bool { return s.at == p }) {
		a.add(stay{at: p, from: from, to: from + hours})
	}
}

// outing goes to a seldom visited place, on the profile's chance times a factor.
func (l *life) outing(a *agenda, from, factor float64) {
	if !l.chance(l.profile.outings * factor) {
		return
	}
	const first = 1.7 // the greater, the oftener the first places
	p := a.town.seldom[int(float64(len(a.town.seldom))*math.Pow(l.rand.Float64(), first))]
	a.add(stay{at: p, from: from, to: from + 0.8 + l.rand.Float64()*0.7})
}

// move makes the old home a seldom visited place and finds a new one in the same
// town, with errands of its own; work stays.
func (l *life) move() {
	old := l.district
	fresh := settle(l.rand, l.profile.home, len(old.errands), 0)
	fresh.work, fresh.seldom = old.work, append([]*place{old.home}, old.seldom...)
	for i, p := range old.errands {
		if slices.ContainsFunc(l.profile.rituals, func(r ritual) bool { return r.errand == i }) {
			fresh.errands[i] = p
		}
	}
	old.home.usual = false
	l.district = fresh
}
