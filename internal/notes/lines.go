package notes

import (
	"bytes"
	"encoding/json"
	"errors"
)

// readLines reads JSON Lines: an object with the fields of remember on each.
func (r Reader) readLines(f file, data []byte, done func(bytes int64), yield func(Note, *Problem) bool) bool {
	number := 0
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte{0xEF, 0xBB, 0xBF})) {
		number++
		done(int64(len(line)))
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		note, err := r.decodeLine(f, number, line)
		if err != nil {
			if !yield(Note{}, &Problem{File: f.name, Line: number, Err: err}) {
				return false
			}
			continue
		}
		if !yield(note, nil) {
			return false
		}
	}
	return true
}

func (r Reader) decodeLine(f file, number int, line []byte) (Note, error) {
	if line[0] != '{' || !json.Valid(line) {
		return Note{}, errors.New("the line is not a JSON object")
	}
	in, err := r.Decode(line)
	if err != nil {
		return Note{}, err
	}
	if in.IdempotencyKey == nil {
		var compact bytes.Buffer
		if err := json.Compact(&compact, line); err != nil {
			return Note{}, err
		}
		in.IdempotencyKey = key(f.name, compact.String())
	}
	return Note{File: f.name, Line: number, Input: in}, nil
}
