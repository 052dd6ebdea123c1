package benchmark

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
)

// Named is a report with what it is called in a picture.
type Named struct {
	Name string
	Report
}

// Picture draws reports side by side: calls, memory, bytes on disk, and, of stores
// of several sizes, how recall grows. The same reports give the same bytes.
func Picture(reports []Named) []byte {
	reports = slices.Clone(reports)
	slices.SortStableFunc(reports, func(a, b Named) int { return cmp.Compare(a.Store.Memories, b.Store.Memories) })
	labels := labelsOf(reports)
	var p panels
	for _, c := range barCharts {
		p.bars(c, labels, reports)
	}
	if sizes(reports) > 1 {
		p.lines(growth, reports)
	}
	return p.document()
}

// labelsOf names reports by their size, or by their names where that would not
// tell them apart.
func labelsOf(reports []Named) []string {
	out := make([]string, len(reports))
	for i, r := range reports {
		out[i] = thousands(r.Store.Memories) + " memories"
		if sizes(reports) < len(reports) {
			out[i] = r.Name
		}
	}
	return out
}

func sizes(reports []Named) int {
	seen := map[int]bool{}
	for _, r := range reports {
		seen[r.Store.Memories] = true
	}
	return len(seen)
}

// thousands writes a number with a comma every three digits.
func thousands(n int) string {
	text := strconv.Itoa(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

// chart is one panel: figures of the same unit.
type chart struct {
	title   string
	scale   float64 // of values, to the unit of the title
	figures []string
}

var barCharts = []chart{
	{"Recall, ms: half within the bar, 99 in 100 within the line", 1, recallNames()},
	{"Other calls, ms: half within the bar, 99 in 100 within the line", 1,
		[]string{"start_initialize", "start_answer", "start_cold_answer", "remember", "remember_apart", "sense_place", "sense_words"}},
	{"Memory of a process, MiB", 1. / (1 << 20),
		[]string{"memory_start_resident", "memory_start_own", "memory_resident", "memory_own", "memory_second_client_own", "memory_third_client_own"}},
	{"On disk, bytes a memory", 1, []string{"disk_database", "disk_index"}},
}

var growth = chart{"Recall by the size of the store, ms: half within the whole line, 99 in 100 within the broken one", 1,
	[]string{"recall_lexical_all", "recall_semantic_all", "recall_hybrid_all"}}

func recallNames() (names []string) {
	for _, lane := range lanes {
		for _, w := range widths {
			names = append(names, "recall_"+lane+"_"+w.name)
		}
	}
	return names
}

// bar is a value, and the 99th percentile of times.
type bar struct {
	value, high float64
	there       bool
}

func barOf(r Named, name string, scale float64) bar {
	f, there := r.find(name)
	b := bar{value: f.Value * scale, there: there}
	b.high = b.value
	if f.Spread != nil {
		b.high = f.Spread.P99 * scale
	}
	return b
}

// reach is how far beyond the longest bar a scale goes for the sake of lines. A
// longer line ends with the scale; its number stands behind it.
const reach = 3

// bars draws a panel of bars, a group a figure and a bar a report. What no report
// has is left out.
func (p *panels) bars(c chart, labels []string, reports []Named) {
	var groups []group
	most, half := 0.0, 0.0
	for _, name := range c.figures {
		g := group{}
		for _, r := range reports {
			b := barOf(r, name, c.scale)
			if f, there := r.find(name); there {
				g.label = f.What
			}
			g.bars = append(g.bars, b)
			most, half = max(most, b.high), max(half, b.value)
		}
		if g.label != "" {
			groups = append(groups, g)
		}
	}
	if len(groups) > 0 {
		p.heading(c.title)
		p.legend(labels)
		p.groups(groups, axisOf(min(most, reach*half)))
	}
}

// group is what is measured, of every report.
type group struct {
	label string
	bars  []bar
}

// lines draws a panel of curves over the size of the store.
func (p *panels) lines(c chart, reports []Named) {
	var curves []curve
	most := 0.0
	for _, name := range c.figures {
		v := curve{}
		for _, r := range reports {
			if b := barOf(r, name, c.scale); b.there {
				f, _ := r.find(name)
				v.label = f.What
				v.points = append(v.points, point{float64(r.Store.Memories), b.value, b.high})
				most = max(most, b.high)
			}
		}
		if len(v.points) > 0 {
			curves = append(curves, v)
		}
	}
	if len(curves) > 0 {
		p.heading(c.title)
		p.legend(labelsOfCurves(curves))
		p.curves(curves, axisOf(most))
	}
}

func labelsOfCurves(curves []curve) []string {
	out := make([]string, len(curves))
	for i, c := range curves {
		out[i] = c.label
	}
	return out
}

// curve is one line of a panel.
type curve struct {
	label  string
	points []point
}

// point is a value and a 99th percentile at a size.
type point struct{ size, value, high float64 }

// axis is a scale from 0 with round steps.
type axis struct{ step, end float64 }

// axisOf gives an axis of four to ten steps that reaches most.
func axisOf(most float64) axis {
	if most <= 0 {
		return axis{1, 1}
	}
	step := 1e-6
	for i := 0; step*8 < most; i++ {
		step *= [...]float64{2, 2.5, 2}[i%3]
	}
	end := step
	for end < most {
		end += step
	}
	return axis{step, end}
}

// panels are the picture so far.
type panels struct {
	body bytes.Buffer
	y    int
}
