package memtest

import (
	"context"
	"time"

	"combray/internal/memory"
)

// broken is a store with some methods replaced. A hook has the type of the
// method expression it replaces (memory.Reader.List …), and no two methods share
// a type, so that the type alone says which one it is.
type broken struct {
	memory.Store
	hooks []any
}

// hooked gives the replacement of a method, the method itself when there is none.
func hooked[F any](hooks []any, method F) F {
	for _, h := range hooks {
		if f, is := h.(F); is {
			return f
		}
	}
	return method
}

func (b broken) View(ctx context.Context, f func(memory.Reader) error) error {
	return hooked(b.hooks, memory.Store.View)(b.Store, ctx, func(r memory.Reader) error { return f(brokenReader{r, b.hooks}) })
}

func (b broken) Update(ctx context.Context, f func(memory.Tx) error) error {
	return hooked(b.hooks, memory.Store.Update)(b.Store, ctx, func(tx memory.Tx) error {
		return f(brokenTx{brokenReader{tx, b.hooks}, tx})
	})
}

func (b broken) Sequence(ctx context.Context) (int64, error) {
	return hooked(b.hooks, memory.Store.Sequence)(b.Store, ctx)
}

func (b broken) Changes(ctx context.Context, after int64, limit int, identity string) ([]memory.Changed, error) {
	return hooked(b.hooks, memory.Store.Changes)(b.Store, ctx, after, limit, identity)
}

func (b broken) Vectors(ctx context.Context, numbers []int64, identity string) ([][][]float32, error) {
	return hooked(b.hooks, memory.Store.Vectors)(b.Store, ctx, numbers, identity)
}

func (b broken) Unembedded(ctx context.Context, identity string, limit int) ([]memory.Memory, error) {
	return hooked(b.hooks, memory.Store.Unembedded)(b.Store, ctx, identity, limit)
}

func (b broken) Stats(ctx context.Context, identity string) (memory.StoreStats, error) {
	return hooked(b.hooks, memory.Store.Stats)(b.Store, ctx, identity)
}

func (b broken) Check(ctx context.Context) ([]memory.Fault, error) {
	return hooked(b.hooks, memory.Store.Check)(b.Store, ctx)
}

func (b broken) Close() error { return hooked(b.hooks, memory.Store.Close)(b.Store) }

type brokenTx struct {
	brokenReader
	tx memory.Tx
}

func (b brokenTx) Apply(ctx context.Context, p memory.Plan) error {
	return hooked(b.hooks, memory.Tx.Apply)(b.tx, ctx, p)
}

type brokenReader struct {
	memory.Reader
	hooks []any
}

func (b brokenReader) Memory(ctx context.Context, id memory.ID) (*memory.Memory, error) {
	return hooked(b.hooks, memory.Reader.Memory)(b.Reader, ctx, id)
}

func (b brokenReader) Memories(ctx context.Context, ids []memory.ID) ([]memory.Memory, error) {
	return hooked(b.hooks, memory.Reader.Memories)(b.Reader, ctx, ids)
}

func (b brokenReader) Numbered(ctx context.Context, numbers []int64) ([]memory.Memory, error) {
	return hooked(b.hooks, memory.Reader.Numbered)(b.Reader, ctx, numbers)
}

func (b brokenReader) List(ctx context.Context, q memory.ListQuery) ([]memory.Memory, error) {
	return hooked(b.hooks, memory.Reader.List)(b.Reader, ctx, q)
}

func (b brokenReader) Sequence(ctx context.Context) (int64, error) {
	return hooked(b.hooks, memory.Reader.Sequence)(b.Reader, ctx)
}

func (b brokenReader) Count(ctx context.Context, f memory.ListFilter) (int, error) {
	return hooked(b.hooks, memory.Reader.Count)(b.Reader, ctx, f)
}

func (b brokenReader) AtPosition(ctx context.Context, session string, position int64) (*memory.Memory, error) {
	return hooked(b.hooks, memory.Reader.AtPosition)(b.Reader, ctx, session, position)
}

func (b brokenReader) Beside(ctx context.Context, m memory.Memory) (before, after *memory.Memory, err error) {
	beside, err := hooked(b.hooks, besideOf)(b.Reader, ctx, m)
	return beside[0], beside[1], err
}

// besideOf is Beside with one result, as hooks have it.
func besideOf(r memory.Reader, ctx context.Context, m memory.Memory) (beside [2]*memory.Memory, err error) {
	beside[0], beside[1], err = r.Beside(ctx, m)
	return beside, err
}

func (b brokenReader) ByIdempotencyKey(ctx context.Context, key string) (*memory.Memory, error) {
	return hooked(b.hooks, memory.Reader.ByIdempotencyKey)(b.Reader, ctx, key)
}

func (b brokenReader) Labels(ctx context.Context, ids []memory.ID) (map[memory.ID][]string, error) {
	return hooked(b.hooks, memory.Reader.Labels)(b.Reader, ctx, ids)
}

func (b brokenReader) Frames(ctx context.Context) ([]string, error) {
	return hooked(b.hooks, memory.Reader.Frames)(b.Reader, ctx)
}

func (b brokenReader) Anchors(ctx context.Context) ([]memory.Anchor, error) {
	return hooked(b.hooks, memory.Reader.Anchors)(b.Reader, ctx)
}

func (b brokenReader) Canon(ctx context.Context, scope *string, id *memory.ID) ([]memory.CanonEntry, error) {
	return hooked(b.hooks, memory.Reader.Canon)(b.Reader, ctx, scope, id)
}

func (b brokenReader) Conflicts(ctx context.Context, resolved *bool) ([]memory.Conflict, error) {
	return hooked(b.hooks, memory.Reader.Conflicts)(b.Reader, ctx, resolved)
}

func (b brokenReader) OpenConflict(ctx context.Context, p, q memory.ID) (*memory.Conflict, error) {
	return hooked(b.hooks, memory.Reader.OpenConflict)(b.Reader, ctx, p, q)
}

func (b brokenReader) Links(ctx context.Context, ids []memory.ID) ([]memory.Link, error) {
	return hooked(b.hooks, memory.Reader.Links)(b.Reader, ctx, ids)
}

func (b brokenReader) LinksOf(ctx context.Context, memories []memory.ID, retired bool) ([]memory.Link, error) {
	return hooked(b.hooks, memory.Reader.LinksOf)(b.Reader, ctx, memories, retired)
}

func (b brokenReader) ActiveLink(ctx context.Context, from, to memory.ID, relation memory.Relation) (*memory.Link, error) {
	return hooked(b.hooks, memory.Reader.ActiveLink)(b.Reader, ctx, from, to, relation)
}

func (b brokenReader) Narrative(ctx context.Context, id memory.ID) (*memory.Narrative, error) {
	return hooked(b.hooks, memory.Reader.Narrative)(b.Reader, ctx, id)
}

func (b brokenReader) CurrentNarratives(ctx context.Context, limit int) ([]memory.Narrative, error) {
	return hooked(b.hooks, memory.Reader.CurrentNarratives)(b.Reader, ctx, limit)
}

func (b brokenReader) NarrativeHistory(ctx context.Context, scope *string, limit int) ([]memory.Narrative, error) {
	return hooked(b.hooks, memory.Reader.NarrativeHistory)(b.Reader, ctx, scope, limit)
}

func (b brokenReader) NarrativesCiting(ctx context.Context, kind memory.SourceKind, id memory.ID) ([]memory.Narrative, error) {
	return hooked(b.hooks, memory.Reader.NarrativesCiting)(b.Reader, ctx, kind, id)
}

func (b brokenReader) ClaimsIn(ctx context.Context, scope *string) ([]memory.Claim, error) {
	return hooked(b.hooks, memory.Reader.ClaimsIn)(b.Reader, ctx, scope)
}

func (b brokenReader) ClaimEvents(ctx context.Context, claims []memory.ID) ([]memory.ClaimEvent, error) {
	return hooked(b.hooks, memory.Reader.ClaimEvents)(b.Reader, ctx, claims)
}

func (b brokenReader) EvidenceFor(ctx context.Context, claims []memory.ID) ([]memory.Evidence, error) {
	return hooked(b.hooks, memory.Reader.EvidenceFor)(b.Reader, ctx, claims)
}

func (b brokenReader) LastClaimEventAt(ctx context.Context) (time.Time, error) {
	return hooked(b.hooks, memory.Reader.LastClaimEventAt)(b.Reader, ctx)
}

func (b brokenReader) Audit(ctx context.Context, q memory.AuditQuery) ([]memory.AuditRow, error) {
	return hooked(b.hooks, memory.Reader.Audit)(b.Reader, ctx, q)
}
