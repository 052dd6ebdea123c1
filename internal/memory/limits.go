package memory

import "time"

// Limits and constants of involuntary memory (contract/sense.md 4, surface.md 8).
// Where 4.15b names another value than an earlier section, it is the one here.
const (
	MaxCueSourceRunes = 128            // as the other labels of surface.md 2
	MaxCueAhead       = 24 * time.Hour // sense.md U20

	reliabilityText  = 0.85 // 4.15b, e_text
	reliabilityName  = 0.90 // 4.15b, e_name
	reliabilityPlace = 0.75 // 4.15b, e_place
	reliabilitySlot  = 0.85 // 4.15b, e_slot
	reliabilityTime  = 0.30 // 4.15b, e_time
	reliabilityBody  = 0.25 // 4.6
	reliabilityMedia = 0.80 // 4.6, image and audio
	assumedTime      = 0.5  // U3: the writing moment may not be the event's

	FamiliarDays    = 60   // 4.7: how far back it counts what is usual, days
	familiarLeast   = 7    // 4.15b: a history younger than this, days, is read as this old
	placeReachM     = 500  // beyond it a place has s < 0.24 and cannot fire by itself (4.1)
	topicAlike      = 0.60 // 4.15b: C from which two cues speak of one topic (flat from .6 to .9)
	topicAlikePlain = 0.95 // the same number of deviations above the mean where plain cosines are compared
	fanAlike        = 0.40 // docs/decisions/0009: C from which two memories do; 0.6 in 4.15b
	fanAlikePlain   = 0.90
	topicSlope      = 2    // 4.15b: of the logistic in z
	topicShift      = 0.6  // 0.4 in 4.15b; docs/decisions/0009
	heardShift      = 1.2  // docs/decisions/0009: of the logistic in the z among the texts heard earlier
	fullText        = 7    // docs/decisions/0009: a memory of so many words of its own says all that a sentence can
	tersePrice      = 2    // docs/decisions/0009: in z, for each time that a memory says e times less
	otherKindMost   = 2    // docs/decisions/0009: days, for all visits at the very hour on days of the other kind
	fewestTexts     = 6    // as many as make a mean (design/ranking.md): the best of fewer must stand out as if it were one of so many
	pseudoTexts     = 10   // 4.15b: how many texts the prior spread counts as
	pseudoDeviation = 0.13 // 4.15b: deviation of C between unrelated texts; their mean is 0
	plainMean       = 0.80 // 4.15b: mean of plain cosines between unrelated texts
	plainDeviation  = 0.033
	leastDeviation  = 0.05 // 4.15b
	wordShare       = 2    // 4.15b: of the words of a cue that a memory holds, rare ones counting more
	wordFan         = 0.5  // s_w from which another memory has the cue's words too

	DefaultThreshold = 0.60 // 4.8; strict 0.72, open 0.55
	StrictThreshold  = 0.72
	OpenThreshold    = 0.55
	salienceWeight   = 0.15 // 4.8

	firstSilence = 12 * time.Hour      // 4.15b
	mostSilence  = 90 * 24 * time.Hour // 4.9
	recovery     = 30 * 24 * time.Hour // 4.9: one step down for so long a silence
	noiseSteps   = 2                   // 4.9

	mostAtOnce  = 3    // 4.10
	rivalsAlike = 0.85 // 4.10: text similarity above which the weaker of two is inhibited

	visitRadiusM = 150              // 4.11
	visitTime    = 30 * time.Minute // 4.11
	repeatTime   = 60 * time.Second // 4.11

	budgetWindow = 24 * time.Hour // 4.11
	budgetSoft   = 6              // 4.11: fires a day before the bar rises
	budgetStep   = 0.05           // 4.11: a fire
	budgetHard   = 20             // 4.11

	DefaultQueue = 50                 // 4.12
	queueTime    = 7 * 24 * time.Hour // 4.12, on the wall clock
	PendingLimit = 20                 // 1.4
	PendingMost  = 100                // 1.4

	viaLeast    = 0.3  // 4.6: similarity of a channel that is named
	viaShare    = 0.15 // 4.6: and its share of the evidence
	promptRunes = 300  // surface.md 8
)

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
