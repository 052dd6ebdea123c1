package memtest

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"combray/internal/memory"
)

// vectoring breaks Vectors.
func vectoring(promise, fault string, f func(memory.Store, context.Context, []int64, string) ([][][]float32, error)) mutant {
	return one(promise, fault, f)
}

// following breaks Changes: f changes what comes.
func following(promise, fault string, f func([]memory.Changed) []memory.Changed) mutant {
	return one(promise, fault, func(s memory.Store, ctx context.Context, after int64, limit int, identity string) ([]memory.Changed, error) {
		rows, err := s.Changes(ctx, after, limit, identity)
		return f(rows), err
	})
}

var brokenVectors = []mutant{
	vectoring("vectors-round-trip", "vectors come back too long", func(s memory.Store, ctx context.Context, numbers []int64, identity string) ([][][]float32, error) {
		all, err := s.Vectors(ctx, numbers, identity)
		for _, windows := range all {
			for _, v := range windows {
				for i := range v {
					v[i] *= 1.005
				}
			}
		}
		return all, err
	}),
	vectoring("vectors-round-trip", "only one window is kept", func(s memory.Store, ctx context.Context, numbers []int64, identity string) ([][][]float32, error) {
		all, err := s.Vectors(ctx, numbers, identity)
		for i := range all {
			all[i] = all[i][:min(1, len(all[i]))]
		}
		return all, err
	}),
	vectoring("vectors-in-order-of-numbers", "what has none is left out", func(s memory.Store, ctx context.Context, numbers []int64, identity string) ([][][]float32, error) {
		all, err := s.Vectors(ctx, numbers, identity)
		return slices.DeleteFunc(all, func(w [][]float32) bool { return w == nil }), err
	}),
	{"vectors-replaced", "new windows come behind the old", func(memory.Store) []any {
		given := map[int64][][]float32{}
		return changing("", "", func(c memory.Change) memory.Change {
			if put, is := c.(memory.PutVectors); is {
				given[put.Number] = append(given[put.Number], put.Windows...)
				put.Windows = given[put.Number]
				return put
			}
			return c
		}).hooks(nil)
	}},
	vectoring("vectors-of-one-identity", "another identity will do", func(s memory.Store, ctx context.Context, numbers []int64, identity string) ([][][]float32, error) {
		all, err := s.Vectors(ctx, numbers, identity)
		other, otherErr := s.Vectors(ctx, numbers, suiteIdentity)
		for i := range all {
			if all[i] == nil {
				all[i] = other[i]
			}
		}
		return all, errors.Join(err, otherErr)
	}),
	one("vectors-survive-an-overwrite", "an overwrite drops the vectors", func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
		for _, c := range p.Changes {
			if put, is := c.(memory.PutMemory); is && put.Memory.Number != 0 {
				p.Write(memory.PutVectors{Number: put.Memory.Number, Identity: suiteIdentity})
			}
		}
		return tx.Apply(ctx, p)
	}),
	showing("windows-counted", "one window is counted for all", func(m *memory.Memory) {
		if m.Windows != nil {
			m.Windows = Of(1)
		}
	}),
	changing("windows-of-the-present-encoder", "the next encoder is present at once", func(c memory.Change) memory.Change {
		if put, is := c.(memory.PutVectors); is {
			put.Next = false
			return put
		}
		return c
	}),
	changing("vectors-of-a-reworded-memory", "what others made of the old line stays", func(c memory.Change) memory.Change {
		if put, is := c.(memory.PutVectors); is {
			put.Reworded = false
			return put
		}
		return c
	}),
	one("unembedded-newest-first", "the oldest comes first", func(s memory.Store, ctx context.Context, identity string, limit int) ([]memory.Memory, error) {
		rows, err := s.Unembedded(ctx, identity, limit)
		slices.Reverse(rows)
		return rows, err
	}),
	one("unembedded-newest-first", "forgotten memories get no vector", func(s memory.Store, ctx context.Context, identity string, limit int) ([]memory.Memory, error) {
		rows, err := s.Unembedded(ctx, identity, limit)
		return slices.DeleteFunc(rows, memory.Memory.Forgotten), err
	}),
	one("unembedded-by-identity", "any vector will do", func(s memory.Store, ctx context.Context, _ string, limit int) ([]memory.Memory, error) {
		return s.Unembedded(ctx, suiteIdentity, limit)
	}),
}

var brokenChanges = []mutant{
	one("sequence-ascends", "an erasure raises nothing", func(s memory.Store, ctx context.Context) (last int64, err error) {
		rows, err := s.Changes(ctx, 0, everything, "")
		for _, c := range rows {
			if !c.Erased {
				last = c.Memory.Seq
			}
		}
		return last, err
	}),
	showing("sequence-of-rows", "a row shows its number", func(m *memory.Memory) { m.Seq = m.Number }),
	one("changes-complete-in-pages", "a page skips its first row", func(s memory.Store, ctx context.Context, after int64, limit int, identity string) ([]memory.Changed, error) {
		if after > 0 {
			after++
		}
		return s.Changes(ctx, after, limit, identity)
	}),
	following("changes-complete-in-pages", "changes come newest first", func(rows []memory.Changed) []memory.Changed {
		slices.Reverse(rows)
		return rows
	}),
	following("changes-show-the-newest-state", "changes lack vectors", func(rows []memory.Changed) []memory.Changed {
		for i := range rows {
			rows[i].Vectors = nil
		}
		return rows
	}),
	following("changes-with-tombstones", "erased memories leave nothing", func(rows []memory.Changed) []memory.Changed {
		return slices.DeleteFunc(rows, func(c memory.Changed) bool { return c.Erased })
	}),
	{"numbers-ascend-and-never-return", "the number of an erased memory is given again", func(memory.Store) []any {
		erased := int64(0)
		return []any{
			func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
				for _, c := range p.Changes {
					if _, is := c.(memory.EraseMemory); is {
						erased++
					}
				}
				return tx.Apply(ctx, p)
			},
			func(r memory.Reader, ctx context.Context, ids []memory.ID) ([]memory.Memory, error) {
				rows, err := r.Memories(ctx, ids)
				for i := range rows {
					rows[i].Number -= erased
				}
				return rows, err
			},
		}
	}},
}

var brokenErasures = []mutant{
	{"erase-leaves-nothing-readable", "an audit reason that names the memory is kept", func(memory.Store) []any {
		kept := map[memory.ID]string{}
		return auditing("", "", nil, func(rows []memory.AuditRow) []memory.AuditRow {
			for i, row := range rows {
				if row.Action == memory.ActLinkMemories && kept[row.ID] == "" {
					kept[row.ID] = row.Reason
				}
				if reason := kept[row.ID]; reason != "" {
					rows[i].Reason = reason
				}
			}
			return rows
		}).hooks(nil)
	}},
	{"erase-leaves-nothing-readable", "labels are kept", func(memory.Store) []any {
		kept := map[memory.ID][]string{}
		return []any{func(r memory.Reader, ctx context.Context, ids []memory.ID) (map[memory.ID][]string, error) {
			labels, err := r.Labels(ctx, ids)
			for id, given := range labels {
				kept[id] = given
			}
			return kept, err
		}}
	}},
	{"erase-leaves-nothing-readable", "narratives forget the id", func(memory.Store) []any {
		var gone []memory.ID
		return []any{
			func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
				for _, c := range p.Changes {
					if erase, is := c.(memory.EraseMemory); is {
						gone = append(gone, erase.MemoryID)
					}
				}
				return tx.Apply(ctx, p)
			},
			func(r memory.Reader, ctx context.Context, id memory.ID) (*memory.Narrative, error) {
				n, err := r.Narrative(ctx, id)
				if n != nil {
					n.MemoryIDs = slices.DeleteFunc(n.MemoryIDs, func(id memory.ID) bool { return slices.Contains(gone, id) })
				}
				return n, err
			},
		}
	}},
	one("erase-spares-the-rest", "an erasure takes every anchor", func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
		anchors, err := tx.Anchors(ctx)
		for _, c := range p.Changes {
			if _, is := c.(memory.EraseMemory); is {
				for _, a := range anchors {
					p.Write(memory.RemoveAnchor{MemoryID: a.MemoryID})
				}
			}
		}
		return errors.Join(err, tx.Apply(ctx, p))
	}),
	auditing("erase-keeps-the-chain", "rows without text are gone", nil, func(rows []memory.AuditRow) []memory.AuditRow {
		return slices.DeleteFunc(rows, func(r memory.AuditRow) bool { return r.Salt == nil })
	}),
	{"erase-frees-what-was-unique", "a key is used for ever", func(memory.Store) []any {
		used := map[string]bool{}
		return []any{func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
			for _, c := range p.Changes {
				if put, is := c.(memory.PutMemory); is && put.Memory.IdempotencyKey != nil {
					if used[*put.Memory.IdempotencyKey] {
						return taken("key", *put.Memory.IdempotencyKey)
					}
					used[*put.Memory.IdempotencyKey] = true
				}
			}
			return tx.Apply(ctx, p)
		}}
	}},
}

// updating breaks Update.
func updating(promise, fault string, f func(memory.Store, context.Context, func(memory.Tx) error) error) mutant {
	return one(promise, fault, f)
}

// commitAnyway commits what a function wrote though it gave an error.
func commitAnyway(s memory.Store, ctx context.Context, f func(memory.Tx) error) error {
	var failed error
	err := s.Update(ctx, func(tx memory.Tx) error {
		failed = f(tx)
		return nil
	})
	return errors.Join(failed, err)
}

// splitTx reads from one place and writes to another.
type splitTx struct {
	memory.Reader
	apply func(context.Context, memory.Plan) error
}

func (s splitTx) Apply(ctx context.Context, p memory.Plan) error { return s.apply(ctx, p) }

// piecemeal commits each plan of a transaction by itself.
func piecemeal(s memory.Store, ctx context.Context, f func(memory.Tx) error, between func()) error {
	return s.View(ctx, func(r memory.Reader) error {
		return f(splitTx{r, func(ctx context.Context, p memory.Plan) error {
			between()
			return s.Update(ctx, func(tx memory.Tx) error { return tx.Apply(ctx, p) })
		}})
	})
}

var brokenUpdates = []mutant{
	updating("update-sees-its-own-writes", "a transaction reads what was before", func(s memory.Store, ctx context.Context, f func(memory.Tx) error) error {
		return s.View(ctx, func(r memory.Reader) error {
			return s.Update(ctx, func(tx memory.Tx) error { return f(splitTx{r, tx.Apply}) })
		})
	}),
	updating("update-rolls-back-an-error", "an error is no reason", commitAnyway),
	updating("update-rolls-back-a-panic", "a panic commits", func(s memory.Store, ctx context.Context, f func(memory.Tx) error) error {
		var panicked any
		err := s.Update(ctx, func(tx memory.Tx) error {
			defer func() { panicked = recover() }()
			return f(tx)
		})
		if panicked != nil {
			panic(panicked)
		}
		return err
	}),
	updating("update-rolls-back-when-cancelled", "a transaction is never too late", func(s memory.Store, ctx context.Context, f func(memory.Tx) error) error {
		return s.Update(context.WithoutCancel(ctx), f)
	}),
	updating("update-rolls-back-a-refused-plan", "half a plan is kept", commitAnyway),
	updating("update-gives-its-error-through", "an error is told again", func(s memory.Store, ctx context.Context, f func(memory.Tx) error) error {
		if err := s.Update(ctx, f); err != nil {
			return errors.New(err.Error())
		}
		return nil
	}),
	updating("update-waits-as-long-as-its-context", "a writer waits for ever", func(s memory.Store, ctx context.Context, f func(memory.Tx) error) error {
		return s.Update(context.WithoutCancel(ctx), f)
	}),
	{"update-is-the-only-writer", "two look before one leaps", func(memory.Store) []any {
		var calls atomic.Int64
		met := make(chan struct{})
		return []any{func(s memory.Store, ctx context.Context, f func(memory.Tx) error) error {
			return piecemeal(s, ctx, f, func() {
				switch calls.Add(1) {
				case 1:
					<-met
				case 2:
					close(met)
				}
			})
		}}
	}},
	one("constraints-refuse", "a second row is silently left out", func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
		err := tx.Apply(ctx, p)
		if memory.CodeOf(err) == memory.CodeConflict {
			return nil
		}
		return err
	}),
	one("constraints-refuse", "a second row is our own fault", func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
		if err := tx.Apply(ctx, p); err != nil {
			return errors.New("UNIQUE constraint failed")
		}
		return nil
	}),
	{"constraints-let-ended-rows-be", "a scope takes a memory once and never again", func(memory.Store) []any {
		entered := map[string]memory.ID{}
		return []any{func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
			for _, c := range p.Changes {
				put, is := c.(memory.PutCanon)
				if !is {
					continue
				}
				place := put.Entry.Scope + string(put.Entry.MemoryID)
				if first := entered[place]; first != "" && first != put.Entry.ID {
					return taken("scope", place)
				}
				entered[place] = put.Entry.ID
			}
			return tx.Apply(ctx, p)
		}}
	}},
}

var brokenSnapshots = []mutant{
	{"view-is-one-snapshot", "each read sees the newest", func(s memory.Store) []any {
		return []any{func(_ memory.Reader, ctx context.Context, id memory.ID) (m *memory.Memory, err error) {
			err = s.View(ctx, func(now memory.Reader) error {
				m, err = now.Memory(ctx, id)
				return err
			})
			return m, err
		}}
	}},
	{"view-does-not-wait-for-a-writer", "one lock for all", func(memory.Store) []any {
		var lock sync.Mutex
		return []any{
			func(s memory.Store, ctx context.Context, f func(memory.Reader) error) error {
				lock.Lock()
				defer lock.Unlock()
				return s.View(ctx, f)
			},
			func(s memory.Store, ctx context.Context, f func(memory.Tx) error) error {
				lock.Lock()
				defer lock.Unlock()
				return s.Update(ctx, f)
			},
		}
	}},
	{"view-under-writers", "half a transaction can be seen", func(memory.Store) []any {
		var views atomic.Int64
		return []any{
			func(s memory.Store, ctx context.Context, f func(memory.Reader) error) error {
				err := s.View(ctx, f)
				views.Add(1)
				return err
			},
			func(s memory.Store, ctx context.Context, f func(memory.Tx) error) error {
				return piecemeal(s, ctx, f, func() {
					for seen := views.Load(); views.Load() < seen+6; { // three readers: one began after the plan before
						runtime.Gosched()
					}
				})
			},
		}
	}},
	{"rows-are-the-callers-own", "a row is handed out twice", func(memory.Store) []any {
		held := map[memory.ID]*memory.Memory{}
		return []any{func(r memory.Reader, ctx context.Context, id memory.ID) (*memory.Memory, error) {
			if m := held[id]; m != nil {
				return m, nil
			}
			m, err := r.Memory(ctx, id)
			held[id] = m
			return m, err
		}}
	}},
}

var brokenCalls = []mutant{
	one("empty-store-answers", "there is always a frame", func(memory.Reader, context.Context) ([]string, error) { return []string{""}, nil }),
	one("many-ids-at-once", "a statement has so many variables", func(r memory.Reader, ctx context.Context, ids []memory.ID) ([]memory.Link, error) {
		if len(ids) > 32_766 {
			return nil, errors.New("too many SQL variables")
		}
		return r.Links(ctx, ids)
	}),
	one("cancelled-calls-fail", "a sequence is read anyway", func(s memory.Store, ctx context.Context) (int64, error) {
		return s.Sequence(context.WithoutCancel(ctx))
	}),
	one("stats-count", "everything is embedded", func(s memory.Store, ctx context.Context, identity string) (memory.StoreStats, error) {
		stats, err := s.Stats(ctx, identity)
		stats.Embedded = stats.Memories
		return stats, err
	}),
	{"stats-store-id", "a new name a call", func(memory.Store) []any {
		calls := 0
		return []any{func(s memory.Store, ctx context.Context, identity string) (memory.StoreStats, error) {
			stats, err := s.Stats(ctx, identity)
			calls++
			stats.StoreID = strconv.Itoa(calls)
			return stats, err
		}}
	}},
	one("stats-store-id", "the check finds something", func(memory.Store, context.Context) ([]memory.Fault, error) {
		return []memory.Fault{{Where: "audit", What: "row 3 breaks the chain"}}, nil
	}),
	one("close-ends-calls", "a store never closes", func(memory.Store) error { return nil }),
	one("close-waits-for-running-calls", "a store closes at once", func(s memory.Store) error {
		go func() { _ = s.Close() }()
		return nil
	}),
}

func mutants() []mutant {
	return slices.Concat(brokenMemories, brokenLists, ignoring(), brokenRoles, brokenAccounts, brokenLedgers, brokenVectors,
		brokenChanges, brokenQueues, brokenPerceptions, brokenHearing, brokenErasures, brokenUpdates, brokenSnapshots, brokenCalls)
}
