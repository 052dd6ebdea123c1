package memory

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// SearchHistoryInput is a question with its neighbourhood as the caller gave it.
type SearchHistoryInput struct {
	Query        string
	Limit        int
	Frame        *string
	Mode         Mode // "": hybrid
	Expand       string
	Since, Until *string
	Literal      bool // "" in Mode and Expand is what the caller gave, not the default: it is refused
}

// HistoryResult is the answer of search_history.
type HistoryResult struct {
	RecallResult
	History HistoryRetrieval
}

// HistoryRetrieval tells how an answer with neighbours was found.
type HistoryRetrieval struct {
	Retrieval    Retrieval
	BaseMode     Mode
	Expand       string
	Since, Until *time.Time
	TimeExcluded int
	Paths        []EvidencePath
}

// What brought a neighbour into an answer.
const (
	PathLink    = "explicit_link"
	PathSession = "session_neighbor"
)

// EvidencePath says how a neighbour of a found memory came into the answer.
type EvidencePath struct {
	SeedID, MemoryID     ID
	Kind                 string // PathLink or PathSession
	LinkID, FromID, ToID *ID    // of a link
	Relation             *Relation
	Offset               *int // of a session neighbour: -1 or 1
	SessionID            *string
}

// expansions are the accepted values of expand.
var expansions = []string{"none", "links", "session", "both"}

// checkHistory applies the argument rules of contract/history.md 4.1.
func checkHistory(in SearchHistoryInput) (question, string, error) {
	if strings.TrimSpace(in.Query) == "" {
		return question{}, "", Invalid("query", "Pass the question in query.", "query is required and cannot be empty")
	}
	if in.Limit < 0 {
		return question{}, "", Invalid("limit", "Pass a limit of 0 or more.", "limit must be a whole number of 0 or more")
	}
	q := question{query: in.Query, limit: in.Limit, mode: in.Mode, maxBytes: -1, filter: IndexFilter{Frame: in.Frame}}
	if q.mode == "" && !in.Literal {
		q.mode = ModeHybrid
	}
	switch q.mode {
	case ModeLexical, ModeSemantic, ModeHybrid:
	default:
		return q, "", Invalid("mode", "Use hybrid, the default.", "history mode must be one of lexical, semantic, hybrid, not %q", string(in.Mode))
	}
	expand := in.Expand
	if expand == "" && !in.Literal {
		expand = "both"
	}
	if !slices.Contains(expansions, expand) {
		return q, "", Invalid("expand", "Use both, the default.", "expand must be one of none, links, session, both, not %q", in.Expand)
	}
	q.content = q.mode == ModeLexical
	q.cutLimit()
	var err error
	q.filter.Since, q.filter.Until, err = ParseSpan(in.Since, in.Until)
	return q, expand, err
}

// neighbour is a memory near a seed, with what connects them.
type neighbour struct {
	memory Memory
	path   EvidencePath
	class  int // 0 for a link, 1 for a place in the session
	rank   int // in the base order; behind all others when it has none
}

// seedCount is how many of a budget are seeds: three in five, rounded up.
func seedCount(budget int) int { return (3*budget + 4) / 5 }

// expandSeeds chooses neighbours as contract/history.md 4.1 has it: the seeds in
// turn, each pass taking at most one neighbour a seed that was not yet taken,
// until the room is used up or nothing is added. Only seeds have neighbours.
func expandSeeds(seeds []Memory, near map[ID][]neighbour, room int) []neighbour {
	taken := map[ID]bool{}
	for _, s := range seeds {
		taken[s.ID] = true
		slices.SortFunc(near[s.ID], compareNeighbours)
	}
	var out []neighbour
	for added := true; added && len(out) < room; {
		added = false
		for _, s := range seeds {
			if len(out) == room {
				break
			}
			at := slices.IndexFunc(near[s.ID], func(n neighbour) bool { return !taken[n.memory.ID] })
			if at < 0 {
				continue
			}
			n := near[s.ID][at]
			taken[n.memory.ID], added = true, true
			out = append(out, n)
		}
	}
	return out
}

func compareNeighbours(a, b neighbour) int {
	return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.rank, b.rank), cmp.Compare(a.memory.ID, b.memory.ID))
}

// SearchArchiveInput is an exhaustive look as the caller gave it.
type SearchArchiveInput struct {
	Query            string
	Limit            int
	Frame, SessionID *string
	Since, Until     *string
}

// ArchiveResult is the answer of search_archive.
type ArchiveResult struct {
	Memories          []Row
	Frame, SessionID  *string
	Since, Until      *time.Time
	Eligible          int // before the limit
	Truncated         bool
	UnknownEventTimes int // in frame and session, before the time filter
	Retrieval         Retrieval
	Warnings          []string
}

// checkArchive reads a SearchArchiveInput.
func checkArchive(in SearchArchiveInput) (ArchiveResult, error) {
	out := ArchiveResult{Frame: in.Frame, SessionID: in.SessionID}
	if strings.TrimSpace(in.Query) == "" {
		return out, Invalid("query", "Pass the words to look for in query.", "query is required and cannot be empty")
	}
	if in.Limit < 0 {
		return out, Invalid("limit", "Pass a limit of 0 or more.", "limit must be a whole number of 0 or more")
	}
	if err := notBlank("frame", in.Frame); err != nil {
		return out, err
	}
	if err := notBlank("session_id", in.SessionID); err != nil {
		return out, err
	}
	if in.Limit > MaxList {
		out.Warnings = append(out.Warnings, "limit was cut to 1000, the most that one answer holds.")
	}
	var err error
	out.Since, out.Until, err = ParseSpan(in.Since, in.Until)
	return out, err
}

// compareArchived orders by what words find, then newest captured, then id.
func compareArchived(words map[int64]float64) func(a, b Memory) int {
	return func(a, b Memory) int {
		return cmp.Or(cmp.Compare(words[b.Number], words[a.Number]), b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
	}
}
