package store

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"combray/internal/memory"
)

// fullStore has a row in every table, and gives its path.
func fullStore(t *testing.T) (*Store, string) {
	t.Helper()
	path := newPath(t)
	s := openStore(t, Options{Path: path})
	tagged := note(3, "bells")
	tagged.Tags, tagged.Place = []string{"church"}, &memory.Place{Lat: 48.3, Lon: 1.2, Geohash: "u09"}
	apply(t, s, capturePlan(note(1, "tea"), note(2, "cake"), tagged, note(4, "garden")))
	apply(t, s, everyChange())
	mustCheckClean(t, s)
	return s, path
}

// TestCheckFindsWhatIsWrong breaks one thing after the other behind the store's
// back; every rule of rowRules is broken once.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	told := map[string]bool{}
	for _, c := range []struct{ where, what, sql string }{
		{"store", "the change sequence is behind the newest change", "UPDATE store SET sequence = 1"},
		{"store", "there is not exactly one row", "DELETE FROM store"},
		{"memories", "the change sequence is given twice", "UPDATE memories SET seq = (SELECT seq FROM erased) WHERE number = 1"},
		{"memories", "a position stands without a session", "UPDATE memories SET session_position = 1, session_id = NULL WHERE number = 1"},
		{"memories", "a flag is neither 0 nor 1", "UPDATE memories SET security_sensitive = 2 WHERE number = 1"},
		{"memories", "the place lies outside the earth or is incomplete", "UPDATE memories SET lat = 91 WHERE lat IS NOT NULL"},
		{"memories", "the place lies outside the earth or is incomplete", "UPDATE memories SET geohash = NULL"},
		{"memories", "a list or map cannot be read", "UPDATE memories SET tags = '[' WHERE number = 1"},
		{"memory_tags", "the index of tags lacks a tag", "DELETE FROM memory_tags"},
		{"memory_tags", "the index of tags has a tag that the memory has not", "INSERT INTO memory_tags (tag, number) VALUES ('x', 1)"},
		{"memory_tags", "the index of tags has a tag that the memory has not", "INSERT INTO memory_tags (tag, number) VALUES ('x', 99)"},
		{"erased", "an erased number is there", "UPDATE erased SET number = 1"},
		{"vectors", "the length of the vectors is not what the encoder gives", "UPDATE vectors SET data = x'00'"},
		{"vectors", "the length of the vectors is not what the encoder gives", "UPDATE vectors SET bits = 16"},
		{"vectors", "the length of the vectors is not what the encoder gives", "UPDATE vectors SET bits = 12"},
		{"vectors", "a memory has vectors of one encoder twice", "INSERT INTO vectors (number, identity, windows, data) SELECT number, identity, 1, x'00000000' FROM vectors WHERE number = 2"},
		{"unembedded", "a memory has no vectors and is not listed as such", "DELETE FROM unembedded"},
		{"unembedded", "a listed memory has vectors, or is not there", "INSERT INTO unembedded SELECT 1, created_at, id FROM memories WHERE number = 2"},
		{"unembedded", "a listed memory has vectors, or is not there", "INSERT INTO unembedded VALUES (1, 5, 'gone')"},
		{"narratives", "the names of unreadable lists cannot be read", "UPDATE narratives SET unreadable = 'x'"},
		{"narrative_sources", "the sources of a narrative have gaps or an unknown kind", "UPDATE narrative_sources SET position = 9 WHERE kind = 'claim'"},
		{"narrative_sources", "the sources of a narrative have gaps or an unknown kind", "UPDATE narrative_sources SET kind = 'rumour' WHERE kind = 'claim'"},
		{"identities", "a flag is neither 0 nor 1", "UPDATE identities SET cue = 2 WHERE name = 'e5/cue'"},
		{"identities", "the present encoder is one for cues", "UPDATE identities SET cue = 1"},
		{"recollections", "a place was never given", "UPDATE recollections SET sequence = 99 WHERE queued = 1"},
		{"recollections", "a place was never given", "UPDATE recollections SET sequence = 0 WHERE queued = 1"},
		{"recollections", "a flag is neither 0 nor 1", "UPDATE recollections SET queued = 2"},
		{"recollections", "a flag is neither 0 nor 1", "UPDATE recollections SET useful = -1"},
		{"recollections", "the score is none", "UPDATE recollections SET score = 1.5"},
		{"recollections", "a list or map cannot be read", "UPDATE recollections SET via = '['"},
		{"recollections", "a list or map cannot be read", "UPDATE recollections SET channels = '{'"},
		{"recollections", "speaks of a row of memories that is not there", "UPDATE recollections SET memory_id = 'gone' WHERE queued = 1"},
		{"fingerprints", "the fingerprints of a memory have gaps", "UPDATE fingerprints SET position = 7 WHERE position = 1"},
		{"fingerprints", "the channel has no fingerprints, or the chance is none", "UPDATE fingerprints SET channel = 'geo'"},
		{"fingerprints", "the channel has no fingerprints, or the chance is none", "UPDATE fingerprints SET chance = 2"},
		{"fingerprints", "speaks of a row of memories that is not there", "UPDATE fingerprints SET number = 99"},
		{"media", "the media of a memory have gaps", "UPDATE media SET position = 1"},
		{"media", "speaks of a row of memories that is not there", "UPDATE media SET number = 99"},
		{"heard", "the kind or the half-hour is none", "UPDATE heard SET kind = 4 WHERE kind = 0"},
		{"heard", "the kind or the half-hour is none", "UPDATE heard SET half = 48 WHERE kind = 0"},
		{"heard", "the kind or the half-hour is none", "UPDATE heard SET half = 0 WHERE kind = 2"},
		{"heard", "a vector has no encoder or an odd length, or an encoder has no vector", "UPDATE heard SET identity = 'e5/cue'"},
		{"heard", "a vector has no encoder or an odd length, or an encoder has no vector", "UPDATE heard SET vector = x'00' WHERE kind = 2"},
		{"heard", "a vector has no encoder or an odd length, or an encoder has no vector", "UPDATE heard SET identity = 'e5/cue', vector = x'0000' WHERE kind = 0"},
		{"visits", "the place lies outside the earth or is incomplete", "UPDATE visits SET lat = NULL"},
		{"visits", "the place lies outside the earth or is incomplete", "UPDATE visits SET lon = 181"},
		{"anchors", "speaks of a row of memories that is not there", "UPDATE anchors SET memory_id = 'gone'"},
		{"evidence", "speaks of a row of claims that is not there", "DELETE FROM claims"},
		{"vectors", "speaks of a row of memories that is not there", "DELETE FROM memories WHERE number = 2"},
		{"audit_log", "the chain breaks at sequence 2", "UPDATE audit_log SET reason = 'changed' WHERE sequence = 2"},
	} {
		s, path := fullStore(t)
		alter(t, path, c.sql)
		faults, err := s.Check(context.Background())
		if err != nil {
			t.Fatalf("%s: %v", c.sql, err)
		}
		found := false
		for _, f := range faults {
			found = found || f.Where == c.where && strings.Contains(f.What, c.what)
		}
		if !found {
			t.Errorf("%s: Check found %v", c.sql, faults)
		}
		told[c.where+c.what] = true
	}
	for _, rule := range rowRules {
		if !told[rule.table+rule.what] {
			t.Errorf("no test breaks the rule %q of %s", rule.what, rule.table)
		}
	}
}

func TestUnreadableColumnsAreCorrupt(t *testing.T) {
	for _, text := range []string{"UPDATE memories SET tags = '['", "UPDATE memories SET biometric = '[1]'", "UPDATE vectors SET data = x'00'"} {
		s, path := fullStore(t)
		alter(t, path, text)
		_, err := s.Changes(context.Background(), 0, 0, "e5")
		mustRefuse(t, err, memory.CodeCorrupt)
	}
}

func TestUnreadablePerceptionsAreCorrupt(t *testing.T) {
	ctx := context.Background()
	for text, read := range map[string]func(memory.Reader) error{
		"UPDATE recollections SET channels = '['": func(r memory.Reader) error { _, err := r.Pending(ctx, 0); return err },
		"UPDATE heard SET vector = x'00'":         func(r memory.Reader) error { _, _, err := r.Heard(ctx, 0, 0, "e5/cue"); return err },
	} {
		s, path := fullStore(t)
		alter(t, path, text)
		mustRefuse(t, s.View(ctx, read), memory.CodeCorrupt)
	}
}

func TestCheckFindsDamagedPages(t *testing.T) {
	s, path := fullStore(t)
	if err := s.Checkpoint(context.Background()); err != nil {
		t.Fatal(err)
	}
	alter(t, path, "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'WHERE lat IS NOT NULL', 'WHERE lat IS NULL') WHERE name = 'memories_place'")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	faults, err := openStore(t, Options{Path: path}).Check(context.Background())
	if err != nil || len(faults) == 0 || faults[0].Where != "file" {
		t.Errorf("Check found %v, %v", faults, err)
	}
}

// TestVerifyAuditNamesTheFirstBrokenRow changes, removes, adds and swaps rows of
// a log of ten.
func TestVerifyAuditNamesTheFirstBrokenRow(t *testing.T) {
	for _, c := range []struct {
		sql  string
		want string // "" when the chain must hold
	}{
		{"SELECT 1", ""},
		{"UPDATE audit_log SET reason = 'x' WHERE sequence >= 4", "sequence 4"},
		{"UPDATE audit_log SET subject = 'x' WHERE sequence = 5", "sequence 5"},
		{"UPDATE audit_log SET action = 'x' WHERE sequence = 5", "sequence 5"},
		{"UPDATE audit_log SET at = at + 1 WHERE sequence = 1", "sequence 1"},
		{"UPDATE audit_log SET by_client = 'x' WHERE sequence = 10", "sequence 10"},
		{"UPDATE audit_log SET by_version = 'x' WHERE sequence = 10", "sequence 10"},
		{"UPDATE audit_log SET by_door = 'x' WHERE sequence = 10", "sequence 10"},
		{"UPDATE audit_log SET id = 'x' WHERE sequence = 10", "sequence 10"},
		{"UPDATE audit_log SET reason_hash = zeroblob(32) WHERE sequence = 3", "sequence 3"},
		{"UPDATE audit_log SET chain = zeroblob(32) WHERE sequence = 3", "sequence 3"},
		{"UPDATE audit_log SET chain = x'00' WHERE sequence = 3", "sequence 3"},
		{"UPDATE audit_log SET salt = NULL WHERE sequence = 3", "sequence 3"},
		{"UPDATE audit_log SET salt = NULL, reason = '' WHERE sequence = 3", ""},
		{"DELETE FROM audit_log WHERE sequence = 1", "sequence 2"},
		{"DELETE FROM audit_log WHERE sequence = 6", "sequence 7"},
		{"DELETE FROM audit_log WHERE sequence = 10", "rows are missing at the end: the last is sequence 9"},
		{"DELETE FROM audit_log", "rows are missing at the end"},
		{"INSERT INTO audit_log SELECT 11, id, subject, action, at, by_client, by_version, by_door, salt, reason_hash, chain, reason FROM audit_log WHERE sequence = 10", "sequence 11"},
		{"UPDATE audit_log SET sequence = 100 WHERE sequence = 4; UPDATE audit_log SET sequence = 4 WHERE sequence = 5; UPDATE audit_log SET sequence = 5 WHERE sequence = 100", "sequence 4"},
	} {
		path := newPath(t)
		s := openStore(t, Options{Path: path})
		var plan memory.Plan
		for i := range 10 {
			plan.Record(noteID(i), memory.ActPin, fmt.Sprint("because ", i), moment)
		}
		apply(t, s, plan)
		alter(t, path, c.sql)
		faults, err := s.VerifyAudit(context.Background())
		switch {
		case err != nil:
			t.Fatal(err)
		case c.want == "" && len(faults) > 0:
			t.Errorf("%s: %v", c.sql, faults)
		case c.want != "" && (len(faults) != 1 || faults[0].Where != "audit_log" || !strings.Contains(faults[0].What, c.want)):
			t.Errorf("%s: %v, want %q", c.sql, faults, c.want)
		}
	}
}

// TestAnErasureKeepsTheChain erases between other rows and goes on writing.
func TestAnErasureKeepsTheChain(t *testing.T) {
	s := openStore(t, Options{Path: newPath(t)})
	apply(t, s, capturePlan(note(1, "tea"), note(2, "cake")))
	plan := memory.Plan{}
	plan.Record(noteID(1), memory.ActAutoFlagSensitive, "quotes tea", moment)
	plan.Record(noteID(2), memory.ActPin, "because", moment)
	apply(t, s, plan)
	apply(t, s, memory.Plan{Changes: []memory.Change{memory.EraseMemory{MemoryID: noteID(1)}}})
	apply(t, s, plan)
	mustCheckClean(t, s)
	var silent int
	err := s.View(context.Background(), func(r memory.Reader) error {
		rows, err := r.Audit(context.Background(), memory.AuditQuery{Captures: true})
		for _, row := range rows {
			if row.Salt == nil && row.Reason == "" && row.Subject == noteID(1) {
				silent++
			}
		}
		return err
	})
	if err != nil || silent != 2 {
		t.Errorf("%d rows are silent, %v", silent, err)
	}
}

// TestTagsLeaveWithTheirMemory holds for a list of tags that was damaged too.
func TestTagsLeaveWithTheirMemory(t *testing.T) {
	for _, damage := range []string{"", "UPDATE memories SET tags = '[' WHERE number = 1"} {
		path := newPath(t)
		s := openStore(t, Options{Path: path})
		m := note(1, "tea")
		m.Tags = []string{"church", "a\"b", "日本", ""}
		other := note(2, "cake")
		other.Tags = []string{"church"}
		apply(t, s, capturePlan(m, other))
		if damage != "" {
			alter(t, path, damage)
		}
		apply(t, s, memory.Plan{Changes: []memory.Change{memory.EraseMemory{MemoryID: noteID(1)}}})
		mustCheckClean(t, s)
	}
}
