package lives

import "time"

// Profile is how a person lives.
type Profile struct {
	Name string

	first    time.Time // day 0, UTC midnight
	home     town
	abroad   []town // travelled to in turn
	journeys []journey
	shifts   string   // a letter a day, repeated: d day, l late, n night, o off
	rituals  []ritual // hours of the week
	moves    int      // day of the move of house; 0: none
	outings  float64  // chance of a visit to a seldom place on a day with room for it

	reporters []reporter
	talk      float64  // share of cues with everyday words
	tongues   []string // languages of everyday words, the commonest first
	lost      float64  // share of cues without a position
	gaps      float64  // share of days without any cue
}

// journey is a stay away from home, in days from first to before last.
type journey struct{ first, last, town int }

// ritual is an hour of the week at one of the errands' places.
type ritual struct {
	weekday  time.Weekday
	hour     float64 // of its day
	errand   int
	attended float64 // share of the weeks
}

// reporter is what tells of a cue.
type reporter struct {
	name   string
	weight int
	hears  bool // reports words
	moves  bool // reports where it is; one that does not is built into the home
}

var phone = reporter{name: "phone", weight: 6, hears: true, moves: true}

// yearly makes journeys of so many days, every so many, to the towns in turn.
func yearly(from, every, days, towns int) (out []journey) {
	for first := from; first+days < Days; first += every {
		out = append(out, journey{first, first + days, len(out) % towns})
	}
	return out
}

func date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// Profiles are the five lives: nights instead of days, several time zones, two
// houses, weeks full of rituals, and a phone that is often silent.
func Profiles() []Profile {
	return []Profile{
		{Name: "night nurse", first: date(2023, 2, 6), home: town{spot{41.158, -8.629}, zone{0, europe}},
			shifts: "nnnnooddoo", outings: 0.16, talk: 0.28, tongues: []string{"en", "en", "pt"}, lost: 0.03, gaps: 0.01,
			rituals:   []ritual{{time.Sunday, 16, 0, 0.3}, {time.Thursday, 17.5, 1, 0.3}, {time.Saturday, 10.5, 2, 0.3}},
			reporters: []reporter{phone, {"watch", 3, false, true}}},
		{Name: "travelling engineer", first: date(2023, 5, 1), home: town{spot{51.441, 5.470}, zone{1, europe}},
			abroad: []town{{spot{39.739, -104.990}, zone{-7, mountain}}, {spot{34.694, 135.502}, zone{9, nil}}, {spot{-26.204, 28.047}, zone{2, nil}}},
			shifts: "dddddoo", outings: 0.18, talk: 0.3, tongues: []string{"en", "de", "en", "ja"}, lost: 0.04, gaps: 0.02,
			journeys:  yearly(17, 24, 7, 3),
			rituals:   []ritual{{time.Saturday, 10, 0, 0.35}, {time.Sunday, 19, 1, 0.35}},
			reporters: []reporter{phone, {"laptop", 2, true, true}}},
		{Name: "family that moves house", first: date(2023, 1, 9), home: town{spot{53.801, -1.549}, zone{0, europe}},
			shifts: "dddddoo", outings: 0.2, talk: 0.35, tongues: []string{"en"}, lost: 0.02, gaps: 0, moves: 214,
			rituals:   []ritual{{time.Wednesday, 18.2, 1, 0.3}, {time.Sunday, 11, 0, 0.3}, {time.Saturday, 15, 2, 0.3}},
			reporters: []reporter{phone, {"home", 3, true, false}, {"watch", 2, false, true}}},
		{Name: "retired couple", first: date(2022, 9, 5), home: town{spot{44.494, 11.343}, zone{1, europe}},
			shifts: "o", outings: 0.17, talk: 0.3, tongues: []string{"en", "it", "it"}, lost: 0.02, gaps: 0.01,
			rituals:   []ritual{{time.Tuesday, 17, 0, 0.5}, {time.Friday, 20, 1, 0.5}, {time.Sunday, 9, 2, 0.5}},
			reporters: []reporter{phone, {"her phone", 4, true, true}, {"home", 3, true, false}, {"watch", 2, false, true}}},
		{Name: "student with gaps", first: date(2023, 9, 4), home: town{spot{54.352, 18.647}, zone{1, europe}},
			abroad: []town{{spot{50.676, 17.921}, zone{1, europe}}},
			shifts: "dldodlo", outings: 0.22, talk: 0.3, tongues: []string{"en", "de", "es"}, lost: 0.12, gaps: 0.1,
			journeys:  []journey{{100, 121, 0}, {205, 226, 0}, {300, 316, 0}},
			rituals:   []ritual{{time.Thursday, 20, 1, 0.3}, {time.Sunday, 14, 0, 0.3}},
			reporters: []reporter{phone, {"watch", 1, false, true}}},
	}
}
