PRAGMA application_id = 1131375970;
PRAGMA user_version = 4;
PRAGMA foreign_keys = 0;
BEGIN;
CREATE TABLE store (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  store_id   TEXT    NOT NULL,             -- random, made with the file
  created_at INTEGER NOT NULL,
  sequence   INTEGER NOT NULL,             -- newest change sequence
  scrubbed   INTEGER NOT NULL DEFAULT 0,   -- erasures up to this change sequence have left no bytes behind
  identity   INTEGER REFERENCES identities -- of the newest vectors: the present encoder
, queue_version     INTEGER NOT NULL DEFAULT 0, perceived_version INTEGER NOT NULL DEFAULT 0, heard_epoch       INTEGER NOT NULL DEFAULT 0, scrubbed_epoch    INTEGER NOT NULL DEFAULT 0, chosen    TEXT, answering TEXT) STRICT;
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
CREATE INDEX memories_event        ON memories (event_at, created_at, id, forgotten_at) WHERE event_at IS NOT NULL;
CREATE INDEX memories_forgotten    ON memories (forgotten_at DESC, id) WHERE forgotten_at IS NOT NULL;
CREATE INDEX memories_frame        ON memories (frame, created_at DESC, id, forgotten_at, event_at) WHERE frame IS NOT NULL;
CREATE INDEX memories_session      ON memories (session_id, created_at DESC, id, forgotten_at, event_at) WHERE session_id IS NOT NULL;
CREATE INDEX memories_source       ON memories (source) WHERE source IS NOT NULL;
CREATE INDEX memories_place        ON memories (lat, lon) WHERE lat IS NOT NULL;
CREATE INDEX memories_tier         ON memories (tier, created_at DESC, id, forgotten_at, event_at) WHERE tier <> 'archive';
CREATE INDEX memories_review       ON memories (coalesce(last_reviewed_at, -9223372036854775808)) WHERE tier = 'interpretation';
CREATE TABLE erased (
  number INTEGER PRIMARY KEY,
  seq    INTEGER NOT NULL UNIQUE
) STRICT;
CREATE TABLE identities (
  identity INTEGER PRIMARY KEY,
  name     TEXT    NOT NULL UNIQUE,
  dims     INTEGER NOT NULL
, cue INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE vectors (
  vector   INTEGER PRIMARY KEY,
  number   INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  identity INTEGER NOT NULL REFERENCES identities,
  windows  INTEGER NOT NULL,
  data     BLOB    NOT NULL
, bits INTEGER NOT NULL DEFAULT 16) STRICT;
CREATE UNIQUE INDEX vectors_memory ON vectors (number, identity, windows);
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
CREATE INDEX audit_log_at      ON audit_log (at);
CREATE INDEX audit_log_listed  ON audit_log (at) WHERE action <> 'remember';
CREATE INDEX audit_log_action  ON audit_log (action, at) WHERE action <> 'remember';
CREATE INDEX audit_log_subject ON audit_log (subject, at);
CREATE INDEX audit_log_reasons ON audit_log (at) WHERE reason <> '';
CREATE TABLE recollections (
  id        TEXT    PRIMARY KEY NOT NULL,
  sequence  INTEGER NOT NULL,            -- place in the queue: queue_version when it came in, or that of the one whose place it took
  memory_id TEXT    NOT NULL REFERENCES memories (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  score     REAL    NOT NULL,
  at        INTEGER NOT NULL,            -- of the cue
  at_offset INTEGER NOT NULL,            -- minutes east of UTC, where the cue was
  fired_at  INTEGER NOT NULL,            -- on this machine's clock
  queued    INTEGER NOT NULL,            -- 1 while it waits to be delivered
  useful    INTEGER,                     -- what somebody said of it
  channels  TEXT,                        -- JSON map: similarity of each channel
  via       TEXT,                        -- JSON list of channels
  source    TEXT    NOT NULL             -- who reported the cue
) STRICT;
CREATE INDEX recollections_queue  ON recollections (sequence, id) WHERE queued = 1;
CREATE INDEX recollections_memory ON recollections (memory_id, at, sequence, id);
CREATE INDEX recollections_at     ON recollections (at);
CREATE TABLE fingerprints (
  fingerprint INTEGER PRIMARY KEY,
  number      INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  position    INTEGER NOT NULL,
  channel     TEXT    NOT NULL,          -- text, image, audio
  backend     TEXT    NOT NULL,          -- what made data; '' for words alone
  chance      REAL    NOT NULL,          -- how sure the words are
  data        BLOB,                      -- null for words alone
  text        TEXT    NOT NULL           -- the words, '' for none
) STRICT;
CREATE UNIQUE INDEX fingerprints_memory ON fingerprints (number, position);
CREATE INDEX fingerprints_backend ON fingerprints (channel, backend, number, position);
CREATE TABLE media (
  medium   INTEGER PRIMARY KEY,
  number   INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  position INTEGER NOT NULL,
  channel  TEXT    NOT NULL,
  mime     TEXT    NOT NULL,
  data     BLOB
) STRICT;
CREATE UNIQUE INDEX media_memory ON media (number, position);
CREATE TABLE heard (
  row      INTEGER PRIMARY KEY AUTOINCREMENT,
  kind     INTEGER NOT NULL,             -- 0 place, 1 word, 2 text, 3 reading of the body
  key      INTEGER NOT NULL,             -- cell of the earth, hash of the word, of the text, which reading
  day      INTEGER NOT NULL,             -- local, days since 1970
  half     INTEGER NOT NULL,             -- half-hour of the day, 0 to 47; -1 for words and texts
  value    REAL    NOT NULL,             -- of a reading
  identity TEXT    NOT NULL,             -- of the encoder that made vector; '' without
  vector   BLOB                          -- as in vectors.data
) STRICT;
CREATE UNIQUE INDEX heard_once ON heard (kind, key, day, half);
CREATE INDEX heard_day ON heard (day);
CREATE TABLE visits (
  source TEXT    PRIMARY KEY NOT NULL,
  lat    REAL,                           -- degrees, WGS84; null without a place
  lon    REAL,
  at     INTEGER NOT NULL,
  cue    INTEGER NOT NULL                -- hash of the cue less its time
) STRICT, WITHOUT ROWID;
CREATE INDEX memories_captured     ON memories (created_at, id DESC, forgotten_at, event_at);
CREATE INDEX memories_consolidated ON memories (created_at, id DESC, forgotten_at, event_at) WHERE status = 'consolidated';
CREATE TABLE "memory_tags" (
  tag    TEXT    NOT NULL,
  number INTEGER NOT NULL,               -- of a memory; an erasure takes it away by its tags
  PRIMARY KEY (tag, number)
) STRICT, WITHOUT ROWID;
DELETE FROM sqlite_sequence;
INSERT INTO anchors VALUES ('000000000001', 'because', 1715171400000000);
INSERT INTO audit_log VALUES (1, '50c1bf1b4f9e', '000000000001', 'remember', 1715171401000000, '', '', '', NULL, X'', X'22C816B65566983404F42E137A5DD5FBCA6F3CEFD18E1C99BB039C96FF03402C', '');
INSERT INTO audit_log VALUES (2, '515edfa9128c', '000000000002', 'remember', 1715171402000000, '', '', '', NULL, X'', X'9113620EEEDEF72F9BF2DCCCE555BE79147EFB64E045AD6331628D54A373F7F3', '');
INSERT INTO audit_log VALUES (3, '27149cf55139', '000000000003', 'remember', 1715171403000000, '', '', '', NULL, X'', X'F37ABE8E73F5E30293810211FD9BA7C0873CF0C520A702E9360B0FE57B96D857', '');
INSERT INTO audit_log VALUES (4, '7ad2c0689237', '000000000004', 'remember', 1715171404000000, '', '', '', NULL, X'', X'9C99E50184AD213E95F17E958745895F99C97D2A6EE1141802DF8363BA7007E0', '');
INSERT INTO audit_log VALUES (5, '162671ac2bc7', '000000000001', 'promote', 1715171400000000, '', '', '', X'A407D176B791F9371ECD4F417F967093', X'ECA896AB555C20C11F1CA860F03D89DFCF52186D35E7F5FED14673497DBDEA10', X'571405DC5FC3E5AFE6BAD1362CDE341C7093911375C4820E63A18325F51DCE45', 'because');
INSERT INTO audit_log VALUES (6, 'dea58ed6319d', '000000000002', 'pin', 1715171400000000, '', '', '', X'2EE0FCE1DAEFF4FB66056A7B6D661BCA', X'B5337FF2DEDEC8ABD637820B95BFABB8568963768C49BA899B547D9C60AD05C7', X'3586FC85836AC6F7A381594027BCC26F3B098EB8415AF32FD49AF38A446EB5EC', 'because');
INSERT INTO audit_log VALUES (7, '68e12d7a8f3b', '000000000003', 'erase', 1715171400000000, '', '', '', X'15D8F413C5E266C23D2E63EFE67DCCA6', X'8FB605B0F55D261C1F83E50E203E4AD8A17CD716B7E79781E9904B9510693477', X'26BBDFE156C3B9752404FE20E644DCB9ECEBF755799E30D23D5EED3B42E1DE3F', 'because');
INSERT INTO canon_entries VALUES ('e01', '000000000001', 'book', 'because', 1715171400000000, NULL);
INSERT INTO claim_events VALUES (1, 'a01', 'proposed', 1715171400000000, NULL, 'because');
INSERT INTO claims VALUES ('a01', 'global', 'assertion', 1715171400000000, 0, NULL, NULL, NULL, '', '', '', NULL, 'it was tea');
INSERT INTO conflicts VALUES ('f01', '000000000001', '000000000002', 'because', 1715171400000000, NULL, NULL, NULL);
INSERT INTO corroborations VALUES ('c01', '000000000001', ' Ada ', 1715171400000000);
INSERT INTO erased VALUES (4, 11);
INSERT INTO evidence VALUES ('b01', 'a01', '000000000001', 'supports', 1715171400000000, NULL, NULL, NULL, NULL, 'because', NULL);
INSERT INTO fingerprints VALUES (1, 1, 0, 'text', '', 1.0, NULL, 'bells');
INSERT INTO fingerprints VALUES (2, 1, 1, 'image', 'e5', 0.5, X'0102', 'a steeple');
INSERT INTO heard VALUES (2, 0, 1099511627776, 19851, 25, 0.0, '', NULL);
INSERT INTO heard VALUES (4, 2, -7, 19851, -1, 0.0, 'e5/cue', X'0000003C');
INSERT INTO heard VALUES (5, 3, 2, 19851, 25, 61.5, '', NULL);
INSERT INTO identities VALUES (1, 'e5', 2, 0);
INSERT INTO identities VALUES (2, 'e5/cue', 2, 1);
INSERT INTO links VALUES ('101', '000000000001', '000000000003', 'explains', 'because', 1715171400000000, NULL, NULL);
INSERT INTO media VALUES (1, 3, 0, 'image', 'image/png', X'03');
INSERT INTO memories VALUES (1, '000000000001', 9, 'consolidated', 'archive', 1715171401000000, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1715171400000000, 'unspecified', NULL, NULL, NULL, NULL, NULL, NULL, 0.5, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', 'tea');
INSERT INTO memories VALUES (2, '000000000002', 7, 'working', 'archive', 1715171402000000, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'unspecified', NULL, NULL, NULL, NULL, NULL, NULL, 0.5, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', 'cake');
INSERT INTO memories VALUES (3, '000000000003', 3, 'working', 'archive', 1715171403000000, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'unspecified', NULL, NULL, 48.3, 1.2, 'u09', NULL, 0.5, '', '', '', NULL, NULL, '["church"]', NULL, NULL, NULL, NULL, NULL, '', 'bells');
INSERT INTO memories VALUES (5, '000000000005', 6, 'working', 'archive', 1715171405000000, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'unspecified', NULL, NULL, NULL, NULL, NULL, NULL, 0.5, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', 'new');
INSERT INTO memory_tags VALUES ('church', 3);
INSERT INTO narrative_sources VALUES ('d01', 'claim', 0, 'a01');
INSERT INTO narrative_sources VALUES ('d01', 'link', 0, '101');
INSERT INTO narrative_sources VALUES ('d01', 'memory', 0, '000000000003');
INSERT INTO narrative_sources VALUES ('d01', 'memory', 1, '000000000001');
INSERT INTO narratives VALUES ('d01', 'global', 1715171400000000, NULL, NULL, 0, NULL, NULL, '["link_ids"]', '', '', '', NULL, NULL, NULL, NULL, 'because', 'once');
INSERT INTO recollections VALUES ('ec0000000001', 1, '000000000001', 0.8, 1715171400000000, 120, 1715171400000000, 1, NULL, '{"geo":0.97}', '["geo"]', 'phone');
INSERT INTO recollections VALUES ('ec0000000002', 2, '000000000002', 0.8, 1715171400000000, 120, 1715171400000000, 0, 1, '{"geo":0.97}', '["geo"]', 'phone');
INSERT INTO sqlite_sequence VALUES ('audit_log', 7);
INSERT INTO sqlite_sequence VALUES ('heard', 5);
INSERT INTO sqlite_sequence VALUES ('memories', 5);
INSERT INTO store VALUES (1, '670ad32ad8cd74314137f7bed6c9384e', 1796121921101496, 11, 0, 1, 4, 3, 1, 0, NULL, NULL);
INSERT INTO unembedded VALUES (1, 1715171401000000, '000000000001');
INSERT INTO unembedded VALUES (1, 1715171403000000, '000000000003');
INSERT INTO unembedded VALUES (1, 1715171405000000, '000000000005');
INSERT INTO unembedded VALUES (2, 1715171402000000, '000000000002');
INSERT INTO unembedded VALUES (2, 1715171403000000, '000000000003');
INSERT INTO unembedded VALUES (2, 1715171405000000, '000000000005');
INSERT INTO vectors VALUES (1, 2, 1, 2, X'0000803FFEFF1F0000803FFFF33F', 11);
INSERT INTO vectors VALUES (2, 1, 2, 1, X'0000803FFFF33F', 11);
INSERT INTO visits VALUES ('phone', 48.3, 1.2, 1715171400000000, 5);
COMMIT;
