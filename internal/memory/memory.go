package memory

import (
	"log/slog"
	"time"
)

// ID names a memory, narrative, claim or any other record: 12 lower-case
// hexadecimal digits. An ID may look like a number and is always a string.
type ID string

// Text is what a person or an agent wrote. It is kept byte for byte and never
// reaches a log: LogValue gives its length only.
type Text string

// LogValue implements slog.LogValuer; TestTextStaysOutOfLogs holds the promise.
func (t Text) LogValue() slog.Value { return slog.IntValue(len(t)) }

// Status says whether a memory has been promoted. Forgetting is apart from it.
type Status string

// The two states of a memory; consolidated never goes back to working.
const (
	Working      Status = "working"
	Consolidated Status = "consolidated"
)

// Tier says what a memory counts for as evidence.
type Tier string

// The tiers. Testimony is earned by corroboration, never given at capture.
const (
	Archive        Tier = "archive"
	Testimony      Tier = "testimony"
	Interpretation Tier = "interpretation"
)

// ReviewStatus is the state of an interpretation's or narrative's review.
type ReviewStatus string

// Review states; other tiers have none.
const (
	ReviewCurrent ReviewStatus = "current"
	ReviewStale   ReviewStatus = "stale"
)

// Precision says how exactly an event time is known.
type Precision string

// A day without an hour is stored as noon; its hour is never a cue.
const (
	PreciseInstant Precision = "instant"
	PreciseDay     Precision = "day"
)

// Door is the entry a call came through.
type Door string

// The doors.
const (
	DoorMCP    Door = "mcp"
	DoorCLI    Door = "cli"
	DoorHTTP   Door = "http"
	DoorImport Door = "import"
	DoorHook   Door = "hook"
)

// Actor is who wrote a row, as far as it is known. Client and Version are what
// the client called itself: a claim, not a proof.
type Actor struct {
	Client  string
	Version string
	Door    Door
}

// Place is where something happened, in WGS84 degrees.
type Place struct {
	Lat, Lon  float64
	Geohash   string   // always set; 12 characters when it was made from Lat and Lon
	AccuracyM *float64 // reported radius in metres; nil when unknown
}

// Memory is one captured piece of material. A nil pointer is null, which is not
// the same as blank text.
type Memory struct {
	ID     ID
	Number int64 // the store's row number: ascending by capture, never reused; 0 before it is stored
	Seq    int64 // change sequence of the newest change to this row

	Content             Text
	Source              *string
	Status              Status
	Tier                Tier
	CreatedAt           time.Time
	ConsolidatedAt      *time.Time
	ConsolidationReason *string
	LastReviewedAt      *time.Time
	ReviewStatus        *ReviewStatus
	ForgottenAt         *time.Time
	ForgottenReason     *string
	SecuritySensitive   bool
	Frame               *string
	EventAt             *time.Time
	SessionID           *string
	SessionPosition     *int64
	MaterialType        MaterialType
	OriginID            *string
	CaptureContext      *string

	EventOffset    *int // minutes east of UTC on the wall clock of the event; nil when unknown
	EventPrecision *Precision
	Place          *Place
	Tags           []string
	Salience       float64 // 0–1
	Biometric      map[string]float64
	Metadata       string // a JSON object as it came, "" when none
	MediaRefs      []string
	RecordedBy     Actor
	IdempotencyKey *string

	Perceived []Channel // image, audio: of which fingerprints are kept; sorted

	Windows *int // overlapping windows of the present encoder; nil while not embedded
}

// Forgotten says whether a tombstone stands on the memory.
func (m Memory) Forgotten() bool { return m.ForgottenAt != nil }

// Embedded says whether the memory has a vector of the present encoder.
func (m Memory) Embedded() bool { return m.Windows != nil }

// MaterialType is what kind of material was captured.
type MaterialType string

// MaterialTypes lists the accepted kinds, in the order the contract names them.
var MaterialTypes = []MaterialType{"unspecified", "document", "utterance", "observation", "summary"}

// Anchor is the mark that puts a memory before every recall.
type Anchor struct {
	MemoryID ID
	Reason   string
	PinnedAt time.Time
}

// Corroboration is one source label that somebody gave for a memory.
type Corroboration struct {
	ID       ID
	MemoryID ID
	Source   string // as given, untrimmed
	At       time.Time
}

// CanonEntry is a memory's membership in a task scope.
type CanonEntry struct {
	ID               ID
	MemoryID         ID
	Scope            string
	Reason           string
	CanonizedAt      time.Time
	DecommissionedAt *time.Time // nil while active
}

// Conflict is a pair of memories that contradict each other.
type Conflict struct {
	ID               ID
	A, B             ID
	Reason           string
	CreatedAt        time.Time
	ResolvedAt       *time.Time
	ResolutionReason *string
	AdoptedMemoryID  *ID
}

// Relation is the kind of a link between two memories.
type Relation string

// Relations lists the accepted kinds.
var Relations = []Relation{"related", "updates", "explains"}

// Link says how one memory relates to another.
type Link struct {
	ID               ID
	From, To         ID
	Relation         Relation
	Reason           string
	CreatedAt        time.Time
	RetiredAt        *time.Time
	RetirementReason *string
}

// Narrative is one version of the account of a scope.
type Narrative struct {
	ID                ID
	Content           Text
	Reason            string
	MemoryIDs         []ID // effective sources: named, cited by claims, ends of links
	ClaimIDs          []ID
	LinkIDs           []ID
	CreatedAt         time.Time
	SupersededAt      *time.Time
	SupersededBy      *ID
	SecuritySensitive bool
	ReviewRequiredAt  *time.Time
	ReviewReason      *string
	LastReviewedAt    *time.Time
	ReviewNote        *string
	Scope             string
	Perspective       *string
	Coverage          *string
	Unreadable        []string // id lists of an imported row that cannot be read: memory_ids, claim_ids, link_ids
	RecordedBy        Actor
}

// ClaimKind is what sort of judgement a claim is.
type ClaimKind string

// ClaimKinds lists the accepted kinds.
var ClaimKinds = []ClaimKind{"assertion", "observation", "plan", "commitment", "interpretation", "self_report"}

// Claim is the unchanging part of a judgement; its states are ClaimEvents.
type Claim struct {
	ID                ID
	Content           Text
	Kind              ClaimKind
	Scope             string
	AssertedBy        *string
	StatementAt       *time.Time
	ValidFrom         *time.Time
	ValidUntil        *time.Time
	RecordedAt        time.Time
	SecuritySensitive bool
	RecordedBy        Actor
}

// ClaimAction is what a ClaimEvent records.
type ClaimAction string

// Claim event actions; the first four are states.
const (
	ClaimProposed          ClaimAction = "proposed"
	ClaimAdopted           ClaimAction = "adopted"
	ClaimWithdrawn         ClaimAction = "withdrawn"
	ClaimSuperseded        ClaimAction = "superseded"
	ClaimEvidenceAdded     ClaimAction = "evidence_added"
	ClaimEvidenceRetracted ClaimAction = "evidence_retracted"
	ClaimSourceChanged     ClaimAction = "source_changed"
)

// ClaimEvent is one step in a claim's life.
type ClaimEvent struct {
	Sequence      int64 // ascending over the whole store; 0 before it is stored
	ClaimID       ID
	Action        ClaimAction
	Reason        string
	RecordedAt    time.Time
	ReplacementID *ID
}

// Stance is how a memory bears on a claim.
type Stance string

// Stances lists the accepted stances.
var Stances = []Stance{"supports", "challenges", "context"}

// Evidence ties a memory to a claim.
type Evidence struct {
	ID               ID
	ClaimID          ID
	MemoryID         ID
	Stance           Stance
	Reason           string
	Quote            *string
	Locator          *string
	OriginID         *string
	RecordedAt       time.Time
	RetractedAt      *time.Time
	RetractionReason *string
}
