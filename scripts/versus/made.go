package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// maker makes text of the length and mixture of everyday notes, the same for the
// same seed: some words are in every line, most in few.
type maker struct {
	rng  *rand.Rand
	rare *rand.Zipf
	made int
}

func newMaker(seed uint64) *maker {
	rng := rand.New(rand.NewPCG(seed, 2))
	return &maker{rng: rng, rare: rand.NewZipf(rng, 1.1, 20, 100_000)}
}

var (
	people  = strings.Fields("Anna Bruno Chen Dalia Emre Fatima Giulia Hiro Ines Jonas Kofi Lena Mateo Nadia Olga Pavel Quinn Rosa Samir Tomoko Ursula Viktor Wen Ximena Yara Zoltan")
	things  = strings.Fields("key passport bicycle boiler contract invoice garden recipe camera ticket lamp window violin letter password server database report budget tent map photograph medicine appointment meeting train suitcase cake coat notebook kettle")
	actions = strings.Fields("moved repaired lost found bought sold borrowed returned cleaned painted measured ordered cancelled postponed signed translated planted cooked forgot promised noticed explained compared")
	places  = strings.Fields("Lisbon Kyoto Prague Nairobi Oslo Quito Hanoi Tunis Porto Lyon Graz Bergen Izmir Cork Seville kitchen cellar balcony office library station harbour market hospital school workshop")
	parts   = strings.Fields("ba de fi go ku la me ni po ra se ti vo xu za")
)

func (m *maker) of(words []string) string { return words[m.rng.IntN(len(words))] }

// word is one of 100,000 made words, the low numbers far more often.
func (m *maker) word() string {
	var b strings.Builder
	for n := m.rare.Uint64() + 15; n > 0; n /= 15 {
		b.WriteString(parts[n%15])
	}
	return b.String()
}

// note is a memory of some 150 characters and 40 tokens with its source and time.
type note struct {
	text, source string
	at           time.Time
}

func (m *maker) note() note {
	at := time.Date(2020, 1, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(m.made) * time.Hour)
	m.made++
	text := fmt.Sprintf("%s %s the %s in the %s near %s, and %s said that the %s called %s would have to wait for %s until the %s was %s.",
		m.of(people), m.of(actions), m.of(things), m.of(places), m.of(places), m.of(people), m.of(things), m.word(), m.word(), m.of(things), m.of(actions))
	return note{text, m.of(people), at}
}

// line is a note as Combray's index has it, with its day and source.
func (n note) line() string { return n.at.Format("2 January 2006") + ": " + n.source + ": " + n.text }

// question has up to 25 tokens.
func (m *maker) question() string {
	switch m.rng.IntN(3) {
	case 0:
		return fmt.Sprintf("who %s the %s in the %s?", m.of(actions), m.of(things), m.of(places))
	case 1:
		return fmt.Sprintf("what did %s say about the %s called %s?", m.of(people), m.of(things), m.word())
	}
	return fmt.Sprintf("why was the %s near %s %s by %s?", m.of(things), m.of(places), m.of(actions), m.of(people))
}

// words are some words that lines hold, common ones and rare ones.
func (m *maker) words(n int) string {
	words := []string{m.of(people), m.of(things)}
	for len(words) < n {
		switch len(words) % 3 {
		case 0:
			words = append(words, m.word())
		case 1:
			words = append(words, m.of(actions))
		default:
			words = append(words, m.of(places))
		}
	}
	return strings.Join(words[:n], " ")
}
