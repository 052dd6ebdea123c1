-- Schema 1. Times are microseconds since 1970 in UTC. Flags are 0 and 1. Lists
-- and maps that nothing searches are JSON text. Every id is 12 lower-case
-- hexadecimal digits. References are checked at the end of a transaction, so
-- that a plan may write its rows in any order.

-- The store itself, one row.
CREATE TABLE store (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  store_id   TEXT    NOT NULL,             -- random, made with the file
  created_at INTEGER NOT NULL,
  sequence   INTEGER NOT NULL,             -- newest change sequence
  scrubbed   INTEGER NOT NULL DEFAULT 0,   -- erasures up to this change sequence have left no bytes behind
  identity   INTEGER REFERENCES identities -- of the newest vectors: the present encoder
) STRICT;

-- number is never given twice, not even after an erasure: AUTOINCREMENT.
-- The text stands last, so that filters do not read through it.
CREATE TABLE memories (
  number               INTEGER PRIMARY KEY AUTOINCREMENT,
  id                   TEXT    NOT NULL UNIQUE,
  seq                  INTEGER NOT NULL UNIQUE, -- change sequence of the newest change
  status               TEXT    NOT NULL,
  tier                 TEXT    NOT NULL,
  created_at           INTEGER NOT NULL,
  event_at             INTEGER,
  forgotten_at         INTEGER,
  security_sensitive   INTEGER NOT NULL,
  frame                TEXT,
  source               TEXT,
  session_id           TEXT,
  session_position     INTEGER,
  last_reviewed_at     INTEGER,
  review_status        TEXT,
  consolidated_at      INTEGER,
  material_type        TEXT    NOT NULL,
  event_offset         INTEGER,             -- minutes east of UTC
  event_precision      TEXT,
  lat                  REAL,                -- degrees, WGS84
  lon                  REAL,
  geohash              TEXT,                -- null without a place
  accuracy_m           REAL,
  salience             REAL    NOT NULL,
  recorded_client      TEXT    NOT NULL,
  recorded_version     TEXT    NOT NULL,
  recorded_door        TEXT    NOT NULL,
  idempotency_key      TEXT,
  origin_id            TEXT,
  tags                 TEXT,                -- JSON list in the order given; memory_tags indexes it
  media_refs           TEXT,                -- JSON list
  biometric            TEXT,                -- JSON map of numbers
  consolidation_reason TEXT,
  forgotten_reason     TEXT,
  capture_context      TEXT,
  metadata             TEXT    NOT NULL,    -- a JSON object as it came, '' when none
  content              TEXT    NOT NULL
) STRICT;

CREATE UNIQUE INDEX memories_position    ON memories (session_id, session_position) WHERE session_id IS NOT NULL AND session_position IS NOT NULL;
CREATE UNIQUE INDEX memories_idempotency ON memories (idempotency_key) WHERE idempotency_key IS NOT NULL;

-- The ways into a list (ways.go). Those that end in id, forgotten_at, event_at
-- count and page without reading a row.
CREATE INDEX memories_captured     ON memories (created_at DESC, id, forgotten_at, event_at);
CREATE INDEX memories_event        ON memories (event_at, created_at, id, forgotten_at) WHERE event_at IS NOT NULL;
CREATE INDEX memories_forgotten    ON memories (forgotten_at DESC, id) WHERE forgotten_at IS NOT NULL;
CREATE INDEX memories_frame        ON memories (frame, created_at DESC, id, forgotten_at, event_at) WHERE frame IS NOT NULL;
CREATE INDEX memories_session      ON memories (session_id, created_at DESC, id, forgotten_at, event_at) WHERE session_id IS NOT NULL;
CREATE INDEX memories_source       ON memories (source) WHERE source IS NOT NULL;
CREATE INDEX memories_place        ON memories (lat, lon) WHERE lat IS NOT NULL;
CREATE INDEX memories_consolidated ON memories (created_at DESC, id, forgotten_at, event_at) WHERE status = 'consolidated';
CREATE INDEX memories_tier         ON memories (tier, created_at DESC, id, forgotten_at, event_at) WHERE tier <> 'archive';
CREATE INDEX memories_review       ON memories (coalesce(last_reviewed_at, -9223372036854775808)) WHERE tier = 'interpretation';

CREATE TABLE memory_tags (
  tag    TEXT    NOT NULL,
  number INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  PRIMARY KEY (tag, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_tags_number ON memory_tags (number);

-- Numbers of erased memories, so that an index hears of the erasure.
CREATE TABLE erased (
  number INTEGER PRIMARY KEY,
  seq    INTEGER NOT NULL UNIQUE
) STRICT;

-- Encoders by what identifies their vectors.
CREATE TABLE identities (
  identity INTEGER PRIMARY KEY,
  name     TEXT    NOT NULL UNIQUE,
  dims     INTEGER NOT NULL
) STRICT;

-- data holds windows x dims numbers, IEEE 754 binary16, little-endian. A memory
-- has one row for an encoder at most. The index ends in windows, so that showing
-- a memory does not read its vectors.
CREATE TABLE vectors (
  vector   INTEGER PRIMARY KEY,
  number   INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  identity INTEGER NOT NULL REFERENCES identities,
  windows  INTEGER NOT NULL,
  data     BLOB    NOT NULL
) STRICT;
CREATE UNIQUE INDEX vectors_memory ON vectors (number, identity, windows);

-- What has no vectors yet: a row for every memory and identity that lack them,
-- newest captured first. It spares back-filling a look at all memories.
CREATE TABLE unembedded (
  identity   INTEGER NOT NULL REFERENCES identities,
  created_at INTEGER NOT NULL,
  id         TEXT    NOT NULL,             -- of the memory; an erasure takes it away by its key
  PRIMARY KEY (identity, created_at DESC, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE anchors (
  memory_id TEXT    PRIMARY KEY NOT NULL REFERENCES memories (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  reason    TEXT    NOT NULL,
  pinned_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX anchors_pinned ON anchors (pinned_at, memory_id);

CREATE TABLE corroborations (
  id        TEXT    PRIMARY KEY NOT NULL,
  memory_id TEXT    NOT NULL REFERENCES memories (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  source    TEXT    NOT NULL,
  at        INTEGER NOT NULL
) STRICT;
CREATE INDEX corroborations_memory ON corroborations (memory_id, at, id);

CREATE TABLE canon_entries (
  id                TEXT    PRIMARY KEY NOT NULL,
  memory_id         TEXT    NOT NULL REFERENCES memories (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  scope             TEXT    NOT NULL,
  reason            TEXT    NOT NULL,
  canonized_at      INTEGER NOT NULL,
  decommissioned_at INTEGER
) STRICT;
CREATE UNIQUE INDEX canon_entries_active ON canon_entries (scope, memory_id) WHERE decommissioned_at IS NULL;
CREATE INDEX canon_entries_order  ON canon_entries (canonized_at, id) WHERE decommissioned_at IS NULL;
CREATE INDEX canon_entries_memory ON canon_entries (memory_id);

CREATE TABLE conflicts (
  id                TEXT    PRIMARY KEY NOT NULL,
  memory_id_a       TEXT    NOT NULL REFERENCES memories (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  memory_id_b       TEXT    NOT NULL REFERENCES memories (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  reason            TEXT    NOT NULL,
  created_at        INTEGER NOT NULL,
  resolved_at       INTEGER,
  resolution_reason TEXT,
  adopted_memory_id TEXT
) STRICT;
CREATE UNIQUE INDEX conflicts_open ON conflicts (min(memory_id_a, memory_id_b), max(memory_id_a, memory_id_b)) WHERE resolved_at IS NULL;
CREATE INDEX conflicts_unresolved ON conflicts (created_at, id) WHERE resolved_at IS NULL;
CREATE INDEX conflicts_order      ON conflicts (created_at, id);
CREATE INDEX conflicts_a          ON conflicts (memory_id_a);
CREATE INDEX conflicts_b          ON conflicts (memory_id_b);

CREATE TABLE links (
  id                TEXT    PRIMARY KEY NOT NULL,
  from_id           TEXT    NOT NULL REFERENCES memories (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  to_id             TEXT    NOT NULL REFERENCES memories (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  relation          TEXT    NOT NULL,
  reason            TEXT    NOT NULL,
  created_at        INTEGER NOT NULL,
  retired_at        INTEGER,
  retirement_reason TEXT
) STRICT;
CREATE UNIQUE INDEX links_active ON links (from_id, to_id, relation) WHERE retired_at IS NULL;
CREATE INDEX links_from ON links (from_id);
CREATE INDEX links_to   ON links (to_id);

CREATE TABLE narratives (
  id                 TEXT    PRIMARY KEY NOT NULL,
  scope              TEXT    NOT NULL,
  created_at         INTEGER NOT NULL,
  superseded_at      INTEGER,
  superseded_by      TEXT    REFERENCES narratives (id) DEFERRABLE INITIALLY DEFERRED,
  security_sensitive INTEGER NOT NULL,
  review_required_at INTEGER,
  last_reviewed_at   INTEGER,
  unreadable         TEXT,               -- JSON list: which id lists of an imported row cannot be read
  recorded_client    TEXT    NOT NULL,
  recorded_version   TEXT    NOT NULL,
  recorded_door      TEXT    NOT NULL,
  perspective        TEXT,
  coverage           TEXT,
  review_reason      TEXT,
  review_note        TEXT,
  reason             TEXT    NOT NULL,
  content            TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX narratives_current ON narratives (scope) WHERE superseded_at IS NULL;
CREATE INDEX narratives_order ON narratives (created_at, id);
CREATE INDEX narratives_scope ON narratives (scope, created_at, id);
CREATE INDEX narratives_superseded_by ON narratives (superseded_by) WHERE superseded_by IS NOT NULL;

-- What a narrative cites, in its order. A memory may be gone: the narrative
-- then says that it is missing.
CREATE TABLE narrative_sources (
  narrative_id TEXT    NOT NULL REFERENCES narratives (id) DEFERRABLE INITIALLY DEFERRED,
  kind         TEXT    NOT NULL,         -- memory, claim, link
  position     INTEGER NOT NULL,
  ref          TEXT    NOT NULL,
  PRIMARY KEY (narrative_id, kind, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX narrative_sources_ref ON narrative_sources (kind, ref);

CREATE TABLE claims (
  id                 TEXT    PRIMARY KEY NOT NULL,
  scope              TEXT    NOT NULL,
  kind               TEXT    NOT NULL,
  recorded_at        INTEGER NOT NULL,
  security_sensitive INTEGER NOT NULL,
  statement_at       INTEGER,
  valid_from         INTEGER,
  valid_until        INTEGER,
  recorded_client    TEXT    NOT NULL,
  recorded_version   TEXT    NOT NULL,
  recorded_door      TEXT    NOT NULL,
  asserted_by        TEXT,
  content            TEXT    NOT NULL
) STRICT;
CREATE INDEX claims_order ON claims (recorded_at DESC, id);
CREATE INDEX claims_scope ON claims (scope, recorded_at DESC, id);

CREATE TABLE claim_events (
  sequence       INTEGER PRIMARY KEY,
  claim_id       TEXT    NOT NULL REFERENCES claims (id) DEFERRABLE INITIALLY DEFERRED,
  action         TEXT    NOT NULL,
  recorded_at    INTEGER NOT NULL,
  replacement_id TEXT    REFERENCES claims (id) DEFERRABLE INITIALLY DEFERRED,
  reason         TEXT    NOT NULL        -- '' after an erasure
) STRICT;
CREATE INDEX claim_events_claim       ON claim_events (claim_id);
CREATE INDEX claim_events_recorded    ON claim_events (recorded_at);
CREATE INDEX claim_events_replacement ON claim_events (replacement_id) WHERE replacement_id IS NOT NULL;

CREATE TABLE evidence (
  id                TEXT    PRIMARY KEY NOT NULL,
  claim_id          TEXT    NOT NULL REFERENCES claims (id) DEFERRABLE INITIALLY DEFERRED,
  memory_id         TEXT    NOT NULL,        -- may be erased: its claim then says that it is missing
  stance            TEXT    NOT NULL,
  recorded_at       INTEGER NOT NULL,
  retracted_at      INTEGER,
  origin_id         TEXT,
  locator           TEXT,
  retraction_reason TEXT,
  reason            TEXT    NOT NULL,
  quote             TEXT
) STRICT;
CREATE UNIQUE INDEX evidence_active ON evidence (claim_id, memory_id, stance) WHERE retracted_at IS NULL;
CREATE INDEX evidence_claim  ON evidence (claim_id, recorded_at, id);
CREATE INDEX evidence_memory ON evidence (memory_id, recorded_at, id);

-- sequence is AUTOINCREMENT so that rows missing at the end are noticed too.
-- An erasure takes reason and salt; the chain covers reason_hash.
CREATE TABLE audit_log (
  sequence    INTEGER PRIMARY KEY AUTOINCREMENT,
  id          TEXT    NOT NULL,
  subject     TEXT    NOT NULL,
  action      TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  by_client   TEXT    NOT NULL,
  by_version  TEXT    NOT NULL,
  by_door     TEXT    NOT NULL,
  salt        BLOB,                      -- 16 random bytes
  reason_hash BLOB    NOT NULL,          -- SHA-256 of salt and reason
  chain       BLOB    NOT NULL,          -- SHA-256 of the chain before and this row
  reason      TEXT    NOT NULL
) STRICT;
-- Every index ends in the row's number, the sequence.
CREATE INDEX audit_log_at      ON audit_log (at);
CREATE INDEX audit_log_listed  ON audit_log (at) WHERE action <> 'remember';
CREATE INDEX audit_log_action  ON audit_log (action, at) WHERE action <> 'remember';
CREATE INDEX audit_log_subject ON audit_log (subject, at);
CREATE INDEX audit_log_reasons ON audit_log (at) WHERE reason <> '';
