package tools

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"sync"
)

// lineReader gives the lines of a stream without their ends. Blank lines are
// left out, a last line without an end counts, and a line above the limit is
// read past without being kept.
type lineReader struct {
	in   *bufio.Reader
	most int
}

// overlong reports a line above the limit.
type overlong struct {
	bytes int
	id    json.RawMessage // of the request, as far as its ends show it; nil when unknown
}

func newLineReader(in io.Reader, most int) *lineReader {
	return &lineReader{bufio.NewReaderSize(in, 64<<10), most}
}

// next gives the next line, or what is known of one that was too long. The
// error is io.EOF at the end of the stream.
func (r *lineReader) next() (line []byte, long *overlong, err error) {
	for {
		line, long, err = r.one()
		if long != nil || len(bytes.TrimSpace(line)) > 0 {
			return line, long, nil
		}
		if err != nil {
			return nil, nil, err
		}
	}
}

func (r *lineReader) one() (line []byte, long *overlong, err error) {
	for {
		var part []byte
		part, err = r.in.ReadSlice('\n')
		if len(line)+len(part) > r.most+1 { // +1: the line's end
			long, err = r.skip(append(line, part...), err)
			return nil, long, err
		}
		line = append(line, part...)
		if err != bufio.ErrBufferFull {
			return line, nil, err
		}
	}
}

// endBytes are kept of each end of a line that is too long, to find its id.
const endBytes = 4 << 10

// skip reads past the rest of a line whose beginning was too long.
func (r *lineReader) skip(begin []byte, err error) (*overlong, error) {
	long := &overlong{bytes: len(begin)}
	head := bytes.Clone(begin[:min(len(begin), endBytes)])
	tail := bytes.Clone(begin[max(0, len(begin)-endBytes):])
	for err == bufio.ErrBufferFull {
		var part []byte
		part, err = r.in.ReadSlice('\n')
		long.bytes += len(part)
		tail = append(tail, part...)
		tail = append(tail[:0], tail[max(0, len(tail)-endBytes):]...)
	}
	long.id = idFromEnds(head, tail)
	return long, err
}

// idAtEnd finds the id when it is the last key of the message. Inside a JSON
// string the quotes would be escaped, and a nested object would leave two
// closing braces, so nothing but the request's own id can match.
var idAtEnd = regexp.MustCompile(`"id"\s*:\s*(-?\d+|"[^"\\]*")\s*\}\s*$`)

// idFromEnds finds the id of a request from the beginning and the end of its
// line, nil when neither shows it.
func idFromEnds(head, tail []byte) json.RawMessage {
	if m := idAtEnd.FindSubmatch(tail); m != nil {
		return m[1]
	}
	d := json.NewDecoder(bytes.NewReader(head))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	for {
		key, err := d.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil
		}
		if key == "id" && validID(value) {
			return value
		}
	}
}

// validID says whether a JSON value may be the id of a request.
func validID(id json.RawMessage) bool {
	return len(id) > 0 && (id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9')
}

// lineWriter writes whole lines, one Write each. After a failed write it writes
// nothing more. It is safe for concurrent use.
type lineWriter struct {
	mu     sync.Mutex
	out    io.Writer
	err    error
	broken chan struct{} // closed by the first failure
}

func newLineWriter(out io.Writer) *lineWriter {
	return &lineWriter{out: out, broken: make(chan struct{})}
}

func (w *lineWriter) write(message []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil {
		return
	}
	if _, w.err = w.out.Write(append(message, '\n')); w.err != nil {
		close(w.broken)
	}
}
