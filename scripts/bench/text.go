package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// maker makes text of the length and mixture of everyday notes, the same for
// the same seed.
type maker struct {
	r    *rand.Rand
	made int
}

func newMaker(seed uint64) *maker { return &maker{r: rand.New(rand.NewPCG(seed, 2))} }

var (
	people  = strings.Fields("Anna Bruno Chen Dalia Emre Fatima Giulia Hiro Ines Jonas Kofi Lena Mateo Nadia Olga Pavel Quinn Rosa Samir Tomoko Ursula Viktor Wen Ximena Yara Zoltan")
	things  = strings.Fields("key passport bicycle boiler contract invoice garden recipe camera ticket lamp window violin letter password server database report budget tent map photograph medicine appointment meeting train suitcase cake coat notebook kettle")
	actions = strings.Fields("moved repaired lost found bought sold borrowed returned cleaned painted measured ordered cancelled postponed signed translated photographed planted cooked forgot promised noticed explained compared")
	places  = strings.Fields("Lisbon Kyoto Prague Nairobi Oslo Quito Hanoi Tunis Porto Lyon Graz Bergen Izmir Cork Seville kitchen cellar balcony office library station harbour market hospital school workshop")
	reasons = strings.Fields("rain noise price habit distance weather traffic silence colour weight age warranty curiosity hunger luck")
)

func (m *maker) of(words []string) string { return words[m.r.IntN(len(words))] }

// note is a sentence or two of 100 to 200 characters.
func (m *maker) note() string {
	m.made++
	return fmt.Sprintf("%s %s the %s %s in the %s near %s because of the %s, and %s said that the %s number %d would have to wait until the %s was %s again.",
		m.of(people), m.of(actions), m.of(reasons), m.of(things), m.of(places), m.of(places), m.of(reasons), m.of(people), m.of(things), m.made, m.of(things), m.of(actions))
}

// line is a note as a line for import, with speaker, day and conversation.
func (m *maker) line() string {
	day := time.Date(2020, 1, 1, 9, 0, 0, 0, time.UTC).Add(time.Duration(m.made/20) * 24 * time.Hour)
	data, err := json.Marshal(map[string]any{"content": m.note(), "source": m.of(people),
		"event_at": day.Format(time.RFC3339), "session_id": fmt.Sprint("day ", m.made/20)})
	if err != nil {
		panic(err)
	}
	return string(data)
}

// question has up to 25 tokens of the encoder.
func (m *maker) question() string {
	switch m.r.IntN(3) {
	case 0:
		return fmt.Sprintf("who %s the %s in the %s?", m.of(actions), m.of(things), m.of(places))
	case 1:
		return fmt.Sprintf("what did %s say about the %s near %s?", m.of(people), m.of(things), m.of(places))
	}
	return fmt.Sprintf("why was the %s %s by %s because of the %s?", m.of(things), m.of(actions), m.of(people), m.of(reasons))
}
