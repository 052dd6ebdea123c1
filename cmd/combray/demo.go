package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/spf13/cobra"

	"combray/internal/local"
	"combray/tools"
)

// demoMoments are stored; the cue comes near the first one's place and hour.
var demoMoments = []struct {
	text, at string
	lat, lon float64
}{
	{"The waltz at the fountain, and Ada laughing", "2019-04-14T16:05:00+02:00", 48.8566, 2.3522},
	{"The key cutter behind the station knows old locks", "2019-05-21T08:30:00+02:00", 48.8443, 2.3744},
	{"Cherries from the market by the river in Lyon", "2019-06-08T11:00:00+02:00", 45.7640, 4.8357},
}

// demoCue is half a year later, on a Sunday afternoon, thirty metres away. It has
// no words.
var demoCue = map[string]any{"lat": 48.85687, "lon": 2.3522, "at": "2019-10-13T16:35:00+02:00", "source": "demo"}

func (a *app) demoCommand() *cobra.Command {
	return &cobra.Command{Use: "demo", Short: "Show a memory coming back unasked; keeps nothing", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context()) }}
}

// demo tells the story in a memory that ends with it: by place and hour alone, so
// that it needs neither network nor model nor settings.
func (a *app) demo(ctx context.Context) (err error) {
	l, err := local.Open(ctx, local.Config{Path: local.Memory, Model: local.ModelNone, Logger: a.logger()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	server, err := tools.New(tools.Config{Open: func(context.Context) (tools.Verbs, error) { return l.Service, nil }, Profile: "full"})
	if err != nil {
		return err
	}
	told, err := (&story{ctx: atTheCommandLine(ctx), server: server}).play()
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(told)
	}
	a.showStory(told)
	return nil
}

// told is what happened in a demo.
type told struct {
	Fired []shownRecollection `json:"fired"`
	Again []shownRecollection `json:"again"`
	Why   shownSilence        `json:"why"`
}

// story plays the demo through the tools, as an agent would. After a failure the
// rest is left out.
type story struct {
	ctx    context.Context
	server *tools.Server
	err    error
}

func (s *story) play() (told, error) {
	for _, m := range demoMoments {
		s.call("remember", map[string]any{"content": m.text, "at": m.at, "lat": m.lat, "lon": m.lon}, &struct{}{})
	}
	var first, pending, again shownRecollections
	var out told
	s.call("sense", demoCue, &first)
	s.call("pending_recollections", nil, &pending)
	s.call("sense", demoCue, &again)
	out.Fired, out.Again = pending.Result, again.Result
	if s.err == nil && (len(out.Fired) != 1 || len(out.Again) != 0) {
		return out, fmt.Errorf("%d memories came back and then %d; one and none were to come", len(out.Fired), len(out.Again))
	}
	if s.err == nil {
		cue := maps.Clone(demoCue)
		cue["memory_id"] = out.Fired[0].MemoryID
		s.call("explain_silence", cue, &out.Why)
	}
	return out, s.err
}

func (s *story) call(tool string, arguments map[string]any, to any) {
	if s.err != nil {
		return
	}
	reply, err := s.server.Call(s.ctx, tool, arguments)
	if err == nil && reply.Failed() {
		err = fmt.Errorf("%s: %s", tool, reply.Body)
	}
	if err == nil {
		err = json.Unmarshal(reply.Body, to)
	}
	s.err = err
}

func (a *app) showStory(t told) {
	say := func(format string, v ...any) { fmt.Fprintf(a.out, format+"\n", v...) }
	say("A memory that comes back unasked. Nothing leaves this machine; nothing is kept.\n")
	say("1  Three moments are remembered, each with its place and hour:")
	for _, m := range demoMoments {
		say("     %s  %s", shownMoment(m.at), m.text)
	}
	say("\n2  Half a year later somebody walks by, on a Sunday afternoon. Nobody asks")
	say("   anything; a phone reports where it is:")
	say("     %s  30 m from the fountain", shownMoment(demoCue["at"].(string)))
	say("\n3  One memory comes back, and reaches the agent with the next prompt:")
	for _, r := range t.Fired {
		say("     %s", r.PromptLine)
		say("     %s", a.faint(likeness(r.Channels)))
	}
	say("\n4  The same cue again brings nothing.")
	say("\n5  Why? combray why says:")
	if t.Why.SilentUntil != nil && t.Why.Gate != nil {
		say("     It stays %s until %s; score %.2f, needed %.2f.", *t.Why.Gate, shownMoment(*t.Why.SilentUntil), t.Why.Score, t.Why.Threshold)
	}
	say("\nLet it work for you:")
	say("  combray setup hook claude-code    memories come back with the next prompt")
	say("  combray serve                     phones, watches and homes report to it")
	say("  docs/guide/involuntary-memory.md  how it decides, and why it is mostly silent")
}
