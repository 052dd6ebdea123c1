package benchmark

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Words of made text: the length and mixture of everyday notes.
var (
	people  = strings.Fields("Anna Bruno Chen Dalia Emre Fatima Giulia Hiro Ines Jonas Kofi Lena Mateo Nadia Olga Pavel Quinn Rosa Samir Tomoko Ursula Viktor Wen Ximena Yara Zoltan")
	things  = strings.Fields("key passport bicycle boiler contract invoice garden recipe camera ticket lamp window violin letter password server database report budget tent map photograph medicine appointment meeting train suitcase cake coat notebook kettle")
	actions = strings.Fields("moved repaired lost found bought sold borrowed returned cleaned painted measured ordered cancelled postponed signed translated photographed planted cooked forgot promised noticed explained compared")
	places  = strings.Fields("Lisbon Kyoto Prague Nairobi Oslo Quito Hanoi Tunis Porto Lyon Graz Bergen Izmir Cork Seville kitchen cellar balcony office library station harbour market hospital school workshop")
	reasons = strings.Fields("rain noise price habit distance weather traffic silence colour weight age warranty curiosity hunger luck")
)

func of(r *rand.Rand, words []string) string { return words[r.IntN(len(words))] }

// madeNote is a sentence or two of 150 to 200 characters that no other number has.
func madeNote(r *rand.Rand, number int) string {
	return fmt.Sprintf("%s %s the %s %s in the %s near %s because of the %s, and %s said that the %s number %d would have to wait until the %s was %s again.",
		of(r, people), of(r, actions), of(r, reasons), of(r, things), of(r, places), of(r, places), of(r, reasons), of(r, people),
		of(r, things), number, of(r, things), of(r, actions))
}

// madeQuestion asks about such notes in up to 25 tokens of the encoder.
func madeQuestion(r *rand.Rand) string {
	switch r.IntN(3) {
	case 0:
		return fmt.Sprintf("who %s the %s in the %s?", of(r, actions), of(r, things), of(r, places))
	case 1:
		return fmt.Sprintf("what did %s say about the %s near %s?", of(r, people), of(r, things), of(r, places))
	}
	return fmt.Sprintf("why was the %s %s by %s because of the %s?", of(r, things), of(r, actions), of(r, people), of(r, reasons))
}
