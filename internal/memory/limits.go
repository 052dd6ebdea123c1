package memory

import "time"

// Limits of the contract (contract/surface.md 2, 3, 5 and contract/history.md).
const (
	MaxContentBytes     = 1<<20 - 1 // surface.md 2: content under 1 MiB
	MaxTags             = 32        // surface.md 2
	MaxTagRunes         = 64        // surface.md 2
	MaxMetadataBytes    = 16 << 10  // surface.md 2
	MaxMediaRefs        = 16        // surface.md 2
	MaxIdempotencyRunes = 128       // surface.md 2
	MaxBatch            = 200       // surface.md 4, remember_many
	MaxList             = 1000      // surface.md 3 and 5: longer lists are cut and say so
	MaxReplyBytes       = 256 << 10 // surface.md 5

	DefaultSalience = 0.5 // sense.md 1.1
	DefaultLimit    = 10  // surface.md 3
	DefaultPage     = 50  // surface.md 4, list_memories

	SimilarLeast = 0.95 // surface.md 2: C from which two memories are called similar
	SimilarMost  = 3    // surface.md 2

	AnchorsSoft = 12 // history.md 1.3: more anchors bring a warning
	CanonSoft   = 8  // history.md 1.4: more active memberships bring a warning

	ReviewAge = 30 * 24 * time.Hour // history.md 2.2: an interpretation is reviewed every 30 days

	// EmbedAtOnceBytes is up to how long a text gets its vector before the call
	// returns: some ten windows, a third of a second. A longer one is stored at
	// once, found by words, and embedded behind, so that no caller waits for it.
	EmbedAtOnceBytes = 8 << 10

	EncoderPatience      = 2 * time.Second        // surface.md 3: how long recall waits for an encoder that loads
	WriteEncoderPatience = 500 * time.Millisecond // a load takes 36 ms to 150 ms (facts/feasibility.md 2); longer, and the vector is made behind
)
