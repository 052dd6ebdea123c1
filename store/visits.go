package store

import (
	"context"
	"database/sql"

	"combray/internal/memory"
)

// putVisit sets the last cue of a source. What is no place is kept as none.
func (t *tx) putVisit(ctx context.Context, v memory.Visit) error {
	lat, lon := sql.NullFloat64{Float64: v.Lat, Valid: v.HasPlace}, sql.NullFloat64{Float64: v.Lon, Valid: v.HasPlace}
	_, err := t.conn().exec(ctx, `INSERT INTO visits (source, lat, lon, at, cue) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (source) DO UPDATE SET lat = excluded.lat, lon = excluded.lon, at = excluded.at, cue = excluded.cue`,
		v.Source, lat, lon, v.At.UnixMicro(), v.Cue)
	return err
}

// Visit implements memory.SenseReader.
func (r *reader) Visit(ctx context.Context, source string) (*memory.Visit, error) {
	v := memory.Visit{Source: source}
	var lat, lon sql.NullFloat64
	found, err := r.conn().scan(ctx, []any{&lat, &lon, instant{&v.At}, &v.Cue}, "SELECT lat, lon, at, cue FROM visits WHERE source = ?", source)
	if err != nil || !found {
		return nil, err
	}
	v.HasPlace, v.Lat, v.Lon = lat.Valid, lat.Float64, lon.Float64
	return &v, nil
}
