-- A file as old as the system: without what version 1.3.1 adds when it opens one
-- (memory_links, the claims, and columns of memories and narratives).
CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT NOT NULL, source TEXT, status TEXT NOT NULL DEFAULT 'working',
  tier TEXT NOT NULL DEFAULT 'archive', created_at TEXT NOT NULL, consolidated_at TEXT, consolidation_reason TEXT,
  last_reviewed_at TEXT, review_status TEXT, forgotten_at TEXT, forgotten_reason TEXT, security_sensitive INTEGER NOT NULL DEFAULT 0, frame TEXT);
CREATE TABLE anchors (memory_id TEXT PRIMARY KEY REFERENCES memories (id), reason TEXT NOT NULL, pinned_at TEXT NOT NULL);
CREATE TABLE corroborations (id TEXT PRIMARY KEY, memory_id TEXT NOT NULL REFERENCES memories (id), source TEXT NOT NULL, at TEXT NOT NULL);
CREATE TABLE audit_log (id TEXT PRIMARY KEY, memory_id TEXT NOT NULL, action TEXT NOT NULL, reason TEXT NOT NULL, at TEXT NOT NULL);
CREATE TABLE narratives (id TEXT PRIMARY KEY, content TEXT NOT NULL, reason TEXT NOT NULL, memory_ids TEXT, created_at TEXT NOT NULL,
  superseded_at TEXT, superseded_by TEXT REFERENCES narratives (id));
CREATE TABLE canon_entries (id TEXT PRIMARY KEY, memory_id TEXT NOT NULL REFERENCES memories (id), scope TEXT NOT NULL, reason TEXT NOT NULL,
  canonized_at TEXT NOT NULL, decommissioned_at TEXT);
CREATE TABLE conflicts (id TEXT PRIMARY KEY, memory_id_a TEXT NOT NULL REFERENCES memories (id), memory_id_b TEXT NOT NULL REFERENCES memories (id),
  reason TEXT NOT NULL, created_at TEXT NOT NULL, resolved_at TEXT, resolution_reason TEXT, adopted_memory_id TEXT);
INSERT INTO memories (id, content, source, status, tier, created_at) VALUES
  ('0a0000000001', 'The mill by the river', 'Ada', 'consolidated', 'testimony', '2025-01-05T10:00:00.000001+00:00'),
  ('0a0000000002', 'The ferry stops in winter', NULL, 'working', 'archive', '2025-01-05T10:00:01+00:00');
INSERT INTO anchors VALUES ('0a0000000001', 'the village clock', '2025-01-07T10:00:00+00:00');
INSERT INTO narratives VALUES ('2a0000000001', 'A mill.', 'winter', '["0a0000000001"]', '2025-01-20T10:00:00+00:00', '2025-03-01T10:00:00+00:00', '2a0000000002'),
  ('2a0000000002', 'A mill and a ferry.', 'spring', NULL, '2025-03-01T10:00:00+00:00', NULL, NULL);
INSERT INTO audit_log VALUES ('3a0000000001', '0a0000000001', 'pin', 'the village clock', '2025-01-07T10:00:00+00:00');
