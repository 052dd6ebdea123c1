package lives

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

// The operations of a stream.
const (
	OpRemember = "remember"
	OpSense    = "sense"
)

// The kinds of memories.
const (
	KindPlace   = "place"   // of a seldom visited place
	KindRitual  = "ritual"  // of an hour of the week at a routine place
	KindTopic   = "topic"   // of a matter
	KindPerson  = "person"  // of somebody seldom met
	KindRoutine = "routine" // of everyday life; never due
	KindOther   = "other"   // of another person's life; never due
)

// Why a memory is due. A place, a ritual and a person are due for their own kind's
// sake, a topic by the words that speak of it.
const (
	WhySame    = "topic-kw"   // in the same words
	WhyOther   = "topic-para" // in other words
	WhyForeign = "topic-xl"   // in another language
)

// Event is one line of a stream.
type Event struct {
	Op       string            `json:"op"`
	ID       string            `json:"id"`
	Text     string            `json:"text,omitempty"`
	At       string            `json:"at"` // wall clock with its offset, RFC 3339
	Lat      *float64          `json:"lat,omitempty"`
	Lon      *float64          `json:"lon,omitempty"`
	Tags     []string          `json:"tags,omitempty"`
	Salience *float64          `json:"salience,omitempty"` // of a memory, 0 to 1
	Kind     string            `json:"kind,omitempty"`     // of a memory
	Source   string            `json:"source,omitempty"`   // who reports a cue
	Day      int               `json:"day"`                // of the life, from 0
	Due      []string          `json:"due,omitzero"`       // memories that should come back for a cue
	Why      map[string]string `json:"why,omitzero"`       // reason of each due memory
	OK       []string          `json:"ok,omitzero"`        // memories that may come back and are not counted
}

// Time is when the event happened, on its wall clock.
func (e Event) Time() (time.Time, error) { return time.Parse(time.RFC3339, e.At) }

// lineMost is the longest line that Read takes, bytes: a memory of a megabyte and
// room for the rest.
const lineMost = 2 << 20

// Read reads a stream. An error names the line, what is wrong and what is allowed.
func Read(r io.Reader) ([]Event, error) {
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, lineMost)
	var out []Event
	seen := map[string]bool{}
	for line := 1; scan.Scan(); line++ {
		if strings.TrimSpace(scan.Text()) == "" {
			continue
		}
		var e Event
		if err := json.Unmarshal(scan.Bytes(), &e); err != nil {
			return nil, fmt.Errorf("line %d is no event: %w", line, err)
		}
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if seen[e.ID] {
			return nil, fmt.Errorf("line %d: the id %q was used before; each event has its own", line, e.ID)
		}
		seen[e.ID] = true
		out = append(out, e)
	}
	if err := scan.Err(); err != nil {
		return nil, fmt.Errorf("the stream cannot be read to its end: %w", err)
	}
	return out, nil
}

func (e Event) check() error {
	if _, err := e.Time(); err != nil {
		return fmt.Errorf("at must be a time with its offset such as 2025-01-06T07:18:45+01:00, not %q", e.At)
	}
	switch {
	case e.ID == "":
		return fmt.Errorf("id is missing")
	case (e.Lat == nil) != (e.Lon == nil):
		return fmt.Errorf("lat and lon belong together")
	case e.Op == OpRemember && strings.TrimSpace(e.Text) == "":
		return fmt.Errorf("a memory needs its text")
	case e.Op == OpSense && e.Text == "" && e.Lat == nil:
		return fmt.Errorf("a cue needs a text or a place")
	case e.Op != OpRemember && e.Op != OpSense:
		return fmt.Errorf("op must be %s or %s, not %q", OpRemember, OpSense, e.Op)
	}
	for _, id := range slices.Sorted(maps.Keys(e.Why)) {
		if !slices.Contains(e.Due, id) {
			return fmt.Errorf("why names %q, which due does not", id)
		}
	}
	for _, id := range e.Due {
		if e.Why[id] == "" {
			return fmt.Errorf("why has no reason for %q, which is due", id)
		}
	}
	return nil
}

// Write writes a stream as Read reads it.
func Write(w io.Writer, events []Event) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, e := range events {
		if err := out.Encode(e); err != nil {
			return err
		}
	}
	return nil
}
