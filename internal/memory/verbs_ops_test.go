package memory_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"combray/internal/memory"
)

// stage is what every verb can work on.
type stage struct {
	plain, firm, anchor, member, reading, gone memory.Memory
	conflict                                   memory.ID
	link                                       memory.ID
}

func (d *desk) stage() stage {
	d.Helper()
	s := stage{plain: d.keep("plain"), firm: d.keepFirm("firm"), anchor: d.keepFirm("anchor"), member: d.keepFirm("member"), reading: d.keep("reading", asReading), gone: d.keep("gone")}
	ok[memory.Pinned](d)(d.Pin(d.ctx, s.anchor.ID, "r"))
	ok[memory.Canonized](d)(d.Canonize(d.ctx, s.member.ID, "task", "r"))
	ok[memory.Memory](d)(d.Forget(d.ctx, s.gone.ID, "r"))
	s.conflict = ok[memory.ConflictRow](d)(d.MarkConflict(d.ctx, s.plain.ID, s.firm.ID, "r")).Conflict.ID
	s.link = ok[memory.Link](d)(d.LinkMemories(d.ctx, s.plain.ID, s.firm.ID, "related", "r")).ID
	d.build(s.plain)
	d.build(s.reading)
	return s
}

// verbs are every verb of this half of the package with texts of their own, each
// on a memory that allows it. It says which texts a caller gave.
func (d *desk) verbs(s stage, text string) map[string]func() error {
	ctx := d.ctx
	return map[string]func() error{
		"promote":         func() error { _, err := d.Promote(ctx, s.plain.ID, text); return err },
		"review":          func() error { _, err := d.Review(ctx, s.reading.ID, text); return err },
		"forget":          func() error { _, err := d.Forget(ctx, s.plain.ID, text); return err },
		"restore":         func() error { _, err := d.Restore(ctx, s.gone.ID, text); return err },
		"flag_sensitive":  func() error { _, err := d.FlagSensitive(ctx, s.anchor.ID, text); return err },
		"update_memory":   func() error { _, err := d.UpdateMemory(ctx, s.plain.ID, "new "+text, text); return err },
		"erase":           func() error { _, err := d.Erase(ctx, s.plain.ID, text, true); return err },
		"corroborate":     func() error { _, err := d.Corroborate(ctx, s.plain.ID, text); return err },
		"pin":             func() error { _, err := d.Pin(ctx, s.firm.ID, text); return err },
		"unpin":           func() error { _, err := d.Unpin(ctx, s.anchor.ID, &text); return err },
		"canonize":        func() error { _, err := d.Canonize(ctx, s.firm.ID, text, text); return err },
		"decanonize":      func() error { _, err := d.Decanonize(ctx, s.member.ID, nil, text); return err },
		"end_scope":       func() error { _, err := d.EndScope(ctx, "task", text); return err },
		"set_frame":       func() error { _, err := d.SetFrame(ctx, s.plain.ID, text, text); return err },
		"mark_conflict":   func() error { _, err := d.MarkConflict(ctx, s.plain.ID, s.member.ID, text); return err },
		"resolve":         func() error { _, err := d.ResolveConflict(ctx, s.conflict, text, nil); return err },
		"link_memories":   func() error { _, err := d.LinkMemories(ctx, s.plain.ID, s.member.ID, "explains", text); return err },
		"unlink_memories": func() error { _, err := d.UnlinkMemories(ctx, s.link, text); return err },
		"set_history_context": func() error {
			_, err := d.SetHistoryContext(ctx, memory.HistoryContextInput{MemoryID: s.plain.ID, Reason: text, SessionID: &text})
			return err
		},
	}
}

// broken is a store whose plans fail: all of them, once it is told to.
type broken struct {
	memory.Store
	fail bool
}

type brokenTx struct{ memory.Tx }

var errBroken = errors.New("broken on purpose")

func (b *broken) Update(ctx context.Context, f func(memory.Tx) error) error {
	if !b.fail {
		return b.Store.Update(ctx, f)
	}
	return b.Store.Update(ctx, func(tx memory.Tx) error { return f(brokenTx{Tx: tx}) })
}

// Apply writes the plan and then fails, as an audit insert does that comes last.
func (b brokenTx) Apply(ctx context.Context, p memory.Plan) error {
	if err := b.Tx.Apply(ctx, p); err != nil {
		return err
	}
	return errBroken
}

// A failure while a plan is written leaves nothing of it, and the next call
// commits no leftovers.
func TestAFailureLeavesNothing(t *testing.T) {
	for name := range newDesk(t).verbs(stage{}, "") {
		t.Run(name, func(t *testing.T) {
			b := &broken{}
			d := newDesk(t, func(c *memory.Config) { b.Store, c.Store = c.Store, b })
			s := d.stage()
			before := d.everything()
			b.fail = true
			if err := d.verbs(s, "because")[name](); !errors.Is(err, errBroken) {
				t.Fatalf("error %v, want the store's", err)
			}
			if after := d.everything(); after != before {
				t.Errorf("the store changed:\n%s\nwas\n%s", after, before)
			}
			b.fail = false
			if err := d.verbs(s, "because")[name](); err != nil {
				t.Errorf("the next call: %v", err)
			}
		})
	}
}

// everything is the store as text.
func (d *desk) everything() string {
	d.Helper()
	var b strings.Builder
	d.view(func(r memory.Reader) error {
		memories, err := r.List(d.ctx, memory.ListQuery{Filter: memory.ListFilter{Forgotten: memory.ActiveAndForgotten}})
		audit, err2 := r.Audit(d.ctx, memory.AuditQuery{Captures: true})
		anchors, err3 := r.Anchors(d.ctx)
		canon, err4 := r.Canon(d.ctx, nil, nil)
		conflicts, err5 := r.Conflicts(d.ctx, nil)
		narratives, err6 := r.NarrativeHistory(d.ctx, nil, 0)
		claims, err7 := r.ClaimsIn(d.ctx, nil)
		for _, m := range memories {
			fmt.Fprintf(&b, "%d %d %s\n", m.Number, m.Seq, m.Content)
			links, err := r.LinksOf(d.ctx, []memory.ID{m.ID}, true)
			labels, err2 := r.Labels(d.ctx, []memory.ID{m.ID})
			fmt.Fprintln(&b, len(links), labels, err, err2)
		}
		for _, n := range narratives {
			fmt.Fprintln(&b, n.ID, n.ReviewRequiredAt != nil)
		}
		for _, c := range claims {
			events, err := r.ClaimEvents(d.ctx, []memory.ID{c.ID})
			fmt.Fprintln(&b, c.ID, len(events), err)
		}
		fmt.Fprintln(&b, len(audit), len(anchors), len(canon), len(conflicts))
		return errors.Join(err, err2, err3, err4, err5, err6, err7)
	})
	return b.String()
}

// Under COMBRAY_SECRETS=refuse no verb stores a secret, under redact none keeps it.
func TestVerbsTreatSecretsByPolicy(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2c3", 6)
	for name := range newDesk(t).verbs(stage{}, "") {
		refuse := newDesk(t, func(c *memory.Config) { c.Secrets = memory.SecretsRefuse })
		s := refuse.stage()
		refuse.audit()
		err := refuse.verbs(s, "see "+key)[name]()
		if memory.CodeOf(err) != memory.CodeInvalid || !strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), key) {
			t.Errorf("%s: refuse: %v", name, err)
		}
		if rows := refuse.audit(); len(rows) > 0 {
			t.Errorf("%s: refuse wrote %q", name, rows)
		}
		redact := newDesk(t, func(c *memory.Config) { c.Secrets = memory.SecretsRedact })
		s = redact.stage()
		redact.audit()
		if err := redact.verbs(s, "see "+key)[name](); err != nil {
			t.Errorf("%s: redact: %v", name, err)
		}
		rows := strings.Join(redact.audit(), "\n")
		if strings.Contains(rows, key) || !strings.Contains(rows, memory.SecretMark) {
			t.Errorf("%s: redact kept the secret or left no mark: %s", name, rows)
		}
	}
}

// Two verbs at once leave what one of the two orders leaves.
func TestRaces(t *testing.T) {
	type pair struct {
		first, second func(d *desk, s stage) error
		holds         func(d *desk, s stage) bool
	}
	anchored := func(d *desk, id memory.ID) (is bool) {
		d.view(func(r memory.Reader) error { a, err := r.Anchor(d.ctx, id); is = a != nil; return err })
		return is
	}
	active := func(d *desk, id memory.ID) (n int) {
		d.view(func(r memory.Reader) error { c, err := r.Canon(d.ctx, nil, &id); n = len(c); return err })
		return n
	}
	count := func(d *desk, action memory.Action) (n int) {
		d.view(func(r memory.Reader) error {
			rows, err := r.Audit(d.ctx, memory.AuditQuery{Action: &action})
			n = len(rows)
			return err
		})
		return n
	}
	pin := func(d *desk, s stage) error { _, err := d.Pin(d.ctx, s.firm.ID, "r"); return err }
	forget := func(d *desk, s stage) error { _, err := d.Forget(d.ctx, s.firm.ID, "r"); return err }
	flag := func(d *desk, s stage) error { _, err := d.FlagSensitive(d.ctx, s.firm.ID, "r"); return err }
	canonize := func(d *desk, s stage) error { _, err := d.Canonize(d.ctx, s.firm.ID, "x", "r"); return err }
	erase := func(d *desk, s stage) error { _, err := d.Erase(d.ctx, s.firm.ID, "r", true); return err }
	for name, p := range map[string]pair{
		"never anchored and forgotten": {pin, forget, func(d *desk, s stage) bool { return !(anchored(d, s.firm.ID) && d.stored(s.firm.ID).Forgotten()) }},
		"never in canon and forgotten": {canonize, forget, func(d *desk, s stage) bool { return active(d, s.firm.ID) == 0 || !d.stored(s.firm.ID).Forgotten() }},
		"no place for what is flagged": {pin, flag, func(d *desk, s stage) bool { return !anchored(d, s.firm.ID) && d.stored(s.firm.ID).SecuritySensitive }},
		"no canon for what is flagged": {canonize, flag, func(d *desk, s stage) bool { return active(d, s.firm.ID) == 0 }},
		"one membership":               {canonize, canonize, func(d *desk, s stage) bool { return active(d, s.firm.ID) == 1 && count(d, memory.ActCanonize) == 2 }},
		"nothing for what is erased":   {pin, erase, func(d *desk, s stage) bool { return !anchored(d, s.firm.ID) && d.stored(s.firm.ID) == nil }},
		"one unpin": {func(d *desk, s stage) error { _, err := d.Unpin(d.ctx, s.anchor.ID, nil); return err },
			func(d *desk, s stage) error { _, err := d.Unpin(d.ctx, s.anchor.ID, nil); return err },
			func(d *desk, _ stage) bool {
				return count(d, memory.ActUnpin) == 1 && count(d, memory.ActUnpinNoop) == 1
			}},
		"one open conflict": {func(d *desk, s stage) error {
			_, err := d.MarkConflict(d.ctx, s.plain.ID, s.member.ID, "r")
			return err
		},
			func(d *desk, s stage) error {
				_, err := d.MarkConflict(d.ctx, s.member.ID, s.plain.ID, "r")
				return err
			},
			func(d *desk, _ stage) bool { return count(d, memory.ActMarkConflict) == 2 }},
		"one upgrade": {func(d *desk, s stage) error { _, err := d.Corroborate(d.ctx, s.firm.ID, "Bea"); return err },
			func(d *desk, s stage) error { _, err := d.Corroborate(d.ctx, s.firm.ID, "Cid"); return err },
			func(d *desk, _ stage) bool { return count(d, memory.ActCorroborateUpgrade) == 1 }},
		"one correction": {func(d *desk, s stage) error { _, err := d.UpdateMemory(d.ctx, s.plain.ID, "one", "r"); return err },
			func(d *desk, s stage) error { _, err := d.UpdateMemory(d.ctx, s.plain.ID, "two", "r"); return err },
			func(d *desk, _ stage) bool { return count(d, memory.ActUpdateMemory) == 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			for range 20 {
				d := newDesk(t)
				s := d.stage()
				var wait sync.WaitGroup
				for _, verb := range []func(*desk, stage) error{p.first, p.second} {
					wait.Go(func() {
						if err := verb(d, s); err != nil && memory.CodeOf(err) == memory.CodeInternal {
							t.Errorf("%v", err)
						}
					})
				}
				wait.Wait()
				if !p.holds(d, s) {
					t.Fatal("it does not hold")
				}
			}
		})
	}
}

// A call that is cancelled while another writes leaves nothing.
func TestCancelledVerbWritesNothing(t *testing.T) {
	d := newDesk(t)
	m := d.keep("plain")
	ctx, cancel := context.WithCancel(d.ctx)
	cancel()
	if _, err := d.Promote(ctx, m.ID, "r"); err == nil {
		t.Error("promoted although cancelled")
	}
	if rows := d.audit(); len(rows) > 0 {
		t.Errorf("wrote %q", rows)
	}
}
