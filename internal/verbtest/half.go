package verbtest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"combray/internal/memory"
)

// Half says what in a store is half done or must never be together: a row without
// the audit row that was to commit with it, or the other way round, two current
// accounts of a scope or a broken chain of them, a place for what is forgotten,
// two of a kind where one may be. It judges stores that the verbs alone have
// written; an import brings rows whose audit rows are another system's.
func Half(ctx context.Context, s memory.Store) ([]string, error) {
	var b books
	if err := s.View(ctx, func(r memory.Reader) error { return b.load(ctx, r) }); err != nil {
		return nil, err
	}
	b.memoriesMatch()
	b.placesMatch()
	b.canonMatches()
	b.conflictsMatch()
	b.linksMatch()
	b.chainsHold()
	b.narrativesMatch()
	b.claimsMatch()
	slices.Sort(b.wrong)
	return b.wrong, nil
}

// books are what a store holds and what its audit log says.
type books struct {
	memories   []memory.Memory
	alive      map[memory.ID]memory.Memory
	labels     map[memory.ID][]string
	anchors    []memory.Anchor
	canon      []memory.CanonEntry // active
	conflicts  []memory.Conflict
	links      []memory.Link
	narratives []memory.Narrative // newest first
	claims     []memory.Claim
	events     []memory.ClaimEvent // by sequence
	evidence   []memory.Evidence
	log        map[memory.ID][]memory.AuditRow // by subject, oldest first
	wrong      []string
}

func (b *books) load(ctx context.Context, r memory.Reader) error {
	var err error
	keep := func(e error) {
		if err == nil {
			err = e
		}
	}
	var e error
	b.memories, e = r.List(ctx, memory.ListQuery{Filter: anyMemory, Order: memory.OldestCaptured, Limit: math.MaxInt32})
	keep(e)
	b.alive = map[memory.ID]memory.Memory{}
	var ids, claims []memory.ID
	for _, m := range b.memories {
		b.alive[m.ID], ids = m, append(ids, m.ID)
	}
	b.labels, e = r.Labels(ctx, ids)
	keep(e)
	b.anchors, e = r.Anchors(ctx)
	keep(e)
	b.canon, e = r.Canon(ctx, nil, nil)
	keep(e)
	b.conflicts, e = r.Conflicts(ctx, nil)
	keep(e)
	b.links, e = r.LinksOf(ctx, ids, true)
	keep(e)
	b.narratives, e = r.NarrativeHistory(ctx, nil, math.MaxInt32)
	keep(e)
	b.claims, e = r.ClaimsIn(ctx, nil)
	keep(e)
	for _, c := range b.claims {
		claims = append(claims, c.ID)
	}
	b.events, e = r.ClaimEvents(ctx, claims)
	keep(e)
	b.evidence, e = r.EvidenceFor(ctx, claims)
	keep(e)
	rows, e := r.Audit(ctx, memory.AuditQuery{Captures: true, Limit: math.MaxInt32})
	keep(e)
	slices.SortFunc(rows, func(x, y memory.AuditRow) int { return int(x.Sequence - y.Sequence) })
	b.log = map[memory.ID][]memory.AuditRow{}
	for _, row := range rows {
		b.log[row.Subject] = append(b.log[row.Subject], row)
	}
	return err
}

func (b *books) tell(format string, args ...any) {
	b.wrong = append(b.wrong, fmt.Sprintf(format, args...))
}

// count gives how many rows of a subject record an action with a reason that
// begins so.
func (b *books) count(subject memory.ID, action memory.Action, begins string) int {
	n := 0
	for _, row := range b.log[subject] {
		if row.Action == action && strings.HasPrefix(row.Reason, begins) {
			n++
		}
	}
	return n
}

// last gives the newest action of a subject among some, "" without one.
func (b *books) last(subject memory.ID, among ...memory.Action) memory.Action {
	for _, row := range slices.Backward(b.log[subject]) {
		if slices.Contains(among, row.Action) {
			return row.Action
		}
	}
	return ""
}

// agree compares what the rows say with what the log says.
func (b *books) agree(id memory.ID, what string, rows, log any) {
	if rows != log {
		b.tell("%s: %s is %v by its rows and %v by the audit log", id, what, rows, log)
	}
}

func (b *books) memoriesMatch() {
	positions := map[string]memory.ID{}
	for id, m := range b.alive {
		b.agree(id, "captures", 1, b.count(id, memory.ActRemember, ""))
		b.agree(id, "erased", false, b.last(id, memory.ActErase) != "")
		b.agree(id, "consolidated", m.Status == memory.Consolidated, b.last(id, memory.ActPromote) != "")
		tombstone := b.last(id, memory.ActForget, memory.ActUpdateMemory, memory.ActRestore)
		b.agree(id, "forgotten", m.Forgotten(), tombstone == memory.ActForget || tombstone == memory.ActUpdateMemory)
		b.agree(id, "labels", len(b.labels[id]), b.count(id, memory.ActCorroborate, ""))
		b.agree(id, "testimony", m.Tier == memory.Testimony, b.count(id, memory.ActCorroborateUpgrade, "") == 1)
		if flag := b.last(id, memory.ActFlagSensitive, memory.ActAutoFlagSensitive, memory.ActClearSensitive); flag != "" {
			b.agree(id, "sensitive", m.SecuritySensitive, flag != memory.ActClearSensitive)
		}
		if m.SessionID != nil && m.SessionPosition != nil {
			place := fmt.Sprintf("position %d of %q", *m.SessionPosition, *m.SessionID)
			if other := positions[place]; other != "" {
				b.tell("%s and %s share %s", min(id, other), max(id, other), place)
			}
			positions[place] = id
		}
	}
	for id, rows := range b.log {
		if _, here := b.alive[id]; !here && b.count(id, memory.ActRemember, "") > 0 {
			b.agree(id, "erased", true, b.last(id, memory.ActErase) != "")
		}
		for _, row := range rows {
			by, _, _ := strings.Cut(strings.TrimPrefix(row.Reason, "by="), ": ")
			if row.Action == memory.ActUpdateMemory && row.Salt != nil && len(b.log[memory.ID(by)]) == 0 {
				b.tell("%s: the memory %s that corrects it is not there", id, by)
			}
		}
	}
}

func (b *books) placesMatch() {
	anchored := map[memory.ID]bool{}
	for _, a := range b.anchors {
		anchored[a.MemoryID] = true
		b.mayHavePlace(a.MemoryID, "is an anchor")
	}
	for id := range b.alive {
		b.agree(id, "anchored", anchored[id], b.last(id, memory.ActPin, memory.ActUnpin, memory.ActUnpinBySensitivity) == memory.ActPin)
	}
}

func (b *books) mayHavePlace(id memory.ID, what string) {
	if m, here := b.alive[id]; !here || m.Forgotten() || m.Status != memory.Consolidated {
		b.tell("%s %s although it is forgotten, working or gone", id, what)
	}
}

func (b *books) canonMatches() {
	active := map[memory.ID][]string{}
	for _, e := range b.canon {
		if slices.Contains(active[e.MemoryID], e.Scope) {
			b.tell("%s is twice in the canon of %q", e.MemoryID, e.Scope)
		}
		active[e.MemoryID] = append(active[e.MemoryID], e.Scope)
		b.mayHavePlace(e.MemoryID, "is in the canon of "+e.Scope)
	}
	for id := range b.alive {
		said := map[string]bool{}
		for _, row := range b.log[id] {
			scope, _, _ := strings.Cut(strings.TrimPrefix(row.Reason, "scope="), ": ")
			switch row.Action {
			case memory.ActCanonize:
				said[scope] = true
			case memory.ActDecanonize, memory.ActDecanonizeBySensitivity, memory.ActEndScope:
				if strings.HasPrefix(row.Reason, "all scopes: ") {
					clear(said)
				}
				delete(said, scope)
			}
		}
		b.agree(id, "number of its scopes", len(active[id]), len(said))
		for _, scope := range active[id] {
			b.agree(id, "membership in "+scope, true, said[scope])
		}
	}
}

func (b *books) conflictsMatch() {
	open := map[memory.Opponents]bool{}
	marked := map[[2]memory.ID]int{}
	for _, c := range b.conflicts {
		marked[[2]memory.ID{c.A, c.B}]++
		b.agree(c.ID, "resolved", c.ResolvedAt != nil, b.count(c.A, memory.ActResolveConflict, "conflict="+string(c.ID)+" ") == 1)
		if c.ResolvedAt != nil {
			continue
		}
		if pair := memory.OpponentsOf(c.A, c.B); open[pair] {
			b.tell("two conflicts of %s and %s are open", pair[0], pair[1])
		} else {
			open[pair] = true
		}
	}
	for pair, n := range marked {
		b.agree(pair[0], "conflicts with "+string(pair[1]), n, b.count(pair[0], memory.ActMarkConflict, "with="+string(pair[1])+": "))
	}
}

func (b *books) linksMatch() {
	active := map[memory.Edge]bool{}
	for _, l := range b.links {
		made := b.count(l.From, memory.ActLinkMemories, "link="+string(l.ID)+" ")
		if corrected := b.count(l.To, memory.ActUpdateMemory, "by="+string(l.From)+": "); l.Relation != "updates" || corrected == 0 {
			b.agree(l.ID, "link", 1, made)
		}
		b.agree(l.ID, "retired", l.RetiredAt != nil, b.count(l.From, memory.ActUnlinkMemories, "link="+string(l.ID)+": ") == 1)
		edge := memory.Edge{From: l.From, To: l.To, Relation: l.Relation}
		if l.RetiredAt == nil && active[edge] {
			b.tell("two links %s from %s to %s are active", l.Relation, l.From, l.To)
		}
		active[edge] = active[edge] || l.RetiredAt == nil
	}
}

// chainsHold wants one current version in each scope, and every version to be
// superseded by one of its scope that no other was superseded by.
func (b *books) chainsHold() {
	byID := map[memory.ID]memory.Narrative{}
	current, successor := map[string]int{}, map[memory.ID]bool{}
	for _, n := range b.narratives {
		byID[n.ID] = n
		current[n.Scope] += 0
		if n.SupersededAt == nil {
			current[n.Scope]++
		}
	}
	for _, n := range b.narratives {
		if n.SupersededAt == nil {
			continue
		}
		if n.SupersededBy == nil || byID[*n.SupersededBy].Scope != n.Scope || successor[*n.SupersededBy] {
			b.tell("%s: the chain of scope %q is broken", n.ID, n.Scope)
			continue
		}
		successor[*n.SupersededBy] = true
	}
	for scope, n := range current {
		if n != 1 {
			b.tell("scope %q has %d current accounts", scope, n)
		}
	}
}

func (b *books) narrativesMatch() {
	told := map[memory.ID]bool{}
	for _, n := range b.narratives {
		told[n.ID] = true
		b.agree(n.ID, "account", 1, b.count(n.ID, memory.ActNarrate, ""))
		mark := b.last(n.ID, memory.ActNarrativeInvalidated, memory.ActReviewNarrative)
		b.agree(n.ID, "marked for review", n.ReviewRequiredAt != nil, mark == memory.ActNarrativeInvalidated)
	}
	for id := range b.log {
		if !told[id] && b.count(id, memory.ActNarrate, "") > 0 {
			b.tell("%s: the account that the audit log tells of is not there", id)
		}
	}
}
