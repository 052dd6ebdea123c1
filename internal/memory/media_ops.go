package memory

import (
	"context"
	"strings"
	"sync"
)

// reduce turns pictures and sounds into fingerprints.
func (s *Service) reduce(ctx context.Context, in *Signals) ([]Percept, error) {
	var out []Percept
	for _, m := range []struct {
		channel Channel
		signal  *MediaSignal
	}{{ChannelImage, in.Image}, {ChannelAudio, in.Audio}} {
		if m.signal == nil {
			continue
		}
		if s.perceiver == nil {
			return nil, Unavailable("Leave "+string(m.channel)+" out of signals.", nil, "this program reads no pictures and sounds")
		}
		seen, err := s.perceiver.Perceive(ctx, m.channel, *m.signal)
		if err != nil {
			return nil, err
		}
		out = append(out, seen)
	}
	return out, nil
}

// take adds what was seen and heard to a cue. Words that the caller gave for a
// picture or sound are words of the cue; a guessed caption is not.
func (p *perception) take(seen []Percept) {
	for _, x := range seen {
		p.warnings = append(p.warnings, x.Warnings...)
		for _, f := range x.Fingerprints {
			if f.Data != nil {
				p.media = append(p.media, f)
			}
			if f.Text != "" && f.Chance == 1 {
				p.text = strings.TrimSpace(p.text + "\n" + string(f.Text))
			}
		}
		if p.place == nil {
			p.place = x.Place
		}
	}
	p.cutText()
}

// perceived caches the fingerprints that cues are compared with.
type perceived struct {
	mu      sync.Mutex
	version int64
	by      map[string][]Perceived // channel and backend
}

// mediaLane offers the memories with a like picture or sound.
func (s *Service) mediaLane(ctx context.Context, c *scene, numbers map[int64]bool) error {
	b := &c.backdrop
	for _, f := range b.cue.media {
		if !b.on(f.Channel) {
			continue
		}
		rows, err := s.perceivedBy(ctx, f)
		if err != nil {
			return err
		}
		if b.media == nil {
			b.media = map[Channel]likenesses{}
		}
		if b.media[f.Channel] == nil {
			b.media[f.Channel] = likenesses{}
		}
		found := likenesses{}
		for _, row := range rows {
			if similarity, proof := s.perceiver.Alike(f.Backend, f.Data, row.Data); similarity > 0 {
				found.add(row.Number, likeness{similarity, proof})
			}
		}
		rare := found.rarity()
		for n, l := range found {
			b.media[f.Channel].add(n, likeness{l.similarity, reliabilityMedia * l.proof * rare})
			if l.similarity >= viaLeast {
				numbers[n] = true
			}
		}
	}
	return nil
}

// add keeps the likeness that proves more.
func (l likenesses) add(number int64, x likeness) {
	if old, known := l[number]; !known || x.proof > old.proof {
		l[number] = x
	}
}

// rarity falls the more memories hold such a picture or sound: a thing met often
// brings nothing back (contract/sense.md 4.7).
func (l likenesses) rarity() float64 {
	const clear = 0.5 // similarity from which two are alike, as s of the other channels
	n := 0
	for _, x := range l {
		if x.similarity >= clear {
			n++
		}
	}
	return rarityOf(float64(max(n-1, 0)))
}

// perceivedBy gives the stored fingerprints to compare one with; they are read
// again only when some changed.
func (s *Service) perceivedBy(ctx context.Context, f Fingerprint) (rows []Perceived, err error) {
	x := &s.perceived
	x.mu.Lock()
	defer x.mu.Unlock()
	err = s.store.View(ctx, func(r Reader) error {
		version, err := r.PerceivedVersion(ctx)
		if err != nil {
			return err
		}
		if version != x.version || x.by == nil {
			x.version, x.by = version, map[string][]Perceived{}
		}
		key := string(f.Channel) + " " + f.Backend
		known := false
		if rows, known = x.by[key]; known {
			return nil
		}
		rows, err = r.PerceivedBy(ctx, f.Channel, f.Backend)
		x.by[key] = rows
		return err
	})
	return rows, err
}
