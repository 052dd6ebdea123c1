package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
)

// item is a line of a set's items.jsonl.
type item struct {
	ID       string  `json:"id"`
	Item     string  `json:"item"`
	File     string  `json:"file"`
	Sound    string  `json:"sound"`
	Category string  `json:"category"`
	Label    string  `json:"label"`
	Lang     string  `json:"lang"`
	Lat      float64 `json:"lat"`
	Lon      float64 `json:"lon"`
	Taken    string  `json:"taken"`
}

func (t tools) items(set string) ([]item, error) {
	text, err := os.ReadFile(filepath.Join(t.data, set, "items.jsonl"))
	if err != nil {
		return nil, err
	}
	var out []item
	for line := range bytes.Lines(text) {
		var i item
		if err := json.Unmarshal(line, &i); err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	return out, nil
}

// quantile returns the p-quantile of values, p from 0 to 1, without interpolation.
func quantile(values []float64, p float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(p*float64(len(sorted)-1))]
}

// precision is what a ranking of each thing against all others tells: the mean average
// precision over the things with an equal among the others, and the share of them whose
// first is an equal.
func precision(n int, alike func(i, j int) float64, equal, skip func(i, j int) bool) (mAP, first float64) {
	asked := 0
	for i := range n {
		var others []int
		for j := range n {
			if j != i && !skip(i, j) {
				others = append(others, j)
			}
		}
		slices.SortStableFunc(others, func(a, b int) int {
			switch x, y := alike(i, a), alike(i, b); {
			case x > y:
				return -1
			case x < y:
				return 1
			}
			return 0
		})
		sum, found := 0., 0
		for rank, j := range others {
			if equal(i, j) {
				found++
				sum += float64(found) / float64(rank+1)
			}
		}
		if found == 0 {
			continue
		}
		asked++
		mAP += sum / float64(found)
		if equal(i, others[0]) {
			first++
		}
	}
	return mAP / float64(asked), first / float64(asked)
}
