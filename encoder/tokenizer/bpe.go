package tokenizer

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// bpe starts from the characters of a piece and joins neighbours by the list
// of merges, the earliest of the list first.
type bpe struct {
	short  [0x200]int32     // ids of the characters below U+0200, -1 for none
	chars  map[string]int32 // ids of the others; with ignore_merges of all entries
	whole  bool             // a piece that is an entry needs no merges
	merges map[pair]merge
	bytes  *[256]int32 // ids of the byte pieces, -1 for none; nil: no byte fallback

	unknown     int32 // -1: unknown characters are dropped
	fuseUnknown bool  // neighbouring unknown characters become one
}

type pair struct{ left, right int32 }

type merge struct{ rank, id int32 }

// loadBPE builds the model; entries in hidden are never found in a text.
func loadBPE(settings modelSettings, vocab []trieKey, merges [][2]string, hidden map[int32]bool) (model, error) {
	if settings.Dropout != nil && *settings.Dropout != 0 {
		return nil, errors.New("BPE with dropout is not supported: its ids are random")
	}
	if settings.Prefix != nil && *settings.Prefix != "" || settings.Suffix != nil && *settings.Suffix != "" {
		return nil, errors.New("BPE with continuing_subword_prefix or end_of_word_suffix is not supported")
	}
	m := &bpe{whole: settings.IgnoreMerges, unknown: -1, fuseUnknown: settings.FuseUnk, chars: map[string]int32{}}
	ids := make(map[string]int32, len(vocab))
	for _, k := range vocab {
		ids[k.text] = int32(k.value)
	}
	find := func(text string) (int32, bool) {
		id, ok := ids[text]
		return id, ok
	}
	if settings.UnkToken != nil {
		id, ok := find(*settings.UnkToken)
		if !ok {
			return nil, fmt.Errorf("unk_token %q is not in the vocabulary", *settings.UnkToken)
		}
		m.unknown = id
	}
	if settings.ByteFallback {
		m.bytes = bytePieces(find)
	}
	hides := func(id int32) bool { return hidden[id] || id == m.unknown }
	m.setChars(ids, hides)
	return m, m.setMerges(merges, find, hides)
}

// setChars fills the tables that the pieces are looked up in.
func (m *bpe) setChars(ids map[string]int32, hides func(int32) bool) {
	for i := range m.short {
		m.short[i] = -1
	}
	for text, id := range ids {
		if hides(id) {
			continue
		}
		r, size := utf8.DecodeRuneInString(text)
		char := size == len(text)
		if char && r < rune(len(m.short)) {
			m.short[r] = id
		}
		if char || m.whole {
			m.chars[text] = id
		}
	}
}

// setMerges fills the table of merges. A merge into a hidden entry is left out.
func (m *bpe) setMerges(merges [][2]string, find func(string) (int32, bool), hides func(int32) bool) error {
	m.merges = make(map[pair]merge, len(merges))
	for rank, parts := range merges {
		left, okLeft := find(parts[0])
		right, okRight := find(parts[1])
		id, ok := find(parts[0] + parts[1])
		if !okLeft || !okRight || !ok {
			return fmt.Errorf("merge %d of %q and %q: not all of it is in the vocabulary", rank, parts[0], parts[1])
		}
		if !hides(id) {
			m.merges[pair{left, right}] = merge{int32(rank), id}
		}
	}
	return nil
}

// symbol is a part of the piece being merged, in a linked list.
type symbol struct {
	id         int32
	prev, next int32 // -1: none
	gone       bool  // merged into the symbol before it
}

func (m *bpe) appendPiece(dst []int32, piece []byte, s *scratch) []int32 {
	if m.whole {
		if id, ok := m.chars[string(piece)]; ok {
			return append(dst, id)
		}
	}
	s.word = m.symbols(s.word[:0], piece)
	s.queue = m.join(s.word, s.queue[:0])
	for i := range s.word {
		if !s.word[i].gone {
			dst = append(dst, s.word[i].id)
		}
	}
	return dst
}

// symbols appends the symbols that piece starts from. An unknown character is
// written late, so that those after it can join it; as in the reference byte
// pieces do not end the wait.
func (m *bpe) symbols(word []symbol, piece []byte) []symbol {
	waiting := false
	for i := 0; i < len(piece); {
		id, size := m.char(piece[i:])
		char := piece[i : i+size]
		i += size
		switch {
		case id >= 0:
			if waiting {
				word = addSymbol(word, m.unknown)
				waiting = false
			}
			word = addSymbol(word, id)
		case m.hasBytes(char):
			for _, b := range char {
				word = addSymbol(word, m.bytes[b])
			}
		case m.unknown >= 0:
			if waiting && !m.fuseUnknown {
				word = addSymbol(word, m.unknown)
			}
			waiting = true
		}
	}
	if waiting {
		word = addSymbol(word, m.unknown)
	}
	return word
}

// char returns the id, -1 for none, and the length of the first character.
func (m *bpe) char(text []byte) (id int32, size int) {
	r, size := utf8.DecodeRune(text)
	if r < rune(len(m.short)) {
		return m.short[r], size
	}
	if id, ok := m.chars[string(text[:size])]; ok {
		return id, size
	}
	return -1, size
}

// hasBytes tells whether there is a byte piece for every byte of char.
func (m *bpe) hasBytes(char []byte) bool {
	if m.bytes == nil {
		return false
	}
	for _, b := range char {
		if m.bytes[b] < 0 {
			return false
		}
	}
	return true
}

// addSymbol appends a symbol and links it with the one before.
func addSymbol(word []symbol, id int32) []symbol {
	n := int32(len(word))
	if n > 0 {
		word[n-1].next = n
	}
	return append(word, symbol{id: id, prev: n - 1, next: -1})
}

// join merges the symbols of word in place. It returns queue for reuse.
func (m *bpe) join(word []symbol, queue mergeQueue) mergeQueue {
	for i := range word {
		queue = m.offer(queue, word, int32(i))
	}
	for len(queue) > 0 {
		var top candidate
		top, queue = queue.pop()
		left := &word[top.at]
		if left.gone || left.next < 0 {
			continue
		}
		right := &word[left.next]
		if now, ok := m.merges[pair{left.id, right.id}]; !ok || now.id != top.id {
			continue // the symbols have changed since
		}
		left.id, left.next = top.id, right.next
		right.gone = true
		if right.next >= 0 {
			word[right.next].prev = top.at
		}
		if left.prev >= 0 {
			queue = m.offer(queue, word, left.prev)
		}
		queue = m.offer(queue, word, top.at)
	}
	return queue
}

// offer queues the merge of the symbol at i with the one after it, if any.
func (m *bpe) offer(queue mergeQueue, word []symbol, i int32) mergeQueue {
	next := word[i].next
	if next < 0 {
		return queue
	}
	if mg, ok := m.merges[pair{word[i].id, word[next].id}]; ok {
		queue = queue.push(candidate{mg.rank, i, mg.id})
	}
	return queue
}
