package tools

import (
	"context"

	"combray/internal/memory"
)

// stats is the answer of memory_stats: counts, the encoder, sizes in bytes.
type stats struct {
	Memories      int        `json:"memories"`
	Forgotten     int        `json:"forgotten"`
	Embedded      int        `json:"embedded"`
	Anchors       int        `json:"anchors"`
	Canon         int        `json:"canon"`
	Conflicts     int        `json:"conflicts"`
	Links         int        `json:"links"`
	Narratives    int        `json:"narratives"`
	Claims        int        `json:"claims"`
	Evidence      int        `json:"evidence"`
	Audit         int        `json:"audit"`
	Recollections int        `json:"recollections"`
	Queued        int        `json:"queued"`
	Fingerprints  int        `json:"fingerprints"`
	Heard         int        `json:"heard"`
	Schema        int        `json:"schema"`
	StoreID       string     `json:"store_id"`
	StoreBytes    int64      `json:"store_bytes"`
	Model         *backend   `json:"model"`
	Index         indexStats `json:"index"`

	Change *encoderChange `json:"model_change"`
}

// encoderChange is a change of the encoder that is under way.
type encoderChange struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Embedded int    `json:"embedded"`
	Memories int    `json:"memories"`
	Waits    string `json:"waits"`
}

// indexStats describe the index.
type indexStats struct {
	Rows     int   `json:"rows"`
	Vectors  int   `json:"vectors"`
	Delta    int   `json:"delta"`
	Bytes    int64 `json:"bytes"`
	Sequence int64 `json:"sequence"`
	// Recall is the share of the ten truly nearest memories that a sample of searches
	// found; absent without vectors.
	Recall *float64 `json:"recall_at_10,omitempty"`
}

func newIndexStats(s memory.IndexStats) indexStats {
	out := indexStats{Rows: s.Rows, Vectors: s.Vectors, Delta: s.Delta, Bytes: s.Bytes, Sequence: s.Sequence}
	if s.Due > 0 {
		share := float64(s.Found) / float64(s.Due)
		out.Recall = &share
	}
	return out
}

func newStats(s memory.Stats) stats {
	out := stats{Memories: s.Store.Memories, Forgotten: s.Store.Forgotten, Embedded: s.Store.Embedded, Anchors: s.Store.Anchors,
		Canon: s.Store.Canon, Conflicts: s.Store.Conflicts, Links: s.Store.Links, Narratives: s.Store.Narratives, Claims: s.Store.Claims,
		Evidence: s.Store.Evidence, Audit: s.Store.Audit, Recollections: s.Store.Recollections, Queued: s.Store.Queued,
		Fingerprints: s.Store.Fingerprints, Heard: s.Store.Heard, Schema: s.Store.Schema, StoreID: s.Store.StoreID, StoreBytes: s.Store.Bytes,
		Index: newIndexStats(s.Index)}
	if s.Encoder != nil {
		out.Model = backendOf(s.Encoder)
	}
	if c := s.Change; c != nil {
		out.Change = &encoderChange{c.From, c.To, c.Embedded, c.Memories, c.Waits}
	}
	return out
}

var memoryStatsTool = &tool{
	name: "memory_stats", title: "Statistics", profiles: full, hints: reads,
	about: "Count what is stored: memories, forgotten and embedded ones, anchors, canon, conflicts, links, narratives, claims and audit rows, with the sizes of files, the encoder and the state of the index. " +
		"Use it to see whether vectors are still being made, how large the store has grown, or what a reader can expect; use list_memories for the memories themselves. " +
		"It shows no content. Takes no arguments and changes nothing.",
	returns: keys(field{"memories", anInteger, "stored, forgotten ones too"}, field{"forgotten", anInteger, "of these"}, field{"embedded", anInteger, "with a vector of the present encoder"},
		field{"anchors", anInteger, "pinned"}, field{"canon", anInteger, "active places"}, field{"conflicts", anInteger, "marked"}, field{"links", anInteger, "made"},
		field{"narratives", anInteger, "versions"}, field{"claims", anInteger, "created"}, field{"evidence", anInteger, "ties"}, field{"audit", anInteger, "rows"},
		field{"recollections", anInteger, "times that memories came back unasked"}, field{"queued", anInteger, "of these, not taken yet"},
		field{"fingerprints", anInteger, "of pictures, sounds and perceived words"}, field{"heard", anInteger, "what is known of how usual places, hours and words are"},
		field{"schema", anInteger, "version of the file"}, field{"store_id", aString, "random, made with the file"}, field{"store_bytes", anInteger, "file and write-ahead log"},
		field{"model", anything, "the encoder, as in retrieval.backend"}, field{"index", anObject, "`rows`, `vectors`, `delta`, `bytes`, `sequence`, `recall_at_10` (of eight sampled searches against a full scan)"},
		field{"model_change", anything, "null, or while another encoder was chosen: `from`, `to`, `embedded` of `memories`, `waits`"}),
	examples: []string{`{}`},
	run: func(ctx context.Context, v Verbs, a *args) (outcome, error) {
		s, err := v.Stats(ctx)
		if err != nil {
			return outcome{}, err
		}
		return object(newStats(s), nil), nil
	},
}
