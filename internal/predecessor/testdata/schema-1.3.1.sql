-- The schema of memory-as-history 1.3.1, as PRAGMA table_info, index_list and
-- foreign_key_list tell it of a file which that version made.
CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT NOT NULL, source TEXT, status TEXT NOT NULL DEFAULT 'working',
  tier TEXT NOT NULL DEFAULT 'archive', created_at TEXT NOT NULL, consolidated_at TEXT, consolidation_reason TEXT,
  last_reviewed_at TEXT, review_status TEXT, forgotten_at TEXT, forgotten_reason TEXT,
  security_sensitive INTEGER NOT NULL DEFAULT 0, frame TEXT, event_at TEXT, session_id TEXT, session_position INTEGER,
  content_tokens TEXT, material_type TEXT NOT NULL DEFAULT 'unspecified', origin_id TEXT, capture_context TEXT);
CREATE UNIQUE INDEX memory_session_position ON memories (session_id, session_position) WHERE session_id IS NOT NULL AND session_position IS NOT NULL;
CREATE TABLE memory_links (id TEXT PRIMARY KEY, from_id TEXT NOT NULL REFERENCES memories (id), to_id TEXT NOT NULL REFERENCES memories (id),
  relation TEXT NOT NULL, reason TEXT NOT NULL, created_at TEXT NOT NULL, retired_at TEXT, retirement_reason TEXT);
CREATE UNIQUE INDEX active_memory_links ON memory_links (from_id, to_id, relation) WHERE retired_at IS NULL;
CREATE TABLE anchors (memory_id TEXT PRIMARY KEY REFERENCES memories (id), reason TEXT NOT NULL, pinned_at TEXT NOT NULL);
CREATE TABLE corroborations (id TEXT PRIMARY KEY, memory_id TEXT NOT NULL REFERENCES memories (id), source TEXT NOT NULL, at TEXT NOT NULL);
CREATE TABLE audit_log (id TEXT PRIMARY KEY, memory_id TEXT NOT NULL, action TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL);
CREATE TABLE narratives (id TEXT PRIMARY KEY, content TEXT NOT NULL, reason TEXT NOT NULL, memory_ids TEXT, created_at TEXT NOT NULL,
  superseded_at TEXT, superseded_by TEXT REFERENCES narratives (id), security_sensitive INTEGER NOT NULL DEFAULT 0,
  review_required_at TEXT, review_reason TEXT, last_reviewed_at TEXT, review_note TEXT, scope TEXT NOT NULL DEFAULT 'global',
  perspective TEXT, coverage TEXT, claim_ids TEXT, link_ids TEXT);
CREATE TABLE canon_entries (id TEXT PRIMARY KEY, memory_id TEXT NOT NULL REFERENCES memories (id), scope TEXT NOT NULL, reason TEXT NOT NULL,
  canonized_at TEXT NOT NULL, decommissioned_at TEXT);
CREATE TABLE conflicts (id TEXT PRIMARY KEY, memory_id_a TEXT NOT NULL REFERENCES memories (id), memory_id_b TEXT NOT NULL REFERENCES memories (id),
  reason TEXT NOT NULL, created_at TEXT NOT NULL, resolved_at TEXT, resolution_reason TEXT, adopted_memory_id TEXT);
CREATE TABLE claims (id TEXT PRIMARY KEY, content TEXT NOT NULL, kind TEXT NOT NULL, scope TEXT NOT NULL, asserted_by TEXT, statement_at TEXT,
  valid_from TEXT, valid_until TEXT, recorded_at TEXT NOT NULL, security_sensitive INTEGER NOT NULL DEFAULT 0);
CREATE TABLE claim_events (sequence INTEGER PRIMARY KEY, claim_id TEXT NOT NULL REFERENCES claims (id), action TEXT NOT NULL, reason TEXT NOT NULL,
  recorded_at TEXT NOT NULL, replacement_id TEXT REFERENCES claims (id));
CREATE INDEX claim_event_history ON claim_events (claim_id, sequence);
CREATE TABLE claim_evidence (id TEXT PRIMARY KEY, claim_id TEXT NOT NULL REFERENCES claims (id), memory_id TEXT NOT NULL REFERENCES memories (id),
  stance TEXT NOT NULL, reason TEXT NOT NULL, quote TEXT, locator TEXT, origin_id TEXT, recorded_at TEXT NOT NULL, retracted_at TEXT, retraction_reason TEXT);
CREATE UNIQUE INDEX active_claim_evidence ON claim_evidence (claim_id, memory_id, stance) WHERE retracted_at IS NULL;
CREATE INDEX evidence_memory ON claim_evidence (memory_id);
