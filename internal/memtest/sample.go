package memtest

import (
	"context"
	"fmt"
	"time"

	"github.com/mmcloughlin/geohash"

	"combray/internal/memory"
)

// Sample makes plausible rows, each with its own ID and time. Change what a test
// is about before storing them. The zero value works.
type Sample struct {
	Clock Clock
	IDs   IDs
}

// Of gives a pointer to a value, for the fields that may be null.
func Of[V any](v V) *V { return &v }

// Here is a place with its geohash.
func Here(lat, lon float64) *memory.Place {
	return &memory.Place{Lat: lat, Lon: lon, Geohash: geohash.EncodeWithPrecision(lat, lon, 12)}
}

// Memory is a working memory with nothing but what every memory has.
func (s *Sample) Memory(content string) memory.Memory {
	return memory.Memory{
		ID: s.IDs.Next(), Content: memory.Text(content), CreatedAt: s.Clock.Now(),
		Status: memory.Working, Tier: memory.Archive, MaterialType: "unspecified",
		Salience: memory.DefaultSalience,
	}
}

// FullMemory is a memory with every field set but Number, Seq and Windows, which
// the store fills in: an interpretation, consolidated and forgotten.
func (s *Sample) FullMemory(content string) memory.Memory {
	m := s.Memory(content)
	event := time.Date(2019, time.April, 14, 9, 30, 15, 250_000_000, time.UTC)
	m.Source, m.Frame = Of("dialogue:D1:3"), Of("Orchard & Söhne")
	m.Status, m.Tier = memory.Consolidated, memory.Interpretation
	m.ConsolidatedAt, m.ConsolidationReason = Of(s.Clock.Now()), Of("we need it in autumn")
	m.LastReviewedAt, m.ReviewStatus = Of(s.Clock.Now()), Of(memory.ReviewCurrent)
	m.ForgottenAt, m.ForgottenReason = Of(s.Clock.Now()), Of("moved away")
	m.SecuritySensitive = true
	m.EventAt, m.EventOffset, m.EventPrecision = &event, Of(-210), Of(memory.PreciseInstant)
	m.SessionID, m.SessionPosition = Of("session "+string(m.ID)), Of(int64(7))
	m.MaterialType, m.OriginID, m.CaptureContext = "utterance", Of("letter-12"), Of("at the kitchen table")
	m.Place = Here(48.4469, 1.4892)
	m.Place.AccuracyM = Of(12.5)
	m.Tags = []string{"orchard", "家", "a b"}
	m.Salience = 0.875
	m.Biometric = map[string]float64{"heart_rate": 61.5, "eda": 0.02}
	m.Metadata = `{"b": [1, 2.50], "a": null}`
	m.MediaRefs = []string{"photo-2.jpg", "photo-1.jpg"}
	m.RecordedBy = memory.Actor{Client: "notebook", Version: "2.1", Door: memory.DoorMCP}
	m.IdempotencyKey = Of("key-" + string(m.ID))
	return m
}

// Anchor pins a memory.
func (s *Sample) Anchor(m memory.Memory) memory.Anchor {
	return memory.Anchor{MemoryID: m.ID, Reason: "who I am", PinnedAt: s.Clock.Now()}
}

// Corroboration gives a source label to a memory.
func (s *Sample) Corroboration(m memory.Memory, source string) memory.Corroboration {
	return memory.Corroboration{ID: s.IDs.Next(), MemoryID: m.ID, Source: source, At: s.Clock.Now()}
}

// Canon is an active membership.
func (s *Sample) Canon(m memory.Memory, scope string) memory.CanonEntry {
	return memory.CanonEntry{ID: s.IDs.Next(), MemoryID: m.ID, Scope: scope, Reason: "needed for the task",
		CanonizedAt: s.Clock.Now()}
}

// Conflict is an open conflict.
func (s *Sample) Conflict(a, b memory.Memory) memory.Conflict {
	return memory.Conflict{ID: s.IDs.Next(), A: a.ID, B: b.ID, Reason: "they disagree", CreatedAt: s.Clock.Now()}
}

// Link is an active link.
func (s *Sample) Link(from, to memory.Memory, relation memory.Relation) memory.Link {
	return memory.Link{ID: s.IDs.Next(), From: from.ID, To: to.ID, Relation: relation,
		Reason: "the same day", CreatedAt: s.Clock.Now()}
}

// Narrative is a current version that cites memories.
func (s *Sample) Narrative(scope string, cited ...memory.Memory) memory.Narrative {
	n := memory.Narrative{ID: s.IDs.Next(), Content: "An account of the year.", Reason: "the year is over",
		Scope: scope, CreatedAt: s.Clock.Now(),
		RecordedBy: memory.Actor{Client: "notebook", Version: "2.1", Door: memory.DoorCLI}}
	for _, m := range cited {
		n.MemoryIDs = append(n.MemoryIDs, m.ID)
	}
	return n
}

// Claim is a claim without any event.
func (s *Sample) Claim(scope string) memory.Claim {
	return memory.Claim{ID: s.IDs.Next(), Content: "The orchard bears every other year.", Kind: "assertion",
		Scope: scope, RecordedAt: s.Clock.Now(),
		RecordedBy: memory.Actor{Client: "notebook", Version: "2.1", Door: memory.DoorHTTP}}
}

// Event is a step in a claim's life.
func (s *Sample) Event(c memory.Claim, action memory.ClaimAction) memory.ClaimEvent {
	return memory.ClaimEvent{ClaimID: c.ID, Action: action, Reason: "because of what was seen", RecordedAt: s.Clock.Now()}
}

// Evidence is active evidence for a claim.
func (s *Sample) Evidence(c memory.Claim, m memory.Memory) memory.Evidence {
	return memory.Evidence{ID: s.IDs.Next(), ClaimID: c.ID, MemoryID: m.ID, Stance: "supports",
		Reason: "it says so", OriginID: m.OriginID, RecordedAt: s.Clock.Now()}
}

// Vector gives a unit vector of dims components that depends on the seed alone.
// Neighbouring seeds give vectors that are not alike.
func Vector(seed, dims int) []float32 {
	v := make([]float32, dims)
	addWord(v, fmt.Sprintf("vector %d of %d", seed, dims))
	addWord(v, fmt.Sprintf("second part %d", seed))
	return unit(v)
}

// zone is where the cues of a Sample come from.
var zone = time.FixedZone("", 2*60*60)

// Recollection is a firing that waits to be delivered.
func (s *Sample) Recollection(m memory.Memory) memory.Recollection {
	return memory.Recollection{ID: s.IDs.Next(), MemoryID: m.ID, Score: 0.8,
		Channels: map[memory.Channel]float64{memory.ChannelGeo: 0.97, memory.ChannelTime: 0.9},
		Via:      []memory.Channel{memory.ChannelGeo, memory.ChannelTime},
		At:       s.Clock.Now().In(zone), Source: "phone", FiredAt: s.Clock.Now(), Queued: true}
}

// Fingerprints are perceived words and a picture without any.
func (s *Sample) Fingerprints(words string) []memory.Fingerprint {
	return []memory.Fingerprint{
		{Channel: memory.ChannelText, Text: memory.Text(words), Chance: 1},
		{Channel: memory.ChannelImage, Backend: "sample/picture", Data: []byte(words)},
	}
}

// Drain takes what waits out of the queue in one transaction, at most limit, as
// a delivery does.
func Drain(ctx context.Context, s memory.Store, limit int) (taken []memory.Recollection, err error) {
	err = s.Update(ctx, func(tx memory.Tx) error {
		if taken, err = tx.Pending(ctx, limit); err != nil {
			return err
		}
		var plan memory.Plan
		for _, r := range taken {
			r.Queued = false
			plan.Write(memory.PutRecollection{Recollection: r})
		}
		return tx.Apply(ctx, plan)
	})
	return taken, err
}
