package memory

import "time"

// Recollection is a memory that came back unasked: what fired, for which cue,
// and whether it still waits to be delivered. It stays after delivery as the
// memory's firing history.
type Recollection struct {
	ID       ID
	Sequence int64 // place in the queue, ascending by first firing; 0 before it is stored
	MemoryID ID
	Score    float64             // contract/sense.md 4.6
	Channels map[Channel]float64 // similarity of each channel that the cue and the memory share
	Via      []Channel           // the channels that carried it, largest share first
	At       time.Time           // of the cue, on its wall clock; the clock of silence and budget
	Source   string              // who reported the cue
	FiredAt  time.Time           // the wall clock of the firing; counts the queue's seven days
	Queued   bool                // false once it was delivered, dropped or replaced
	Useful   *bool               // what somebody said of it; nil: nothing
}

// Fingerprint is what a perception was reduced to. Media themselves are kept
// only when their owner wants it.
type Fingerprint struct {
	Channel Channel // ChannelText, ChannelImage or ChannelAudio
	Backend string  // what made Data: only those of one backend are compared; "" for words alone
	Data    []byte  // as internal/sense writes it; nil for words alone
	Text    Text    // perceived words, a caption or a transcript; "" for none
	Chance  float64 // how sure Text is: 1 when the caller gave it, less when it was guessed
}

// Medium is a picture or sound kept whole (COMBRAY_STORE_RAW).
type Medium struct {
	Channel Channel
	Mime    string
	Data    []byte
}

// HeardKind says what a Heard row counts.
type HeardKind int

// The kinds. They are stored as these numbers.
const (
	HeardPlace   HeardKind = 0 // Key: a cell of sense.CellOf; Half: half-hour of the day, 0-47
	HeardWord    HeardKind = 1 // Key: hash of a word; Half: -1
	HeardText    HeardKind = 2 // Key: hash of a whole text; Half: -1; Identity and Vector
	HeardReading HeardKind = 3 // Key: place in ReadingNames; Half: half-hour; Value
)

// Heard is one thing that was perceived on one day, so that what is usual can be
// told from what is rare. Kind, Key, Day and Half are one row whatever happens
// more than once. It holds no text, and no order within a day.
type Heard struct {
	Row      int64 // ascending; 0 before it is stored
	Kind     HeardKind
	Key      int64
	Day      int // local date of the cue, days since 1970
	Half     int
	Value    float64
	Identity string    // of the encoder that made Vector; "" without
	Vector   []float32 // of length 1; nil without
}

// Visit is the last cue of one source, so that a stay counts once.
type Visit struct {
	Source   string
	HasPlace bool
	Lat, Lon float64
	At       time.Time
	Cue      int64 // hash of the whole cue less its time
}

// PutRecollection inserts a recollection or overwrites one by its ID, which keeps
// its place in the queue. A new one with Sequence 0 goes to the end.
type PutRecollection struct{ Recollection Recollection }

// PutFingerprints sets all fingerprints of a memory. The store gives the memory
// a new change sequence.
type PutFingerprints struct {
	MemoryID     ID
	Fingerprints []Fingerprint
}

// PutMedia sets the media kept with a memory.
type PutMedia struct {
	MemoryID ID
	Media    []Medium
}

// PutHeard adds what was perceived; rows that are there already stay as they are.
type PutHeard struct{ Rows []Heard }

// PutVisit sets the last cue of a source.
type PutVisit struct{ Visit Visit }

// ForgetHeard removes what was perceived before a day, and the visits of sources
// that reported nothing since its Start.
type ForgetHeard struct{ Before int }

// Start is when the day begins in UTC: near enough for a visit, on which nobody
// looks back for longer than an hour.
func (f ForgetHeard) Start() time.Time { return time.Unix(int64(f.Before)*24*60*60, 0).UTC() }

// WipeHeard removes everything that was perceived, visits too, and starts a new epoch.
type WipeHeard struct{}

func (PutRecollection) change() {}
func (PutFingerprints) change() {}
func (PutMedia) change()        {}
func (PutHeard) change()        {}
func (PutVisit) change()        {}
func (ForgetHeard) change()     {}
func (WipeHeard) change()       {}
