package store

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"combray/internal/memory"
)

// secret is a text of which every 15 bytes tell whose it is.
func secret(i, times int) string { return strings.Repeat(fmt.Sprintf("S%06dE", i), times) }

// filesHold says which of the store's files hold secret(i, times). It looks from
// another process: reading a file here and closing it could drop SQLite's locks.
func filesHold(t *testing.T, path string, i, times int) []string {
	t.Helper()
	c := child(t, "search", path, i)
	c.Env = append(c.Env, childTimes+"="+strconv.Itoa(times))
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

const childTimes = "COMBRAY_TEST_TIMES"

func childSearch(path string, i int) error {
	times, err := strconv.Atoi(os.Getenv(childTimes))
	if err != nil {
		return err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		data, err := os.ReadFile(path + suffix)
		if err != nil {
			return err
		}
		if bytes.Contains(data, []byte(secret(i, times))) {
			fmt.Println("memory.db" + suffix)
		}
	}
	return nil
}

// TestErasedTextIsInNoFile erases a memory that stands in every table: its text
// in one page and over many, its quote, and what others said about it.
func TestErasedTextIsInNoFile(t *testing.T) {
	for _, times := range []int{4, 100, 20_000} {
		path := newPath(t)
		s := openStore(t, Options{Path: path})
		text := secret(7, times)
		of := func(what string) string { return what + " " + secret(7, 3) }
		m := note(7, text)
		for _, field := range []**string{&m.Source, &m.Frame, &m.SessionID, &m.OriginID, &m.CaptureContext, &m.ForgottenReason, &m.ConsolidationReason, &m.IdempotencyKey} {
			value := of("field")
			*field = &value
		}
		m.Tags, m.MediaRefs, m.Metadata, m.Biometric = []string{of("tag")}, []string{of("ref")}, `{"x":"`+of("meta")+`"}`, map[string]float64{of("pulse"): 1}
		plan := capturePlan(note(1, "tea"), note(2, "cake"), m)
		plan.Audit[2].Reason = of("capture")
		apply(t, s, plan)
		quote, id := of("quote"), string(m.ID)
		about7 := recollection(1, 7)
		about7.Source, about7.Via, about7.Channels = of("source"), []memory.Channel{memory.Channel(of("via"))}, map[memory.Channel]float64{memory.Channel(of("channel")): 1}
		about := memory.Plan{}
		about.Write(
			memory.PutVectors{Number: 3, Identity: "e5", Windows: [][]float32{{1, 0}}},
			memory.PutFingerprints{MemoryID: m.ID, Fingerprints: []memory.Fingerprint{
				{Channel: memory.ChannelText, Text: memory.Text(of("perceived")), Chance: 1},
				{Channel: memory.ChannelImage, Backend: of("backend"), Data: []byte(of("picture")), Text: memory.Text(text), Chance: 0.5}}},
			memory.PutMedia{MemoryID: m.ID, Media: []memory.Medium{{Channel: memory.ChannelAudio, Mime: of("mime"), Data: []byte(text)}}},
			memory.PutRecollection{Recollection: about7},
			memory.PutVectors{Number: 3, Identity: "e5/cue", Windows: [][]float32{{0, 1}}, Cue: true},
			memory.PutAnchor{Anchor: memory.Anchor{MemoryID: m.ID, Reason: of("pinned"), PinnedAt: moment}},
			memory.PutCorroboration{Corroboration: memory.Corroboration{ID: "c01", MemoryID: m.ID, Source: of("label"), At: moment}},
			memory.PutCanon{Entry: memory.CanonEntry{ID: "e01", MemoryID: m.ID, Scope: of("scope"), Reason: of("canon"), CanonizedAt: moment}},
			memory.PutConflict{Conflict: memory.Conflict{ID: "f00000000001", A: noteID(1), B: m.ID, Reason: of("conflict"), CreatedAt: moment}},
			memory.PutLink{Link: memory.Link{ID: "100000000001", From: m.ID, To: noteID(2), Relation: "related", Reason: of("link"), CreatedAt: moment}},
			memory.PutClaim{Claim: memory.Claim{ID: "a00000000001", Content: "it was tea", Kind: "assertion", Scope: "global", RecordedAt: moment}},
			memory.PutEvidence{Evidence: memory.Evidence{ID: "b00000000001", ClaimID: "a00000000001", MemoryID: m.ID, Stance: "supports", Reason: of("evidence"), Quote: &quote, RecordedAt: moment}},
			memory.PutClaimEvent{Event: memory.ClaimEvent{ClaimID: "a00000000001", Action: memory.ClaimEvidenceAdded, Reason: "evidence=b00000000001: " + of("event"), RecordedAt: moment}},
			memory.PutNarrative{Narrative: memory.Narrative{ID: "d00000000001", Content: "once", Reason: "because", Scope: "global", CreatedAt: moment, MemoryIDs: []memory.ID{m.ID}}},
		)
		about.Record(m.ID, memory.ActPin, of("pinned"), moment)
		about.Record(noteID(1), memory.ActMarkConflict, "with="+id+": "+of("conflict"), moment)
		about.Record(noteID(2), memory.ActUnlinkMemories, "link=100000000001: "+of("unlinked"), moment)
		about.Record("a00000000001", memory.ActAddEvidence, "evidence=b00000000001 memory="+id+" stance=supports: "+of("evidence"), moment)
		apply(t, s, about)
		if len(filesHold(t, path, 7, 2)) == 0 {
			t.Fatal("the text is not in the files before the erasure: the search is wrong")
		}
		erase := memory.Plan{Changes: []memory.Change{memory.EraseMemory{MemoryID: m.ID}}}
		erase.Record(m.ID, memory.ActErase, "", moment)
		apply(t, s, erase)
		mustScrub(t, s)
		if holding := filesHold(t, path, 7, 1); len(holding) > 0 {
			t.Errorf("%d bytes: %v still hold the text", len(text), holding)
		}
		mustCheckClean(t, s)
		if stats, err := s.Stats(context.Background(), "e5"); err != nil || stats.Memories != 2 || stats.Audit != 8 || stats.Embedded != 0 {
			t.Errorf("stats %+v, %v", stats, err)
		} else if stats.Recollections+stats.Queued+stats.Fingerprints != 0 {
			t.Errorf("what was perceived is still counted: %+v", stats)
		}
	}
}

// TestWipedVisitsAreInNoFile also looks that a wipe asks for a scrub.
func TestWipedVisitsAreInNoFile(t *testing.T) {
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	var plan memory.Plan
	for i := range 300 {
		plan.Write(memory.PutVisit{Visit: memory.Visit{Source: secret(i, 3), At: moment}},
			memory.PutHeard{Rows: []memory.Heard{{Kind: memory.HeardText, Key: int64(i), Day: 1, Half: -1, Identity: secret(i, 2), Vector: []float32{1, 0}}}})
	}
	apply(t, s, plan)
	if len(filesHold(t, path, 299, 3)) == 0 {
		t.Fatal("the source is not in the files before the wipe: the search is wrong")
	}
	apply(t, s, memory.Plan{Changes: []memory.Change{memory.WipeHeard{}}})
	mustScrub(t, s)
	for i := range 300 {
		if i%50 == 49 && len(filesHold(t, path, i, 1)) > 0 {
			t.Errorf("source %d is still in the files", i)
		}
	}
	mustCheckClean(t, s)
}

func mustScrub(t *testing.T, s *Store) {
	t.Helper()
	ctx := context.Background()
	if needed, err := s.NeedsScrub(ctx); err != nil || !needed {
		t.Fatalf("NeedsScrub says %v, %v", needed, err)
	}
	if err := s.Scrub(ctx); err != nil {
		t.Fatal(err)
	}
	if needed, err := s.NeedsScrub(ctx); err != nil || needed {
		t.Fatalf("after Scrub NeedsScrub says %v, %v", needed, err)
	}
}

// TestErasedTextIsInNoPageThatWasMoved writes, changes and erases at random until
// rows have moved between pages many times. Without the cleaning of pages, one
// erased text in a thousand stays behind in the middle of one.
func TestErasedTextIsInNoPageThatWasMoved(t *testing.T) {
	const memories, rounds = 600, 60
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	rng := rand.New(rand.NewPCG(8, 1))
	var plan memory.Plan
	for i := range memories {
		m := note(i, secret(i, []int{3, 10, 30, 100, 700}[rng.IntN(5)]))
		source := secret(i, 2)
		m.Source, m.Frame = &source, &source
		plan.Join(capturePlan(m))
		plan.Write(perceivedSecret(i, rng.IntN(60)))
		fired := recollection(i, i)
		fired.Source = secret(i, 2)
		plan.Write(memory.PutRecollection{Recollection: fired})
	}
	apply(t, s, plan)
	erased := map[int]bool{}
	for range rounds {
		plan = memory.Plan{}
		touched := map[int]bool{}
		for range 15 {
			i := rng.IntN(memories)
			if erased[i] || touched[i] {
				continue
			}
			touched[i] = true
			if rng.IntN(3) == 0 {
				plan.Write(memory.EraseMemory{MemoryID: noteID(i)})
				erased[i] = true
				continue
			}
			m := load(t, s, noteID(i))
			why := secret(i, rng.IntN(40))
			m.ForgottenReason = &why
			plan.Write(memory.PutMemory{Memory: *m}, perceivedSecret(i, rng.IntN(60)))
			plan.Record(m.ID, memory.ActForget, why, moment)
		}
		apply(t, s, plan)
	}
	mustScrub(t, s)
	mustCheckClean(t, s)
	if dirty, _, err := s.dirtyPages(context.Background()); err != nil || len(dirty) > 0 {
		t.Errorf("%d pages are still dirty, %v", len(dirty), err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range memories {
		if held := bytes.Contains(data, []byte(secret(i, 1))); held == erased[i] {
			t.Errorf("memory %d: erased %v, in the file %v", i, erased[i], held)
		}
	}
}

// perceivedSecret gives note i fingerprints that tell whose they are.
func perceivedSecret(i, times int) memory.Change {
	text := secret(i, times)
	return memory.PutFingerprints{MemoryID: noteID(i), Fingerprints: []memory.Fingerprint{
		{Channel: memory.ChannelText, Text: memory.Text(text), Chance: 1}, {Channel: memory.ChannelImage, Backend: "e5", Data: []byte(text)}}}
}

// TestScrubWaitsForOlderReaders: what an older snapshot reads cannot be taken away.
func TestScrubWaitsForOlderReaders(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t), BusyTimeout: 20_000_000})
	apply(t, s, capturePlan(note(1, "tea")))
	ctx := context.Background()
	err := s.View(ctx, func(r memory.Reader) error {
		apply(t, s, memory.Plan{Changes: []memory.Change{memory.EraseMemory{MemoryID: noteID(1)}}})
		mustRefuse(t, s.Scrub(ctx), memory.CodeUnavailable)
		if m, err := r.Memory(ctx, noteID(1)); err != nil || m == nil {
			t.Errorf("the older snapshot lost its memory: %v", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	mustScrub(t, s)
}

func FuzzUnusedMiddle(f *testing.F) {
	leaf := append([]byte{0x0d, 0, 0, 0, 1, 0, 14, 0, 0, 14}, 9, 9, 9, 9, 1, 2, 3)
	for _, page := range [][]byte{leaf, leaf[:9], {0x05}, {}, bytes.Repeat([]byte{0xff}, 64), append([]byte{0x02}, make([]byte, 40)...)} {
		f.Add(int64(1), page)
		f.Add(int64(2), page)
	}
	f.Fuzz(func(t *testing.T, number int64, page []byte) {
		gap := unusedMiddle(number, page)
		if len(gap) > len(page) {
			t.Fatalf("a gap of %d bytes in %d", len(gap), len(page))
		}
	})
}

func TestUnusedMiddleOfALeaf(t *testing.T) {
	leaf := append([]byte{0x0d, 0, 0, 0, 1, 0, 14, 0, 0, 14}, 9, 9, 9, 9, 1, 2, 3)
	if gap := unusedMiddle(2, leaf); !bytes.Equal(gap, []byte{9, 9, 9, 9}) {
		t.Errorf("gap %v", gap)
	}
}
