package lexical

import (
	"unicode"
	"unicode/utf8"
)

// run is a stretch of a script without spaces, as clusters: a letter with the
// marks on it, in Tibetan a syllable.
type run struct {
	buf    []byte
	starts []int // where the clusters begin in buf
	hangul bool
	open   bool // the next letter belongs to the last cluster
}

// maxCluster is the length in bytes at which a cluster takes no more marks or
// letters; several times the longest that are written.
const maxCluster = 48

func (r *run) len() int { return len(r.starts) }

// add takes a letter into the run and reports false, with nothing changed, when
// the letter begins a run of its own because one of the two is Hangul.
func (r *run) add(c rune) bool {
	hangul := isHangul(c)
	if r.len() > 0 && hangul != r.hangul {
		return false
	}
	r.hangul = hangul
	if !r.open || r.len() == 0 || r.lastLen() >= maxCluster {
		r.starts = append(r.starts, len(r.buf))
	}
	r.buf = utf8.AppendRune(r.buf, c)
	r.open = isTibetan(c)
	return true
}

// mark puts a combining mark on the last cluster.
func (r *run) mark(c rune) {
	if r.lastLen() < maxCluster {
		r.buf = utf8.AppendRune(r.buf, c)
	}
	switch c {
	case '\u17D2', '\u1039', '\u1A60': // Khmer, Myanmar and Tai Tham: the next letter is written below
		r.open = true
	}
}

func (r *run) lastLen() int { return len(r.buf) - r.starts[len(r.starts)-1] }

func isHangul(c rune) bool {
	return c >= 0xAC00 && c <= 0xD7A3 || c < 0x3400 && unicode.Is(unicode.Hangul, c)
}

func isTibetan(c rune) bool { return c >= 0x0F00 && c <= 0x0FFF }

// endRun turns the run being read into terms: pairs of clusters, and the single
// clusters where they are asked for or may be.
func (s *scanner) endRun() {
	r := &s.run
	n := r.len()
	if n == 0 {
		return
	}
	text := string(r.buf)
	r.starts = append(r.starts, len(text))
	for i := 0; i+2 <= n; i++ {
		s.put(text[r.starts[i]:r.starts[i+2]], plain)
	}
	if n == 1 || !s.question {
		for i := 0; i < n; i++ {
			s.put(text[r.starts[i]:r.starts[i+1]], plain)
		}
	}
	r.buf, r.starts, r.open = r.buf[:0], r.starts[:0], false
	if s.naming != nil {
		s.naming.begins = false
	}
}
