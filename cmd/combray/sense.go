package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"combray/internal/local"
	"combray/internal/media"
)

// shownRecollection is what is printed of a memory that came back.
type shownRecollection struct {
	ID         string             `json:"id"`
	MemoryID   string             `json:"memory_id"`
	Score      float64            `json:"score"`
	Channels   map[string]float64 `json:"channels"`
	PromptLine string             `json:"prompt_line"`
}

// shownRecollections is an answer of sense and pending_recollections.
type shownRecollections struct {
	Result []shownRecollection `json:"result"`
}

func (a *app) senseCommand() *cobra.Command {
	args := newArguments()
	wipe := false
	c := &cobra.Command{Use: "sense [TEXT]", Short: "Report what is perceived now; a memory may come back",
		Long: "Report what is perceived now: words, a place, readings of the body, a picture, a\n" +
			"sound. A memory whose context lines up comes back, and waits for combray pending and\n" +
			"the agents. Mostly nothing does. The cue itself is not kept; how usual its place,\n" +
			"hour and words are is kept for 60 days.",
		Example: "  combray sense --lat 48.8566 --lon 2.3522\n  combray sense 'they are playing that waltz again' --biometric heart_rate=88\n" +
			"  combray sense --image view.jpg\n  combray sense --forget-habits",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, given []string) error {
			if wipe {
				return a.forgetHabits(cmd.Context(), given, args)
			}
			a.begins = true
			if err := args.words(cmd.Context(), a, given); err != nil {
				return err
			}
			return a.call(cmd.Context(), "sense", args.values, a.showFired)
		}}
	args.cue(c.Flags())
	c.Flags().BoolVar(&wipe, "forget-habits", false, "forget how usual places, hours, words and readings are; memories stay")
	return c
}

// cue are the flags of a cue.
func (a *arguments) cue(f *pflag.FlagSet) {
	a.values["source"] = "cli"
	a.text(f, "at", "when; now if left out")
	a.text(f, "source", "who reports it (cli)")
	a.perceived(f)
}

// perceived are the flags of a place and of readings, for a cue and for a memory.
func (a *arguments) perceived(f *pflag.FlagSet) {
	a.number(f, "lat", "latitude in degrees")
	a.number(f, "lon", "longitude in degrees")
	a.text(f, "geohash", "where, 1 to 12 characters; wins over --lat and --lon")
	f.Var(collected{"metres", func(s string) error { return a.setNumber("accuracy_m", s) }}, "accuracy", "how exact the place is, in metres")
	f.Var(collected{"key=value", a.reading}, "biometric", "a reading such as heart_rate=88; may be given several times")
	f.Var(collected{"file", func(path string) error { return a.medium("image", path) }}, "image", "a picture: PNG, JPEG, GIF or WebP")
	f.Var(collected{"file", func(path string) error { return a.medium("audio", path) }}, "audio", "a sound: WAV, FLAC or MP3")
}

// words takes the text of a cue from the command line.
func (a *arguments) words(ctx context.Context, app *app, given []string) error {
	if len(given) == 0 {
		return nil
	}
	text, err := app.text(ctx, given[0])
	a.values["text"] = text
	return err
}

func (a *arguments) reading(s string) error {
	name, text, found := strings.Cut(s, "=")
	n, err := finite(text)
	if !found || err != nil {
		return fmt.Errorf("%q is no reading: write key=value, such as heart_rate=88", s)
	}
	readings, _ := a.values["biometric"].(map[string]float64)
	if readings == nil {
		readings = map[string]float64{}
		a.values["biometric"] = readings
	}
	readings[name] = n
	return nil
}

// medium reads a file that the person at the command line named, whatever agents
// may name.
func (a *arguments) medium(channel, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, media.MaxBytes+1)) // a byte more, so that a longer file is refused and not cut
	if err != nil {
		return err
	}
	signals, _ := a.values["signals"].(map[string]any)
	if signals == nil {
		signals = map[string]any{}
		a.values["signals"] = signals
	}
	signals[channel] = map[string]string{"base64": base64.StdEncoding.EncodeToString(data)}
	return nil
}

// forgetHabits wipes what is familiar.
func (a *app) forgetHabits(ctx context.Context, given []string, args *arguments) error {
	if len(given) > 0 || len(args.values) > 1 {
		return usage("--forget-habits stands alone: it reports no cue")
	}
	return a.withMemory(ctx, func(ctx context.Context, l *local.Local) error {
		if err := l.WipeHeard(ctx); err != nil {
			return err
		}
		if a.json {
			return a.printJSON(map[string]bool{"forgotten": true})
		}
		fmt.Fprintln(a.out, "habits forgotten; what is usual is learnt anew")
		return nil
	})
}

// showFired prints what came back. Silence is no failure: it is the usual answer.
func (a *app) showFired(body json.RawMessage) error {
	n, err := a.showRecollections(body)
	if n == 0 && err == nil {
		fmt.Fprintln(a.err, "Nothing comes back. combray why ID with the same cue says what stopped a memory.")
	}
	return err
}

func (a *app) showRecollections(body json.RawMessage) (int, error) {
	var list shownRecollections
	if err := json.Unmarshal(body, &list); err != nil {
		return 0, err
	}
	for _, r := range list.Result {
		fmt.Fprintln(a.out, r.PromptLine)
		fmt.Fprintln(a.out, a.faint("  "+likeness(r.Channels)+"  recollection "+r.ID+"  memory "+r.MemoryID))
	}
	return len(list.Result), nil
}

// likeness names each channel with its similarity, in the order of the channels.
func likeness(of map[string]float64) string {
	var parts []string
	for _, c := range channels {
		if s, shared := of[string(c)]; shared {
			parts = append(parts, fmt.Sprintf("%s=%.2f", c, s))
		}
	}
	return strings.Join(parts, " ")
}

func (a *app) pendingCommand() *cobra.Command {
	args := newArguments()
	args.values["drain"] = false
	c := &cobra.Command{Use: "pending", Short: "Show the memories that came back and wait for an agent", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.call(cmd.Context(), "pending_recollections", args.values, func(body json.RawMessage) error {
				n, err := a.showRecollections(body)
				if n == 0 && err == nil {
					fmt.Fprintln(a.err, "Nothing waits.")
					return errNothing
				}
				return err
			})
		}}
	args.flag(c.Flags(), "drain", "take them, so that no agent gets them")
	args.whole(c.Flags(), "limit", "how many at most, 1 to 100 (20)")
	return c
}

func (a *app) usefulCommand() *cobra.Command {
	return a.judging("useful ID", "Say that a recollection helped", true)
}

func (a *app) noiseCommand() *cobra.Command {
	return a.judging("noise ID", "Say that a recollection was noise; more silence follows", false)
}

func (a *app) judging(use, short string, useful bool) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, given []string) error {
			arguments := map[string]any{"recollection_id": given[0], "useful": useful}
			return a.call(cmd.Context(), "feedback", arguments, func(json.RawMessage) error {
				fmt.Fprintln(a.out, "noted", given[0])
				return nil
			})
		}}
}
