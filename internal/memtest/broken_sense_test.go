package memtest

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"combray/internal/memory"
)

// The two versions have methods of one type; these tell their hooks apart.
type (
	queueVersion     func(memory.Reader, context.Context) (int64, error)
	perceivedVersion func(memory.Reader, context.Context) (int64, error)
)

func (b brokenReader) Recollection(ctx context.Context, id memory.ID) (*memory.Recollection, error) {
	return hooked(b.hooks, memory.Reader.Recollection)(b.Reader, ctx, id)
}

func (b brokenReader) Firings(ctx context.Context, ids []memory.ID) ([]memory.Recollection, error) {
	return hooked(b.hooks, memory.Reader.Firings)(b.Reader, ctx, ids)
}

func (b brokenReader) FiredBetween(ctx context.Context, after, until time.Time) (int, error) {
	return hooked(b.hooks, memory.Reader.FiredBetween)(b.Reader, ctx, after, until)
}

func (b brokenReader) Pending(ctx context.Context, limit int) ([]memory.Recollection, error) {
	return hooked(b.hooks, memory.Reader.Pending)(b.Reader, ctx, limit)
}

func (b brokenReader) QueueVersion(ctx context.Context) (int64, error) {
	return hooked(b.hooks, queueVersion(memory.Reader.QueueVersion))(b.Reader, ctx)
}

func (b brokenReader) Fingerprints(ctx context.Context, ids []memory.ID) (map[memory.ID][]memory.Fingerprint, error) {
	return hooked(b.hooks, memory.Reader.Fingerprints)(b.Reader, ctx, ids)
}

func (b brokenReader) PerceivedBy(ctx context.Context, channel memory.Channel, backend string) ([]memory.Perceived, error) {
	return hooked(b.hooks, memory.Reader.PerceivedBy)(b.Reader, ctx, channel, backend)
}

func (b brokenReader) PerceivedVersion(ctx context.Context) (int64, error) {
	return hooked(b.hooks, perceivedVersion(memory.Reader.PerceivedVersion))(b.Reader, ctx)
}

func (b brokenReader) Heard(ctx context.Context, after int64, sinceDay int, identity string) ([]memory.Heard, int64, error) {
	return hooked(b.hooks, memory.Reader.Heard)(b.Reader, ctx, after, sinceDay, identity)
}

func (b brokenReader) Visit(ctx context.Context, source string) (*memory.Visit, error) {
	return hooked(b.hooks, memory.Reader.Visit)(b.Reader, ctx, source)
}

// recalling breaks what Recollection gives.
func recalling(promise, fault string, f func(*memory.Recollection)) mutant {
	return one(promise, fault, func(r memory.Reader, ctx context.Context, id memory.ID) (*memory.Recollection, error) {
		got, err := r.Recollection(ctx, id)
		if got != nil {
			f(got)
		}
		return got, err
	})
}

// queueing breaks Pending: f changes the whole queue before it is cut.
func queueing(promise, fault string, f func([]memory.Recollection)) mutant {
	return one(promise, fault, func(r memory.Reader, ctx context.Context, limit int) ([]memory.Recollection, error) {
		rows, err := r.Pending(ctx, 0)
		f(rows)
		return cut(rows, limit), err
	})
}

var brokenQueues = []mutant{
	recalling("recollection-fields", "noise is no word at all", func(r *memory.Recollection) {
		if r.Useful != nil && !*r.Useful {
			r.Useful = nil
		}
	}),
	recalling("recollection-fields", "a second will do", func(r *memory.Recollection) { r.FiredAt = r.FiredAt.Truncate(time.Second) }),
	recalling("recollection-wall-clock", "all clocks are in Greenwich", func(r *memory.Recollection) { r.At = r.At.UTC() }),
	changing("recollection-overwrite", "the first score stays", func(c memory.Change) memory.Change {
		if put, is := c.(memory.PutRecollection); is {
			put.Recollection.Score = 0.8
			return put
		}
		return c
	}),
	one("firings-by-cue-time", "firings come by place", func(r memory.Reader, ctx context.Context, ids []memory.ID) ([]memory.Recollection, error) {
		rows, err := r.Firings(ctx, ids)
		slices.SortFunc(rows, byPlace)
		return rows, err
	}),
	one("firings-by-cue-time", "what was delivered is gone", func(r memory.Reader, ctx context.Context, ids []memory.ID) ([]memory.Recollection, error) {
		rows, err := r.Firings(ctx, ids)
		return slices.DeleteFunc(rows, func(f memory.Recollection) bool { return !f.Queued }), err
	}),
	one("fired-between", "the first moment counts", func(r memory.Reader, ctx context.Context, after, until time.Time) (int, error) {
		return r.FiredBetween(ctx, after.Add(-time.Microsecond), until)
	}),
	one("fired-between", "the last moment does not count", func(r memory.Reader, ctx context.Context, after, until time.Time) (int, error) {
		return r.FiredBetween(ctx, after, until.Add(-time.Microsecond))
	}),
	queueing("queue-in-order", "the queue is by the time of cues", func(rows []memory.Recollection) {
		slices.SortStableFunc(rows, func(a, b memory.Recollection) int { return a.At.Compare(b.At) })
	}),
	queueing("queue-in-order", "the best comes first", func(rows []memory.Recollection) {
		slices.SortStableFunc(rows, func(a, b memory.Recollection) int { return cmp.Compare(b.Score, a.Score) })
	}),
	one("queue-in-order", "no limit means none", func(r memory.Reader, ctx context.Context, limit int) ([]memory.Recollection, error) {
		if limit <= 0 {
			return nil, nil
		}
		return r.Pending(ctx, limit)
	}),
	one("queue-version-grows", "the version is how many wait", queueVersion(func(r memory.Reader, ctx context.Context) (int64, error) {
		rows, err := r.Pending(ctx, 0)
		return int64(len(rows)), err
	})),
	{"queue-drained-once", "two look before one takes", func(memory.Store) []any {
		var takers atomic.Int64
		met := make(chan struct{})
		return []any{func(s memory.Store, ctx context.Context, f func(memory.Tx) error) error {
			return s.View(ctx, func(r memory.Reader) error {
				return f(splitTx{r, func(ctx context.Context, p memory.Plan) error {
					if delivers(p) {
						switch takers.Add(1) {
						case 1:
							<-met
						case 2:
							close(met)
						}
					}
					return s.Update(ctx, func(tx memory.Tx) error { return tx.Apply(ctx, p) })
				}})
			})
		}}
	}},
}

func delivers(p memory.Plan) bool {
	return slices.ContainsFunc(p.Changes, func(c memory.Change) bool {
		put, is := c.(memory.PutRecollection)
		return is && !put.Recollection.Queued
	})
}

// without leaves changes out.
func without(promise, fault string, left func(memory.Change) bool) mutant {
	return one(promise, fault, func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
		p.Changes = slices.DeleteFunc(slices.Clone(p.Changes), left)
		return tx.Apply(ctx, p)
	})
}

// behindPerception adds changes behind each PutFingerprints.
func behindPerception(tx memory.Tx, ctx context.Context, p memory.Plan, add func(number int64) (memory.Change, error)) error {
	for _, c := range p.Changes {
		put, is := c.(memory.PutFingerprints)
		if !is {
			continue
		}
		m, err := tx.Memory(ctx, put.MemoryID)
		if err != nil {
			return err
		}
		more, err := add(m.Number)
		if err != nil {
			return err
		}
		p.Write(more)
	}
	return tx.Apply(ctx, p)
}

var brokenPerceptions = []mutant{
	one("fingerprints-fields", "every word is sure", func(r memory.Reader, ctx context.Context, ids []memory.ID) (map[memory.ID][]memory.Fingerprint, error) {
		all, err := r.Fingerprints(ctx, ids)
		for _, list := range all {
			for i := range list {
				list[i].Chance = 1
			}
		}
		return all, err
	}),
	one("fingerprints-fields", "what has none has an empty list", func(r memory.Reader, ctx context.Context, ids []memory.ID) (map[memory.ID][]memory.Fingerprint, error) {
		all, err := r.Fingerprints(ctx, ids)
		for _, id := range ids {
			all[id] = append([]memory.Fingerprint{}, all[id]...)
		}
		return all, err
	}),
	{"fingerprints-replaced", "new ones come behind the old", func(memory.Store) []any {
		var given []memory.Fingerprint
		return changing("", "", func(c memory.Change) memory.Change {
			if put, is := c.(memory.PutFingerprints); is {
				given = append(given, put.Fingerprints...)
				put.Fingerprints = given
				return put
			}
			return c
		}).hooks(nil)
	}},
	without("fingerprints-raise-the-sequence", "a perception changes nothing", func(c memory.Change) bool {
		_, is := c.(memory.PutFingerprints)
		return is
	}),
	one("perceived-by-number", "forgotten memories are left out", func(r memory.Reader, ctx context.Context, channel memory.Channel, backend string) ([]memory.Perceived, error) {
		rows, err := r.PerceivedBy(ctx, channel, backend)
		return slices.DeleteFunc(rows, func(p memory.Perceived) bool {
			m, failed := r.Numbered(ctx, []int64{p.Number})
			err = errors.Join(err, failed)
			return len(m) == 1 && m[0].Forgotten()
		}), err
	}),
	one("perceived-by-number", "any channel will do", func(r memory.Reader, ctx context.Context, _ memory.Channel, backend string) ([]memory.Perceived, error) {
		return r.PerceivedBy(ctx, memory.ChannelImage, backend)
	}),
	one("perceived-by-number", "any backend will do", func(r memory.Reader, ctx context.Context, channel memory.Channel, _ string) ([]memory.Perceived, error) {
		return r.PerceivedBy(ctx, channel, "one")
	}),
	one("perceived-version-grows", "the version is how many there are", perceivedVersion(func(r memory.Reader, ctx context.Context) (int64, error) {
		rows, err := r.PerceivedBy(ctx, memory.ChannelImage, "sample/picture")
		return int64(len(rows)), err
	})),
	without("media-refused-for-nobody", "nobody's media are left out", func(c memory.Change) bool {
		_, is := c.(memory.PutMedia)
		return is
	}),
	changing("cue-vectors-stand-apart", "vectors are vectors", func(c memory.Change) memory.Change {
		if put, is := c.(memory.PutVectors); is {
			put.Cue = false
			return put
		}
		return c
	}),
	one("cue-vectors-stand-apart", "what is embedded is embedded for cues", func(s memory.Store, ctx context.Context, _ string, limit int) ([]memory.Memory, error) {
		return s.Unembedded(ctx, suiteIdentity, limit)
	}),
	{"cue-vectors-follow-the-words", "vectors outlive the words", func(s memory.Store) []any {
		return []any{func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
			return behindPerception(tx, ctx, p, func(number int64) (memory.Change, error) {
				old, err := s.Vectors(ctx, []int64{number}, cueIdentity)
				return memory.PutVectors{Number: number, Identity: cueIdentity, Windows: old[0], Cue: true}, err
			})
		}}
	}},
	one("cue-vectors-follow-the-words", "any perception takes the vectors", func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
		return behindPerception(tx, ctx, p, func(number int64) (memory.Change, error) {
			return memory.PutVectors{Number: number, Identity: cueIdentity, Cue: true}, nil
		})
	}),
}

// overhearing breaks Heard: f changes the question, then the answer.
func overhearing(promise, fault string, before func(after *int64, sinceDay *int), then func([]memory.Heard) []memory.Heard) mutant {
	return one(promise, fault, func(r memory.Reader, ctx context.Context, after int64, sinceDay int, identity string) ([]memory.Heard, int64, error) {
		if before != nil {
			before(&after, &sinceDay)
		}
		rows, epoch, err := r.Heard(ctx, after, sinceDay, identity)
		if then != nil {
			rows = then(rows)
		}
		return rows, epoch, err
	})
}

var brokenHearing = []mutant{
	overhearing("heard-fields", "values are short", nil, func(rows []memory.Heard) []memory.Heard {
		for i := range rows {
			rows[i].Value = float64(float32(rows[i].Value))
		}
		return rows
	}),
	{"heard-once", "the last value stays", func(memory.Store) []any {
		last := map[[4]int64]float64{}
		return []any{
			func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
				for _, c := range p.Changes {
					if put, is := c.(memory.PutHeard); is {
						for _, h := range put.Rows {
							last[hearing(h)] = h.Value
						}
					}
				}
				return tx.Apply(ctx, p)
			},
			func(r memory.Reader, ctx context.Context, after int64, sinceDay int, identity string) ([]memory.Heard, int64, error) {
				rows, epoch, err := r.Heard(ctx, after, sinceDay, identity)
				for i, h := range rows {
					rows[i].Value = last[hearing(h)]
				}
				return rows, epoch, err
			},
		}
	}},
	overhearing("heard-since", "the row itself comes again", func(after *int64, _ *int) { *after-- }, nil),
	overhearing("heard-since", "no day is too old", func(_ *int64, sinceDay *int) { *sinceDay = -everything }, nil),
	overhearing("heard-of-one-identity", "what has no vector is left out", nil, func(rows []memory.Heard) []memory.Heard {
		return slices.DeleteFunc(rows, func(h memory.Heard) bool { return h.Identity == "" })
	}),
	changing("heard-forgotten", "the day itself goes too", func(c memory.Change) memory.Change {
		if forget, is := c.(memory.ForgetHeard); is {
			forget.Before++
			return forget
		}
		return c
	}),
	changing("heard-forgotten", "the old is wiped with all", func(c memory.Change) memory.Change {
		if _, is := c.(memory.ForgetHeard); is {
			return memory.WipeHeard{}
		}
		return c
	}),
	changing("heard-wiped", "a wipe forgets the old", func(c memory.Change) memory.Change {
		if _, is := c.(memory.WipeHeard); is {
			return memory.ForgetHeard{Before: memory.FamiliarDays} // later than all that is heard, before every visit
		}
		return c
	}),
	one("heard-wiped", "an epoch lasts for ever", func(r memory.Reader, ctx context.Context, after int64, sinceDay int, identity string) ([]memory.Heard, int64, error) {
		rows, _, err := r.Heard(ctx, after, sinceDay, identity)
		return rows, 0, err
	}),
	{"visits", "who is nowhere is where he was", func(memory.Store) []any {
		last := map[string]memory.Visit{}
		return []any{func(r memory.Reader, ctx context.Context, source string) (*memory.Visit, error) {
			v, err := r.Visit(ctx, source)
			if v != nil && !v.HasPlace && last[source].HasPlace {
				v.HasPlace, v.Lat, v.Lon = true, last[source].Lat, last[source].Lon
			}
			if v != nil {
				last[source] = *v
			}
			return v, err
		}}
	}},
	{"erase-leaves-nothing-readable", "firings are kept", func(memory.Store) []any {
		kept := map[memory.ID]memory.Recollection{}
		return []any{func(r memory.Reader, ctx context.Context, id memory.ID) (*memory.Recollection, error) {
			got, err := r.Recollection(ctx, id)
			if got != nil {
				kept[id] = *got
			} else if old, is := kept[id]; is {
				return &old, err
			}
			return got, err
		}}
	}},
	{"erase-spares-the-rest", "an erasure empties the queue", func(memory.Store) []any {
		erased := false
		return []any{
			func(tx memory.Tx, ctx context.Context, p memory.Plan) error {
				erased = erased || slices.ContainsFunc(p.Changes, func(c memory.Change) bool { _, is := c.(memory.EraseMemory); return is })
				return tx.Apply(ctx, p)
			},
			func(r memory.Reader, ctx context.Context, limit int) ([]memory.Recollection, error) {
				if erased {
					return nil, nil
				}
				return r.Pending(ctx, limit)
			},
		}
	}},
}
