// Package predecessor reads the files of memory-as-history, the system that
// Combray's accountable memory continues, as a memory.Inheritance.
//
// A file is read whole and never changed: no lock outlives the reading, nothing
// is made beside it (TestReadingChangesNothing). What a crash has left beside it,
// a journal or a write-ahead log, is worked off in a private copy.
//
// Files of versions 1.0 to 1.3.1 are read; a column or table that a version did
// not have yet is filled as that system's own migration fills it
// (TestOlderShapesAreFilled). What holds a table or column that 1.3.1 does not
// know is newer and is refused, as is what is damaged or of another program, each
// with its reason and what to do (TestFilesThatAreRefused).
package predecessor
