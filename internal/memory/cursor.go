package memory

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// place is where a page ended: the time and name of its last row.
type place struct {
	at       time.Time
	sequence int64 // of an audit row; 0 otherwise
	id       ID    // of a memory; "" otherwise
}

// A cursor is base64url (RFC 4648, 5) without padding over: a version, a check
// sum, microseconds and sequence little-endian, the ID. The check sum covers the
// query too, so that a cursor of another list or filter is refused.
const (
	cursorVersion = 1
	cursorSum     = 8                     // bytes of SHA-256 that are kept
	cursorHead    = 1 + cursorSum + 8 + 8 // bytes before the ID
	cursorMost    = cursorHead + 64       // no ID is longer
)

// encode makes the cursor of a place in the answer to a query.
func (p place) encode(query string) string {
	b := make([]byte, cursorHead, cursorMost)
	b[0] = cursorVersion
	binary.LittleEndian.PutUint64(b[1+cursorSum:], uint64(p.at.UnixMicro()))
	binary.LittleEndian.PutUint64(b[1+cursorSum+8:], uint64(p.sequence))
	b = append(b, p.id...)
	copy(b[1:], sumCursor(query, b))
	return base64.RawURLEncoding.EncodeToString(b)
}

func sumCursor(query string, b []byte) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "combray cursor %d %q ", b[0], query)
	h.Write(b[1+cursorSum:])
	return h.Sum(nil)[:cursorSum]
}

// readCursor reads the cursor that a caller brings back, nil for "". It refuses
// what it did not make for the same query.
func readCursor(query, cursor string) (*place, error) {
	if cursor == "" {
		return nil, nil
	}
	refused := Invalid("cursor", "Call again without cursor to start at the beginning; change no filter between pages.",
		"cursor does not belong to this list and its filters")
	if len(cursor) > base64.RawURLEncoding.EncodedLen(cursorMost) || strings.ContainsAny(cursor, "\r\n") { // which the decoder skips
		return nil, refused
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil || len(b) < cursorHead || b[0] != cursorVersion || !bytes.Equal(b[1:1+cursorSum], sumCursor(query, b)) {
		return nil, refused
	}
	return &place{
		at:       time.UnixMicro(int64(binary.LittleEndian.Uint64(b[1+cursorSum:]))).UTC(),
		sequence: int64(binary.LittleEndian.Uint64(b[1+cursorSum+8:])),
		id:       ID(b[cursorHead:]),
	}, nil
}

// pageSize is how many rows a page holds: a negative limit means no limit, which
// is MaxList.
func pageSize(limit int) int {
	if limit < 0 || limit > MaxList {
		return MaxList
	}
	return limit
}

// paged cuts rows, of which one more than a page was asked for, and gives the
// cursor of the next page, "" at the end.
func paged[R any](rows []R, size int, query string, of func(R) place) ([]R, string) {
	if size == 0 || len(rows) <= size {
		return rows[:min(size, len(rows))], ""
	}
	return rows[:size], of(rows[size-1]).encode(query)
}

// queryText tells queries apart: a name and the values of its filters.
func queryText(name string, filters ...any) string {
	var b strings.Builder
	b.WriteString(name)
	for _, f := range filters {
		b.WriteByte(' ')
		switch v := f.(type) {
		case *string:
			if v == nil {
				b.WriteByte('-')
			} else {
				b.WriteString(strconv.Quote(*v))
			}
		default:
			fmt.Fprintf(&b, "%#v", v)
		}
	}
	return b.String()
}
