package memory

import (
	"maps"
	"math"
	"math/bits"
	"slices"

	"combray/internal/sense"
)

// familiarity is what was perceived in the last FamiliarDays, so that the usual
// can be told from the rare: places by the half-hours of their days, words and
// texts by their days. It holds no order within a day and no text.
type familiarity struct {
	row      int64 // newest stored row taken in
	epoch    int64
	first    int // oldest day seen
	any      bool
	places   map[int64]map[int]uint64 // cell, day: a bit a half-hour
	words    map[int64]map[int]bool
	texts    map[int64]*heardText
	readings map[slotOfDay]map[string]float64
}

// heardText is one text with the days it was heard on.
type heardText struct {
	vector []float32
	days   []int
}

type slotOfDay struct{ day, half int }

func newFamiliarity(epoch int64) *familiarity {
	return &familiarity{epoch: epoch, places: map[int64]map[int]uint64{}, words: map[int64]map[int]bool{},
		texts: map[int64]*heardText{}, readings: map[slotOfDay]map[string]float64{}}
}

// take adds a row. The same row again changes nothing.
func (f *familiarity) take(h Heard) {
	if !f.any || h.Day < f.first {
		f.first, f.any = h.Day, true
	}
	f.row = max(f.row, h.Row)
	switch h.Kind {
	case HeardPlace:
		if f.places[h.Key] == nil {
			f.places[h.Key] = map[int]uint64{}
		}
		f.places[h.Key][h.Day] |= 1 << h.Half
	case HeardWord:
		if f.words[h.Key] == nil {
			f.words[h.Key] = map[int]bool{}
		}
		f.words[h.Key][h.Day] = true
	case HeardText:
		f.takeText(h)
	case HeardReading:
		at := slotOfDay{h.Day, h.Half}
		if f.readings[at] == nil {
			f.readings[at] = map[string]float64{}
		}
		f.readings[at][readings[h.Key].name] = h.Value
	}
}

func (f *familiarity) takeText(h Heard) {
	t := f.texts[h.Key]
	if t == nil {
		t = &heardText{vector: h.Vector}
		f.texts[h.Key] = t
	}
	if !slices.Contains(t.days, h.Day) {
		t.days = append(t.days, h.Day)
	}
}

// forget drops what was perceived before a day.
func (f *familiarity) forget(before int) {
	for key, days := range f.places {
		maps.DeleteFunc(days, func(day int, _ uint64) bool { return day < before })
		if len(days) == 0 {
			delete(f.places, key)
		}
	}
	for key, days := range f.words {
		maps.DeleteFunc(days, func(day int, _ bool) bool { return day < before })
		if len(days) == 0 {
			delete(f.words, key)
		}
	}
	for key, t := range f.texts {
		t.days = slices.DeleteFunc(t.days, func(day int) bool { return day < before })
		if len(t.days) == 0 {
			delete(f.texts, key)
		}
	}
	maps.DeleteFunc(f.readings, func(at slotOfDay, _ map[string]float64) bool { return at.day < before })
	f.first = max(f.first, before)
}

// knows says whether taking a row would change nothing.
func (f *familiarity) knows(h Heard) bool {
	switch h.Kind {
	case HeardPlace:
		return f.places[h.Key][h.Day]&(1<<h.Half) != 0
	case HeardWord:
		return f.words[h.Key][h.Day]
	case HeardText:
		t := f.texts[h.Key]
		return t != nil && slices.Contains(t.days, h.Day)
	}
	_, known := f.readings[slotOfDay{h.Day, h.Half}][readings[h.Key].name]
	return known
}

// earlier says whether a day counts for a cue of today.
func earlier(day, today int) bool { return day < today && day >= today-FamiliarDays }

// rarity is D of contract/sense.md 4.7 and 4.15b: 1 for what was never met, 0 for
// what was met on each of the last 60 days. Counts of a history younger than that
// are read as if it went on alike.
func (f *familiarity) rarity(days float64, today int) float64 {
	return rarityOf(days * f.scale(today))
}

// scale is what a count of days is multiplied by because the history is young.
func (f *familiarity) scale(today int) float64 {
	age := 0
	if f.any {
		age = today - f.first
	}
	return FamiliarDays / min(FamiliarDays, max(familiarLeast, float64(age)))
}

// rarityOf is D(v).
func rarityOf(v float64) float64 {
	const full = FamiliarDays + 1
	return max(0, -math.Log((v+1)/full)/math.Log(full))
}

// placeDays counts the earlier days on which a cue fell into any of the cells.
func (f *familiarity) placeDays(cells []int64, today int) int {
	met := map[int]bool{}
	for _, c := range cells {
		for day := range f.places[c] {
			if earlier(day, today) {
				met[day] = true
			}
		}
	}
	return len(met)
}

// slotDays adds up how near the day's nearest visit came to the hour: over the
// earlier days of the same kind (workdays or weekends), and over those of the other
// kind, where only that very hour counts.
func (f *familiarity) slotDays(cells []int64, today int, hour float64) (same, other float64) {
	kind := sense.WeekendDay(today)
	nearest := map[int]float64{}
	for _, c := range cells {
		for day, halves := range f.places[c] {
			if !earlier(day, today) {
				continue
			}
			alike := sense.Slot
			if sense.WeekendDay(day) != kind {
				alike = sense.VeryHour
			}
			for ; halves != 0; halves &= halves - 1 {
				middle := (float64(bits.TrailingZeros64(halves)) + 0.5) / 2
				nearest[day] = max(nearest[day], alike(middle-hour))
			}
		}
	}
	for day := today - FamiliarDays; day < today; day++ { // in order, so that the same history gives the same sum
		if sense.WeekendDay(day) == kind {
			same += nearest[day]
		} else {
			other += nearest[day]
		}
	}
	return same, other
}

// slotRarity is D of a part of the day at a place. All days of the other kind count
// as otherKindMost at most: whoever is somewhere at a quarter to nine on workdays is
// not there by a rare chance on Saturday, and yet a Sunday at the office is not like
// its workdays.
func (f *familiarity) slotRarity(cells []int64, today int, hour float64, off Part) float64 {
	same, other := f.slotDays(cells, today, hour)
	scale := f.scale(today)
	return rarityOf(scale*same + off.or(PartOtherDays, min(scale*other, otherKindMost), 0))
}

// wordDays counts the earlier days on which a word was heard.
func (f *familiarity) wordDays(key int64, today int) int {
	n := 0
	for day := range f.words[key] {
		if earlier(day, today) {
			n++
		}
	}
	return n
}

// earlierTexts gives the texts that were heard on earlier days, with those days.
func (f *familiarity) earlierTexts(today int) []heardText {
	var out []heardText
	for _, t := range f.texts {
		var days []int
		for _, day := range t.days {
			if earlier(day, today) {
				days = append(days, day)
			}
		}
		if days != nil {
			out = append(out, heardText{t.vector, days})
		}
	}
	return out
}

// bodies gives the readings so far, for what is usual.
func (f *familiarity) bodies() []map[string]float64 {
	out := make([]map[string]float64, 0, len(f.readings))
	for _, body := range f.readings {
		out = append(out, body)
	}
	return out
}

// heard is what a cue adds to what is familiar.
func (p *perception) heard(words []string, vector []float32, identity string) []Heard {
	day := sense.Day(p.at)
	half := int(sense.HourOf(p.at) * 2)
	var rows []Heard
	if p.place != nil {
		rows = append(rows, Heard{Kind: HeardPlace, Key: sense.Cell(p.place.Lat, p.place.Lon), Day: day, Half: half})
	}
	for _, w := range words {
		rows = append(rows, Heard{Kind: HeardWord, Key: keyOf(w), Day: day, Half: -1})
	}
	if vector != nil {
		rows = append(rows, Heard{Kind: HeardText, Key: keyOf(p.text), Day: day, Half: -1, Identity: identity, Vector: vector})
	}
	for i, r := range readings {
		if v, given := p.body[r.name]; given {
			rows = append(rows, Heard{Kind: HeardReading, Key: int64(i), Day: day, Half: half, Value: v})
		}
	}
	return rows
}
