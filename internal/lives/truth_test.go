package lives

import (
	"testing"
	"time"
)

func TestWhatIsDue(t *testing.T) {
	here := spot{48.2, 16.37}
	where := &place{spot: here}
	noon := time.Date(2023, 6, 4, 12, 0, 0, 0, time.UTC) // a Sunday
	cue := func(days int, metres float64) moment {
		is := here.off(metres, 1)
		return moment{at: noon.AddDate(0, 0, days), day: 100 + days, where: where, is: is, reported: &is}
	}
	visited := func(days ...int) func(*witness) {
		return func(w *witness) {
			for _, d := range days {
				w.visit(cue(d, 0))
			}
		}
	}
	matter := subject{kind: KindTopic, name: "x", why: WhyOther}
	for _, c := range []struct {
		name    string
		memory  deposit
		before  func(*witness)
		cue     moment
		due, ok bool
	}{
		{"a seldom place again", deposit{kind: KindPlace}, nil, cue(10, 30), true, false},
		{"the same stay", deposit{kind: KindPlace}, nil, cue(0, 0), false, true},
		{"passing by", deposit{kind: KindPlace}, nil, cue(10, 260), false, false},
		{"visited three days", deposit{kind: KindPlace}, visited(5, 6, 7), cue(10, 0), true, false},
		{"visited five days", deposit{kind: KindPlace}, visited(5, 6, 7, 8, 9), cue(10, 0), false, true},
		{"visited every day", deposit{kind: KindPlace}, visited(3, 4, 5, 6, 7, 8, 9), cue(10, 0), false, false},
		{"a ritual", deposit{kind: KindRitual, ritual: 1}, visited(1, 2, 3, 4, 5), func() moment { m := cue(7, 0); m.ritual = 1; return m }(), true, false},
		{"its place on another day", deposit{kind: KindRitual, ritual: 1}, visited(1, 2, 3, 4, 5, 6, 7), cue(8, 0), false, false},
		{"its hour without it", deposit{kind: KindRitual, ritual: 1}, visited(1, 2, 3, 4, 5), cue(7, 0), false, true},
		{"a routine memory where one is seldom", deposit{kind: KindRoutine}, nil, cue(10, 0), false, true},
		{"a routine memory on the fifth night in a hotel", deposit{kind: KindRoutine}, visited(5, 6, 7, 8, 9), cue(10, 0), false, true},
		{"a memory of a matter there", deposit{kind: KindTopic, about: matter}, visited(5, 6, 7, 8, 9), cue(10, 0), false, true},
		{"a routine memory at home", deposit{kind: KindRoutine}, visited(3, 4, 5, 6, 7, 8, 9), cue(10, 0), false, false},
		{"a matter spoken of", deposit{kind: KindTopic, about: matter}, nil, moment{at: noon.AddDate(0, 0, 9), day: 109, is: spot{50, 1}, about: matter}, true, false},
		{"another matter", deposit{kind: KindTopic, about: matter}, nil, moment{at: noon.AddDate(0, 0, 9), day: 109, is: spot{50, 1}, about: subject{kind: KindTopic, name: "y"}}, false, false},
		{"nothing particular", deposit{kind: KindRoutine}, nil, moment{at: noon.AddDate(0, 0, 9), day: 109, is: spot{50, 1}}, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWitness()
			d := c.memory
			d.id, d.at, d.day, d.is, d.where = "m", noon, 100, here, where
			w.memories = []*deposit{&d}
			if c.before != nil {
				c.before(w)
			}
			due, _, ok := w.judge(c.cue)
			if len(due) == 1 != c.due || len(ok) == 1 != c.ok {
				t.Errorf("due %v, excused %v", due, ok)
			}
		})
	}
}

func TestNothingIsDueAgainWithinADay(t *testing.T) {
	here := spot{48.2, 16.37}
	where := &place{spot: here}
	noon := time.Date(2023, 6, 4, 12, 0, 0, 0, time.UTC)
	w := newWitness()
	w.memories = []*deposit{{id: "m", kind: KindPlace, at: noon.AddDate(0, 0, -9), is: here, where: where}}
	for i, c := range []struct {
		hours   time.Duration
		day     int
		due, ok int
	}{{0, 1, 1, 0}, {1, 1, 1, 0}, {20, 2, 0, 1}, {47, 2, 1, 0}} {
		due, _, ok := w.judge(moment{at: noon.Add(c.hours * time.Hour), day: c.day, where: where, is: here, reported: &here})
		if len(due) != c.due || len(ok) != c.ok {
			t.Errorf("cue %d: due %v, excused %v", i, due, ok)
		}
	}
}
