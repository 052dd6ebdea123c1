package memory

import (
	"fmt"
	"slices"
	"time"
)

// LinkMemories says how one memory relates to another (contract/history.md 1.6);
// it grants no trust. An active link of the same ends and relation is given
// unchanged. id names the new one.
func LinkMemories(p Pair, active *Link, ask Link, now time.Time) (Link, Plan, error) {
	if err := need(given{"reason", ask.Reason}); err != nil {
		return Link{}, Plan{}, err
	}
	if p.A.ID == p.B.ID {
		return Link{}, Plan{}, Invalid("to_id", "Pass the ids of two different memories.", "a memory cannot be linked to itself")
	}
	if !slices.Contains(Relations, ask.Relation) {
		return Link{}, Plan{}, Invalid("relation", "Use related when neither updates nor explains fits.",
			"relation must be one of related, updates, explains, not %q", string(ask.Relation))
	}
	if err := p.bothLive("linked"); err != nil {
		return Link{}, Plan{}, err
	}
	if active != nil {
		return *active, Plan{}, nil
	}
	ask.From, ask.To, ask.CreatedAt = p.A.ID, p.B.ID, now
	var plan Plan
	plan.Write(PutLink{ask})
	plan.Record(ask.From, ActLinkMemories, fmt.Sprintf("link=%s to=%s relation=%s: %s", ask.ID, ask.To, ask.Relation, ask.Reason), now)
	return ask, plan, nil
}

// UnlinkMemories retires a link; the narratives that name it are marked for
// review. A repeat gives the link as it is.
func UnlinkMemories(id ID, link *Link, d Dependents, reason string, now time.Time) (Link, Plan, error) {
	if err := need(given{"reason", reason}); err != nil {
		return Link{}, Plan{}, err
	}
	if link == nil {
		return Link{}, Plan{}, NotFound("link", id)
	}
	if link.RetiredAt != nil {
		return *link, Plan{}, nil
	}
	retired := *link
	retired.RetiredAt, retired.RetirementReason = &now, &reason
	plan := Invalidate(now, SourceChange{Kind: SourceLink, ID: id, Why: whyRetiredLink, Dependents: d})
	plan.Write(PutLink{retired})
	plan.Record(link.From, ActUnlinkMemories, fmt.Sprintf("link=%s: %s", id, reason), now)
	return retired, plan, nil
}
