package main

import (
	"fmt"
	"strings"
	"time"
)

// table prints rows as Markdown, the first its head.
func table(rows [][]any) {
	for i, row := range rows {
		cells := make([]string, len(row))
		for j, cell := range row {
			cells[j] = fmt.Sprint(cell)
		}
		fmt.Println("| " + strings.Join(cells, " | ") + " |")
		if i == 0 {
			fmt.Println("|" + strings.Repeat("---|", len(row)))
		}
	}
	fmt.Println()
}

// micros shows a duration in microseconds.
func micros(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d.Nanoseconds())/1e3) }

// millis shows a duration in milliseconds.
func millis(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d.Nanoseconds())/1e6) }

// ratio shows a ratio of two durations.
func ratio(theirs, ours time.Duration) string {
	return fmt.Sprintf("%.1f", float64(theirs)/float64(max(ours, 1)))
}
