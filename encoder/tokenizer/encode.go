package tokenizer

import (
	"sync"
	"unicode/utf8"
)

// maxKeptScratch is the size in bytes above which the buffers of a call are
// left to the garbage collector, so that one huge text does not hold memory
// for good. 256 KiB serves texts of some 8,000 characters.
const maxKeptScratch = 256 << 10

// scratch holds the buffers of one call, reused between calls.
type scratch struct {
	valid []byte    // the text as valid UTF-8
	texts [2][]byte // normalizers write into one and read the other
	parts [2]pieces // pre-tokenizers likewise
	path  []pathEnd // Unigram
	word  []symbol  // BPE
	queue mergeQueue
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// release gives s back for reuse unless it has grown too large.
func (s *scratch) release() {
	if s.size() <= maxKeptScratch {
		scratches.Put(s)
	}
}

// size returns about how many bytes the buffers hold.
func (s *scratch) size() int {
	n := cap(s.valid) + cap(s.texts[0]) + cap(s.texts[1])
	for i := range s.parts {
		n += cap(s.parts[i].text) + 8*cap(s.parts[i].ends) + 16*cap(s.parts[i].cuts)
	}
	return n + 16*(cap(s.path)+cap(s.word)+cap(s.queue))
}

// Append appends the ids of text to dst and returns the extended slice. It
// adds no special tokens: put the ids of [Tokenizer.Specials] around the result.
//
// Special tokens typed in the text are plain text. Of the ids of the file's
// special tokens (for the bundled encoder <s> 0, <pad> 1, </s> 2, <unk> 3,
// <mask> 250001) none is ever appended, with one exception: the id of the
// unknown token stands for characters that the vocabulary has no piece for, as
// the model expects. Typing its name does not give it. Byte pieces such as
// <0x0A>, where a file has them, count as ordinary pieces
// (TestTypedSpecialTokens, FuzzAppend).
//
// Added tokens that the file does not mark as special are found in the text as
// the reference finds them.
func (t *Tokenizer) Append(dst []int32, text string) []int32 {
	s := scratches.Get().(*scratch)
	s.valid = appendValid(s.valid[:0], text)
	if !t.scans(t.raw) {
		dst = t.appendText(dst, s, s.valid, true)
	} else {
		m := matches{scanner: t.raw, text: s.valid, specials: t.specials}
		for start := 0; m.next(); start = m.end {
			dst = t.appendText(dst, s, s.valid[start:max(start, m.start)], start == 0)
			if m.id >= 0 {
				dst = append(dst, m.id)
			}
		}
	}
	s.release()
	return dst
}

// scans tells whether looking for the tokens of sc can find anything.
func (t *Tokenizer) scans(sc *scanner) bool {
	return sc != nil && (t.specials || sc.ordinary)
}

// appendText normalizes a text without raw added tokens and appends its ids.
// head says that it is the start of the whole text.
func (t *Tokenizer) appendText(dst []int32, s *scratch, text []byte, head bool) []int32 {
	for i, n := range t.normalizers {
		if len(text) == 0 {
			return dst
		}
		buf := &s.texts[i%2]
		*buf = n.normalize((*buf)[:0], text)
		text = *buf
	}
	if !t.scans(t.normalized) {
		return t.appendNormal(dst, s, text, head)
	}
	m := matches{scanner: t.normalized, text: text, specials: t.specials}
	for start := 0; m.next(); start = m.end {
		dst = t.appendNormal(dst, s, text[start:max(start, m.start)], head && start == 0)
		if m.id >= 0 {
			dst = append(dst, m.id)
		}
	}
	return dst
}

// appendNormal splits a normalized text into pieces and appends their ids.
func (t *Tokenizer) appendNormal(dst []int32, s *scratch, text []byte, head bool) []int32 {
	if len(text) == 0 {
		return dst
	}
	if len(t.splitters) == 0 {
		return t.model.appendPiece(dst, text, s)
	}
	from := &s.parts[len(t.splitters)%2]
	from.reset(head)
	t.splitters[0].split(from, text, head)
	for i, sp := range t.splitters[1:] {
		to := &s.parts[(len(t.splitters)+i+1)%2]
		to.reset(from.head)
		for k := range from.ends {
			sp.split(to, from.piece(k), from.head && k == 0)
		}
		from = to
	}
	for k := range from.ends {
		dst = t.model.appendPiece(dst, from.piece(k), s)
	}
	return dst
}

// appendValid appends text to dst with every invalid byte replaced by U+FFFD.
func appendValid(dst []byte, text string) []byte {
	if utf8.ValidString(text) {
		return append(dst, text...)
	}
	for _, r := range text {
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}
