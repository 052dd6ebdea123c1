package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"combray/internal/local"
	"combray/internal/memory"
)

func (a *app) showCommand() *cobra.Command {
	return &cobra.Command{Use: "show ID", Short: "Show one memory with everything that is known about it", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, given []string) error {
			return a.call(cmd.Context(), "inspect_memory", map[string]any{"memory_id": given[0]}, a.showInspection)
		}}
}

func (a *app) showInspection(body json.RawMessage) error {
	var in struct {
		Memory map[string]json.RawMessage `json:"memory"`
		Audit  []struct {
			At, Action, Reason string
		} `json:"audit"`
		Surfaced []struct {
			ID, At string
			Score  float64
			Via    []string
		} `json:"surfaced"`
	}
	if err := json.Unmarshal(body, &in); err != nil {
		return err
	}
	var content string
	if err := json.Unmarshal(in.Memory["content"], &content); err != nil {
		return err
	}
	fmt.Fprintln(a.out, content)
	fmt.Fprintln(a.out)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	delete(in.Memory, "content")
	printFields(w, "", in.Memory)
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(a.out)
	for _, row := range in.Audit {
		a.happened(row.At, row.Action+" "+row.Reason)
	}
	for _, s := range in.Surfaced {
		a.happened(s.At, fmt.Sprintf("surfaced %.2f via %s, recollection %s", s.Score, strings.Join(s.Via, "+"), s.ID))
	}
	return nil
}

// happened prints what was done to a memory, and when.
func (a *app) happened(at, what string) {
	head := at + "  "
	fmt.Fprintln(a.out, head+a.folded(what, len(head)))
}

func (a *app) listCommand() *cobra.Command {
	args := newArguments()
	c := &cobra.Command{Use: "list", Short: "List memories, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.call(cmd.Context(), "list_memories", args.values, a.showList)
		}}
	f := c.Flags()
	args.filters(f)
	args.text(f, "status", "working or consolidated")
	args.flag(f, "include-forgotten", "forgotten ones too")
	args.whole(f, "limit", "how many at most (50)")
	args.text(f, "cursor", "where the page before ended")
	return c
}

func (a *app) showList(body json.RawMessage) error {
	var list struct {
		Memories   []shownMemory `json:"memories"`
		NextCursor *string       `json:"next_cursor"`
	}
	if err := json.Unmarshal(body, &list); err != nil {
		return err
	}
	for _, m := range list.Memories {
		a.printMemory("", m)
	}
	if len(list.Memories) == 0 {
		fmt.Fprintln(a.err, "Nothing to list.")
		return errNothing
	}
	if list.NextCursor != nil {
		fmt.Fprintln(a.err, "More: combray list --cursor", *list.NextCursor)
	}
	return nil
}

func (a *app) timelineCommand() *cobra.Command {
	args := newArguments()
	c := &cobra.Command{Use: "timeline", Short: "List memories in the order in which things happened", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.call(cmd.Context(), "timeline", args.values, a.showList)
		}}
	f := c.Flags()
	args.text(f, "since", "only what happened then or later, ISO 8601 with an offset")
	args.text(f, "until", "only what happened then or earlier")
	args.text(f, "frame", "only memories of this frame")
	args.text(f, "session-id", "only memories of this conversation")
	args.whole(f, "limit", "how many at most (50)")
	return c
}

func (a *app) forgetCommand() *cobra.Command {
	return a.reasoned("forget", "Put a tombstone on a memory; restore takes it away", "forgotten")
}

func (a *app) restoreCommand() *cobra.Command {
	return a.reasoned("restore", "Take the tombstone off a memory", "restored")
}

// reasoned makes a command that does one thing to a memory, with a reason.
func (a *app) reasoned(verb, short, done string) *cobra.Command {
	args := newArguments()
	c := &cobra.Command{Use: verb + " ID --reason TEXT", Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, given []string) error {
			if _, ok := args.values["reason"]; !ok {
				return usage("%s needs --reason: every judgement about a memory has one", verb)
			}
			args.values["memory_id"] = given[0]
			return a.call(cmd.Context(), verb, args.values, func(body json.RawMessage) error {
				fmt.Fprintln(a.out, done, given[0])
				return nil
			})
		}}
	args.text(c.Flags(), "reason", "why; it stands in the audit log")
	return c
}

func (a *app) clearSensitiveCommand() *cobra.Command {
	var reason string
	c := &cobra.Command{Use: "clear-sensitive ID --reason TEXT", Short: "Lift the flag of a memory; only a person can, here", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, given []string) error {
			if reason == "" {
				return usage("clear-sensitive needs --reason: every judgement about a memory has one")
			}
			return a.withMemory(cmd.Context(), func(ctx context.Context, l *local.Local) error {
				m, err := l.ClearSensitive(ctx, memory.ID(given[0]), reason)
				if err != nil {
					return err
				}
				if a.json {
					return a.printJSON(map[string]any{"memory_id": m.ID, "security_sensitive": m.SecuritySensitive})
				}
				fmt.Fprintln(a.out, "no longer flagged", m.ID)
				return nil
			})
		}}
	c.Flags().StringVar(&reason, "reason", "", "why; it stands in the audit log")
	return c
}

func (a *app) eraseCommand() *cobra.Command {
	args := newArguments()
	c := &cobra.Command{Use: "erase ID --reason TEXT --confirm", Short: "Remove a memory for good; nothing brings it back", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, given []string) error {
			args.values["memory_id"] = given[0]
			return a.call(cmd.Context(), "erase", args.values, func(json.RawMessage) error {
				fmt.Fprintln(a.out, "erased", given[0])
				return nil
			})
		}}
	args.text(c.Flags(), "reason", "why; it stands in the audit log")
	args.flag(c.Flags(), "confirm", "yes, for good")
	return c
}
