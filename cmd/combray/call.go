package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

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
			a.begins = true
			return a.callWith(cmd.Context(), given[0], func(s *tools.Server) (map[string]any, error) {
				return s.Arguments(given[0], given[1:])
			}, nil)
		}}
}

// toolIndent is the column in which a tool is described: no name is longer than
// 24 characters (TestDefinitions in tools).
const toolIndent = 26

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
			for _, t := range server.Tools() {
				first, _, _ := strings.Cut(t.Description, ". ")
				fmt.Fprintf(a.out, "%-*s%s.\n", toolIndent, t.Name, a.folded(strings.TrimSuffix(first, "."), toolIndent))
			}
			return nil
		}}
	c.Flags().StringVar(&profile, "profile", "full", strings.Join(tools.ProfileNames(), ", "))
	return c
}
