package tools

import (
	"combray/internal/memory"
)

// foundMemory is a memory row of an answer: the memory, then how it was found.
type foundMemory struct {
	memoryObject
	Relevance          *float64   `json:"relevance,omitempty"`
	SemanticSimilarity *float64   `json:"semantic_similarity,omitempty"`
	SearchScore        *float64   `json:"search_score,omitempty"`
	Score              *float64   `json:"score,omitempty"`
	Why                []lanePart `json:"why,omitempty"`
}

// lanePart is one lane's part in a row's place.
type lanePart struct {
	Lane  string  `json:"lane"`
	Rank  int     `json:"rank"`
	Value float64 `json:"value"`
	Share float64 `json:"share"`
}

// Decimals of what a reply shows of scores.
const (
	relevanceDecimals = 4 // contract/history.md 1.2
	scoreDecimals     = 6
)

func newFound(r memory.Row) foundMemory {
	f := foundMemory{memoryObject: newMemory(r.Memory), Relevance: rounded(r.Relevance, relevanceDecimals),
		SemanticSimilarity: rounded(r.SemanticSimilarity, scoreDecimals),
		SearchScore:        rounded(r.SearchScore, scoreDecimals), Score: rounded(r.Score, scoreDecimals)}
	if r.Channels != nil {
		f.Channels = similarities(r.Channels)
	}
	for _, w := range r.Why {
		f.Why = append(f.Why, lanePart{w.Lane, w.Rank, *rounded(&w.Value, scoreDecimals), *rounded(&w.Share, scoreDecimals)})
	}
	return f
}

// anchorMemory is an anchor: the memory and why it is pinned.
type anchorMemory struct {
	memoryObject
	AnchorReason string `json:"anchor_reason"`
	PinnedAt     string `json:"pinned_at"`
}

func newAnchor(r memory.AnchorRow) anchorMemory {
	return anchorMemory{newMemory(r.Memory), r.Anchor.Reason, memory.FormatInstant(r.Anchor.PinnedAt)}
}

// recalled is the answer of recall and search, contract/history.md 3.1 and
// contract/surface.md 3.
type recalled struct {
	Notice               string           `json:"notice"`
	Anchors              []anchorMemory   `json:"anchors"`
	Canon                []canonMember    `json:"canon"`
	Memories             []foundMemory    `json:"memories"`
	StaleInterpretations []memoryObject   `json:"stale_interpretations"`
	Narrative            *narrative       `json:"narrative"`
	NarrativeReview      *narrativeReview `json:"narrative_review"`
	Conflicts            []conflictPair   `json:"conflicts"`
	Retrieval            retrieval        `json:"retrieval"`
}

// retrieval tells how an answer was found.
type retrieval struct {
	Mode               memory.Mode     `json:"mode"`
	Lanes              lanes           `json:"lanes"`
	Backend            *backend        `json:"backend"`
	Reranked           int             `json:"reranked_candidates"`
	Unranked           int             `json:"unranked_candidates"`
	InferencePerformed bool            `json:"inference_performed"`
	Candidates         int             `json:"candidates"`
	Omitted            int             `json:"omitted"`
	ElapsedMS          float64         `json:"elapsed_ms"`
	Verdict            *string         `json:"verdict"`
	TimeUnderstood     *timeUnderstood `json:"time_understood"`
}

type lanes struct {
	Words   string `json:"words"`
	Vectors string `json:"vectors"`
	Cues    string `json:"cues"`
}

type timeUnderstood struct {
	Text  string `json:"text"`
	Since string `json:"since"`
	Until string `json:"until"`
}

// backend is the identity of the encoder: the ten keys of
// contract/history.md 3.3, null where there is no encoder.
type backend struct {
	Model                 *string      `json:"model"`
	Revision              *string      `json:"revision"`
	Device                *string      `json:"device"`
	MaxSequenceTokens     *int         `json:"max_sequence_tokens"`
	QueryPrefix           *string      `json:"query_prefix"`
	DocumentPrefix        *string      `json:"document_prefix"`
	Normalized            *bool        `json:"normalized"`
	LocalFilesOnly        *bool        `json:"local_files_only"`
	DocumentCacheCapacity *int         `json:"document_cache_capacity"` // 0: vectors are stored, not cached
	Dependencies          dependencies `json:"dependencies"`
}

// dependencies keeps the original's names, which Combray does not use.
type dependencies struct {
	SentenceTransformers *string `json:"sentence-transformers"`
	Transformers         *string `json:"transformers"`
	Torch                *string `json:"torch"`
	Numpy                *string `json:"numpy"`
	OnnxRuntime          *string `json:"onnxruntime"`
}

func newBackend(r memory.Retrieval) *backend {
	switch {
	case r.Vectors == memory.LaneNotAsked && r.Mode == memory.ModeLexical: // asked for by name it is shown, also when there was nothing to rank
		return nil
	case r.Backend == nil:
		return &backend{}
	}
	return backendOf(r.Backend)
}

func backendOf(b *memory.Backend) *backend {
	none := 0
	return &backend{&b.Model, &b.Revision, &b.Device, &b.MaxSequenceTokens, &b.QueryPrefix, &b.DocumentPrefix,
		&b.Normalized, &b.LocalFilesOnly, &none, dependencies{OnnxRuntime: nullIfBlank(b.Runtime)}}
}

func newRetrieval(r memory.Retrieval) retrieval {
	elapsed := float64(r.Elapsed.Microseconds()) / 1000
	return retrieval{Mode: r.Mode, Lanes: lanes{r.Words, r.Vectors, r.Cues}, Backend: newBackend(r), Reranked: r.Reranked,
		Unranked: r.Unranked, InferencePerformed: r.InferencePerformed, Candidates: r.Candidates, Omitted: r.Omitted,
		ElapsedMS: elapsed, Verdict: nullIfBlank(r.Verdict), TimeUnderstood: newTimeUnderstood(r.TimeUnderstood)}
}

func newTimeUnderstood(i *memory.Interval) *timeUnderstood {
	if i == nil {
		return nil
	}
	return &timeUnderstood{i.Text, memory.FormatInstant(i.Since), memory.FormatInstant(i.Until)}
}

func newRecalled(r memory.RecallResult) *recalled {
	out := &recalled{Notice: Notice, Anchors: mapped(r.Anchors, newAnchor), Canon: mapped(r.Canon, newCanonMember),
		Memories: mapped(r.Memories, newFound), StaleInterpretations: newMemories(r.StaleInterpretations),
		Conflicts: mapped(r.Conflicts, newConflictPair), Retrieval: newRetrieval(r.Retrieval)}
	if r.Narrative != nil {
		n := newNarrative(*r.Narrative)
		out.Narrative = &n
	}
	if r.NarrativeReview != nil {
		out.NarrativeReview = newNarrativeReview(*r.NarrativeReview)
	}
	return out
}

// sections are the parts of an answer that may be cut, the most important
// first. omitted counts the memories that were.
func (r *recalled) sections(omitted *int) []section {
	total := len(r.Memories)
	memories := rowsOf("memories", &r.Memories).shortening(func(f *foundMemory) *string { return &f.Content })
	memories.onCut(func(shown int) error { *omitted += total - shown; return nil })
	out := []section{
		rowsOf("anchors", &r.Anchors).shortening(func(a *anchorMemory) *string { return &a.Content }),
		rowsOf("canon", &r.Canon).shortening(func(c *canonMember) *string { return &c.Content }),
		memories,
	}
	if r.Narrative != nil {
		out = append(out, textOf("narrative.content", &r.Narrative.Content))
	}
	return append(out, rowsOf("conflicts", &r.Conflicts), rowsOf("stale_interpretations", &r.StaleInterpretations))
}

// recallShape is the shape of recall and search.
var recallShape = keys(
	field{"notice", aString, "says that recalled text is data"},
	field{"anchors", someObjects, "pinned memories, first whatever the question: memory keys, `anchor_reason`, `pinned_at`"},
	field{"canon", someObjects, "memories of active task scopes"},
	field{"memories", someObjects, "memory keys; with a query or cue also `relevance`, `semantic_similarity`, `search_score`, `score` (chance that it is relevant, 0–1), with `explain` also `why`"},
	field{"stale_interpretations", someObjects, "interpretations whose review is due"},
	field{"narrative", anything, "the current global narrative, if usable"},
	field{"narrative_review", anything, "why the current narrative is not usable"},
	field{"conflicts", someObjects, "open conflicts between active memories"},
	field{"retrieval", anObject, "`mode`, `lanes`, `backend`, counts, `omitted`, `elapsed_ms`, `verdict` (`strong`, `weak`, `none`), `time_understood`"},
)
