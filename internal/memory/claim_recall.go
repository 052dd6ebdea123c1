package memory

import (
	"cmp"
	"slices"
	"time"

	"combray/internal/lexical"
)

// RecallClaimsInput chooses claims as the caller gave it.
type RecallClaimsInput struct {
	Query           *string
	Limit           int
	Scope           *string
	AsOf, ValidAt   *string
	IncludeInactive bool
}

// RecallClaimsResult is the answer of recall_claims.
type RecallClaimsResult struct {
	Claims        []ClaimView
	Eligible      int // before the limit
	Truncated     bool
	Scope         *string
	AsOf, ValidAt *time.Time
}

// checkRecallClaims reads a RecallClaimsInput.
func checkRecallClaims(in RecallClaimsInput) (RecallClaimsResult, error) {
	out := RecallClaimsResult{Scope: in.Scope}
	if in.Limit < 0 {
		return out, Invalid("limit", "Pass a limit of 0 or more.", "limit must be a whole number of 0 or more")
	}
	if err := notBlank("query", in.Query); err != nil {
		return out, err
	}
	if err := notBlank("scope", in.Scope); err != nil {
		return out, err
	}
	for _, t := range []struct {
		field string
		given *string
		to    **time.Time
	}{{"as_of", in.AsOf, &out.AsOf}, {"valid_at", in.ValidAt, &out.ValidAt}} {
		if t.given == nil {
			continue
		}
		at, _, err := ParseInstant(t.field, *t.given)
		if err != nil {
			return out, err
		}
		*t.to = &at
	}
	return out, nil
}

// chooseClaims gives the claims that may be shown, newest recorded first, or by
// their words when there is a query; those that share none stay behind.
func chooseClaims(facts []ClaimFacts, in RecallClaimsInput, out RecallClaimsResult, now time.Time) RecallClaimsResult {
	var views []ClaimView
	for _, f := range facts {
		v := viewClaim(f, out.AsOf, now)
		if v == nil || v.Redacted || !v.EligibleForRecall && !in.IncludeInactive || !holdsAt(f.Claim, out.ValidAt) {
			continue
		}
		views = append(views, *v)
	}
	if in.Query != nil {
		rankClaims(views, *in.Query)
	}
	out.Eligible = len(views)
	limit := min(in.Limit, MaxList)
	out.Truncated = len(views) > limit
	out.Claims = views[:min(limit, len(views))]
	return out
}

// holdsAt says whether a claim speaks of a time; without one it does not matter.
func holdsAt(c Claim, at *time.Time) bool {
	if at == nil {
		return true
	}
	return (c.ValidFrom == nil || !c.ValidFrom.After(*at)) && (c.ValidUntil == nil || c.ValidUntil.After(*at))
}

// rankClaims orders by BM25 of contract/history.md 3.2 over the claims at hand.
func rankClaims(views []ClaimView, query string) {
	asked := lexical.Query(query)
	df := make([]int, len(asked))
	total := 0
	for _, v := range views {
		terms := lexical.Terms(string(v.Claim.Content))
		total += len(terms)
		for i, t := range asked {
			if slices.Contains(terms, t) {
				df[i]++
			}
		}
	}
	scorer := newRelevance(asked, len(views), df, float64(total)/float64(max(len(views), 1)))
	for i := range views {
		score := scorer.of(views[i].Claim.Content)
		views[i].Relevance = &score
	}
	slices.SortStableFunc(views, func(a, b ClaimView) int { return cmp.Compare(*b.Relevance, *a.Relevance) })
}
