package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"combray/tools"
)

func (a *app) callCommand() *cobra.Command {
	return &cobra.Command{Use: "call TOOL [KEY=VALUE…]", Short: "Call any tool and print its JSON",
		Long: "Call any tool and print its JSON. A text is taken as it stands, any other value as\n" +
			"JSON; a list may be given word by word. combray tools lists the tools.",
		Example: "  combray call recall query='spare key' limit=3\n  combray call audit_log",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, given []string) error {
			return a.callWith(cmd.Context(), given[0], func(s *tools.Server) (map[string]any, error) {
				return s.Arguments(given[0], given[1:])
			}, nil)
		}}
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
	c.Flags().StringVar(&profile, "profile", "full", strings.Join(tools.ProfileNames(), ", "))
	return c
}
