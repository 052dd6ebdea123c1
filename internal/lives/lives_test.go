package lives

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// develop is the first seed of tests: 1 to 5 are kept for published figures.
const develop = 101

var made = sync.OnceValue(func() (all [][]Event) {
	for i, p := range Profiles() {
		all = append(all, Live(p, develop+uint64(i)))
	}
	return all
})

func every(t *testing.T, f func(t *testing.T, p Profile, events []Event)) {
	for i, p := range Profiles() {
		t.Run(p.Name, func(t *testing.T) { f(t, p, made()[i]) })
	}
}

func TestALifeIsTheSameForItsSeedAndAnotherForAnother(t *testing.T) {
	p := Profiles()[4]
	if !reflect.DeepEqual(Live(p, develop), Live(p, develop)) {
		t.Error("two lives of one seed differ")
	}
	if reflect.DeepEqual(Live(p, develop), Live(p, develop+1)) {
		t.Error("two seeds gave one life")
	}
}

func TestLivesAreStreams(t *testing.T) {
	every(t, func(t *testing.T, _ Profile, events []Event) {
		var b bytes.Buffer
		if err := Write(&b, events); err != nil {
			t.Fatal(err)
		}
		read, err := Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(read, events) {
			t.Error("what was written is not what is read")
		}
		var last time.Time
		day := 0
		for _, e := range events {
			at, err := e.Time()
			if err != nil || at.Before(last) || e.Op == OpSense && e.Day < day {
				t.Fatalf("%s at %s comes after %s and day %d", e.ID, e.At, last, day)
			}
			last = at
			if e.Op == OpSense {
				day = e.Day
			}
		}
	})
}

// TestEveryReasonIsDueOftenEnough keeps a life from saying little of a kind.
func TestEveryReasonIsDueOftenEnough(t *testing.T) {
	least := map[string]int{KindPlace: 15, KindRitual: 8, KindPerson: 12, WhySame: 20, WhyOther: 10, WhyForeign: 10}
	every(t, func(t *testing.T, _ Profile, events []Event) {
		episodes, routine := map[string]map[string]bool{}, 0
		for _, e := range events {
			if e.Kind == KindRoutine {
				routine++
			}
			for id, why := range e.Why {
				if episodes[why] == nil {
					episodes[why] = map[string]bool{}
				}
				if e.Day >= ScoredFrom {
					episodes[why][fmt.Sprint(id, e.Day)] = true
				}
			}
		}
		for why, n := range least {
			if len(episodes[why]) < n {
				t.Errorf("%d episodes of %s; at least %d are wanted", len(episodes[why]), why, n)
			}
		}
		if routine < 50 {
			t.Errorf("only %d routine memories", routine)
		}
	})
}

// TestTruthKeepsItsPromises: routine memories are never due, nothing within twelve
// hours of its making, nothing on two days within twenty-four hours, and what is
// due can be known from the cue.
func TestTruthKeepsItsPromises(t *testing.T) {
	every(t, func(t *testing.T, _ Profile, events []Event) {
		stored, began, days := map[string]Event{}, map[string]time.Time{}, map[string]int{}
		for _, e := range events {
			if e.Op == OpRemember {
				stored[e.ID] = e
				continue
			}
			at, _ := e.Time()
			for _, id := range e.Due {
				m := stored[id]
				storedAt, err := m.Time()
				switch {
				case err != nil || m.Kind == KindRoutine:
					t.Errorf("%s is due for %s and is a %s memory", id, e.ID, m.Kind)
				case at.Sub(storedAt) < firstHours:
					t.Errorf("%s is due %s after it was stored", id, at.Sub(storedAt))
				case !began[id].IsZero() && days[id] != e.Day && at.Sub(began[id]) < againHours:
					t.Errorf("%s is due again after %s", id, at.Sub(began[id]))
				case (m.Kind == KindPlace || m.Kind == KindRitual) && e.Lat == nil, (m.Kind == KindTopic || m.Kind == KindPerson) && e.Text == "":
					t.Errorf("%s (%s) is due for %s, which cannot show it", id, m.Kind, e.ID)
				case slices.Contains(e.OK, id):
					t.Errorf("%s is both due and excused for %s", id, e.ID)
				}
				if days[id] != e.Day {
					began[id], days[id] = at, e.Day
				}
			}
		}
	})
}

func TestProfilesLiveAsTheySay(t *testing.T) {
	every(t, func(t *testing.T, p Profile, events []Event) {
		offsets, sources, days, night, lost, cues := map[string]bool{}, map[string]bool{}, map[int]bool{}, 0, 0, 0
		for _, e := range events {
			if e.Op != OpSense {
				continue
			}
			at, _ := e.Time()
			offsets[at.Format("-07:00")], sources[e.Source], days[e.Day] = true, true, true
			cues++
			if h := at.Hour(); h < 5 {
				night++
			}
			if e.Lat == nil {
				lost++
			}
		}
		if len(sources) != len(p.reporters) {
			t.Errorf("reporters are %v", sources)
		}
		for name, wrong := range map[string]bool{
			"nights":       p.Name == "night nurse" != (night > cues/20),
			"zones":        len(offsets) < 2 || p.Name == "travelling engineer" != (len(offsets) > 3),
			"days":         len(days) < Days-int(float64(Days)*(p.gaps+0.06))-3,
			"gaps":         p.gaps > 0.05 != (len(days) < Days-15),
			"lost fixes":   lost == 0,
			"cues of life": cues < 2000 || cues > 4000,
		} {
			if wrong {
				t.Errorf("%s: %d cues on %d days, %d by night, %d without a place, offsets %v", name, cues, len(days), night, lost, offsets)
			}
		}
	})
}

// TestTheOldHomeComesBack: a family that moved finds what it remembers of the old
// home due there, and not before it moved.
func TestTheOldHomeComesBack(t *testing.T) {
	p, events := Profiles()[2], made()[2]
	atHome := map[string]bool{}
	for _, e := range events {
		if e.Kind == KindPlace && e.Day < p.moves && e.Day%37 == 0 {
			atHome[e.ID] = true
		}
	}
	due := 0
	for _, e := range events {
		for _, id := range e.Due {
			if atHome[id] && e.Day > p.moves+lookBack {
				due++
			}
		}
	}
	if due == 0 {
		t.Errorf("nothing of %d memories came back in the old home", len(atHome))
	}
}

func TestThePoolIsLargeEnough(t *testing.T) {
	p := sentences()
	if len(p.topics) < 40 {
		t.Errorf("%d topics; at least 40 are wanted", len(p.topics))
	}
	seen := map[string]bool{}
	for _, topic := range p.topics {
		if len(topic.same) < 2 || len(topic.other) < 2 || len(topic.foreign) != 3 || topic.nearMiss == "" {
			t.Errorf("%q lacks cues", topic.memory)
		}
		for _, text := range slices.Concat([]string{topic.memory, topic.nearMiss}, topic.same, topic.other, topic.foreign) {
			if seen[text] {
				t.Errorf("%q stands twice", text)
			}
			seen[text] = true
		}
	}
	for _, p := range Profiles() {
		for _, language := range p.tongues {
			if len(sentences().chatter[language]) == 0 {
				t.Errorf("nobody can say anything in %s", language)
			}
		}
	}
}

func TestOthersAreManyAndDifferent(t *testing.T) {
	before := time.Date(2023, 1, 9, 0, 0, 0, 0, time.UTC)
	others := Others(1500, develop, before)
	texts := map[string]bool{}
	for _, e := range others {
		texts[e.Text] = true
		at, err := e.Time()
		if err != nil || !at.Before(before) || e.check() != nil || strings.ContainsAny(e.Text, "{}") {
			t.Fatalf("%+v", e)
		}
	}
	if len(others) != 1500 || len(texts) != 1500 {
		t.Errorf("%d memories, %d texts", len(others), len(texts))
	}
}
