package lives

import (
	"math"
	"slices"
	"strings"
)

// How often a life speaks of what.
const (
	topicsKept    = 14 // matters with a memory
	topicsUnknown = 8  // matters that are spoken of and no memory holds
	personsKept   = 8
	namesUnknown  = 6
	smallTalkKept = 18
	settled       = Days / 2 // most talk of matters comes in the second half, which is scored
)

// smallTalk is one of the few sentences that a person hears all the time.
func (l *life) smallTalk() string {
	const skew = 1.4 // the greater, the oftener the first ones
	return l.befriended(l.small[int(float64(len(l.small))*math.Pow(l.rand.Float64(), skew))])
}

// languages are those a life hears, each once, the commonest first.
func (l *life) languages() []string {
	var out []string
	for _, language := range l.profile.tongues {
		if !slices.Contains(out, language) {
			out = append(out, language)
		}
	}
	return out
}

func (l *life) befriended(text string) string {
	return strings.ReplaceAll(text, "{friend}", l.friend)
}

// talk lays what is said of matters and persons over the cues of a year.
func (l *life) talk(cues []moment) {
	for i, t := range l.topics {
		spoken := subject{kind: KindTopic, name: t.memory}
		if i >= topicsKept {
			l.say(cues, one(l.rand, t.same), subject{}, 0)
			l.say(cues, one(l.rand, t.other), subject{}, 0)
			l.say(cues, one(l.rand, t.foreign), subject{}, settled)
			continue
		}
		for _, said := range []struct {
			texts []string
			why   string
			times int
		}{{t.same, WhySame, 2}, {t.other, WhyOther, 1}, {t.foreign, WhyForeign, 1}} {
			spoken.why = said.why
			for _, text := range drawn(l.rand, said.texts, said.times) {
				l.say(cues, text, spoken, settled)
			}
		}
		spoken.why = WhySame
		l.say(cues, one(l.rand, t.same), spoken, 0)
		l.say(cues, t.nearMiss, subject{}, settled)
	}
	for i, name := range l.names {
		spoken := subject{kind: KindPerson, name: name, why: KindPerson}
		if i >= personsKept {
			spoken = subject{}
		}
		for _, cue := range drawn(l.rand, sentences().personCues, 2) {
			l.say(cues, strings.ReplaceAll(cue, "{name}", name), spoken, settled)
		}
	}
}

// say gives a text to a cue of a random moment from a day on that hears and says
// nothing particular yet. On a day a subject is spoken of once.
func (l *life) say(cues []moment, text string, about subject, from int) {
	for range 1000 { // a life has some thousand cues and speaks in some two hundred
		m := &cues[l.rand.IntN(len(cues))]
		if m.day < from || !m.hears || !m.usual || l.taken[m] {
			continue
		}
		day := spokenOn{m.day, about.name}
		if about.name != "" && l.spoken[day] {
			continue
		}
		l.taken[m], l.spoken[day] = true, true
		m.text, m.about = text, about
		return
	}
}

type spokenOn struct {
	day  int
	name string
}

// settleSubjects draws what a life speaks of.
func (l *life) settleSubjects() {
	p := sentences()
	l.topics = drawn(l.rand, p.topics, topicsKept+topicsUnknown)
	l.names = drawn(l.rand, p.names, personsKept+namesUnknown+1)
	l.friend, l.names = l.names[0], l.names[1:]
	for _, language := range l.profile.tongues { // one that is named twice is heard more
		for _, text := range drawn(l.rand, p.chatter[language], smallTalkKept/len(l.profile.tongues)) {
			if !slices.Contains(l.small, text) {
				l.small = append(l.small, text)
			}
		}
	}
	l.rand.Shuffle(len(l.small), func(i, j int) { l.small[i], l.small[j] = l.small[j], l.small[i] })
}
