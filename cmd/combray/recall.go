package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
)

// shownMemory is what is printed of a memory.
type shownMemory struct {
	ID                string   `json:"id"`
	MemoryID          string   `json:"memory_id"` // of a canon row, whose id is the membership
	Content           string   `json:"content"`
	Source            *string  `json:"source"`
	Status            string   `json:"status"`
	Tier              string   `json:"tier"`
	CreatedAt         string   `json:"created_at"`
	EventAt           *string  `json:"event_at"`
	ForgottenAt       *string  `json:"forgotten_at"`
	SecuritySensitive bool     `json:"security_sensitive"`
	Tags              []string `json:"tags"`
	Score             *float64 `json:"score"`
	Repeated          bool     `json:"repeated"`
}

// shownRecall is what is printed of an answer.
type shownRecall struct {
	Anchors   []shownMemory `json:"anchors"`
	Canon     []shownMemory `json:"canon"`
	Memories  []shownMemory `json:"memories"`
	Retrieval struct {
		Mode    string            `json:"mode"`
		Lanes   map[string]string `json:"lanes"`
		Verdict *string           `json:"verdict"`
	} `json:"retrieval"`
	Warnings []string `json:"warnings"`
}

func (a *app) recallCommand() *cobra.Command {
	args := newArguments()
	c := &cobra.Command{Use: "recall [QUERY]", Short: "Find memories by meaning and words",
		Example: "  combray recall 'where is the spare key'\n  combray recall --since 2024-01-01T00:00:00Z --tag home",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, given []string) error {
			if len(given) == 1 {
				query, err := a.text(cmd.Context(), given[0])
				if err != nil {
					return err
				}
				args.values["query"] = query
			}
			return a.call(cmd.Context(), "recall", args.values, a.showRecall)
		}}
	f := c.Flags()
	args.whole(f, "limit", "how many at most (10)")
	args.text(f, "mode", "auto, lexical, semantic or hybrid")
	args.filters(f)
	args.text(f, "geohash", "a place to be near")
	args.number(f, "lat", "latitude of a place to be near")
	args.number(f, "lon", "longitude of a place to be near")
	args.text(f, "at", "an hour to be like")
	args.number(f, "min-score", "leave weaker ones out, 0 to 1")
	args.whole(f, "max-bytes", "budget for the texts")
	args.flag(f, "explain", "say why each one stands where it stands (with --json)")
	return c
}

func (a *app) showRecall(body json.RawMessage) error {
	var r shownRecall
	if err := json.Unmarshal(body, &r); err != nil {
		return err
	}
	for _, w := range r.Warnings {
		fmt.Fprintln(a.err, "combray:", w)
	}
	if why := r.Retrieval.Lanes["vectors"]; why != "" && why != "ran" && why != "not asked" {
		fmt.Fprintf(a.err, "combray: only words were searched: %s\n", why)
	}
	for _, m := range r.Anchors {
		a.printMemory("anchor", m)
	}
	for _, m := range r.Canon {
		m.ID = m.MemoryID
		a.printMemory("canon", m)
	}
	for _, m := range r.Memories {
		a.printMemory("", m)
	}
	if len(r.Anchors)+len(r.Canon)+len(r.Memories) == 0 {
		fmt.Fprintln(a.err, "Nothing is remembered yet that could answer. Store something with combray remember or combray import.")
		return errNothing
	}
	if v := r.Retrieval.Verdict; v != nil && *v == "none" {
		fmt.Fprintln(a.out, a.faint("Nothing relevant: these are only the nearest."))
		return errNothing
	}
	return nil
}
