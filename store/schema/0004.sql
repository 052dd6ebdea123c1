-- Schema 4: fewer bytes for a memory, without another way into a list.

-- How data of a row is written: 16, numbers of IEEE 754 binary16; 11, packed vectors
-- (packed.go). heard and fingerprints keep binary16.
ALTER TABLE vectors ADD COLUMN bits INTEGER NOT NULL DEFAULT 16;

-- The list of a memory says which tags it has, so that nothing has to look for them
-- by number: the index of that, and the reference that needed it, go.
CREATE TABLE tags_of_memories (
  tag    TEXT    NOT NULL,
  number INTEGER NOT NULL,               -- of a memory; an erasure takes it away by its tags
  PRIMARY KEY (tag, number)
) STRICT, WITHOUT ROWID;
INSERT INTO tags_of_memories (tag, number) SELECT tag, number FROM memory_tags ORDER BY tag, number;
DROP TABLE memory_tags;
ALTER TABLE tags_of_memories RENAME TO memory_tags;

-- A new row without a reason has no salt, and an empty reason_hash.
