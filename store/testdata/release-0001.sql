PRAGMA application_id = 1131375970;
PRAGMA user_version = 1;
PRAGMA foreign_keys = 0;
BEGIN;
CREATE TABLE store (
  one        INTEGER PRIMARY KEY CHECK (one = 1),
  store_id   TEXT    NOT NULL,             -- random, made with the file
  created_at INTEGER NOT NULL,
  sequence   INTEGER NOT NULL,             -- newest change sequence
  scrubbed   INTEGER NOT NULL DEFAULT 0,   -- erasures up to this change sequence have left no bytes behind
  identity   INTEGER REFERENCES identities -- of the newest vectors: the present encoder
) STRICT;
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
CREATE TABLE erased (
  number INTEGER PRIMARY KEY,
  seq    INTEGER NOT NULL UNIQUE
) STRICT;
CREATE TABLE identities (
  identity INTEGER PRIMARY KEY,
  name     TEXT    NOT NULL UNIQUE,
  dims     INTEGER NOT NULL
) STRICT;
CREATE TABLE vectors (
  vector   INTEGER PRIMARY KEY,
  number   INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  identity INTEGER NOT NULL REFERENCES identities,
  windows  INTEGER NOT NULL,
  data     BLOB    NOT NULL
) STRICT;
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
DELETE FROM sqlite_sequence;
INSERT INTO anchors VALUES ('000000000001', 'because', 1715171400000000);
INSERT INTO audit_log VALUES (1, '6803044a0adf', '000000000001', 'remember', 1715171401000000, '', '', '', X'670CBEE5B2D6F9FAD6BE85A3AA5327EE', X'357F698A87A7FE317E29D28773D7B6C5EF985D6F9FDAE0F2102FC7449E9CC915', X'379F3A998DE2F1CAB5BB18483F2A88EAF7B9FA89A0C74F4997495F2D648D66A9', '');
INSERT INTO audit_log VALUES (2, '9415859acae7', '000000000002', 'remember', 1715171402000000, '', '', '', X'4E229EB7C411A805A3EDA58D131DBDDF', X'772EFFED3B2DF8F5AE835149E271D205D494870B90C3DAF540CA440860324609', X'7D941138D0853D7DCEF4185FEEBC24C03BFF78B3B95DB3783081FE13F64C9877', '');
INSERT INTO audit_log VALUES (3, '69e9d70bcd54', '000000000003', 'remember', 1715171403000000, '', '', '', X'27497352B7098712E3151D914B48425C', X'CF63023DB378237EF0DAF24F0F77E43EB8CD85B8B906A5F34102B142DD6D5CDD', X'5B637B49F878422B123C6DE17868FEEC4975B6F6BA198884D959903F621635D0', '');
INSERT INTO audit_log VALUES (4, 'a5d7bf9a4e00', '000000000004', 'remember', 1715171404000000, '', '', '', NULL, X'E6707A74E269769749E3DD05324B155C7CCB773EAA479BB3A5855F9BAB26AAD2', X'0D85AB20ED6768220E910D1A6870EA805581F8E4F88593152B0B74C326E342DD', '');
INSERT INTO audit_log VALUES (5, '7051b70b70c7', '000000000001', 'promote', 1715171400000000, '', '', '', X'B43CC56F23ED7C1732E44A4AB2B92C6D', X'9C6371C93BFE66E2E55B02BD5CC469E2F0D0ABF447507C24E3EDF3A66337A844', X'A9DC84C96404B24E21D9F489993EAFD8A660D80DA60C744FC027FAA47766617E', 'because');
INSERT INTO audit_log VALUES (6, 'ea80f854db1a', '000000000002', 'pin', 1715171400000000, '', '', '', X'249A13D179CBFCFB39CA8A9105EC6D55', X'463436B0AA3710C0739AA7F75A7F4C4C389720F334808ADF6126E3EFFF3F0CB2', X'9DBFEA6D960CABDD199FB24A93931F972F04082C597916A70FFA3BBC82E80243', 'because');
INSERT INTO audit_log VALUES (7, '6d2a337bc18d', '000000000003', 'erase', 1715171400000000, '', '', '', X'88AF0C717112F79D42074EFB34367C92', X'642E4BE45140394AF6A309FCEB4DCFE5575A86040BE1BEF7D0D62E3220EA6A34', X'BC5BA5C6FA5F7E4DFA3C0D28C8FFD7CB22666E69E8299F98916963DF51EDCEF5', 'because');
INSERT INTO canon_entries VALUES ('e01', '000000000001', 'book', 'because', 1715171400000000, NULL);
INSERT INTO claim_events VALUES (1, 'a01', 'proposed', 1715171400000000, NULL, 'because');
INSERT INTO claims VALUES ('a01', 'global', 'assertion', 1715171400000000, 0, NULL, NULL, NULL, '', '', '', NULL, 'it was tea');
INSERT INTO conflicts VALUES ('f01', '000000000001', '000000000002', 'because', 1715171400000000, NULL, NULL, NULL);
INSERT INTO corroborations VALUES ('c01', '000000000001', ' Ada ', 1715171400000000);
INSERT INTO erased VALUES (4, 8);
INSERT INTO evidence VALUES ('b01', 'a01', '000000000001', 'supports', 1715171400000000, NULL, NULL, NULL, NULL, 'because', NULL);
INSERT INTO identities VALUES (1, 'e5', 2);
INSERT INTO links VALUES ('101', '000000000001', '000000000003', 'explains', 'because', 1715171400000000, NULL, NULL);
INSERT INTO memories VALUES (1, '000000000001', 5, 'consolidated', 'archive', 1715171401000000, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, 1715171400000000, 'unspecified', NULL, NULL, NULL, NULL, NULL, NULL, 0.5, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', 'tea');
INSERT INTO memories VALUES (2, '000000000002', 7, 'working', 'archive', 1715171402000000, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'unspecified', NULL, NULL, NULL, NULL, NULL, NULL, 0.5, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', 'cake');
INSERT INTO memories VALUES (3, '000000000003', 3, 'working', 'archive', 1715171403000000, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'unspecified', NULL, NULL, 48.3, 1.2, 'u09', NULL, 0.5, '', '', '', NULL, NULL, '["church"]', NULL, NULL, NULL, NULL, NULL, '', 'bells');
INSERT INTO memories VALUES (5, '000000000005', 6, 'working', 'archive', 1715171405000000, NULL, NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'unspecified', NULL, NULL, NULL, NULL, NULL, NULL, 0.5, '', '', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', 'new');
INSERT INTO memory_tags VALUES ('church', 3);
INSERT INTO narrative_sources VALUES ('d01', 'claim', 0, 'a01');
INSERT INTO narrative_sources VALUES ('d01', 'link', 0, '101');
INSERT INTO narrative_sources VALUES ('d01', 'memory', 0, '000000000003');
INSERT INTO narrative_sources VALUES ('d01', 'memory', 1, '000000000001');
INSERT INTO narratives VALUES ('d01', 'global', 1715171400000000, NULL, NULL, 0, NULL, NULL, '["link_ids"]', '', '', '', NULL, NULL, NULL, NULL, 'because', 'once');
INSERT INTO sqlite_sequence VALUES ('audit_log', 7);
INSERT INTO sqlite_sequence VALUES ('memories', 5);
INSERT INTO store VALUES (1, '60834c21e484481c3fe270bc9b0db99b', 1796070784813924, 8, 0, 1);
INSERT INTO unembedded VALUES (1, 1715171401000000, '000000000001');
INSERT INTO unembedded VALUES (1, 1715171403000000, '000000000003');
INSERT INTO unembedded VALUES (1, 1715171405000000, '000000000005');
INSERT INTO vectors VALUES (1, 2, 1, 2, X'003C00000000003C');
COMMIT;
