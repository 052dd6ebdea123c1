package memory

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mmcloughlin/geohash"
)

// RememberInput is a capture as the caller gave it; nil means not given.
type RememberInput struct {
	Content           string
	Source            *string
	Tier              string // "": archive
	SecuritySensitive bool
	Frame             *string
	EventAt           *string // needs an offset
	At                *string // like EventAt; without an offset the server's zone is taken
	SessionID         *string
	SessionPosition   *int64
	MaterialType      string // "": unspecified
	OriginID          *string
	CaptureContext    *string
	Geohash           *string
	Lat, Lon          *float64
	AccuracyM         *float64
	Tags              []string
	Salience          *float64 // nil: DefaultSalience
	Biometric         map[string]float64
	Signals           *Signals
	Metadata          *string // JSON text of an object
	MediaRefs         []string
	IdempotencyKey    *string
	Refused           *Error // why it could not be read at the door; in a batch the others are looked at too
	DayOnly           bool   // EventAt is a day at noon, its hour unknown; imports only
	Literal           bool   // "" in Tier and MaterialType is what the caller gave, not the default: it is refused
}

// Remembered is a stored memory and what the caller should know about it.
type Remembered struct {
	Memory   Memory
	Similar  []ID // at most SimilarMost memories that say nearly the same; advice only
	Repeated bool // the idempotency key was used before: nothing was written
	Warnings []string
}

// RememberFacts is what the store knows that bears on a capture.
type RememberFacts struct {
	AtPosition *Memory // holds the session position asked for, forgotten or not
	Zone       *time.Location
	By         Actor
}

// captureHints name the next call for the guards of a capture.
const (
	hintContent  = "Pass the text to remember in content."
	hintSession  = "Pass session_id together with session_position, a whole number from 0 on."
	hintPlace    = "Pass lat (-90 to 90) and lon (-180 to 180) together, or a geohash of 1 to 12 characters."
	hintMetadata = "Pass metadata as a JSON object of at most 16 KiB."
)

// Capture checks a capture in the contract's order (history.md 1.3, then
// surface.md 2 from top to bottom) and gives the memory to store, its plan and
// warnings. id names the memory, now is the moment of writing.
func Capture(in RememberInput, facts RememberFacts, id ID, now time.Time) (Memory, Plan, []string, error) {
	m := Memory{ID: id, Content: Text(in.Content), Status: Working, CreatedAt: now,
		Source: in.Source, Frame: in.Frame, SecuritySensitive: in.SecuritySensitive,
		SessionID: in.SessionID, SessionPosition: in.SessionPosition,
		CaptureContext: in.CaptureContext, IdempotencyKey: in.IdempotencyKey, RecordedBy: facts.By}
	var warnings []string
	for _, step := range []func(*Memory, RememberInput, RememberFacts, *[]string) error{
		captureText, captureEvent, captureSession, captureTier, capturePlace, captureLabels, captureReadings, captureExtras,
	} {
		if err := step(&m, in, facts, &warnings); err != nil {
			return Memory{}, Plan{}, nil, err
		}
	}
	if m.Tier == Interpretation {
		current := ReviewCurrent
		m.ReviewStatus, m.LastReviewedAt = &current, &now
	}
	return m, capturePlan(&m, now), warnings, nil
}

func capturePlan(m *Memory, now time.Time) Plan {
	var p Plan
	reason := ""
	if !m.SecuritySensitive {
		if hit, found := ScreenCapture(*m); found {
			m.SecuritySensitive = true
			reason = hit.Reason()
		}
	}
	p.Write(PutMemory{*m})
	if reason != "" {
		p.Record(m.ID, ActAutoFlagSensitive, reason, now)
	}
	p.Record(m.ID, ActRemember, "", now)
	return p
}

func captureText(m *Memory, in RememberInput, _ RememberFacts, _ *[]string) error {
	if strings.TrimSpace(in.Content) == "" {
		return Invalid("content", hintContent, "content is required and cannot be empty")
	}
	if len(in.Content) > MaxContentBytes {
		return Limit("content", "Split the text into several memories, for example one a section.",
			"content has %d bytes; a memory holds at most %d", len(in.Content), MaxContentBytes)
	}
	m.MaterialType = MaterialType(in.MaterialType)
	if in.MaterialType == "" && !in.Literal {
		m.MaterialType = MaterialTypes[0]
	}
	if !slices.Contains(MaterialTypes, m.MaterialType) {
		return Invalid("material_type", "Leave material_type out when the kind is not known.",
			"material_type must be one of unspecified, document, utterance, observation, summary, not %q", in.MaterialType)
	}
	if err := notBlank("origin_id", in.OriginID); err != nil {
		return err
	}
	if in.OriginID != nil {
		trimmed := strings.TrimSpace(*in.OriginID)
		m.OriginID = &trimmed
	}
	return notBlank("capture_context", in.CaptureContext)
}

func notBlank(field string, s *string) error {
	if s != nil && strings.TrimSpace(*s) == "" {
		return Invalid(field, "Leave "+field+" out, or give it a value.", "%s is required and cannot be empty when it is given", field)
	}
	return nil
}

func captureEvent(m *Memory, in RememberInput, f RememberFacts, warnings *[]string) error {
	var (
		t       time.Time
		offset  int
		assumed bool
		err     error
	)
	switch {
	case in.EventAt != nil:
		t, offset, err = ParseInstant("event_at", *in.EventAt)
	case in.At != nil:
		t, offset, assumed, err = ParseLocal("at", *in.At, f.Zone)
	default:
		return nil
	}
	if err != nil {
		return err
	}
	if assumed {
		*warnings = append(*warnings, assumedZone(t, f.Zone))
	}
	precision := PreciseInstant
	if in.DayOnly {
		precision = PreciseDay
	}
	m.EventAt, m.EventOffset, m.EventPrecision = &t, &offset, &precision
	return nil
}

func captureSession(_ *Memory, in RememberInput, f RememberFacts, _ *[]string) error {
	if err := notBlank("session_id", in.SessionID); err != nil {
		return err
	}
	if in.SessionPosition == nil {
		return nil
	}
	if *in.SessionPosition < 0 {
		return Invalid("session_position", hintSession, "session_position must be a whole number from 0 to 9223372036854775807")
	}
	if in.SessionID == nil {
		return Invalid("session_position", hintSession, "session_position needs a session_id")
	}
	if f.AtPosition != nil {
		return positionTaken(*in.SessionID, *in.SessionPosition, f.AtPosition.ID)
	}
	return nil
}

func positionTaken(session string, position int64, holder ID) error {
	e := Forbidden("Use the next free session_position, or call set_history_context to move the other memory.",
		"session_position %d of session %q is already used by memory %s", position, session, holder)
	e.Field = "session_position"
	return e
}

// positionTwice refuses an item of a batch because of an earlier one, whose memory
// is not kept either: its id would lead nowhere.
func positionTwice(session string, position int64, earlier int) *Error {
	e := Forbidden("Give each item of a session a session_position of its own.",
		"session_position %d of session %q is also that of the item with index %d", position, session, earlier)
	e.Field = "session_position"
	return e
}

func captureTier(m *Memory, in RememberInput, _ RememberFacts, _ *[]string) error {
	m.Tier = Tier(in.Tier)
	if in.Tier == "" && !in.Literal {
		m.Tier = Archive
	}
	switch m.Tier {
	case Archive, Interpretation:
		return nil
	case Testimony:
		return Invalid("tier", "Call remember with tier archive, then corroborate with an independent source.",
			"testimony requires corroboration and cannot be given at capture")
	}
	return Invalid("tier", "Use archive for material and interpretation for a reading of it.",
		"tier must be one of archive, testimony, interpretation, not %q", in.Tier)
}

var geohashForm = regexp.MustCompile(`^[0-9b-hjkmnp-z]{1,12}$`)

func capturePlace(m *Memory, in RememberInput, _ RememberFacts, _ *[]string) error {
	place, err := ParsePlace(in.Geohash, in.Lat, in.Lon, in.AccuracyM)
	m.Place = place
	return err
}

// ParsePlace reads a place given as a geohash, which wins, or as coordinates.
// It gives nil when neither is there.
func ParsePlace(hash *string, lat, lon, accuracy *float64) (*Place, error) {
	if accuracy != nil && (math.IsNaN(*accuracy) || math.IsInf(*accuracy, 0) || *accuracy < 0) {
		return nil, Invalid("accuracy_m", hintPlace, "accuracy_m must be a number of metres, 0 or more")
	}
	if hash != nil {
		lower := strings.ToLower(*hash)
		if !geohashForm.MatchString(lower) {
			return nil, Invalid("geohash", hintPlace, "geohash must have 1 to 12 characters of 0-9 and b-z without a, i, l, o")
		}
		la, lo := geohash.DecodeCenter(lower)
		return &Place{Lat: la, Lon: lo, Geohash: lower, AccuracyM: accuracy}, nil
	}
	if lat == nil && lon == nil {
		return nil, nil
	}
	if lat == nil || lon == nil {
		return nil, Invalid("lat", hintPlace, "lat and lon must be given together")
	}
	if !(math.Abs(*lat) <= 90) || !(math.Abs(*lon) <= 180) {
		return nil, Invalid("lat", hintPlace, "lat must be between -90 and 90 and lon between -180 and 180")
	}
	return &Place{Lat: *lat, Lon: *lon, Geohash: hashOf(*lat, *lon), AccuracyM: accuracy}, nil
}

// hashOf is the geohash of 12 characters. Its cells leave out the upper edge of
// each range, so that the pole and the date line belong to the cells beside them.
func hashOf(lat, lon float64) string {
	const inside = 1e-9 // degrees; a cell is some 1e-7 wide
	return geohash.EncodeWithPrecision(min(lat, 90-inside), min(lon, 180-inside), 12)
}

func captureLabels(m *Memory, in RememberInput, _ RememberFacts, _ *[]string) error {
	if len(in.Tags) > MaxTags {
		return Limit("tags", "Keep the tags that matter.", "tags has %d entries; at most %d are kept", len(in.Tags), MaxTags)
	}
	for _, t := range in.Tags {
		if strings.TrimSpace(t) == "" {
			return Invalid("tags", "Leave empty tags out.", "a tag is required and cannot be empty")
		}
		if utf8.RuneCountInString(t) > MaxTagRunes {
			return Limit("tags", "Use short labels.", "a tag has more than %d characters", MaxTagRunes)
		}
		if !slices.Contains(m.Tags, t) {
			m.Tags = append(m.Tags, t)
		}
	}
	m.Salience = DefaultSalience
	if in.Salience != nil {
		m.Salience = *in.Salience
	}
	if !(m.Salience >= 0 && m.Salience <= 1) {
		return Invalid("salience", "Leave salience out for the middle, 0.5.", "salience must be between 0 and 1")
	}
	return nil
}

func captureExtras(m *Memory, in RememberInput, _ RememberFacts, _ *[]string) error {
	if in.Metadata != nil {
		if len(*in.Metadata) > MaxMetadataBytes {
			return Limit("metadata", hintMetadata, "metadata has %d bytes; at most %d are kept", len(*in.Metadata), MaxMetadataBytes)
		}
		m.Metadata = *in.Metadata
	}
	if len(in.MediaRefs) > MaxMediaRefs {
		return Limit("media_refs", "Keep the references that matter.", "media_refs has %d entries; at most %d are kept", len(in.MediaRefs), MaxMediaRefs)
	}
	m.MediaRefs = in.MediaRefs
	if in.IdempotencyKey == nil {
		return nil
	}
	if err := notBlank("idempotency_key", in.IdempotencyKey); err != nil {
		return err
	}
	if utf8.RuneCountInString(*in.IdempotencyKey) > MaxIdempotencyRunes {
		return Limit("idempotency_key", "Use a shorter key, for example a UUID.", "idempotency_key has more than %d characters", MaxIdempotencyRunes)
	}
	return nil
}
