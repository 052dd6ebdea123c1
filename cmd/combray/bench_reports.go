package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"combray/internal/benchmark"
)

func (a *app) benchDrawCommand() *cobra.Command {
	var svg string
	c := &cobra.Command{Use: "draw REPORT.json... --svg FILE.svg", DisableFlagsInUseLine: true, Short: "Draw reports of bench in one picture",
		Long:    "Draws reports side by side. Reports of stores of several sizes also show how recall\ngrows with the store.",
		Example: "  combray bench draw 10k.json 100k.json 1m.json --svg sizes.svg",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, paths []string) error {
			if svg == "" {
				return usage("draw needs --svg FILE.svg, the picture to write")
			}
			if err := writable("--svg", svg, paths...); err != nil {
				return err
			}
			var reports []benchmark.Named
			for _, path := range paths {
				r, err := readReport(path)
				if err != nil {
					return err
				}
				reports = append(reports, benchmark.Named{Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), Report: r})
			}
			return benchmark.WriteFile(svg, benchmark.Picture(reports))
		}}
	c.Flags().StringVar(&svg, "svg", "", "file to draw to")
	return c
}

func (a *app) benchCompareCommand() *cobra.Command {
	return &cobra.Command{Use: "compare OLD.json NEW.json", Short: "Ratios of two reports of bench, new to old",
		Long: "Prints each figure of the new report divided by that of the old, with the least and\n" +
			"the greatest ratio of any two runs. A difference is called better or worse only where\n" +
			"all runs of one lie on one side of all runs of the other.",
		Args: cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, paths []string) error {
			older, err := readReport(paths[0])
			if err != nil {
				return err
			}
			newer, err := readReport(paths[1])
			if err != nil {
				return err
			}
			return a.showComparison(older, newer)
		}}
}

func (a *app) showComparison(older, newer benchmark.Report) error {
	ratios, differences := benchmark.Compare(older, newer)
	if a.json {
		return a.printJSON(map[string]any{"ratios": ratios, "differences": differences})
	}
	return benchmark.PrintComparison(a.out, ratios, differences)
}

func readReport(path string) (benchmark.Report, error) {
	r, err := benchmark.ReadReport(path)
	if err != nil {
		return r, &failure{code: exitUsage, err: fmt.Errorf("the report cannot be read: %w", err), hint: "Name a file that combray bench --out wrote."}
	}
	return r, nil
}
