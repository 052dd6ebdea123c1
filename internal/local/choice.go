package local

import (
	"cmp"
	"context"
	"fmt"

	"combray/internal/memory"
	"combray/store"
)

// answering is the model whose vectors answer in a store.
func answering(c store.Choice) string { return cmp.Or(c.Answering, ModelBundled) }

// chosen is the model that is to answer in a store.
func chosen(c store.Choice) string { return cmp.Or(c.Chosen, answering(c)) }

// settled gives the model to open a store with: the one that the settings name,
// which wins, else the one that answers there.
func (c Config) settled(ctx context.Context, kept *store.Store) (model string, err error) {
	if c.Model != "" {
		return c.Model, nil
	}
	choice, err := kept.Choice(ctx)
	return answering(choice), err
}

// with is the configuration for another model.
func (c Config) with(model string) Config {
	c.Model, c.Encoder = model, nil
	return c
}

// Model is the name of the model that answers in this process.
func (l *Local) Model() string { return l.model }

// changing tells of a change of the encoder, for Stats. It loads no encoder.
func (l *Local) changing(ctx context.Context) (*memory.EncoderChange, error) {
	choice, err := l.Store.Choice(ctx)
	to := chosen(choice)
	if err != nil || to == l.model {
		return nil, err
	}
	out := &memory.EncoderChange{From: l.model, To: to}
	files, why := modelFiles(ctx, l.config.with(to))
	identity := ""
	if files != nil {
		identity = memory.LineIdentity(files.Identity())
	}
	if out.Embedded, out.Memories, err = l.Store.Embedded(ctx, identity); err != nil {
		return nil, err
	}
	out.Waits = l.waitsFor(choice, why)
	return out, nil
}

// waitsFor says in a sentence why the chosen encoder does not answer here; "" while
// its vectors are being made.
func (l *Local) waitsFor(choice store.Choice, why error) string {
	to := chosen(choice)
	switch trouble := l.trouble.Load(); {
	case l.config.Model != "":
		return fmt.Sprintf("this process was told to use %s (--model, COMBRAY_MODEL or model in config.toml), which wins over the store's choice", l.model)
	case trouble != nil:
		return *trouble
	case why != nil:
		return why.Error()
	case answering(choice) == to:
		return "the vectors are complete; this process takes them in a moment"
	case seesLocks && !l.lockedElsewhere(changeLock):
		return fmt.Sprintf("no process makes the vectors: run combray models use %s, or keep combray serve or an MCP client running", to)
	}
	return ""
}
