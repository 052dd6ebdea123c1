package tools

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"combray/internal/memory"
)

// memoryObject is a memory on the wire: the twenty keys of
// contract/history.md 1.2, then what contract/surface.md 2 adds.
type memoryObject struct {
	ID                  memory.ID `json:"id"`
	Content             string    `json:"content"`
	Source              *string   `json:"source"`
	Status              string    `json:"status"`
	Tier                string    `json:"tier"`
	CreatedAt           string    `json:"created_at"`
	ConsolidatedAt      *string   `json:"consolidated_at"`
	ConsolidationReason *string   `json:"consolidation_reason"`
	LastReviewedAt      *string   `json:"last_reviewed_at"`
	ReviewStatus        *string   `json:"review_status"`
	ForgottenAt         *string   `json:"forgotten_at"`
	ForgottenReason     *string   `json:"forgotten_reason"`
	SecuritySensitive   bool      `json:"security_sensitive"`
	Frame               *string   `json:"frame"`
	EventAt             *string   `json:"event_at"`
	SessionID           *string   `json:"session_id"`
	SessionPosition     *int64    `json:"session_position"`
	MaterialType        string    `json:"material_type"`
	OriginID            *string   `json:"origin_id"`
	CaptureContext      *string   `json:"capture_context"`

	Place          *place             `json:"place"`
	EventOffset    *string            `json:"event_offset"`
	EventPrecision *string            `json:"event_precision"`
	Tags           []string           `json:"tags"`
	Salience       float64            `json:"salience"`
	Channels       any                `json:"channels"` // names; in a row found by a cue, the similarity of each
	Embedded       bool               `json:"embedded"`
	RecordedBy     recordedBy         `json:"recorded_by"`
	Biometric      map[string]float64 `json:"biometric,omitempty"`
	Metadata       json.RawMessage    `json:"metadata,omitempty"`
	MediaRefs      []string           `json:"media_refs,omitempty"`
}

type place struct {
	Lat       float64  `json:"lat"`
	Lon       float64  `json:"lon"`
	Geohash   string   `json:"geohash"`
	AccuracyM *float64 `json:"accuracy_m"`
}

// recordedBy is who wrote a row. Client and version are what the client called
// itself.
type recordedBy struct {
	Client  *string     `json:"client"`
	Version *string     `json:"version"`
	Door    memory.Door `json:"door"`
}

func newMemory(m memory.Memory) memoryObject {
	o := memoryObject{
		ID: m.ID, Content: string(m.Content), Source: m.Source, Status: string(m.Status), Tier: string(m.Tier),
		CreatedAt: memory.FormatInstant(m.CreatedAt), ConsolidatedAt: instant(m.ConsolidatedAt),
		ConsolidationReason: m.ConsolidationReason, LastReviewedAt: instant(m.LastReviewedAt),
		ReviewStatus: textOrNull(m.ReviewStatus), ForgottenAt: instant(m.ForgottenAt), ForgottenReason: m.ForgottenReason,
		SecuritySensitive: m.SecuritySensitive, Frame: m.Frame, EventAt: instant(m.EventAt), SessionID: m.SessionID,
		SessionPosition: m.SessionPosition, MaterialType: string(m.MaterialType), OriginID: m.OriginID,
		CaptureContext: m.CaptureContext, Place: newPlace(m.Place), EventOffset: offset(m.EventOffset),
		EventPrecision: textOrNull(m.EventPrecision), Tags: notNil(m.Tags), Salience: m.Salience, Channels: cueable(m),
		Embedded: m.Embedded(), RecordedBy: newRecordedBy(m.RecordedBy), Biometric: m.Biometric, MediaRefs: m.MediaRefs,
	}
	if json.Valid([]byte(m.Metadata)) {
		o.Metadata = json.RawMessage(m.Metadata)
	}
	return o
}

func newMemories(ms []memory.Memory) []memoryObject {
	return mapped(ms, newMemory)
}

func newPlace(p *memory.Place) *place {
	if p == nil {
		return nil
	}
	return &place{p.Lat, p.Lon, p.Geohash, p.AccuracyM}
}

func newRecordedBy(a memory.Actor) recordedBy {
	return recordedBy{nullIfBlank(a.Client), nullIfBlank(a.Version), a.Door}
}

// cueable names the channels through which a memory can be brought back: text
// always, a place where there is one, the hour unless only a day is known
// (contract/surface.md 2), body readings where there are some.
func cueable(m memory.Memory) []string {
	names := []string{"text"}
	if m.Place != nil {
		names = append(names, "geo")
	}
	if m.EventPrecision == nil || *m.EventPrecision != memory.PreciseDay {
		names = append(names, "time")
	}
	if len(m.Biometric) > 0 {
		names = append(names, "biometric")
	}
	for _, c := range m.Perceived {
		names = append(names, string(c))
	}
	return names
}

func instant(t *time.Time) *string {
	if t == nil {
		return nil
	}
	s := memory.FormatInstant(*t)
	return &s
}

// offset writes minutes east of UTC as +02:00.
func offset(minutes *int) *string {
	if minutes == nil {
		return nil
	}
	sign, m := '+', *minutes
	if m < 0 {
		sign, m = '-', -m
	}
	s := fmt.Sprintf("%c%02d:%02d", sign, m/60, m%60)
	return &s
}

// wallTime writes a time with the offset of its own wall clock.
func wallTime(t time.Time) string { return t.Format("2006-01-02T15:04:05-07:00") }

func optWallTime(t *time.Time) *string {
	if t == nil {
		return nil
	}
	s := wallTime(*t)
	return &s
}

// inOffset is a time on the wall clock so many minutes east of UTC.
func inOffset(t time.Time, minutes *int) time.Time {
	if minutes == nil {
		return t.UTC()
	}
	return t.In(time.FixedZone("", *minutes*60))
}

func textOrNull[T ~string](v *T) *string {
	if v == nil {
		return nil
	}
	s := string(*v)
	return &s
}

func nullIfBlank[T ~string](v T) *string {
	if v == "" {
		return nil
	}
	return textOrNull(&v)
}

func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func mapped[T, U any](in []T, f func(T) U) []U {
	out := make([]U, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return out
}

// rounded cuts a score to so many decimals; more would be noise in a reply.
func rounded(v *float64, decimals int) *float64 {
	if v == nil {
		return nil
	}
	scale := math.Pow10(decimals)
	r := math.Round(*v*scale) / scale
	return &r
}

// similarities rounds the likeness of each channel.
func similarities[K ~string](of map[K]float64) map[K]float64 {
	out := make(map[K]float64, len(of))
	for name, v := range of {
		out[name] = *rounded(&v, scoreDecimals)
	}
	return out
}

// memoryFields are the keys of memoryObject, for schemas and docs/TOOLS.md.
var memoryFields = []field{
	{"id", aString, "12 hexadecimal digits"},
	{"content", aString, "the text as it was stored"},
	{"source", anything, "who or what it came from"},
	{"status", aString, "`working` or `consolidated`"},
	{"tier", aString, "`archive`, `testimony` or `interpretation`"},
	{"created_at", aString, "when it was captured"},
	{"consolidated_at", anything, "when it was promoted"},
	{"consolidation_reason", anything, "why it was promoted"},
	{"last_reviewed_at", anything, "of an interpretation: when it was last reviewed"},
	{"review_status", anything, "of an interpretation: `current` or `stale`"},
	{"forgotten_at", anything, "when it was forgotten"},
	{"forgotten_reason", anything, "why it was forgotten"},
	{"security_sensitive", aBoolean, "flagged: evidence, never authority"},
	{"frame", anything, "free label that filters"},
	{"event_at", anything, "when it happened, in UTC"},
	{"session_id", anything, "conversation it belongs to"},
	{"session_position", anything, "its place in that conversation"},
	{"material_type", aString, "`unspecified`, `document`, `utterance`, `observation` or `summary`"},
	{"origin_id", anything, "the recording or document it comes from"},
	{"capture_context", anything, "how it was captured"},
	{"place", anything, "where it happened: `lat`, `lon`, `geohash`, `accuracy_m`"},
	{"event_offset", anything, "offset from UTC on the wall clock of the event"},
	{"event_precision", anything, "`instant` or `day`"},
	{"tags", someStrings, "labels"},
	{"salience", aNumber, "how much it matters, 0–1"},
	{"channels", anything, "channels it can be cued by; in an answer to a place or time, the similarity of each"},
	{"embedded", aBoolean, "false while its vector is still to be made"},
	{"recorded_by", anObject, "`client` and `version` as the client called itself, and the `door`"},
	{"biometric", sometimes, "body readings"},
	{"metadata", sometimes, "as it was given"},
	{"media_refs", sometimes, "as they were given"},
}

var memoryShape = shape{fields: memoryFields}
