package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"combray/encoder"
	"combray/encoder/bundled"
	"combray/internal/local"
	"combray/internal/memory"
	"combray/internal/models"
	"combray/tools"
)

func (a *app) modelStore() models.Store {
	return models.Store{Dir: a.set.ModelsDir, Library: a.set.OrtLib}
}

// open opens the memory that the settings name.
func (a *app) open(ctx context.Context) (*local.Local, error) {
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	return local.Open(ctx, c)
}

// config is what the settings say of the memory.
func (a *app) config() (local.Config, error) {
	sense, err := a.set.senseSettings()
	if err != nil {
		return local.Config{}, err
	}
	pictures := bundled.Picture()
	var voices *encoder.VoiceFiles
	if a.set.Voice {
		v := bundled.Voice()
		voices = &v
	}
	return local.Config{Path: a.set.DB, ReadOnly: a.set.ReadOnly, Model: a.set.Model,
		Bundled: bundled.Files(), Models: a.modelStore(), Secrets: memory.SecretsPolicy(a.set.Secrets), Neighbours: a.set.Neighbours,
		Sense: sense, Pictures: &pictures, Voices: voices, StoreRaw: a.set.StoreRaw, AllowLocalFiles: a.set.AllowLocalFiles, Logger: a.logger()}, nil
}

// withMemory runs f on the open memory as the command line.
func (a *app) withMemory(ctx context.Context, f func(context.Context, *local.Local) error) (err error) {
	if err := a.mustBeThere(); err != nil {
		return err
	}
	l, err := a.open(ctx)
	if err != nil {
		return explained(err)
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	return explained(f(atTheCommandLine(ctx), l))
}

// mustBeThere refuses a path without a store, which is mistyped more often than new,
// unless the command begins one. The default path of a user who has none yet is no
// mistake.
func (a *app) mustBeThere() error {
	if a.begins || a.set.DB == defaults().DB || a.set.DB == local.Memory {
		return nil
	}
	if _, err := os.Stat(a.set.DB); !errors.Is(err, fs.ErrNotExist) {
		return nil // opening it says what is wrong with it
	}
	return &failure{code: exitFailed, err: fmt.Errorf("there is no store at %s", a.set.DB),
		hint: "See the path given with --db, COMBRAY_DB or db in config.toml, or begin a store there with combray remember."}
}

func atTheCommandLine(ctx context.Context) context.Context {
	return memory.WithActor(ctx, memory.Actor{Client: "combray", Version: versionString(), Door: memory.DoorCLI})
}

// explained gives an error of the rules its hint.
func explained(err error) error {
	var e *memory.Error
	if errors.As(err, &e) {
		code := exitFailed
		if e.Code == memory.CodeNotFound {
			code = exitNothing
		}
		return &failure{code: code, err: err, hint: e.Hint}
	}
	return err
}

// call runs a tool, so that a command answers as the tool does. It prints the
// JSON when that was asked for, and else hands it to show.
func (a *app) call(ctx context.Context, tool string, arguments map[string]any, show func(json.RawMessage) error) error {
	return a.callWith(ctx, tool, func(*tools.Server) (map[string]any, error) { return arguments, nil }, show)
}

// callWith runs a tool whose arguments are read with the tools at hand.
func (a *app) callWith(ctx context.Context, tool string, read func(*tools.Server) (map[string]any, error), show func(json.RawMessage) error) error {
	var opened *local.Local
	server, err := tools.New(tools.Config{Open: func(context.Context) (tools.Verbs, error) { return opened.Service, nil },
		Version: versionString(), Profile: "full", WholeReplies: true, Logger: a.logger()})
	if err != nil {
		return err
	}
	arguments, err := read(server)
	if err != nil {
		return usage("%v", err)
	}
	return a.withMemory(ctx, func(ctx context.Context, l *local.Local) error {
		opened = l
		reply, err := server.Call(ctx, tool, arguments)
		if err != nil {
			return usage("%v", err)
		}
		return a.answer(reply, show)
	})
}

func (a *app) answer(reply tools.Reply, show func(json.RawMessage) error) error {
	if reply.Failed() {
		return a.refused(reply)
	}
	for _, w := range reply.Warnings {
		fmt.Fprintln(a.err, "combray:", w)
	}
	if a.json || show == nil {
		return a.printJSON(reply.Body)
	}
	return show(reply.Body)
}

// refused turns a tool's error into the command's.
func (a *app) refused(reply tools.Reply) error {
	var e struct{ Message, Hint string }
	if err := json.Unmarshal(reply.Body, &e); err != nil {
		return err
	}
	if a.json {
		if err := a.printJSON(reply.Body); err != nil {
			return err
		}
	}
	return &failure{code: exitOf(reply.Code), err: errors.New(e.Message), hint: e.Hint}
}

// exitOf is the exit code of an error of the rules.
func exitOf(c memory.Code) int {
	switch c {
	case memory.CodeInvalid:
		return exitUsage
	case memory.CodeNotFound:
		return exitNothing
	}
	return exitFailed
}
