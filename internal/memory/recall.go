package memory

import (
	"math"
	"strings"
	"time"
)

// Mode is which lanes a search runs.
type Mode string

// The modes. Auto is hybrid when vectors are ready, else lexical, and says so.
const (
	ModeAuto     Mode = "auto"
	ModeLexical  Mode = "lexical"
	ModeSemantic Mode = "semantic"
	ModeHybrid   Mode = "hybrid"
)

// RecallInput is a question as the caller gave it; nil means not given.
type RecallInput struct {
	Query           *string
	Frame           *string
	Limit           int
	Mode            Mode // "": auto
	Geohash         *string
	Lat, Lon        *float64
	At              *string
	Channels        []string // of the cues; empty: all
	Near            *Near
	Since, Until    *string
	Tags            []string
	SessionID       *string
	Tier            *string
	Source          *string
	MaxBytes        *int
	MinScore        float64
	Explain         bool
	IgnoreTimeWords bool
	MemoriesOnly    bool // no places for anchors and canon, no narrative and no conflicts
	Literal         bool // "" in Mode is what the caller gave, not the default: it is refused
}

// Row is one memory in an answer. A nil pointer is a value that does not apply.
type Row struct {
	Memory             Memory
	Relevance          *float64
	SemanticSimilarity *float64
	SearchScore        *float64
	Score              *float64
	Channels           map[string]float64
	Why                []Why
}

// Why is one lane's part in a row's place.
type Why struct {
	Lane  string
	Rank  int     // from 1, among the rows this lane ranked
	Value float64 // what the lane measured
	Share float64 // its part of search_score, 0–1
}

// AnchorRow is an anchor with its memory.
type AnchorRow struct {
	Memory Memory
	Anchor Anchor
}

// CanonRow is a canon entry with its memory. Warning is "" when it is eligible.
type CanonRow struct {
	Entry    CanonEntry
	Memory   Memory
	Eligible bool
	Warning  string
}

// ConflictRow is a conflict with both memories.
type ConflictRow struct {
	Conflict Conflict
	A, B     Memory
}

// Verdict is the honest summary of an answer.
type Verdict string

// The verdicts; "" without a query.
const (
	VerdictStrong Verdict = "strong"
	VerdictWeak   Verdict = "weak"
	VerdictNone   Verdict = "none"
)

// What a lane can say of itself; anything else is the reason why it did not run.
const (
	LaneRan      = "ran"
	LaneNotAsked = "not asked"
)

// Retrieval tells how an answer was found.
type Retrieval struct {
	Mode               Mode
	Words              string // LaneRan, LaneNotAsked or why not
	Vectors            string
	Cues               string
	Backend            *Backend
	Reranked           int // rows ranked
	Unranked           int // eligible rows not ranked
	InferencePerformed bool
	Candidates         int
	Omitted            int
	Elapsed            time.Duration
	Verdict            Verdict
	TimeUnderstood     *Interval
}

// RecallResult is the answer of recall and search.
type RecallResult struct {
	Anchors              []AnchorRow
	Canon                []CanonRow
	Memories             []Row
	StaleInterpretations []Memory
	Narrative            *NarrativeView
	NarrativeReview      *NarrativeView // the narrative that is not usable; its text is not for showing
	Conflicts            []ConflictRow
	Retrieval            Retrieval
	Warnings             []string
}

// question is a checked RecallInput.
type question struct {
	query    string // "" when there is none
	blank    bool   // a query was given and says nothing: rows get a relevance of 0
	limit    int
	mode     Mode
	filter   IndexFilter
	cue      *Cue
	maxBytes int // -1: no budget
	minScore float64
	explain  bool
	times    bool
	content  bool // rank words by contents alone, with the constants of relevance
	only     bool // memories and nothing beside them
	warnings []string
}

const hintModes = "Use mode auto (the default), lexical, semantic or hybrid with recall; search takes semantic or hybrid."

// checkRecall applies the argument rules of surface.md 3 to a recall.
func checkRecall(in RecallInput, zone *time.Location) (question, error) {
	q := question{limit: in.Limit, mode: in.Mode, maxBytes: -1, minScore: in.MinScore,
		explain: in.Explain, times: !in.IgnoreTimeWords, only: in.MemoriesOnly}
	if q.blank = in.Query != nil && strings.TrimSpace(*in.Query) == ""; in.Query != nil && !q.blank {
		q.query = *in.Query
	}
	if q.mode == "" && !in.Literal {
		q.mode = ModeAuto
	}
	switch q.mode {
	case ModeAuto, ModeLexical, ModeSemantic, ModeHybrid:
	default:
		return q, Invalid("mode", hintModes, "mode must be one of auto, lexical, semantic, hybrid, not %q", string(in.Mode))
	}
	q.cutLimit()
	if !(in.MinScore >= 0 && in.MinScore <= 1) {
		return q, Invalid("min_score", "Leave min_score out to see everything.", "min_score must be between 0 and 1")
	}
	if in.MaxBytes != nil {
		if *in.MaxBytes < 0 {
			return q, Invalid("max_bytes", "Leave max_bytes out for no budget.", "max_bytes must be 0 or more")
		}
		q.maxBytes = *in.MaxBytes
	}
	if err := q.readFilter(in); err != nil {
		return q, err
	}
	return q, q.readCue(in, zone)
}

// checkSearch applies the stricter rules of search before those of recall.
func checkSearch(in RecallInput, zone *time.Location) (question, error) {
	if in.Query == nil || strings.TrimSpace(*in.Query) == "" {
		return question{}, Invalid("query", "Pass the question in query, or call recall for the default order.", "query is required and cannot be empty")
	}
	if in.Limit < 0 {
		return question{}, Invalid("limit", "Pass a limit of 0 or more.", "limit must be a whole number of 0 or more")
	}
	if in.Mode == "" && !in.Literal {
		in.Mode = ModeHybrid
	}
	switch in.Mode {
	case ModeSemantic, ModeHybrid:
	default:
		return question{}, Invalid("mode", "search takes mode semantic or hybrid; call recall for mode lexical or auto.",
			"mode must be one of semantic, hybrid, not %q", string(in.Mode))
	}
	return checkRecall(in, zone)
}

func (q *question) cutLimit() {
	if q.limit > MaxList {
		q.limit = MaxList
		q.warnings = append(q.warnings, "limit was cut to 1000, the most that one answer holds.")
	}
	q.limit = max(q.limit, 0)
}

func (q *question) readFilter(in RecallInput) error {
	q.filter = IndexFilter{Frame: in.Frame, Source: in.Source, SessionID: in.SessionID, Tags: in.Tags, Near: in.Near}
	if in.Tier != nil {
		t := Tier(*in.Tier)
		if t != Archive && t != Testimony && t != Interpretation {
			return Invalid("tier", "Leave tier out to search all tiers.", "tier must be one of archive, testimony, interpretation, not %q", *in.Tier)
		}
		q.filter.Tier = &t
	}
	if err := checkNear(in.Near); err != nil {
		return err
	}
	var err error
	q.filter.Since, q.filter.Until, err = ParseSpan(in.Since, in.Until)
	return err
}

func checkNear(n *Near) error {
	if n == nil {
		return nil
	}
	if !(math.Abs(n.Lat) <= 90) || !(math.Abs(n.Lon) <= 180) || !(n.RadiusM >= 0) || math.IsInf(n.RadiusM, 0) {
		return Invalid("near", "Pass near as {lat, lon, radius_m}.", "near needs lat between -90 and 90, lon between -180 and 180 and radius_m of 0 or more metres")
	}
	return nil
}

// ParseSpan reads since and until, both inclusive; either may be nil.
func ParseSpan(since, until *string) (from, to *time.Time, err error) {
	read := func(field string, s *string) (*time.Time, error) {
		if s == nil {
			return nil, nil
		}
		t, _, err := ParseInstant(field, *s)
		if err != nil {
			return nil, err
		}
		return &t, nil
	}
	if from, err = read("since", since); err != nil {
		return nil, nil, err
	}
	if to, err = read("until", until); err != nil {
		return nil, nil, err
	}
	if from != nil && to != nil && from.After(*to) {
		return nil, nil, Invalid("since", "Swap since and until.", "since must be before or equal to until")
	}
	return from, to, nil
}
