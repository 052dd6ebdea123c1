package benchmark

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"combray/internal/memory"
)

// What the memories of a store have beside their text: a session of twenty turns
// has a day, and the tags give filters that keep one memory in ten and one in a
// thousand.
const (
	sessionTurns = 20
	topics       = 10
	projects     = 1000
	days         = 3650 // the sessions of any store fill ten years
	homely       = 20   // one memory in so many is of home, the others of anywhere in town
)

// novel is where the numbers begin of what no store holds yet, and how many
// memories a store may have.
const novel = 1 << 24

// town is where all memories are of; home is its corner. It measures 11 by 7 km.
var town = struct{ lat, lon, degrees float64 }{48.2, 16.37, 0.1}

var firstDay = time.Date(2016, 1, 4, 9, 0, 0, 0, time.UTC)

// Text makes the memories of a store and the questions about them, each the same
// for the same seed whatever was asked for before. It is safe for concurrent use.
type Text struct {
	seed      uint64
	lines     []string // nil: made text
	questions []string // nil: made from lines, or made
	digest    string   // of the lines; "" for made text
}

// NewText reads the lines of a file, blank ones left out, and one question a line
// of another. Without the first, text is made; without the second, questions are.
func NewText(seed uint64, lines, questions string) (*Text, error) {
	t := &Text{seed: seed}
	var err error
	if lines != "" {
		if t.lines, t.digest, err = readLines(lines); err != nil {
			return nil, err
		}
	}
	if questions != "" {
		if t.questions, _, err = readLines(questions); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// readLines gives the lines of a file that say something, and the digest of all.
func readLines(path string) (lines []string, digest string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if lines, digest, err = scanLines(f); err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	if len(lines) == 0 {
		return nil, "", fmt.Errorf("%s holds no line of text", path)
	}
	return lines, digest, nil
}

// scanLines leaves out lines that are blank or not UTF-8.
func scanLines(in io.Reader) (lines []string, digest string, err error) {
	sum := sha256.New()
	scan := bufio.NewScanner(io.TeeReader(in, sum))
	scan.Buffer(nil, memory.MaxContentBytes)
	for scan.Scan() {
		line := strings.TrimSpace(scan.Text())
		if line != "" && utf8.ValidString(line) {
			lines = append(lines, line)
		}
	}
	return lines, hex.EncodeToString(sum.Sum(nil)), scan.Err()
}

// random is a source of numbers for one thing of one kind.
func (t *Text) random(kind, number int) *rand.Rand {
	return rand.New(rand.NewPCG(t.seed, uint64(kind)<<48|uint64(number)))
}

// Kinds of random numbers: what is asked of Text and of mixtures.
const (
	kindNote = iota
	kindQuestion
	kindID
	kindMixture
	kindExtra
	kindCue
)

// note is the text of a memory. A file with fewer lines than memories gives each
// line once, then halves of two lines put together.
func (t *Text) note(number int) string {
	r := t.random(kindNote, number)
	if t.lines == nil {
		return madeNote(r, number)
	}
	if number < len(t.lines) {
		return t.lines[number]
	}
	return firstHalf(of(r, t.lines)) + " " + secondHalf(of(r, t.lines))
}

func firstHalf(line string) string  { return strings.TrimSpace(line[:middleOf(line)]) }
func secondHalf(line string) string { return strings.TrimSpace(line[middleOf(line):]) }

// middleOf is the first space behind the middle of a line, or the middle itself
// in scripts without spaces.
func middleOf(line string) int {
	at := (len(line) + 1) / 2
	for at < len(line) && !utf8.RuneStart(line[at]) {
		at++
	}
	if space := strings.IndexByte(line[at:], ' '); space >= 0 {
		return at + space
	}
	return at
}

// place is where a memory stands among all: its text, and its turn in time.
type place struct{ text, turn int }

// capture is what is remembered. Turns of a session follow each other in one hour.
func (t *Text) capture(at place, of int) memory.RememberInput {
	r := t.random(kindExtra, at.turn)
	session := at.turn / sessionTurns
	day := firstDay.AddDate(0, 0, int(int64(session)*days/int64(of/sessionTurns+1)))
	when := day.Add(time.Duration(session%8)*time.Hour + time.Duration(at.turn%sessionTurns)*time.Minute).Format(time.RFC3339)
	speaker, name, position := people[r.IntN(len(people))], fmt.Sprintf("session %d", session), int64(at.turn%sessionTurns)
	lat, lon := somewhere(r, homely)
	return memory.RememberInput{Lat: &lat, Lon: &lon, Content: t.note(at.text), Source: &speaker, EventAt: &when, SessionID: &name, SessionPosition: &position,
		Tags: []string{topic(r.IntN(topics)), project(r.IntN(projects))}}
}

func topic(n int) string   { return fmt.Sprintf("topic %d", n) }
func project(n int) string { return fmt.Sprintf("project %d", n) }

// somewhere is home once in so many times, and else anywhere in town.
func somewhere(r *rand.Rand, homely int) (lat, lon float64) {
	if r.IntN(homely) == 0 {
		return town.lat, town.lon
	}
	return town.lat + r.Float64()*town.degrees, town.lon + r.Float64()*town.degrees
}

// questionWords bounds a question that is made from a line, so that it has up to
// 25 tokens of the encoder in most languages.
const questionWords = 12

// Question is one of the questions, made from number; those of a file come round.
func (t *Text) Question(number int) string {
	r := t.random(kindQuestion, number)
	switch {
	case t.questions != nil:
		return t.questions[number%len(t.questions)]
	case t.lines == nil:
		return madeQuestion(r)
	}
	words := strings.Fields(of(r, t.lines))
	first := r.IntN(max(1, len(words)-questionWords+1))
	question := strings.Join(words[first:min(first+questionWords, len(words))], " ")
	return cut(question, questionRunes)
}

// questionRunes bounds a question in scripts without spaces.
const questionRunes = 80

func cut(text string, runes int) string {
	n := 0
	for at := range text {
		if n == runes {
			return text[:at]
		}
		n++
	}
	return text
}
