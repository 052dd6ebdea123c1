package benchmark

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"
)

// Schema is the form of a Report's JSON: names and their meaning stay, new ones
// may come. A reader refuses a higher one.
const Schema = 1

// Report is what a run measured.
type Report struct {
	Schema   int       `json:"schema"`
	Combray  string    `json:"combray"` // version
	Commit   string    `json:"commit"`  // "" when the program does not know
	Started  time.Time `json:"started"`
	Ended    time.Time `json:"ended"`
	Machine  Machine   `json:"machine"`
	Store    Contents  `json:"store"`
	Settings Settings  `json:"settings"`
	Figures  []Figure  `json:"figures"`
	Notes    []string  `json:"notes"` // what is to be known of the figures, sentences
}

// Contents says what the store held, so that it can be built again.
type Contents struct {
	Memories   int    `json:"memories"`
	Encoded    int    `json:"encoded"` // vectors that the encoder made; the others are mixtures of those
	Seed       uint64 `json:"seed"`
	TextDigest string `json:"text_sha256"` // of the file the text came from; "" for made text
	Encoder    string `json:"encoder"`     // identity; "" for words only
	Built      bool   `json:"built"`       // by this run; false for one that was kept
}

// Settings say how it was measured.
type Settings struct {
	Runs       int    `json:"runs"`
	Asks       int    `json:"asks"`       // calls of each kind in a run
	Neighbours string `json:"neighbours"` // scan or graph
}

// Figure is one thing that was measured.
type Figure struct {
	Name   string  `json:"name"`   // stable
	What   string  `json:"what"`   // for people
	Unit   string  `json:"unit"`   // ms, s, bytes, per_s or share
	Higher bool    `json:"higher"` // more is better
	Value  float64 `json:"value"`  // of times the middle one of all calls, else the best run's
	Spread *Spread `json:"spread"` // of times, over the calls of all runs; null for others
	Runs   []Run   `json:"runs"`   // in order
}

// Run is what one run measured.
type Run struct {
	Value  float64 `json:"value"`
	Spread *Spread `json:"spread"`
}

// Spread says how times were spread.
type Spread struct {
	Count int     `json:"count"`
	Min   float64 `json:"min"`
	P50   float64 `json:"p50"`
	P95   float64 `json:"p95"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// Units of figures.
const (
	Milliseconds = "ms"
	Seconds      = "s"
	Bytes        = "bytes"
	PerSecond    = "per_s"
	Share        = "share"
)

// find gives a figure by its name.
func (r *Report) find(name string) (Figure, bool) {
	for _, f := range r.Figures {
		if f.Name == name {
			return f, true
		}
	}
	return Figure{}, false
}

// ReadReport reads a report that WriteReport wrote.
func ReadReport(path string) (r Report, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	if r, err = decodeReport(data); err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

func decodeReport(data []byte) (r Report, err error) {
	if err := json.Unmarshal(data, &r); err != nil {
		return r, fmt.Errorf("this is no report of combray bench: %w", err)
	}
	switch {
	case r.Schema == 0 || len(r.Figures) == 0:
		return r, errors.New("this is no report of combray bench: it has no figures")
	case r.Schema > Schema:
		return r, fmt.Errorf("the report has schema %d, and this Combray reads up to %d: a newer one wrote it", r.Schema, Schema)
	}
	return r, nil
}

// WriteReport writes a report where ReadReport finds it.
func WriteReport(path string, r Report) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return WriteFile(path, append(data, '\n'))
}

// WriteFile puts a whole file in its place or leaves what was there.
func WriteFile(path string, data []byte) error {
	temp := path + ".tmp"
	if err := os.WriteFile(temp, data, 0o644); err != nil {
		return errors.Join(err, os.RemoveAll(temp))
	}
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}
