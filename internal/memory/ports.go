package memory

import (
	"context"
	"time"
)

// Store keeps the truth. Every method is safe for concurrent use, and several
// processes may share the file behind it. A failure is an *Error: unavailable
// for a locked, full or read-only file, corrupt for a damaged one.
// internal/memtest holds the suite that every Store must pass.
type Store interface {
	// View runs f on one snapshot. It never takes the writer and writes nothing.
	View(ctx context.Context, f func(Reader) error) error
	// Update runs f as the only writer, from before its first read until the
	// commit. An error of f rolls everything back. A nil return means durable.
	Update(ctx context.Context, f func(Tx) error) error
	// Sequence is the newest change sequence, of any process. It is cheap.
	Sequence(ctx context.Context) (int64, error)
	// Changes gives at most limit memories whose change sequence is above
	// after, ascending, each at its newest state, erased ones as tombstones.
	Changes(ctx context.Context, after int64, limit int, identity string) ([]Changed, error)
	// Vectors gives the windows of memories for one encoder identity, in the
	// order of numbers; nil for a memory without any.
	Vectors(ctx context.Context, numbers []int64, identity string) ([][][]float32, error)
	// Unembedded gives at most limit memories without vectors of the identity,
	// newest captured first.
	Unembedded(ctx context.Context, identity string, limit int) ([]Memory, error)
	// Stats counts what is stored.
	Stats(ctx context.Context, identity string) (StoreStats, error)
	// Check reads everything and reports what does not fit together.
	Check(ctx context.Context) ([]Fault, error)
	// Close waits for running calls and checkpoints the file.
	Close() error
}

// Changed is a memory as an index needs it.
type Changed struct {
	Memory  Memory // Number and Seq only when Erased
	Erased  bool
	Vectors [][]float32 // windows of the identity asked for
}

// Fault is one thing that a check found wrong.
type Fault struct {
	Where string // table or file
	What  string // sentence
}

// StoreStats are counts without content.
type StoreStats struct {
	Memories, Forgotten, Embedded       int
	Anchors, Canon, Conflicts, Links    int
	Narratives, Claims, Evidence, Audit int
	Recollections, Queued               int // all firings, and those that wait to be delivered
	Fingerprints, Heard                 int
	Bytes                               int64 // file and write-ahead log
	Schema                              int
	StoreID                             string // random, made with the file
}

// Tx is a Reader that can write.
type Tx interface {
	Reader
	// Apply writes a plan's changes and audit rows. The store numbers, salts
	// and chains the audit rows and fills in By from the context's Actor.
	Apply(ctx context.Context, p Plan) error
}

// Reader reads one snapshot. A single record that is unknown is nil without an
// error. Lists have a total order, so that the same snapshot answers the same.
type Reader interface {
	MemoryReader
	PriorityReader
	NarrativeReader
	ClaimReader
	SenseReader
	// Audit gives audit rows, newest first by At, rows of equal time by
	// Sequence descending.
	Audit(ctx context.Context, q AuditQuery) ([]AuditRow, error)
}

// MemoryReader reads memories and what hangs on one of them.
type MemoryReader interface {
	// Sequence is the newest change sequence of the snapshot.
	Sequence(ctx context.Context) (int64, error)
	Memory(ctx context.Context, id ID) (*Memory, error)
	// Memories gives the known ones among ids, in the order of ids.
	Memories(ctx context.Context, ids []ID) ([]Memory, error)
	// Numbered gives the known ones among numbers, in the order of numbers.
	Numbered(ctx context.Context, numbers []int64) ([]Memory, error)
	List(ctx context.Context, q ListQuery) ([]Memory, error)
	Count(ctx context.Context, f ListFilter) (int, error)
	// AtPosition gives the memory at a session position, forgotten or not.
	AtPosition(ctx context.Context, session string, position int64) (*Memory, error)
	// Beside gives what stands right before and right after a memory in its session,
	// forgotten or not, nil where nothing does: among those with a known position by
	// position, among the others by CreatedAt, then Number. A memory that is not
	// stored yet (Number 0) stands behind all of its CreatedAt.
	Beside(ctx context.Context, m Memory) (before, after *Memory, err error)
	ByIdempotencyKey(ctx context.Context, key string) (*Memory, error)
	// Labels gives the corroborating labels of each memory as given, oldest
	// first; a memory without any is absent.
	Labels(ctx context.Context, ids []ID) (map[ID][]string, error)
	// Frames gives the distinct frames of all memories, sorted.
	Frames(ctx context.Context) ([]string, error)
}

// PriorityReader reads anchors, canon, conflicts and links.
type PriorityReader interface {
	Anchor(ctx context.Context, id ID) (*Anchor, error)
	// Anchors gives all anchors by PinnedAt, then MemoryID.
	Anchors(ctx context.Context) ([]Anchor, error)
	// Canon gives active entries, oldest first, then ID. A nil scope or memory
	// does not filter.
	Canon(ctx context.Context, scope *string, memory *ID) ([]CanonEntry, error)
	Conflict(ctx context.Context, id ID) (*Conflict, error)
	// Conflicts gives conflicts newest first, then ID descending: all, or the
	// resolved or the open ones.
	Conflicts(ctx context.Context, resolved *bool) ([]Conflict, error)
	// OpenConflict gives the open conflict of a pair, in either order.
	OpenConflict(ctx context.Context, a, b ID) (*Conflict, error)
	Link(ctx context.Context, id ID) (*Link, error)
	Links(ctx context.Context, ids []ID) ([]Link, error)
	// LinksOf gives the links at any of the memories, in either direction,
	// oldest first, then ID, each once.
	LinksOf(ctx context.Context, memories []ID, retired bool) ([]Link, error)
	// ActiveLink gives the active link from, to, relation.
	ActiveLink(ctx context.Context, from, to ID, relation Relation) (*Link, error)
}

// NarrativeReader reads narratives.
type NarrativeReader interface {
	Narrative(ctx context.Context, id ID) (*Narrative, error)
	CurrentNarrative(ctx context.Context, scope string) (*Narrative, error)
	// CurrentNarratives gives the current versions, by scope, then newest.
	CurrentNarratives(ctx context.Context, limit int) ([]Narrative, error)
	// NarrativeHistory gives versions newest first, then ID descending.
	NarrativeHistory(ctx context.Context, scope *string, limit int) ([]Narrative, error)
	// NarrativesCiting gives the narratives, superseded ones too, that list the
	// memory, claim or link, oldest first, then ID.
	NarrativesCiting(ctx context.Context, kind SourceKind, id ID) ([]Narrative, error)
}

// SourceKind is what a narrative can cite.
type SourceKind string

// What a narrative can cite.
const (
	SourceMemory SourceKind = "memory"
	SourceClaim  SourceKind = "claim"
	SourceLink   SourceKind = "link"
)

// ClaimReader reads claims.
type ClaimReader interface {
	Claim(ctx context.Context, id ID) (*Claim, error)
	// Claims gives the known ones among ids, in the order of ids.
	Claims(ctx context.Context, ids []ID) ([]Claim, error)
	// ClaimsIn gives all claims of a scope (nil: all), newest recorded first,
	// then ID ascending.
	ClaimsIn(ctx context.Context, scope *string) ([]Claim, error)
	// ClaimEvents gives the events of the claims by Sequence.
	ClaimEvents(ctx context.Context, claims []ID) ([]ClaimEvent, error)
	// EvidenceFor gives the evidence of the claims, retracted too, by
	// RecordedAt, then ID.
	EvidenceFor(ctx context.Context, claims []ID) ([]Evidence, error)
	// EvidenceFrom gives the evidence that cites a memory, retracted too, by
	// RecordedAt, then ID.
	EvidenceFrom(ctx context.Context, memory ID) ([]Evidence, error)
	Evidence(ctx context.Context, id ID) (*Evidence, error)
	// LastClaimEventAt is the time of the newest claim event of the store, the
	// zero time when there is none.
	LastClaimEventAt(ctx context.Context) (time.Time, error)
}

// SenseReader reads what was perceived and what came back.
type SenseReader interface {
	Recollection(ctx context.Context, id ID) (*Recollection, error)
	// Firings gives the recollections of the memories by At ascending, then
	// Sequence.
	Firings(ctx context.Context, memories []ID) ([]Recollection, error)
	// FiredBetween counts the recollections whose At is after the first and not
	// after the second moment.
	FiredBetween(ctx context.Context, after, until time.Time) (int, error)
	// Pending gives the queue by Sequence ascending. A limit of 0 or less: all.
	Pending(ctx context.Context, limit int) ([]Recollection, error)
	// QueueVersion grows with every change to what Pending gives.
	QueueVersion(ctx context.Context) (int64, error)
	// Fingerprints gives those of the memories, each in the order it was put; a
	// memory without any is absent.
	Fingerprints(ctx context.Context, ids []ID) (map[ID][]Fingerprint, error)
	// PerceivedBy gives the fingerprints of a channel and backend of all memories,
	// by memory number.
	PerceivedBy(ctx context.Context, channel Channel, backend string) ([]Perceived, error)
	// PerceivedVersion grows with every change to what PerceivedBy gives.
	PerceivedVersion(ctx context.Context) (int64, error)
	// Heard gives what was perceived on sinceDay or later and stored after a row,
	// by Row, with the epoch: another epoch than before means that everything was
	// wiped meanwhile. Texts of other encoders than identity are left out.
	Heard(ctx context.Context, after int64, sinceDay int, identity string) (rows []Heard, epoch int64, err error)
	// Visit gives the last cue of a source.
	Visit(ctx context.Context, source string) (*Visit, error)
}

// Perceived is one fingerprint with the memory it belongs to.
type Perceived struct {
	Number int64
	Data   []byte
}

// ListFilter chooses memories. Nil and empty fields do not filter.
type ListFilter struct {
	Frame, Source, SessionID *string
	Tier                     *Tier
	Status                   *Status
	Tags                     []string   // all of
	Since, Until             *time.Time // event time, inclusive; unknown times do not pass
	Near                     *Near
	Forgotten                Forgotten
	UnknownEvent             bool       // only memories without an event time
	CreatedUntil             *time.Time // captured at or before
	ReviewedBefore           *time.Time // last reviewed before, or never
}

// Near is a circle on the earth.
type Near struct{ Lat, Lon, RadiusM float64 }

// Forgotten says which memories a list shows.
type Forgotten int

// The choices.
const (
	ActiveOnly Forgotten = iota
	ForgottenOnly
	ActiveAndForgotten
)

// ListOrder is the order of a list; ID breaks every tie, ascending.
type ListOrder int

// The orders.
const (
	NewestCaptured ListOrder = iota
	OldestCaptured
	NewestForgotten
	ByEvent // known event times ascending, unknown last, then captured
)

// ListQuery is a filter, an order, and a page.
type ListQuery struct {
	Filter ListFilter
	Order  ListOrder
	Limit  int     // at most; 0 and less: none
	After  *Cursor // only rows behind this one in the order
}

// Cursor is the place of a row in an order.
type Cursor struct {
	At        time.Time // CreatedAt, ForgottenAt or EventAt, as the order has it; ByEvent: zero for an unknown one
	CreatedAt time.Time // ByEvent puts rows of equal event time in its order; the other orders do not look at it
	ID        ID
}

// AuditQuery chooses audit rows.
type AuditQuery struct {
	Subject      *ID
	Action       *Action
	Since, Until *time.Time
	Captures     bool // show ActRemember rows too
	Limit        int  // at most; 0 and less: none
	Before       *AuditCursor
}

// AuditCursor is the place of a row in the audit log.
type AuditCursor struct {
	At       time.Time
	Sequence int64
}

// EncoderState says whether texts can be encoded.
type EncoderState struct {
	Ready  bool
	Reason string // why not, a sentence; "" when ready
}

// Encoder turns text into unit vectors.
type Encoder interface {
	// Wait starts loading where that has not happened, and returns when the
	// encoder is ready, has failed, or ctx ends.
	Wait(ctx context.Context) EncoderState
	// Question encodes what somebody asks: one vector. It goes before passages.
	Question(ctx context.Context, text string) ([]float32, error)
	// Symmetric encodes a text that is compared with others of its kind, neither
	// being a question about the other: what was perceived, and what a memory
	// says (contract/sense.md 4.15b). One vector.
	Symmetric(ctx context.Context, text string) ([]float32, error)
	// Passage encodes what is stored: a vector for each overlapping window.
	Passage(ctx context.Context, text string) ([][]float32, error)
	// Identity names files, prefixes, pooling and dims; "" without an encoder.
	// Vectors of different identities are never compared.
	Identity() string
	// Describe gives the facts shown as `backend`; nil without an encoder.
	Describe() *Backend
}

// Backend describes the encoder to a caller.
type Backend struct {
	Model, Revision, Device     string
	MaxSequenceTokens           int
	QueryPrefix, DocumentPrefix string
	Normalized, LocalFilesOnly  bool
	Runtime                     string // version of ONNX Runtime
}

// Index ranks memories by words and vectors. It is a cache of the store: CatchUp
// brings it to the store's sequence.
type Index interface {
	CatchUp(ctx context.Context) error
	// Follow takes new rows in and leaves what a CatchUp would put in order
	// behind them; for loops that write many rows.
	Follow(ctx context.Context) error
	Search(ctx context.Context, q IndexQuery) (IndexResult, error)
	// Recent gives the best rows of the default order: consolidated first, then
	// newest captured, then number.
	Recent(ctx context.Context, f IndexFilter, limit int) ([]int64, error)
	// Count gives how many memories pass a filter.
	Count(ctx context.Context, f IndexFilter) (Counted, error)
	// Statistics gives what BM25 over contents needs, counted over active
	// memories: their number, how many hold each term, their mean length.
	Statistics(ctx context.Context, terms []string) (n int, df []int, meanLength float64, err error)
	// Similarity gives the plain cosine of the best window of each memory.
	Similarity(ctx context.Context, numbers []int64, question []float32) ([]float64, []bool, error)
	// Scrub rewrites the index files so that nothing of erased rows remains.
	Scrub(ctx context.Context) error
	Stats(ctx context.Context) IndexStats
}

// CueIndex is the index that perceptions are compared with: each memory by its
// own words and tags, and by the Symmetric vectors of its text and of the words
// perceived with it. Candidate.Scores.Meaning is C of design/ranking.md.
type CueIndex interface {
	Index
	// Survey compares a cue with every active memory that has a vector (above
	// some ten thousand, with an even sample of them).
	Survey(ctx context.Context, cue []float32) (Survey, error)
	// Meaning gives C between a cue and each memory; 0 where one has no vector.
	Meaning(ctx context.Context, numbers []int64, cue []float32) ([]float64, error)
	// Compare gives C between a cue and other cues.
	Compare(ctx context.Context, cue []float32, others [][]float32) ([]float64, error)
	// Identity names the vectors; "" without an encoder.
	Identity() string
}

// Perceiver reduces pictures and sounds to fingerprints.
type Perceiver interface {
	// Perceive takes one signal of ChannelImage or ChannelAudio. A signal that
	// cannot be read is an invalid or limit error that says what is allowed.
	Perceive(ctx context.Context, channel Channel, signal MediaSignal) (Percept, error)
	// Alike compares two fingerprints of one backend: the similarity, 0 to 1, and
	// how far it proves that the same thing is perceived, 0 to 1.
	Alike(backend string, a, b []byte) (similarity, proof float64)
	// InSpace gives the vectors of what was perceived that may be compared with those
	// of Encoder.Symmetric; nil where pictures and sounds have a space of their own.
	InSpace(perceived []Fingerprint) [][]float32
}

// Percept is what a picture or a sound was reduced to.
type Percept struct {
	Fingerprints []Fingerprint
	Medium       *Medium // nil unless media are kept
	Place        *Place  // as the file says; nil when it does not
	At           *string // when it was taken, ISO 8601 as ParseLocal reads it; nil when the file does not say
	Warnings     []string
}

// Survey is how a cue's C spreads over the memories.
type Survey struct {
	Memories        int         // active ones with a vector
	Compared        int         // how many of them were compared
	Distinct        int         // of those, how many differ: a text stored twice counts once
	Mean, Deviation float64     // over the distinct ones
	Best            []Candidate // the nearest by Meaning, best first, at most 8; Number and Scores only
	Centred         bool        // false below six memories: C is then the plain cosine as it is
}

// IndexQuery is one search. Terms and Question may each be empty.
type IndexQuery struct {
	Terms    []string
	Content  bool // rank words by content alone (BM25 of relevance) instead of the whole line
	Question []float32
	// Await makes Question where that takes a while: words are looked for meanwhile. It may
	// return nil, and it may bring the index up to date. Nil: Question is there.
	Await func(context.Context) ([]float32, error)
	// AnyLanguage says that what Await makes may be in another language than the
	// memories.
	AnyLanguage bool
	Cue         func(Situation) float64 // scores a row by place and hour, 0 for nothing in common; nil: no cue lane
	Filter      IndexFilter
	PerLane     int  // best rows kept of each lane
	Alike       bool // only rows that say nearly the same matter: others may be missed
	Context     bool // read the session neighbours
}

// Situation is where and when a row happened, as the index holds it.
type Situation struct {
	HasPlace bool
	Lat, Lon float64    // WGS84 degrees
	EventAt  *time.Time // on the wall clock of the event; nil when its hour is unknown
}

// IndexFilter chooses rows before they are ranked. A row that lacks the field
// asked for does not pass.
type IndexFilter struct {
	Frame, Source, SessionID *string
	Tier                     *Tier
	Tags                     []string
	Since, Until             *time.Time
	UnknownEvent             bool // only memories without an event time
	Near                     *Near
	Exclude                  []int64
}

// Counted is a number of memories and the change sequence that it stands for.
type Counted struct {
	Memories int
	Sequence int64
}

// IndexResult holds the union of the lanes' best rows, every score exact.
type IndexResult struct {
	Candidates []Candidate // by number
	IDF        []float64   // of each query term, one that no memory holds included
	Eligible   int         // rows that pass the filter
	Vectors    int         // eligible rows with a vector
}

// Scores are what the lanes say of one row.
type Scores struct {
	Words     float64 // BM25 sum
	Meaning   float64 // C of design/ranking.md, negative values not yet cut
	HasVector bool
}

// Candidate is one row with what ranking needs of it and its neighbours.
type Candidate struct {
	Number         int64
	Scores         Scores
	Previous, Next *Scores // session neighbours; nil where there is none
	Consolidated   bool
	CapturedAt     time.Time
	EventAt        *time.Time
	Situation      Situation
}

// IndexStats describe the index without content.
type IndexStats struct {
	Rows, Vectors, Delta int
	Bytes                int64
	Sequence             int64
	// Due is how many of the truly nearest memories a sample of searches should have
	// found, Found how many it did; both 0 without vectors.
	Due, Found int
}

// TimeReader understands time words in a question.
type TimeReader interface {
	// Understand gives the interval a text speaks of, seen from now in its
	// location; false when it speaks of none.
	Understand(text string, now time.Time) (Interval, bool)
}

// Interval is a span of time with the words that named it.
type Interval struct {
	Text         string
	Since, Until time.Time // both inclusive
}

type actorKey struct{}

// WithActor returns a context that says who calls.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorOf gives who calls; the zero Actor when nobody said.
func ActorOf(ctx context.Context) Actor {
	a, _ := ctx.Value(actorKey{}).(Actor)
	return a
}
