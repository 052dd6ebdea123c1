package store

import (
	"context"
	"database/sql"
	"fmt"
	"io"

	"combray/internal/memory"
)

// reader reads one snapshot through one connection.
type reader struct {
	c        *conn
	versions versions
	vacant   vacant
}

var _ memory.Reader = (*reader)(nil)

// conn gives the connection. Using a Reader after its View or Update is a broken
// invariant: the connection may be in other hands.
func (r *reader) conn() *conn {
	if r.c == nil {
		panic("store: a Reader was used after its View or Update had ended")
	}
	return r.c
}

// View implements memory.Store.
func (s *Store) View(ctx context.Context, f func(memory.Reader) error) error {
	return s.view(ctx, func(r *reader) error { return f(r) })
}

func (s *Store) view(ctx context.Context, f func(*reader) error) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.running.Done()
	c, err := s.readers.get(ctx)
	if err != nil {
		return err
	}
	defer s.readers.put(c)
	defer c.rollback()
	r := &reader{c: c}
	defer func() { *r = reader{} }()
	if err := r.snapshot(ctx); err != nil {
		return err
	}
	if err := f(r); err != nil {
		return err
	}
	if c.still.changed() {
		return errMoved()
	}
	return nil
}

// snapshot begins a read transaction and fixes what it sees.
func (r *reader) snapshot(ctx context.Context) error {
	ctx, err := brief(ctx)
	if err != nil {
		return err
	}
	if err := r.c.begin(ctx, false); err != nil {
		return err
	}
	_, err = r.c.scan(ctx, append(r.versions.cells(), r.vacant.cells()...), "SELECT "+versionColumns+", "+vacantColumns+" FROM store")
	return err
}

// tx is a reader that writes.
type tx struct {
	reader
	random io.Reader

	sequence int64              // newest change sequence
	identity sql.NullInt64      // of the newest vectors
	dirty    bool               // sequence, identity or versions differ from the row
	encoders map[string]encoder // by identity, as far as they were asked for
	audit    *auditTail         // nil until the first audit row
	changes  int                // written so far
	failed   error              // of the first Apply that failed: nothing is committed then
}

var _ memory.Tx = (*tx)(nil)

// Update implements memory.Store.
func (s *Store) Update(ctx context.Context, f func(memory.Tx) error) error {
	if err := s.writable(); err != nil {
		return err
	}
	if err := s.enter(); err != nil {
		return err
	}
	defer s.running.Done()
	c, err := s.writer.get(ctx)
	if err != nil {
		return err
	}
	defer s.writer.put(c)
	t := &tx{reader: reader{c: c}, random: s.options.Random, encoders: map[string]encoder{}}
	defer func() { t.c = nil }()
	err = c.transact(ctx, func() error { return t.run(ctx, f) })
	if err == nil && s.merger != nil {
		s.merger.wrote(t.changes)
	}
	return err
}

// run does everything between begin and commit.
func (t *tx) run(ctx context.Context, f func(memory.Tx) error) error {
	if err := t.load(ctx); err != nil {
		return err
	}
	if err := f(t); err != nil {
		return err
	}
	if t.failed != nil {
		return t.failed
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return t.save()
}

// load reads the store's row, and refuses to write when a newer Combray has
// changed the schema since this process opened the file.
func (t *tx) load(ctx context.Context) error {
	var version int
	_, err := t.c.scan(ctx, append([]any{&t.sequence, &t.identity, &version}, t.versions.cells()...),
		"SELECT sequence, identity, (SELECT user_version FROM pragma_user_version), "+versionColumns+" FROM store")
	if err == nil && version != schemaVersion {
		err = header{application: applicationID, version: version}.accept()
	}
	return err
}

func (t *tx) save() error {
	if !t.dirty {
		return nil
	}
	v := t.versions
	_, err := t.c.exec(context.Background(), "UPDATE store SET sequence = ?, identity = ?, ("+versionColumns+") = (?, ?, ?)",
		t.sequence, t.identity, v.queue, v.perceived, v.epoch)
	return err
}

// nextSequence gives the change that is being written its place among all.
func (t *tx) nextSequence() int64 {
	t.sequence++
	t.dirty = true
	return t.sequence
}

// grow raises one of the versions.
func (t *tx) grow(version *int64) {
	*version++
	t.dirty = true
}

// Apply implements memory.Tx. After a failure nothing of the transaction is
// kept, even if the caller ignores the error: SQLite may have rolled back
// already, and a plan is never written in part.
func (t *tx) Apply(ctx context.Context, p memory.Plan) error {
	if t.failed == nil {
		t.failed = t.apply(ctx, p)
	}
	return t.failed
}

// apply looks at the context between changes and not within them: each is short,
// and SQLite would roll everything back if it were interrupted.
func (t *tx) apply(ctx context.Context, p memory.Plan) error {
	t.changes += len(p.Changes)
	steady := context.WithoutCancel(ctx)
	for _, change := range p.Changes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.write(steady, change); err != nil {
			return err
		}
	}
	by := memory.ActorOf(ctx)
	for _, row := range p.Audit {
		row.By = by
		if err := t.record(steady, row); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) write(ctx context.Context, change memory.Change) error {
	c := t.conn()
	switch change := change.(type) {
	case memory.PutMemory:
		return t.putMemory(ctx, change.Memory)
	case memory.PutVectors:
		return t.putVectors(ctx, change)
	case memory.PutAnchor:
		return anchors.put(ctx, c, change.Anchor)
	case memory.RemoveAnchor:
		_, err := c.exec(ctx, "DELETE FROM anchors WHERE memory_id = ?", change.MemoryID)
		return err
	case memory.PutCorroboration:
		return corroborations.add(ctx, c, change.Corroboration)
	case memory.PutCanon:
		return canonEntries.put(ctx, c, change.Entry)
	case memory.PutConflict:
		return conflicts.put(ctx, c, change.Conflict)
	case memory.PutLink:
		return links.put(ctx, c, change.Link)
	case memory.PutNarrative:
		return t.putNarrative(ctx, change.Narrative)
	case memory.PutClaim:
		return claims.add(ctx, c, change.Claim)
	case memory.PutClaimEvent:
		return claimEvents.add(ctx, c, change.Event)
	case memory.PutEvidence:
		return evidence.put(ctx, c, change.Evidence)
	case memory.EraseMemory:
		return t.erase(ctx, change.MemoryID)
	}
	return t.writeSense(ctx, change)
}

// writeSense writes what was perceived and what came back.
func (t *tx) writeSense(ctx context.Context, change memory.Change) error {
	switch change := change.(type) {
	case memory.PutRecollection:
		return t.putRecollection(ctx, change.Recollection)
	case memory.PutFingerprints:
		return t.putFingerprints(ctx, change)
	case memory.PutMedia:
		return t.putMedia(ctx, change)
	case memory.PutHeard:
		return t.hear(ctx, change.Rows)
	case memory.PutVisit:
		return t.putVisit(ctx, change.Visit)
	case memory.ForgetHeard:
		return t.forgetHeard(ctx, change.Before)
	case memory.WipeHeard:
		return t.wipeHeard(ctx)
	}
	panic(fmt.Sprintf("store: unknown change %T", change))
}
