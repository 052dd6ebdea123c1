package store

import (
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"combray/internal/memory"
)

// errUnreadable says that a column holds what no cell writes: the file was
// damaged or changed by hand.
var errUnreadable = errors.New("a stored value cannot be read")

// The cells below write a field as a column keeps it and read it back. A cell of
// one pointer goes into an interface without an allocation.

// instant is a time: microseconds since 1970, UTC.
type instant struct{ t *time.Time }

func (c instant) Value() (driver.Value, error) { return c.t.UnixMicro(), nil }

func (c instant) Scan(src any) error {
	micros, ok := src.(int64)
	if !ok {
		return fmt.Errorf("%w: a time as %T", errUnreadable, src)
	}
	*c.t = time.UnixMicro(micros).UTC()
	return nil
}

// wallOffset is the offset of a time's wall clock, in minutes east of UTC. It
// stands behind the instant of the same time.
type wallOffset struct{ t *time.Time }

func (c wallOffset) Value() (driver.Value, error) {
	_, seconds := c.t.Zone()
	return int64(seconds / 60), nil
}

func (c wallOffset) Scan(src any) error {
	minutes, ok := src.(int64)
	if !ok {
		return fmt.Errorf("%w: an offset as %T", errUnreadable, src)
	}
	if minutes != 0 {
		*c.t = c.t.In(time.FixedZone("", int(minutes)*60))
	}
	return nil
}

// mediaCell is the list that perceivedChannels counts; it is never written.
type mediaCell struct{ channels *[]memory.Channel }

func (c mediaCell) Value() (driver.Value, error) { return nil, nil }

func (c mediaCell) Scan(src any) error {
	*c.channels = nil
	bits, _ := src.(int64) // null: none
	if bits&1 != 0 {
		*c.channels = append(*c.channels, memory.ChannelAudio)
	}
	if bits&2 != 0 {
		*c.channels = append(*c.channels, memory.ChannelImage)
	}
	return nil
}

// maybeInstant is a time or null.
type maybeInstant struct{ t **time.Time }

func (c maybeInstant) Value() (driver.Value, error) {
	if *c.t == nil {
		return nil, nil
	}
	return instant{*c.t}.Value()
}

func (c maybeInstant) Scan(src any) error {
	if src == nil {
		*c.t = nil
		return nil
	}
	*c.t = new(time.Time)
	return instant{*c.t}.Scan(src)
}

// jsonList is a list of texts, null when it is empty.
type jsonList[T ~string] struct{ v *[]T }

func (c jsonList[T]) Value() (driver.Value, error) {
	if len(*c.v) == 0 {
		return nil, nil
	}
	return marshalled(*c.v)
}

func (c jsonList[T]) Scan(src any) error { return unmarshal(src, c.v) }

// jsonMap is a map of numbers, null when it is empty.
type jsonMap[K ~string] struct{ v *map[K]float64 }

func (c jsonMap[K]) Value() (driver.Value, error) {
	if len(*c.v) == 0 {
		return nil, nil
	}
	return marshalled(*c.v)
}

func (c jsonMap[K]) Scan(src any) error { return unmarshal(src, c.v) }

func marshalled(v any) (driver.Value, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

// unmarshal leaves dest as it is when the column is null.
func unmarshal[T any](src any, dest *T) error {
	switch text := src.(type) {
	case nil:
		return nil
	case string:
		if err := json.Unmarshal([]byte(text), dest); err != nil {
			return fmt.Errorf("%w: %w", errUnreadable, err)
		}
		return nil
	}
	return fmt.Errorf("%w: a list as %T", errUnreadable, src)
}

// float16Vector is one vector as encodeFloat16 writes it, null when it is empty.
type float16Vector struct{ v *[]float32 }

func (c float16Vector) Value() (driver.Value, error) {
	if len(*c.v) == 0 {
		return nil, nil
	}
	return encodeFloat16(*c.v)
}

func (c float16Vector) Scan(src any) error {
	packed, ok := src.([]byte)
	if src == nil || !ok {
		*c.v = nil
		return nil
	}
	vectors, err := decodeFloat16(packed, 1)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreadable, err)
	}
	*c.v = vectors[0]
	return nil
}

// placeCell is a field of a memory's place. All of them are null when there is
// no place; the geohash is never null when there is one.
type placeCell[T any] struct {
	place **memory.Place
	field func(*memory.Place) *T
}

func (c placeCell[T]) Value() (driver.Value, error) {
	if *c.place == nil {
		return nil, nil
	}
	return driver.DefaultParameterConverter.ConvertValue(*c.field(*c.place))
}

func (c placeCell[T]) Scan(src any) error {
	var v sql.Null[T]
	if err := v.Scan(src); err != nil || !v.Valid {
		return err
	}
	if *c.place == nil {
		*c.place = new(memory.Place)
	}
	*c.field(*c.place) = v.V
	return nil
}

// digest is a SHA-256 digest, a blob of 32 bytes, empty for the zero of a row without
// a reason. Anything else reads as zeros, so that VerifyAudit names the row.
type digest struct{ h *memory.AuditHash }

func (c digest) Value() (driver.Value, error) {
	if *c.h == (memory.AuditHash{}) {
		return []byte{}, nil
	}
	return c.h[:], nil
}

func (c digest) Scan(src any) error {
	*c.h = memory.AuditHash{}
	if b, ok := src.([]byte); ok && len(b) == len(c.h) {
		copy(c.h[:], b)
	}
	return nil
}
