package store

import "context"

// versions are the counts of the store's row that only grow. They are read with
// the snapshot, so that asking for one costs nothing (BenchmarkCueRead).
type versions struct {
	queue     int64 // of what waits to be delivered
	perceived int64 // of fingerprints
	epoch     int64 // wipes of what was heard
}

const versionColumns = "queue_version, perceived_version, heard_epoch"

func (v *versions) cells() []any { return []any{&v.queue, &v.perceived, &v.epoch} }

// QueueVersion implements memory.SenseReader.
func (r *reader) QueueVersion(context.Context) (int64, error) {
	_ = r.conn()
	return r.versions.queue, nil
}

// PerceivedVersion implements memory.SenseReader.
func (r *reader) PerceivedVersion(context.Context) (int64, error) {
	_ = r.conn()
	return r.versions.perceived, nil
}
