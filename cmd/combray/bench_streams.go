package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"combray/encoder/bundled"
	"combray/internal/lives"
	"combray/internal/local"
)

// publishedSeed is the seed of the first of the five lives whose figures are
// published; see package lives.
const publishedSeed = 1

func (a *app) benchSenseCommand() *cobra.Command {
	var b senseBench
	c := &cobra.Command{Use: "sense [FILE.jsonl...]", Short: "Replay invented lives and score what comes back unasked",
		Long: "Lets an empty memory, kept in this process only, live through streams of memories and cues\n" +
			"with their truth, and prints how well what came back fits what was due. Without files five\n" +
			"lives of a year each are made. Your own store is neither read nor written.",
		Example: "  combray bench sense\n  combray bench sense --ablate\n  combray bench sense --model none --foreign 1200 world-1.jsonl",
		RunE: func(cmd *cobra.Command, files []string) error {
			streams, err := b.streams(files)
			if err != nil {
				return err
			}
			if b.out != "" {
				return writeStreams(b.out, streams)
			}
			b.app = a
			return b.run(cmd.Context(), streams)
		}}
	f := c.Flags()
	f.IntVar(&b.foreign, "foreign", 0, "so many memories of other people's lives are stored before")
	f.BoolVar(&b.ablate, "ablate", false, "also measure with each part switched off in turn")
	f.BoolVar(&b.faults, "faults", false, "also list each false fire and each episode that was missed")
	f.Uint64Var(&b.seed, "seed", publishedSeed, "seed of the first life made, the others follow; 1 to 5 are for published figures only")
	f.StringVar(&b.out, "out", "", "write the streams to this folder instead, as world-1.jsonl and so on")
	return c
}

// stream is a life to be replayed.
type stream struct {
	name   string
	events []lives.Event
}

func (b *senseBench) streams(files []string) ([]stream, error) {
	if b.foreign < 0 {
		return nil, usage("--foreign is %d; it is how many memories are added, 0 or more", b.foreign)
	}
	var out []stream
	for _, path := range files {
		events, err := readStream(path)
		if err != nil {
			return nil, err
		}
		out = append(out, stream{filepath.Base(path), events})
	}
	if len(files) > 0 {
		return out, nil
	}
	for i, p := range lives.Profiles() {
		out = append(out, stream{p.Name, lives.Live(p, b.seed+uint64(i))})
	}
	return out, nil
}

func readStream(path string) (events []lives.Event, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, &failure{code: exitUsage, err: fmt.Errorf("the stream cannot be read: %w", err), hint: "Name files of JSON Lines; docs/BENCHMARKS.md shows the form."}
	}
	defer f.Close()
	if events, err = lives.Read(f); err != nil {
		return nil, &failure{code: exitUsage, err: fmt.Errorf("%s: %w", path, err), hint: "docs/BENCHMARKS.md shows the form of a stream."}
	}
	if len(events) == 0 {
		return nil, usage("%s holds no event", path)
	}
	return events, nil
}

func writeStreams(folder string, streams []stream) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for i, s := range streams {
		f, err := os.Create(filepath.Join(folder, fmt.Sprintf("world-%d.jsonl", i+1)))
		if err != nil {
			return err
		}
		if err := errors.Join(lives.Write(f, s.events), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) trials(ctx context.Context) (*local.Trials, error) {
	t, err := local.NewTrials(ctx, local.Config{Model: a.set.Model, Bundled: bundled.Files(), Models: a.modelStore(), Logger: a.logger()})
	return t, explained(err)
}
