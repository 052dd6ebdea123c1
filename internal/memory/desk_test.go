package memory_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// desk is a service on the model store, with a clock that stands until a test
// moves it.
type desk struct {
	*testing.T
	*memory.Service
	memtest.Sample // of rows that a test writes by itself, with the service's clock and names
	store          *memtest.Store
	encoder        *memtest.Encoder
	index          *memtest.Index
	ctx            context.Context
	read           int // audit rows that audit has given
}

func newDesk(t *testing.T, change ...func(*memory.Config)) *desk {
	d := &desk{T: t, store: memtest.NewStore(memtest.StoreOptions{}), encoder: &memtest.Encoder{},
		ctx: memory.WithActor(context.Background(), memory.Actor{Client: "desk", Door: memory.DoorCLI})}
	d.Clock.Tick = -1
	d.index = memtest.NewIndex(d.store, memory.LineIdentity(d.encoder.Identity()))
	c := memory.Config{Store: d.store, Index: d.index, Encoder: d.encoder,
		Now: d.Clock.Now, Random: &d.IDs, Zone: time.UTC}
	for _, f := range change {
		f(&c)
	}
	d.Service = memory.New(c)
	t.Cleanup(func() {
		faults, err := d.store.Check(context.Background())
		if err != nil || len(faults) > 0 {
			t.Errorf("the store is not sound: %v, %v", faults, err)
		}
		_ = d.store.Close()
	})
	return d
}

// keep remembers a text a second after the one before.
func (d *desk) keep(content string, change ...func(*memory.RememberInput)) memory.Memory {
	d.Helper()
	in := memory.RememberInput{Content: content, Source: memtest.Of("Ada")}
	for _, f := range change {
		f(&in)
	}
	d.Clock.Advance(time.Second)
	r, err := d.Remember(d.ctx, in)
	if err != nil {
		d.Fatalf("remember %q: %v", content, err)
	}
	d.Clock.Advance(time.Second)
	return r.Memory
}

// keepFirm remembers a text and promotes it.
func (d *desk) keepFirm(content string, change ...func(*memory.RememberInput)) memory.Memory {
	d.Helper()
	m := d.keep(content, change...)
	return ok[memory.Memory](d)(d.Promote(d.ctx, m.ID, "lasting"))
}

func asReading(in *memory.RememberInput)   { in.Tier = "interpretation" }
func asSensitive(in *memory.RememberInput) { in.SecuritySensitive = true }

// ok gives a value that had to come without an error.
func ok[V any](d *desk) func(V, error) V {
	return func(v V, err error) V {
		d.Helper()
		if err != nil {
			d.Fatalf("call: %v", err)
		}
		return v
	}
}

// denied wants a failure of a code whose message holds the keyword and that has
// a hint.
func (d *desk) denied(err error, code memory.Code, keyword string) {
	d.Helper()
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Message, keyword) || e.Hint == "" {
		d.Errorf("error %v, want code %s, a hint, and %q", err, code, keyword)
	}
}

// audit gives the audit rows since the last call, oldest first, as "action
// subject: reason" with names for ids.
func (d *desk) audit(names ...any) []string {
	d.Helper()
	var rows []memory.AuditRow
	d.view(func(r memory.Reader) error {
		var err error
		rows, err = r.Audit(d.ctx, memory.AuditQuery{})
		return err
	})
	slices.Reverse(rows)
	var out []string
	for _, row := range rows[d.read:] {
		out = append(out, fmt.Sprintf("%s %s: %s", row.Action, row.Subject, row.Reason))
	}
	d.read = len(rows)
	for i := 0; i+1 < len(names); i += 2 {
		for j := range out {
			out[j] = strings.ReplaceAll(out[j], string(names[i+1].(memory.ID)), names[i].(string))
		}
	}
	return out
}

// wrote wants the audit rows since the last look to begin with these.
func (d *desk) wrote(got []string, want ...string) {
	d.Helper()
	if !slices.EqualFunc(got, want, strings.HasPrefix) {
		d.Errorf("audit rows\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

func (d *desk) view(f func(memory.Reader) error) {
	d.Helper()
	if err := d.store.View(d.ctx, f); err != nil {
		d.Fatalf("view: %v", err)
	}
}

// write puts rows into the store past the service.
func (d *desk) write(changes ...memory.Change) {
	d.Helper()
	err := d.store.Update(d.ctx, func(tx memory.Tx) error { return tx.Apply(d.ctx, memory.Plan{Changes: changes}) })
	if err != nil {
		d.Fatalf("write: %v", err)
	}
}

// build writes an adopted claim on a memory, a narrative of the claim and one of
// the memory, and names them.
func (d *desk) build(m memory.Memory) (claim, ofClaim, ofMemory memory.ID) {
	d.Helper()
	c := d.Claim("global")
	event := d.Event(c, memory.ClaimAdopted)
	a, b := d.Narrative("claim on "+string(m.ID), m), d.Narrative("story of "+string(m.ID), m)
	a.ClaimIDs = []memory.ID{c.ID}
	d.write(memory.PutClaim{Claim: c}, memory.PutClaimEvent{Event: event}, memory.PutEvidence{Evidence: d.Evidence(c, m)},
		memory.PutNarrative{Narrative: a}, memory.PutNarrative{Narrative: b})
	return c.ID, a.ID, b.ID
}

// stored reads a memory past the service; nil when it is not there.
func (d *desk) stored(id memory.ID) (m *memory.Memory) {
	d.Helper()
	d.view(func(r memory.Reader) (err error) {
		m, err = r.Memory(d.ctx, id)
		return err
	})
	return m
}

// recalled gives the contents that a recall shows, in order.
func (d *desk) recalled(query string) (out []string) {
	d.Helper()
	in := memory.RecallInput{Limit: 50}
	if query != "" {
		in.Query = &query
	}
	for _, row := range ok[memory.RecallResult](d)(d.Recall(d.ctx, in)).Memories {
		out = append(out, string(row.Memory.Content))
	}
	return out
}
