package lives

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// Others gives n memories of other people's lives, all different, made in the two
// years before a moment and far from any life's places.
func Others(n int, seed uint64, before time.Time) []Event {
	r := rand.New(rand.NewPCG(seed, 6))
	seen := map[string]bool{}
	out := make([]Event, 0, n)
	for len(out) < n {
		text := compose(r)
		if seen[text] {
			continue
		}
		seen[text] = true
		at := before.Add(-time.Duration(1+r.IntN(2*Days*24*60)) * time.Minute).UTC()
		where := spot{-40 + 10*r.Float64(), 140 + 10*r.Float64()}
		salience := math.Round((0.2+0.7*r.Float64())*100) / 100
		out = append(out, Event{Op: OpRemember, ID: fmt.Sprintf("o%05d", len(out)+1), Text: text, At: at.Format(time.RFC3339),
			Lat: rounded(where.lat), Lon: rounded(where.lon), Salience: &salience, Kind: KindOther})
	}
	return out
}

// compose fills the parts of a sentence, each with a line of its own.
func compose(r *rand.Rand) string {
	p := sentences()
	var b strings.Builder
	text := one(r, p.sentences)
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		part, after, _ := strings.Cut(rest, "}")
		b.WriteString(one(r, p.parts[part]))
		text = after
	}
}
