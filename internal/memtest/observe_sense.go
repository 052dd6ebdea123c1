package memtest

import (
	"time"

	"combray/internal/memory"
)

// recalled asks for what came back unasked.
func (o *observer) recalled(w world) {
	for _, id := range w.recollections {
		r, err := o.r.Recollection(o.ctx, id)
		note(o, r, err, "Recollection ", id)
		if r != nil {
			note(o, r.At.Format(time.RFC3339Nano), nil, "wall clock of Recollection ", id)
		}
	}
	firings, err := o.r.Firings(o.ctx, w.memories)
	note(o, firings, err, "Firings")
	if len(firings) > 1 {
		middle := firings[len(firings)/2].At
		n, err := o.r.FiredBetween(o.ctx, firings[0].At, middle)
		note(o, n, err, "FiredBetween the first and the middle one")
		n, err = o.r.FiredBetween(o.ctx, middle, firings[len(firings)-1].At)
		note(o, n, err, "FiredBetween the middle and the last one")
	}
	for _, limit := range []int{0, 2} {
		queue, err := o.r.Pending(o.ctx, limit)
		note(o, queue, err, "Pending, limit ", limit)
	}
}

// observedSources are those whose visits are asked for.
var observedSources = []string{"phone", "watch", ""}

// perceived asks for what was perceived. Versions and epochs are each store's own.
func (o *observer) perceived(w world) {
	fingerprints, err := o.r.Fingerprints(o.ctx, w.memories)
	note(o, fingerprints, err, "Fingerprints")
	for _, c := range []memory.Channel{memory.ChannelText, memory.ChannelImage, memory.ChannelAudio} {
		for _, backend := range []string{"", "sample/picture"} {
			rows, err := o.r.PerceivedBy(o.ctx, c, backend)
			note(o, rows, err, "PerceivedBy ", c, " ", backend)
		}
	}
	for _, identity := range []string{"", cueIdentity} {
		rows, _, err := o.r.Heard(o.ctx, 0, -everything, identity)
		note(o, rows, err, "Heard for ", identity)
		if len(rows) > 1 {
			middle := rows[len(rows)/2]
			later, _, err := o.r.Heard(o.ctx, middle.Row, -everything, identity)
			note(o, later, err, "Heard after the middle for ", identity)
			newer, _, err := o.r.Heard(o.ctx, 0, middle.Day, identity)
			note(o, newer, err, "Heard since the middle's day for ", identity)
		}
	}
	for _, source := range observedSources {
		v, err := o.r.Visit(o.ctx, source)
		note(o, v, err, "Visit of ", source)
	}
}
