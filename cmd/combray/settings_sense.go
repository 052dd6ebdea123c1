package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"combray/internal/memory"
)

// senseChoice is what a person may choose of involuntary memory. In config.toml
// it is the value of sense: the threshold alone, or a table with all of it.
type senseChoice struct {
	threshold    string // strict, normal, open or a number
	minAge       time.Duration
	minChannels  int
	queueMax     int
	unfamiliar   bool
	familiarSaid bool // unfamiliar was chosen, not left out
}

const senseForms = `sense takes strict, normal, open or a number, or is a table [sense] with threshold, min_age = "12h", min_channels, queue_max and familiarity`

// mostQueued bounds queue_max: a queue is read whole.
const mostQueued = 10_000

// readSense reads the value of sense in config.toml.
func readSense(value any) (c senseChoice, err error) {
	table, isTable := value.(map[string]any)
	if !isTable {
		table = map[string]any{"threshold": value}
	}
	for _, name := range slices.Sorted(maps.Keys(table)) {
		if err := c.read(name, table[name]); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (c *senseChoice) read(name string, value any) (err error) {
	fits := false
	switch name {
	case "threshold":
		switch value.(type) {
		case string, float64:
			c.threshold, fits = fmt.Sprint(value), true
		}
	case "min_age":
		text, _ := value.(string)
		c.minAge, err = time.ParseDuration(text)
		fits = err == nil && c.minAge >= 0
	case "min_channels":
		c.minChannels, fits = whole(value, len(channels))
	case "queue_max":
		c.queueMax, fits = whole(value, mostQueued)
	case "familiarity":
		var on bool
		on, fits = value.(bool)
		c.unfamiliar, c.familiarSaid = !on, true
	default:
		return fmt.Errorf("sense.%s is unknown; %s", name, senseForms)
	}
	if !fits {
		return fmt.Errorf("sense.%s is %v; %s", name, value, senseForms)
	}
	return nil
}

// whole is a number of 1 to most.
func whole(value any, most int) (int, bool) {
	n, isInt := value.(int64)
	return int(n), isInt && n >= 1 && n <= int64(most)
}

// or fills what c lacks from d.
func (c senseChoice) or(d senseChoice) senseChoice {
	if !c.familiarSaid {
		c.unfamiliar, c.familiarSaid = d.unfamiliar, d.familiarSaid
	}
	c.threshold, c.minAge = cmp.Or(c.threshold, d.threshold), cmp.Or(c.minAge, d.minAge)
	c.minChannels, c.queueMax = cmp.Or(c.minChannels, d.minChannels), cmp.Or(c.queueMax, d.queueMax)
	return c
}

// channels are those that can be on (contract/sense.md 2).
var channels = []memory.Channel{memory.ChannelText, memory.ChannelGeo, memory.ChannelTime, memory.ChannelBiometric, memory.ChannelImage, memory.ChannelAudio}

// senseSettings checks what was chosen of involuntary memory.
func (s settings) senseSettings() (memory.SenseSettings, error) {
	out := memory.SenseSettings{MinAge: s.sense.minAge, MinChannels: s.sense.minChannels, QueueMax: s.sense.queueMax, Unfamiliar: s.sense.unfamiliar}
	var err error
	if out.Threshold, err = threshold(s.sense.threshold); err != nil {
		return out, err
	}
	for name := range strings.SplitSeq(s.Channels, ",") {
		c := memory.Channel(strings.ToLower(strings.TrimSpace(name)))
		if c == "" {
			continue
		}
		if !slices.Contains(channels, c) {
			return out, usage("channels has %q; text, geo, time, biometric, image and audio are allowed, joined by commas", name)
		}
		out.Channels = append(out.Channels, c)
	}
	return out, nil
}

// threshold is the bar of a name or number (contract/sense.md 4.8).
func threshold(chosen string) (float64, error) {
	switch strings.ToLower(chosen) {
	case "", "normal":
		return memory.DefaultThreshold, nil
	case "strict":
		return memory.StrictThreshold, nil
	case "open":
		return memory.OpenThreshold, nil
	}
	n, err := strconv.ParseFloat(chosen, 64)
	if err != nil || !(n > 0 && n < 1) {
		return 0, usage("sense is %q; strict, normal, open, or a threshold between 0 and 1 is allowed", chosen)
	}
	return n, nil
}
