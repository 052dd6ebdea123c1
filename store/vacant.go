package store

// vacant says which tables of what always counts hold no row at all. It is read
// with the snapshot, so that asking such a table for rows costs nothing: most
// stores have few of them, and every recall asks for all. The zero value says that
// nothing is known, as in a transaction that writes (TestVacantTables).
type vacant struct {
	anchors, canon, conflicts, narratives bool
}

// vacantColumns ask for the least key, the first entry of an index, and not with
// EXISTS, which SQLite plans as a scan (TestReadsUseIndexes).
const vacantColumns = `(SELECT min(memory_id) FROM anchors) IS NULL, (SELECT min(id) FROM canon_entries) IS NULL,
	(SELECT min(id) FROM conflicts) IS NULL, (SELECT min(id) FROM narratives) IS NULL`

func (v *vacant) cells() []any { return []any{&v.anchors, &v.canon, &v.conflicts, &v.narratives} }
