package memory

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// SenseInput is what is perceived now, as the caller gave it; nil means not given.
type SenseInput struct {
	Text      *string
	Geohash   *string
	Lat, Lon  *float64
	AccuracyM *float64
	Biometric map[string]float64
	Signals   *Signals
	At        *string // nil: now; without an offset the server's zone is taken
	Source    string  // who reports it; "": mcp
	WordsOnly bool    // do not wait for, nor load, an encoder
}

// Signals are further raw readings, one a channel (contract/sense.md U2).
type Signals struct {
	Text         *string
	Geohash      *string
	Lat, Lon     *float64
	AccuracyM    *float64
	At           *string
	Biometric    map[string]float64
	Image, Audio *MediaSignal
}

// MediaSignal is a picture or a sound: its bytes, a file, or a vector that the
// caller made. Any of them may come with words.
type MediaSignal struct {
	Data    []byte
	Mime    string
	Path    string
	Vector  []float32
	Backend string // what made Vector
	Caption string // what it shows, or what is said in it
}

// perception is a cue as the trigger takes it.
type perception struct {
	text     string
	place    *Place
	at       time.Time // on its wall clock
	body     map[string]float64
	media    []Fingerprint
	source   string
	key      int64 // the same for the same cue, whenever it comes
	warnings []string
}

// sourceUnknown is the reporter of a cue that names none (contract/sense.md 1.3).
const sourceUnknown = "mcp"

const hintSense = "Pass what is perceived now: text, a place (lat and lon, or geohash), biometric, or signals."

// readPerception checks a cue and gives it without its media, which have yet to
// be reduced.
func readPerception(in SenseInput, zone *time.Location, now time.Time) (perception, error) {
	in, err := in.merged()
	if err != nil {
		return perception{}, err
	}
	p := perception{source: in.Source}
	if p.source == "" {
		p.source = sourceUnknown
	}
	if utf8.RuneCountInString(p.source) > MaxCueSourceRunes {
		return perception{}, Limit("source", "Name the reporter in a word or two.", "source has more than %d characters", MaxCueSourceRunes)
	}
	if in.Text != nil {
		p.text = strings.TrimSpace(*in.Text)
	}
	if len(p.text) > MaxContentBytes {
		return perception{}, Limit("text", "Pass the sentence that matters.", "text has %d bytes; a cue holds at most %d", len(p.text), MaxContentBytes)
	}
	if p.place, err = ParsePlace(in.Geohash, in.Lat, in.Lon, in.AccuracyM); err != nil {
		return perception{}, err
	}
	var ignored []string
	if p.body, ignored, err = CheckReadings(in.Biometric); err != nil {
		return perception{}, err
	}
	for _, name := range ignored {
		p.warnings = append(p.warnings, unknownReading(name))
	}
	if p.text == "" && p.place == nil && p.body == nil && !in.Signals.media() {
		missing := append([]string{"sense needs at least one of text, a place, biometric, signals"}, p.warnings...)
		return perception{}, Invalid("text", hintSense, "%s", strings.TrimSuffix(strings.Join(missing, ". "), "."))
	}
	if err := p.readTime(in.At, zone, now); err != nil {
		return perception{}, err
	}
	p.key = p.hash(in.Signals)
	p.cutText()
	return p, nil
}

// cutText keeps the beginning of a long text: what is perceived now is a sentence or
// a page, and every further window of the encoder would keep all questions waiting.
func (p *perception) cutText() {
	if cut := truncated(p.text, EmbedAtOnceBytes); cut != p.text {
		p.text = cut
		p.warnings = append(p.warnings, fmt.Sprintf("The text was compared by its first %d bytes alone: that is what a cue holds.", len(cut)))
	}
}

// truncated is a text of at most so many bytes, whole characters only.
func truncated(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

func (p *perception) readTime(at *string, zone *time.Location, now time.Time) error {
	if at == nil {
		p.at = now.In(zone)
		return nil
	}
	t, offset, assumed, err := ParseLocal("at", *at, zone)
	if err != nil {
		return err
	}
	if t.After(now.Add(MaxCueAhead)) {
		return Invalid("at", "Leave at out for the present moment.", "at lies more than %g hours ahead of this machine's clock", MaxCueAhead.Hours())
	}
	if assumed {
		p.warnings = append(p.warnings, assumedZone(t, zone))
	}
	p.at = wallClock(t, offset)
	return nil
}

func unknownReading(name string) string {
	return "biometric." + name + " was ignored: readings are " + strings.Join(ReadingNames(), ", ") + "."
}

// merged takes what signals hold of the plain channels into the cue itself. Each
// channel has one reading.
func (in SenseInput) merged() (SenseInput, error) {
	s := in.Signals
	if s == nil {
		return in, nil
	}
	twice := func(channel string) error {
		return Invalid("signals", "Give each channel once, in the arguments or in signals.", "signals.%s is given beside the argument: one reading a channel is allowed", channel)
	}
	if s.Text != nil {
		if in.Text != nil && *in.Text != *s.Text {
			return in, twice("text")
		}
		in.Text = s.Text
	}
	if s.Geohash != nil || s.Lat != nil || s.Lon != nil {
		if in.Geohash != nil || in.Lat != nil || in.Lon != nil {
			return in, twice("geo")
		}
		in.Geohash, in.Lat, in.Lon, in.AccuracyM = s.Geohash, s.Lat, s.Lon, s.AccuracyM
	}
	if s.At != nil {
		if in.At != nil && *in.At != *s.At {
			return in, twice("time")
		}
		in.At = s.At
	}
	if s.Biometric != nil {
		if in.Biometric != nil {
			return in, twice("biometric")
		}
		in.Biometric = s.Biometric
	}
	return in, nil
}

func (s *Signals) media() bool { return s != nil && (s.Image != nil || s.Audio != nil) }

// hash is the same for the same cue of a source, whenever it comes.
func (p *perception) hash(s *Signals) int64 {
	h := fnv.New64a()
	number := func(v float64) { _ = binary.Write(h, binary.LittleEndian, math.Float64bits(v)) }
	h.Write([]byte(p.text))
	if p.place != nil {
		number(p.place.Lat)
		number(p.place.Lon)
	}
	for _, name := range slices.Sorted(maps.Keys(p.body)) {
		h.Write([]byte(name))
		number(p.body[name])
	}
	if s != nil {
		for _, m := range []*MediaSignal{s.Image, s.Audio} {
			if m == nil {
				continue
			}
			h.Write(m.Data)
			h.Write([]byte(cmp.Or(m.Path, m.Backend)))
			for _, v := range m.Vector {
				number(float64(v))
			}
			h.Write([]byte(m.Caption))
		}
	}
	return int64(h.Sum64())
}

// news says whether a cue brings more than where and how somebody is.
func (p *perception) news() bool { return p.text != "" || len(p.media) > 0 }

// keyOf is the key under which a word or a text is remembered as heard.
func keyOf(text string) int64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return int64(h.Sum64())
}
