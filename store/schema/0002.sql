-- Schema 2: what was perceived, and what came back unasked.

-- Counts that tell a reader whether what it holds is still what is stored. They
-- only grow.
ALTER TABLE store ADD COLUMN queue_version     INTEGER NOT NULL DEFAULT 0; -- with every change to what waits; a new recollection takes its place from it
ALTER TABLE store ADD COLUMN perceived_version INTEGER NOT NULL DEFAULT 0; -- with every change to fingerprints
ALTER TABLE store ADD COLUMN heard_epoch       INTEGER NOT NULL DEFAULT 0; -- how often everything heard was wiped
ALTER TABLE store ADD COLUMN scrubbed_epoch    INTEGER NOT NULL DEFAULT 0; -- wipes up to this one have left no bytes behind

-- 1: its vectors are compared with cues alone, and never make it the present encoder.
ALTER TABLE identities ADD COLUMN cue INTEGER NOT NULL DEFAULT 0;

-- What came back unasked. A row stays after it was delivered, as the memory's
-- firing history.
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

-- What a perception was reduced to, in the order given.
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

-- Pictures and sounds that their owner wanted kept whole.
CREATE TABLE media (
  medium   INTEGER PRIMARY KEY,
  number   INTEGER NOT NULL REFERENCES memories ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
  position INTEGER NOT NULL,
  channel  TEXT    NOT NULL,
  mime     TEXT    NOT NULL,
  data     BLOB
) STRICT;
CREATE UNIQUE INDEX media_memory ON media (number, position);

-- What was perceived on which day: no text, and no order within a day. A row is
-- never given twice, so that a reader asks for what lies above its own:
-- AUTOINCREMENT.
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

-- The last cue of each reporter.
CREATE TABLE visits (
  source TEXT    PRIMARY KEY NOT NULL,
  lat    REAL,                           -- degrees, WGS84; null without a place
  lon    REAL,
  at     INTEGER NOT NULL,
  cue    INTEGER NOT NULL                -- hash of the cue less its time
) STRICT, WITHOUT ROWID;
