package memtest

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"combray/internal/memory"
)

// perceived is the part of a state that involuntary memory needs.
type perceived struct {
	recollections map[memory.ID]memory.Recollection
	fingerprints  map[memory.ID][]memory.Fingerprint // by memory
	media         map[memory.ID][]memory.Medium      // by memory
	heard         []memory.Heard                     // by Row
	visits        map[string]memory.Visit

	row              int64 // of the newest thing heard
	queueVersion     int64
	perceivedVersion int64
	epoch            int64
}

func newPerceived() perceived {
	return perceived{
		recollections: map[memory.ID]memory.Recollection{},
		fingerprints:  map[memory.ID][]memory.Fingerprint{},
		media:         map[memory.ID][]memory.Medium{},
		visits:        map[string]memory.Visit{},
	}
}

func (p perceived) clone() perceived {
	p.recollections = maps.Clone(p.recollections)
	p.fingerprints = maps.Clone(p.fingerprints)
	p.media = maps.Clone(p.media)
	p.heard = slices.Clone(p.heard)
	p.visits = maps.Clone(p.visits)
	return p
}

// recalled is a copied recollection. The time of its cue keeps its wall clock, to
// the minute.
func recalled(r memory.Recollection) memory.Recollection {
	_, seconds := r.At.Zone()
	r = copied(r)
	if minutes := seconds / 60; minutes != 0 {
		r.At = r.At.In(time.FixedZone("", minutes*60))
	}
	return r
}

func (s *state) writeSense(change memory.Change) error {
	switch c := change.(type) {
	case memory.PutRecollection:
		s.putRecollection(recalled(c.Recollection))
	case memory.PutFingerprints:
		return s.putFingerprints(c.MemoryID, copied(c.Fingerprints))
	case memory.PutMedia:
		if _, known := s.memories[c.MemoryID]; !known {
			return memory.NotFound("memory", c.MemoryID)
		}
		s.media[c.MemoryID] = copied(c.Media)
	case memory.PutHeard:
		for _, h := range c.Rows {
			s.hear(copied(h))
		}
	case memory.PutVisit:
		v := copied(c.Visit)
		if !v.HasPlace {
			v.Lat, v.Lon = 0, 0
		}
		s.visits[v.Source] = v
	case memory.ForgetHeard:
		s.heard = slices.DeleteFunc(s.heard, func(h memory.Heard) bool { return h.Day < c.Before })
		maps.DeleteFunc(s.visits, func(_ string, v memory.Visit) bool { return v.At.Before(c.Start()) })
	case memory.WipeHeard:
		s.heard, s.visits = nil, map[string]memory.Visit{}
		s.epoch++
	default:
		panic(fmt.Sprintf("memtest: the model does not know the change %T", change))
	}
	return nil
}

// putRecollection inserts at the end of the queue, or with a Sequence at the
// place of the one it replaces; a known recollection keeps its place.
func (s *state) putRecollection(r memory.Recollection) {
	s.queueVersion++
	if old, known := s.recollections[r.ID]; known {
		r.Sequence = old.Sequence
	}
	if r.Sequence == 0 {
		r.Sequence = s.queueVersion
	}
	s.recollections[r.ID] = r
}

// putFingerprints takes the vectors for cues away when the perceived words are
// others than before: they were made of them.
func (s *state) putFingerprints(id memory.ID, list []memory.Fingerprint) error {
	m, known := s.memories[id]
	if !known {
		return memory.NotFound("memory", id)
	}
	if !slices.Equal(wordsOf(s.fingerprints[id]), wordsOf(list)) {
		byIdentity := maps.Clone(s.vectors[m.Number])
		maps.DeleteFunc(byIdentity, func(identity string, _ [][]float32) bool { return s.cues[identity] })
		s.vectors[m.Number] = byIdentity
	}
	s.sequence++
	m.Seq = s.sequence
	s.memories[id] = m
	s.fingerprints[id] = list
	s.perceivedVersion++
	return nil
}

func wordsOf(list []memory.Fingerprint) (texts []memory.Text) {
	for _, f := range list {
		if f.Text != "" {
			texts = append(texts, f.Text)
		}
	}
	return texts
}

func (s *state) hear(h memory.Heard) {
	if slices.ContainsFunc(s.heard, func(o memory.Heard) bool { return hearing(o) == hearing(h) }) {
		return
	}
	s.row++
	h.Row = s.row
	s.heard = append(s.heard, h)
}

// hearing is what two things heard must differ in.
func hearing(h memory.Heard) [4]int64 {
	return [4]int64{int64(h.Kind), h.Key, int64(h.Day), int64(h.Half)}
}

// eraseSense removes what was perceived with a memory, and its firings.
func (s *state) eraseSense(id memory.ID) {
	if len(s.fingerprints[id]) > 0 {
		s.perceivedVersion++
	}
	delete(s.fingerprints, id)
	delete(s.media, id)
	for own, r := range s.recollections {
		if r.MemoryID != id {
			continue
		}
		if r.Queued {
			s.queueVersion++
		}
		delete(s.recollections, own)
	}
}

func byPlace(a, b memory.Recollection) int {
	return cmp.Or(cmp.Compare(a.Sequence, b.Sequence), cmp.Compare(a.ID, b.ID))
}
