package benchmark

import (
	"fmt"
	"html"
	"math"
	"strconv"
)

// Sizes of the picture in pixels.
const (
	pictureWide = 860
	labelWide   = 300 // left of the bars
	rightSpace  = 70  // right of the bars, for the value of the longest
	barHigh     = 11
	barSpace    = 3
	groupSpace  = 8
	curvesHigh  = 260
	lineHigh    = 20
)

// ink are the colours of reports and curves, which differ for every kind of eye and
// stand out from light and dark alike (Okabe and Ito 2008, darkened or lightened).
var ink = []string{"#3b8ed0", "#d9822b", "#2a9d78", "#c264a3", "#8a7d3c", "#7a6fd0"}

// style makes the picture follow the page: dark where that is dark.
const style = `<style>
text{font:12px system-ui,sans-serif;fill:#1f2328}
.title{font-weight:600;font-size:14px}
.small{font-size:11px}
.page{fill:#ffffff}
.grid{stroke:#d0d7de;stroke-width:1}
.mark{stroke:#1f2328;stroke-width:1.5}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.page{fill:#0d1117}.grid{stroke:#30363d}.mark{stroke:#e6edf3}}
</style>
`

func (p *panels) document() []byte {
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" role="img">`+"\n"+"<title>combray bench</title>\n", pictureWide, p.y+lineHigh)
	return []byte(head + style + fmt.Sprintf(`<rect class="page" width="%d" height="%d"/>`+"\n", pictureWide, p.y+lineHigh) + p.body.String() + "</svg>\n")
}

func (p *panels) printf(format string, args ...any) { fmt.Fprintf(&p.body, format+"\n", args...) }

func (p *panels) text(x, y float64, class, anchor, text string) {
	p.printf(`<text class="%s" x="%s" y="%s" text-anchor="%s">%s</text>`, class, short(x), short(y), anchor, html.EscapeString(text))
}

func (p *panels) rule(class string, x1, y1, x2, y2 float64) {
	p.printf(`<line class="%s" x1="%s" y1="%s" x2="%s" y2="%s"/>`, class, short(x1), short(y1), short(x2), short(y2))
}

// short writes a coordinate to a tenth of a pixel.
func short(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

func (p *panels) heading(title string) {
	p.y += 2 * lineHigh
	p.text(16, float64(p.y), "title", "start", title)
}

// legend names the colours, as many in a line as fit.
func (p *panels) legend(labels []string) {
	p.y += lineHigh
	x := 16
	for i, label := range labels {
		wide := 24 + 7*len([]rune(label)) + 16
		if x > 16 && x+wide > pictureWide {
			p.y += lineHigh
			x = 16
		}
		p.printf(`<rect x="%d" y="%d" width="12" height="12" rx="2" fill="%s"/>`, x, p.y-10, ink[i%len(ink)])
		p.text(float64(x+18), float64(p.y), "small", "start", label)
		x += wide
	}
	p.y += lineHigh / 2
}

// groups draws the bars over their scale.
func (p *panels) groups(groups []group, a axis) {
	top := p.y
	span := float64(pictureWide - labelWide - rightSpace)
	at := func(v float64) float64 { return labelWide + span*min(v/a.end, 1) }
	bottom := top
	for _, g := range groups {
		bottom += groupSpace + len(g.bars)*(barHigh+barSpace)
	}
	bottom += groupSpace
	for v := 0.0; v <= a.end*1.0001; v += a.step {
		p.rule("grid", at(v), float64(top), at(v), float64(bottom))
		p.text(at(v), float64(bottom+14), "small", "middle", round(v))
	}
	for _, g := range groups {
		p.y += groupSpace
		p.text(labelWide-10, float64(p.y+len(g.bars)*(barHigh+barSpace)/2+3), "small", "end", g.label)
		for i, b := range g.bars {
			if b.there {
				p.bar(b, i, at)
			}
			p.y += barHigh + barSpace
		}
	}
	p.y = bottom + lineHigh
}

// bar draws a value, the line to its 99th percentile, and the number.
func (p *panels) bar(b bar, number int, at func(float64) float64) {
	y := float64(p.y)
	p.printf(`<rect x="%s" y="%s" width="%s" height="%d" rx="2" fill="%s"/>`, short(at(0)), short(y), short(max(at(b.value)-at(0), 1)), barHigh, ink[number%len(ink)])
	label := round(b.value)
	if b.high > b.value {
		middle := y + barHigh/2.
		p.rule("mark", at(b.value), middle, at(b.high), middle)
		p.rule("mark", at(b.high), y+2, at(b.high), y+barHigh-2)
		label += " / " + round(b.high)
	}
	p.text(at(b.high)+5, y+barHigh-2, "small", "start", label)
}

// curves draws lines over a logarithmic scale of sizes.
func (p *panels) curves(curves []curve, a axis) {
	top, bottom := float64(p.y+8), float64(p.y+8+curvesHigh)
	low, high := math.Inf(1), 0.0
	for _, c := range curves {
		low, high = min(low, c.points[0].size), max(high, c.points[len(c.points)-1].size)
	}
	x := func(size float64) float64 {
		return 80 + (pictureWide-80-rightSpace)*math.Log(size/low)/max(math.Log(high/low), 1e-9)
	}
	y := func(v float64) float64 { return bottom - (bottom-top)*v/a.end }
	for v := 0.0; v <= a.end*1.0001; v += a.step {
		p.rule("grid", x(low), y(v), x(high), y(v))
		p.text(x(low)-8, y(v)+4, "small", "end", round(v))
	}
	marked := map[float64]bool{}
	for i, c := range curves {
		p.curve(c, ink[i%len(ink)], x, y)
		for _, at := range c.points {
			if !marked[at.size] {
				marked[at.size] = true
				p.text(x(at.size), bottom+16, "small", "middle", thousands(int(at.size)))
			}
		}
	}
	p.y = int(bottom) + lineHigh
}

func (p *panels) curve(c curve, colour string, x, y func(float64) float64) {
	draw := func(of func(point) float64, dash string) {
		path := ""
		for i, at := range c.points {
			command := "L"
			if i == 0 {
				command = "M"
			}
			path += command + short(x(at.size)) + " " + short(y(of(at)))
		}
		p.printf(`<path d="%s" fill="none" stroke="%s" stroke-width="2"%s/>`, path, colour, dash)
	}
	draw(func(at point) float64 { return at.value }, "")
	draw(func(at point) float64 { return at.high }, ` stroke-dasharray="5 4"`)
	for _, at := range c.points {
		p.printf(`<circle cx="%s" cy="%s" r="3.5" fill="%s"/>`, short(x(at.size)), short(y(at.value)), colour)
	}
}

// round writes a number with three figures at most, whole ones in full.
func round(v float64) string {
	switch {
	case v >= 100:
		return thousands(int(math.Round(v)))
	case v >= 10:
		return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
	}
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}
