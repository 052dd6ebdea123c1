package memory_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"combray/internal/memory"
	"combray/internal/memtest"
)

// mind is a service on the plain store, with an encoder to which some words mean
// the same.
type mind struct {
	*memory.Service
	t       *testing.T
	encoder *memtest.Encoder
	store   *memtest.Store
}

func newMind(t *testing.T) *mind {
	t.Helper()
	m := &mind{t: t, encoder: &memtest.Encoder{Means: map[string]string{"schlüssel": "key", "llave": "key"}},
		store: memtest.NewStore(memtest.StoreOptions{})}
	clock, ids := &memtest.Clock{}, &memtest.IDs{}
	m.Service = memory.New(memory.Config{Store: m.store, Index: memtest.NewIndex(m.store, memory.LineIdentity(m.encoder.Identity())),
		Encoder: m.encoder, Now: clock.Now, Random: ids, Zone: time.UTC})
	return m
}

func (m *mind) remember(in memory.RememberInput) memory.Remembered {
	m.t.Helper()
	out, err := m.Remember(context.Background(), in)
	if err != nil {
		m.t.Fatal(err)
	}
	return out
}

func (m *mind) keep(texts ...string) []memory.ID {
	m.t.Helper()
	var ids []memory.ID
	for _, text := range texts {
		ids = append(ids, m.remember(memory.RememberInput{Content: text}).Memory.ID)
	}
	return ids
}

func (m *mind) recall(in memory.RecallInput) memory.RecallResult {
	m.t.Helper()
	out, err := m.Recall(context.Background(), in)
	if err != nil {
		m.t.Fatal(err)
	}
	return out
}

func texts(rows []memory.Row) []string {
	var out []string
	for _, r := range rows {
		out = append(out, string(r.Memory.Content))
	}
	return out
}

func wantTexts(t *testing.T, got []memory.Row, want ...string) {
	t.Helper()
	if !slices.Equal(texts(got), want) {
		t.Errorf("got %q, want %q", texts(got), want)
	}
}

func of[V any](v V) *V { return &v }

var notes = []string{"the key hangs in the hall", "tea is in the cupboard", "the train leaves at nine", "rain fell all day", "the cat sleeps", "bread needs salt", "the boiler hums"}

func TestRecallFindsByWordsAndByMeaning(t *testing.T) {
	m := newMind(t)
	m.keep(notes...)
	by := m.recall(memory.RecallInput{Query: of("cupboard tea"), Limit: 1})
	wantTexts(t, by.Memories, "tea is in the cupboard")
	if r := by.Memories[0]; *r.Relevance <= 0 || r.SemanticSimilarity == nil || *r.Score <= 0 || *r.Score > 1 {
		t.Errorf("scores %v %v %v", *r.Relevance, r.SemanticSimilarity, *r.Score)
	}
	across := m.recall(memory.RecallInput{Query: of("schlüssel"), Limit: 1})
	wantTexts(t, across.Memories, "the key hangs in the hall")
	if across.Retrieval.Mode != memory.ModeHybrid || across.Retrieval.Vectors != memory.LaneRan || !across.Retrieval.InferencePerformed {
		t.Errorf("retrieval %+v", across.Retrieval)
	}
	lexical := m.recall(memory.RecallInput{Query: of("schlüssel"), Limit: 1, Mode: memory.ModeLexical})
	if lexical.Retrieval.Vectors != memory.LaneNotAsked || lexical.Retrieval.Verdict != memory.VerdictNone {
		t.Errorf("words alone: %+v", lexical.Retrieval)
	}
}

func TestRecallWithoutAQueryKeepsTheDefaultOrder(t *testing.T) {
	m := newMind(t)
	ids := m.keep("one", "two", "three")
	if _, err := m.Promote(context.Background(), ids[0], "it matters"); err != nil {
		t.Fatal(err)
	}
	out := m.recall(memory.RecallInput{Limit: 10})
	wantTexts(t, out.Memories, "one", "three", "two")
	if out.Memories[0].SearchScore != nil || out.Retrieval.Words != memory.LaneNotAsked || out.Retrieval.Verdict != "" {
		t.Errorf("no question was asked: %+v", out.Retrieval)
	}
	wantTexts(t, m.recall(memory.RecallInput{Limit: 0}).Memories)
	wantTexts(t, m.recall(memory.RecallInput{Limit: -5}).Memories)
}

func TestRecallFillsTheBudgetBehindTheMatches(t *testing.T) {
	m := newMind(t)
	m.keep(notes...)
	all := m.recall(memory.RecallInput{Query: of("boiler"), Limit: 50, Mode: memory.ModeLexical})
	if len(all.Memories) != len(notes) || all.Memories[0].Memory.Content != "the boiler hums" {
		t.Errorf("got %q", texts(all.Memories))
	}
	wantTexts(t, m.recall(memory.RecallInput{Query: of("boiler"), Limit: 50, Mode: memory.ModeLexical, MinScore: 0.05}).Memories, "the boiler hums")
	wantTexts(t, m.recall(memory.RecallInput{Query: of("key"), Limit: 50, Mode: memory.ModeLexical, MaxBytes: of(24)}).Memories, "the boiler hums")
	cut := m.recall(memory.RecallInput{Query: of("key"), Limit: 50, Mode: memory.ModeLexical, MaxBytes: of(40)})
	if cut.Retrieval.Omitted == 0 || len(cut.Memories) == 0 {
		t.Errorf("what the budget left out was not counted: %+v", cut.Retrieval)
	}
}

func TestReservedPlacesComeFirst(t *testing.T) {
	m, ctx := newMind(t), context.Background()
	ids := m.keep("anchor", "canon", "third", "fourth")
	for _, id := range ids[:2] {
		if _, err := m.Promote(ctx, id, "durable"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := m.Pin(ctx, ids[0], "identity"); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Canonize(ctx, ids[1], "trip", "needed"); err != nil {
		t.Fatal(err)
	}
	out := m.recall(memory.RecallInput{Query: of("third"), Limit: 3, Mode: memory.ModeLexical})
	if len(out.Anchors) != 1 || out.Anchors[0].Memory.Content != "anchor" || len(out.Canon) != 1 || out.Canon[0].Memory.Content != "canon" {
		t.Fatalf("anchors %v canon %v", out.Anchors, out.Canon)
	}
	wantTexts(t, out.Memories, "third")
	one := m.recall(memory.RecallInput{Limit: 1})
	if len(one.Anchors) != 1 || len(one.Canon) != 0 || len(one.Memories) != 0 {
		t.Errorf("anchors stand whatever the limit: %+v", one)
	}
	if one.Retrieval.InferencePerformed {
		t.Error("nothing was left to rank")
	}
}

func TestFiltersComeBeforeRanking(t *testing.T) {
	m := newMind(t)
	for i := range 300 {
		m.remember(memory.RememberInput{Content: "the key again and again", Tags: []string{"near"}, Frame: of("noise")})
		if i == 100 {
			m.remember(memory.RememberInput{Content: "a word about some key", Tags: []string{"rare", "near"}, Frame: of("work"),
				Source: of("Ada"), SessionID: of("s"), EventAt: of("2024-05-08T10:00:00Z"), Lat: of(48.85), Lon: of(2.35)})
		}
	}
	for name, in := range map[string]memory.RecallInput{
		"tags":    {Tags: []string{"near", "rare"}},
		"frame":   {Frame: of("work")},
		"source":  {Source: of("Ada")},
		"session": {SessionID: of("s")},
		"time":    {Since: of("2024-05-08T00:00:00Z"), Until: of("2024-05-08T23:59:59Z")},
		"place":   {Near: &memory.Near{Lat: 48.851, Lon: 2.351, RadiusM: 500}},
	} {
		in.Query, in.Limit = of("the key again"), 5
		out := m.recall(in)
		if got := texts(out.Memories); !slices.Equal(got, []string{"a word about some key"}) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestNothingForgottenOrChangedMeanwhileAppears(t *testing.T) {
	m, ctx := newMind(t), context.Background()
	ids := m.keep(notes...)
	if _, err := m.Forget(ctx, ids[0], "moved"); err != nil {
		t.Fatal(err)
	}
	out := m.recall(memory.RecallInput{Query: of("key"), Limit: 10})
	if slices.Contains(texts(out.Memories), notes[0]) {
		t.Error("a forgotten memory came back")
	}
	if _, err := m.Restore(ctx, ids[0], "still there"); err != nil {
		t.Fatal(err)
	}
	wantTexts(t, m.recall(memory.RecallInput{Query: of("key"), Limit: 1}).Memories, notes[0])
}

func TestALaneThatDidNotRunIsNamed(t *testing.T) {
	m := newMind(t)
	m.keep(notes...)
	m.encoder.Fail("the model file is cut short")
	out := m.recall(memory.RecallInput{Query: of("key"), Limit: 1})
	wantTexts(t, out.Memories, "the key hangs in the hall")
	if out.Retrieval.Mode != memory.ModeLexical || !strings.Contains(out.Retrieval.Vectors, "cut short") {
		t.Errorf("retrieval %+v", out.Retrieval)
	}
	for _, mode := range []memory.Mode{memory.ModeSemantic, memory.ModeHybrid} {
		_, err := m.Recall(context.Background(), memory.RecallInput{Query: of("key"), Limit: 1, Mode: mode})
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.CodeUnavailable || e.Hint == "" {
			t.Errorf("mode %s: %v", mode, err)
		}
	}
	stored := m.remember(memory.RememberInput{Content: "stored all the same"})
	if stored.Memory.Embedded() {
		t.Error("there was no vector to store")
	}
	m.encoder.Fail("")
	if made, err := m.Backfill(context.Background(), nil); made != 1 || err != nil {
		t.Errorf("made %d, %v", made, err)
	}
}

func TestRecallGuards(t *testing.T) {
	m := newMind(t)
	for name, c := range map[string]struct {
		search bool
		in     memory.RecallInput
		says   string
	}{
		"a mode":                 {in: memory.RecallInput{Mode: "fuzzy"}, says: "mode must be"},
		"min_score":              {in: memory.RecallInput{MinScore: 2}, says: "min_score must be"},
		"max_bytes":              {in: memory.RecallInput{MaxBytes: of(-1)}, says: "max_bytes must be"},
		"tier":                   {in: memory.RecallInput{Tier: of("gold")}, says: "tier must be one of"},
		"near":                   {in: memory.RecallInput{Near: &memory.Near{Lat: 91}}, says: "near needs"},
		"since":                  {in: memory.RecallInput{Since: of("yesterday")}, says: "timestamp"},
		"since behind until":     {in: memory.RecallInput{Since: of("2024-01-02T00:00:00Z"), Until: of("2024-01-01T00:00:00Z")}, says: "since must be"},
		"a channel":              {in: memory.RecallInput{Channels: []string{"smell"}}, says: "channels may hold"},
		"one coordinate":         {in: memory.RecallInput{Lat: of(1.0)}, says: "lat and lon"},
		"search without a query": {search: true, in: memory.RecallInput{Query: of(" ")}, says: "query is required"},
		"search below zero":      {search: true, in: memory.RecallInput{Query: of("x"), Limit: -1}, says: "limit must be"},
		"search by words":        {search: true, in: memory.RecallInput{Query: of("x"), Mode: memory.ModeLexical}, says: "mode must be"},
	} {
		ask := m.Recall
		if c.search {
			ask = m.Search
		}
		_, err := ask(context.Background(), c.in)
		var e *memory.Error
		if !errors.As(err, &e) || e.Code != memory.CodeInvalid || !strings.Contains(e.Message, c.says) || e.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCuesRankAndDoNotFilter(t *testing.T) {
	m := newMind(t)
	m.remember(memory.RememberInput{Content: "far away", Lat: of(10.0), Lon: of(10.0)})
	m.remember(memory.RememberInput{Content: "right here", Lat: of(48.8500), Lon: of(2.3500), EventAt: of("2024-05-05T16:00:00+02:00")})
	m.remember(memory.RememberInput{Content: "without a place"})
	out := m.recall(memory.RecallInput{Lat: of(48.8501), Lon: of(2.3501), Limit: 10})
	if got := texts(out.Memories); len(got) != 3 || got[0] != "right here" {
		t.Errorf("got %q", got)
	}
	if c := out.Memories[0].Channels["geo"]; c < 0.95 || out.Retrieval.Cues != memory.LaneRan {
		t.Errorf("geo %v, cues %q", c, out.Retrieval.Cues)
	}
	hour := m.recall(memory.RecallInput{At: of("2025-06-01T16:10:00-07:00"), Limit: 1})
	wantTexts(t, hour.Memories, "right here")
}

func TestALimitAboveTheMostIsCutAndSaidSo(t *testing.T) {
	m := newMind(t)
	out := m.recall(memory.RecallInput{Limit: 5000})
	if len(out.Warnings) != 1 || !strings.Contains(out.Warnings[0], "1000") {
		t.Errorf("warnings %q", out.Warnings)
	}
}

// TestRecallWritesNothing asks a thousand times while an interpretation is
// stale: the original added a row to two tables each time.
func TestRecallWritesNothing(t *testing.T) {
	d := newDesk(t)
	for _, text := range notes {
		d.keep(text)
	}
	reading := d.keep("she seems to like trains", func(in *memory.RememberInput) { in.Tier = "interpretation" })
	claim, err := d.CreateClaim(d.ctx, memory.CreateClaimInput{Content: "She likes trains", Kind: "assertion", Reason: "r", Scope: memory.GlobalScope})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.AddEvidence(d.ctx, memory.AddEvidenceInput{ClaimID: claim.Claim.ID, MemoryID: reading.ID, Stance: "supports", Reason: "r"}); err != nil {
		t.Fatal(err)
	}
	d.Clock.Advance(31 * 24 * time.Hour)
	look := func() (int64, memory.StoreStats) {
		sequence, err := d.store.Sequence(d.ctx)
		if err != nil {
			t.Fatal(err)
		}
		stats, err := d.store.Stats(d.ctx, memory.LineIdentity(d.encoder.Identity()))
		if err != nil {
			t.Fatal(err)
		}
		return sequence, stats
	}
	sequence, stats := look()
	for range 1000 {
		out, err := d.Recall(d.ctx, memory.RecallInput{Query: of("trains"), Limit: 3})
		if err != nil || len(out.StaleInterpretations) != 1 || *out.StaleInterpretations[0].ReviewStatus != memory.ReviewStale {
			t.Fatalf("stale %+v, %v", out.StaleInterpretations, err)
		}
	}
	if after, statsAfter := look(); after != sequence || statsAfter != stats {
		t.Errorf("sequence %d, then %d; %+v, then %+v", sequence, after, stats, statsAfter)
	}
}

func TestSecretsAreTreatedAsThePolicySays(t *testing.T) {
	const text = "deploy with key AKIAIOSFODNN7EXAMPLQ tonight"
	for policy, want := range map[memory.SecretsPolicy]string{
		memory.SecretsFlag: text, memory.SecretsRedact: "deploy with key [secret removed] tonight", memory.SecretsRefuse: "",
	} {
		d := newDesk(t, func(c *memory.Config) { c.Secrets = policy })
		out, err := d.Remember(d.ctx, memory.RememberInput{Content: text})
		if want == "" {
			if memory.CodeOf(err) != memory.CodeInvalid {
				t.Errorf("%s: %v", policy, err)
			}
			continue
		}
		if err != nil || string(out.Memory.Content) != want {
			t.Errorf("%s: %q, %v", policy, out.Memory.Content, err)
		}
		if (policy == memory.SecretsRedact) != (len(out.Warnings) == 1) {
			t.Errorf("%s: warnings %q", policy, out.Warnings)
		}
	}
}

func TestCornersOfTheEarthAndOfTheClock(t *testing.T) {
	d := newDesk(t)
	for _, c := range []struct {
		lat, lon float64
		begins   string
	}{{90, 0, "upb"}, {90, 180, "zzz"}, {-90, 180, "pbp"}, {-90, -180, "000"}, {0, 180, "xbp"}} {
		out, err := d.Remember(d.ctx, memory.RememberInput{Content: "here", Lat: &c.lat, Lon: &c.lon})
		if err != nil || !strings.HasPrefix(out.Memory.Place.Geohash, c.begins) {
			t.Errorf("%g %g: %+v, %v", c.lat, c.lon, out.Memory.Place, err)
		}
	}
	for _, at := range []string{"2024-05-08T10:00:00+24:00", "2024-05-08T10:00:00+23:60", "2024-05-08T10:00:00-99:00", "2024-02-30T10:00:00Z", "2024-05-08T24:00:00Z"} {
		if _, err := d.Remember(d.ctx, memory.RememberInput{Content: "then", EventAt: &at}); memory.CodeOf(err) != memory.CodeInvalid {
			t.Errorf("%s: %v", at, err)
		}
	}
}

func TestALongTextIsStoredAtOnceAndEmbeddedBehind(t *testing.T) {
	d := newDesk(t)
	out, err := d.Remember(d.ctx, memory.RememberInput{Content: strings.Repeat("a long story about a key ", 1000)})
	if err != nil || out.Memory.Embedded() || d.encoder.Passages.Load() != 0 {
		t.Fatalf("embedded %v, %d texts encoded, %v", out.Memory.Embedded(), d.encoder.Passages.Load(), err)
	}
	if made, err := d.Backfill(d.ctx, nil); made != 1 || err != nil {
		t.Errorf("made %d, %v", made, err)
	}
}
