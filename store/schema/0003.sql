-- Schema 3: the encoder that was chosen for the store, and indexes that grow at their end.

-- Names of the catalogue, bundled or none. What was chosen answers when its vectors
-- are complete; until then the one before does.
ALTER TABLE store ADD COLUMN chosen    TEXT; -- null: nobody chose
ALTER TABLE store ADD COLUMN answering TEXT; -- null: the encoder in the box

-- Newest last, so that a capture goes to the end of the index, where SQLite fills its
-- pages: at the front each split left half of one empty, 40 bytes a memory.
DROP INDEX memories_captured;
CREATE INDEX memories_captured     ON memories (created_at, id DESC, forgotten_at, event_at);
DROP INDEX memories_consolidated;
CREATE INDEX memories_consolidated ON memories (created_at, id DESC, forgotten_at, event_at) WHERE status = 'consolidated';
