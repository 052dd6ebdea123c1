package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"combray/tools"
)

func (a *app) callCommand() *cobra.Command {
	return &cobra.Command{Use: "call TOOL [KEY=VALUE…]", Short: "Call any tool and print its JSON",
		Long: "Call any tool and print its JSON. A value is text; what is written as JSON after\n" +
			"KEY:= is taken as JSON.",
		Example: "  combray call recall query='spare key' limit:=3\n  combray call audit_log",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, given []string) error {
			arguments, err := pairs(given[1:])
			if err != nil {
				return err
			}
			return a.call(cmd.Context(), given[0], arguments, nil)
		}}
}

// pairs reads KEY=TEXT and KEY:=JSON.
func pairs(given []string) (map[string]any, error) {
	out := map[string]any{}
	for _, p := range given {
		key, value, ok := strings.Cut(p, "=")
		if !ok || key == "" {
			return nil, usage("%q is not KEY=VALUE", p)
		}
		if name, isJSON := strings.CutSuffix(key, ":"); isJSON {
			if !json.Valid([]byte(value)) {
				return nil, usage("%s is not JSON: %s", name, value)
			}
			out[name] = json.RawMessage(value)
			continue
		}
		out[key] = value
	}
	return out, nil
}

func (a *app) toolsCommand() *cobra.Command {
	var profile string
	c := &cobra.Command{Use: "tools", Short: "List the tools of a profile", Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			server, err := tools.New(tools.Config{Profile: profile, Open: func(context.Context) (tools.Verbs, error) {
				return nil, errors.New("only listed")
			}})
			if err != nil {
				return usage("%v", err)
			}
			if a.json {
				return a.printJSON(server.Tools())
			}
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			for _, t := range server.Tools() {
				first, _, _ := strings.Cut(t.Description, ". ")
				fmt.Fprintf(w, "%s\t%s.\n", t.Name, strings.TrimSuffix(first, "."))
			}
			return w.Flush()
		}}
	c.Flags().StringVar(&profile, "profile", "full", "core, everyday, history or full")
	return c
}
