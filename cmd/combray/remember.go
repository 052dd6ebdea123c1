package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) rememberCommand() *cobra.Command {
	args := newArguments()
	c := &cobra.Command{Use: "remember TEXT|-", Short: "Store a memory; - reads the text from standard input",
		Example: "  combray remember 'The spare key hangs behind the blue flowerpot' --tag home\n" +
			"  combray remember - --event-at 2024-05-08T14:30:00+02:00 < note.txt",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, given []string) error {
			a.begins = true
			text, err := a.text(cmd.Context(), given[0])
			if err != nil {
				return err
			}
			args.values["content"] = text
			return a.call(cmd.Context(), "remember", args.values, func(body json.RawMessage) error {
				var m shownMemory
				if err := json.Unmarshal(body, &m); err != nil {
					return err
				}
				verb := "remembered"
				if m.Repeated {
					verb = "already remembered"
				}
				fmt.Fprintf(a.out, "%s %s\n", verb, m.ID)
				return nil
			})
		}}
	f := c.Flags()
	args.text(f, "source", "who or what it comes from")
	args.text(f, "tier", "archive (material) or interpretation (a reading of it)")
	args.text(f, "frame", "a free label that recall can filter by")
	args.text(f, "event-at", "when it happened, ISO 8601 with an offset")
	args.text(f, "at", "as --event-at; without an offset in this machine's zone")
	args.text(f, "session-id", "the conversation it belongs to")
	args.whole(f, "session-position", "its place in the conversation, from 0")
	args.text(f, "material-type", "document, utterance, observation or summary")
	args.perceived(f)
	args.number(f, "salience", "how much it matters, 0 to 1")
	args.list(f, "tag", "tags", "a label; may be given several times")
	args.text(f, "idempotency-key", "the same key again stores nothing new")
	args.flag(f, "security-sensitive", "mark it as evidence that is never authority")
	return c
}

// text reads an argument that may be - for standard input.
func (a *app) text(ctx context.Context, argument string) (string, error) {
	if argument != "-" {
		return argument, nil
	}
	data, err := io.ReadAll(io.LimitReader(interruptible{ctx, a.in}, 64<<20))
	if err != nil {
		return "", fmt.Errorf("standard input cannot be read: %w", err)
	}
	return strings.TrimSuffix(string(data), "\n"), nil
}
