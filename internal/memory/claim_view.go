package memory

import (
	"slices"
	"time"
)

// ClaimFacts is a claim with everything on record about it.
type ClaimFacts struct {
	Claim    Claim
	Events   []ClaimEvent    // by sequence
	Evidence []Evidence      // retracted too, by RecordedAt, then ID
	Memories map[ID]Memory   // those that the evidence cites, known ones
	Labels   map[ID][]string // their corroborating labels
}

// ClaimEvidence is evidence as a claim shows it.
type ClaimEvidence struct {
	Evidence Evidence
	Active   bool
}

// ClaimSupport counts what stands for and against a claim. Origins are what
// callers said; their independence is not verified.
type ClaimSupport struct {
	Supporting, Challenging int
	OriginGroups            []string // distinct origins of supporting evidence, sorted
	UnknownOrigin           int      // supporting evidence without an origin
}

// ClaimView is a claim as it was on record at a time; whether its sources can
// be used is always judged now (contract/history.md 4.4).
type ClaimView struct {
	Claim             Claim
	Status            ClaimAction // one of the four states
	ReplacementID     *ID
	AsOf              *time.Time
	Support           ClaimSupport
	ReviewRequired    bool
	Events            []ClaimEvent
	Evidence          []ClaimEvidence
	Issues            []Issue
	Redacted          bool // it cites a forgotten memory: only its frame may be shown
	EligibleForRecall bool
	Relevance         *float64
}

// viewClaim computes the view of a claim; nil when it was not yet recorded.
func viewClaim(f ClaimFacts, asOf *time.Time, now time.Time) *ClaimView {
	recorded := func(at time.Time) bool { return asOf == nil || !at.After(*asOf) }
	if !recorded(f.Claim.RecordedAt) {
		return nil
	}
	v := ClaimView{Claim: f.Claim, AsOf: asOf, Redacted: f.redacted()}
	for _, e := range f.Events {
		if recorded(e.RecordedAt) {
			v.Events = append(v.Events, e)
		}
	}
	v.Status, v.ReplacementID = statusOf(v.Events)
	for _, e := range f.Evidence {
		if !recorded(e.RecordedAt) {
			continue
		}
		if e.RetractedAt != nil && !recorded(*e.RetractedAt) {
			e.RetractedAt, e.RetractionReason = nil, nil
		}
		v.Evidence = append(v.Evidence, ClaimEvidence{e, e.RetractedAt == nil})
	}
	v.Support = supportOf(v.Evidence)
	v.Issues = f.issues(v.Evidence, now)
	v.ReviewRequired = v.Redacted || v.Status == ClaimAdopted &&
		(changedSinceAdoption(v.Events) || len(v.Issues) > 0 || v.Support.Supporting == 0)
	v.EligibleForRecall = v.Status == ClaimAdopted && !v.ReviewRequired
	return &v
}

// redacted says whether any memory that the claim ever cited is forgotten, by
// retracted evidence too.
func (f ClaimFacts) redacted() bool {
	return slices.ContainsFunc(f.Evidence, func(e Evidence) bool {
		m, known := f.Memories[e.MemoryID]
		return known && m.Forgotten()
	})
}

// active is the evidence that was not retracted.
func (f ClaimFacts) active() []Evidence {
	return slices.DeleteFunc(slices.Clone(f.Evidence), func(e Evidence) bool { return e.RetractedAt != nil })
}

// statusOf is the last state among events, and what replaced the claim.
func statusOf(events []ClaimEvent) (status ClaimAction, replacement *ID) {
	status = ClaimProposed
	for _, e := range events {
		switch e.Action {
		case ClaimProposed, ClaimAdopted, ClaimWithdrawn, ClaimSuperseded:
			status, replacement = e.Action, e.ReplacementID
		}
	}
	return status, replacement
}

// changedSinceAdoption says whether an event of any kind follows the last
// adoption.
func changedSinceAdoption(events []ClaimEvent) bool {
	return len(events) > 0 && events[len(events)-1].Action != ClaimAdopted
}

func supportOf(evidence []ClaimEvidence) ClaimSupport {
	var s ClaimSupport
	for _, e := range evidence {
		if !e.Active {
			continue
		}
		switch e.Evidence.Stance {
		case "supports":
			s.Supporting++
			if e.Evidence.OriginID == nil {
				s.UnknownOrigin++
			} else {
				s.OriginGroups = append(s.OriginGroups, *e.Evidence.OriginID)
			}
		case "challenges":
			s.Challenging++
		}
	}
	slices.Sort(s.OriginGroups)
	s.OriginGroups = slices.Compact(s.OriginGroups)
	return s
}

// issues are what is wrong now with the source of each active evidence; a memory
// that is cited twice has its issues twice (contract/history.md 4.4).
func (f ClaimFacts) issues(evidence []ClaimEvidence, now time.Time) []Issue {
	var issues []Issue
	for _, e := range evidence {
		id := e.Evidence.MemoryID
		if !e.Active {
			continue
		}
		for _, code := range SourceIssues(knownMemory(f.Memories, id), f.Labels[id], f.Claim.SecuritySensitive, now) {
			issues = append(issues, Issue{MemoryID: &id, Code: code})
		}
	}
	return issues
}

func knownMemory(memories map[ID]Memory, id ID) *Memory {
	if m, known := memories[id]; known {
		return &m
	}
	return nil
}
