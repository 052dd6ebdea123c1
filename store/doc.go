// Package store keeps Combray's memories in one SQLite file: the truth, from
// which indexes and snapshots are made. It knows tables and the types of package
// memory; it knows no score, no threshold and no rule.
//
// Connections: one writer, a few readers that cannot write, and one that watches
// the change sequence. Readers see a snapshot and never take the writer. All
// processes on the file write one after the other; a writer waits its turn for
// at most Options.BusyTimeout.
//
// What is held, and by which test:
//
//   - An acknowledged write survives kill -9 (TestKilledWritersLoseNothing) and,
//     by synchronous=FULL, a power cut.
//   - A plan is written whole with its audit rows or not at all
//     (TestFailedAuditInsertLeavesNothing, TestFullDiskLeavesNothing).
//   - Processes may start and write at once (TestManyProcessesStartAtOnce,
//     TestProcessesWriteTogether).
//   - What is erased or wiped is in no byte of the files once Scrub has run
//     (TestErasedTextIsInNoFile, TestWipedVisitsAreInNoFile).
//   - What waits in the queue is delivered once, also to many processes
//     (TestProcessesDrainAQueueOnce).
//   - A single record costs the same in a small and a large store
//     (TestReadsUseIndexes).
//
// The schema stands in schema/*.sql, with the meaning of every column.
package store
