package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"combray/internal/local"
	"combray/internal/memory"
)

func (a *app) whyCommand() *cobra.Command {
	args := newArguments()
	c := &cobra.Command{Use: "why ID [TEXT]", Short: "Say why a memory comes back, or does not",
		Long: "Say why a memory would or would not come back for a cue: the gate that stops it, its\n" +
			"score beside the threshold, each channel, and until when it is silent. The cue is\n" +
			"given as to combray sense; nothing fires and the cue is not remembered. Without a\n" +
			"cue it says only what holds for any: forgotten, flagged, too young, silent.",
		Example: "  combray why 0123456789ab --lat 48.8566 --lon 2.3522\n  combray why 0123456789ab 'that waltz'",
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, given []string) error {
			if err := args.words(cmd.Context(), a, given[1:]); err != nil {
				return err
			}
			if len(args.values) == 1 { // only the source, which says nothing
				return a.whyWithoutCue(cmd.Context(), memory.ID(given[0]))
			}
			args.values["memory_id"] = given[0]
			return a.call(cmd.Context(), "explain_silence", args.values, func(body json.RawMessage) error {
				var s shownSilence
				if err := json.Unmarshal(body, &s); err != nil {
					return err
				}
				a.showSilence(s)
				return nil
			})
		}}
	args.cue(c.Flags())
	return c
}

// shownSilence is what is printed of an explanation.
type shownSilence struct {
	Fires       bool               `json:"fires"`
	Gate        *string            `json:"gate"`
	Score       float64            `json:"score"`
	Threshold   float64            `json:"threshold"`
	Channels    map[string]float64 `json:"channels"`
	Via         []string           `json:"via"`
	SilentUntil *string            `json:"silent_until"`
}

// gateWords say each gate in plain words (contract/surface.md 8).
var gateWords = map[memory.SilenceGate]string{
	memory.GateForgotten:      "It is forgotten; combray restore brings it back.",
	memory.GateFlagged:        "It is flagged as security-sensitive and nobody independent confirmed it: such a memory never comes back by itself.",
	memory.GateTooYoung:       "It is younger than min_age in the settings.",
	memory.GateNoChannel:      "It has nothing in common with the cue: no place, no hour beside a place, no words, no reading that both have.",
	memory.GateBelowThreshold: "What they have in common is too little, or too usual: a place, an hour or a word met often proves little.",
	memory.GateSilent:         "It came back lately and stays silent for a while.",
	memory.GateSameVisit:      "The cue tells again of the same stay: less than half an hour later, within 150 m, and nothing new.",
	memory.GateRepeatedCue:    "The cue is the last one again.",
	memory.GateCompetition:    "Stronger ones come first: at most three at a time, and none that says the same as a stronger one.",
	memory.GateDailyBudget:    "So many came back within a day that the bar is higher now.",
}

func (a *app) showSilence(s shownSilence) {
	if s.Fires {
		fmt.Fprintf(a.out, "It comes back, via %s.\n", strings.Join(s.Via, " and "))
	} else if s.Gate != nil {
		gate := memory.SilenceGate(*s.Gate)
		fmt.Fprintf(a.out, "It does not come back: %s\n%s\n", spoken(gate), gateWords[gate])
	}
	fmt.Fprintf(a.out, "  score      %.2f, needed %.2f\n", s.Score, s.Threshold)
	if len(s.Channels) > 0 {
		fmt.Fprintf(a.out, "  alike      %s\n", likeness(s.Channels))
	}
	if s.SilentUntil != nil {
		fmt.Fprintf(a.out, "  silent     until %s\n", shownMoment(*s.SilentUntil))
	}
}

const momentForm = "Mon 2006-01-02 15:04 -07:00"

// shownMoment is a time as a person reads it, on the wall clock that it has.
func shownMoment(s string) string {
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return s
	}
	return t.Format(momentForm)
}

// whyWithoutCue says what holds for any cue.
func (a *app) whyWithoutCue(ctx context.Context, id memory.ID) error {
	return a.withMemory(ctx, func(ctx context.Context, l *local.Local) error {
		s, err := l.LastSilence(ctx, id)
		if err != nil {
			return err
		}
		gate := lasting(s)
		if a.json {
			out := map[string]any{"gate": nil, "silent_until": s.SilentUntil}
			if gate != "" {
				out["gate"] = gate
			}
			return a.printJSON(out)
		}
		if gate == "" {
			fmt.Fprintln(a.out, "Nothing keeps it silent. Give a cue to see how far it lines up, such as --lat and --lon.")
			return nil
		}
		fmt.Fprintf(a.out, "It does not come back: %s\n%s\n", spoken(gate), gateWords[gate])
		if s.SilentUntil != nil {
			fmt.Fprintf(a.out, "  silent     until %s\n", s.SilentUntil.Format(momentForm))
		}
		return nil
	})
}

// lasting is the gate that stops a memory whatever the cue, "" for none.
func lasting(s memory.Silence) memory.SilenceGate {
	switch {
	case s.Gate == memory.GateForgotten, s.Gate == memory.GateFlagged, s.Gate == memory.GateTooYoung:
		return s.Gate
	case s.SilentUntil != nil:
		return memory.GateSilent
	}
	return ""
}

func spoken(g memory.SilenceGate) string { return strings.ReplaceAll(string(g), "_", " ") }
