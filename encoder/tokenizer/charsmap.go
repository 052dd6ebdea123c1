package tokenizer

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// charsmap is the normalizer Precompiled: SentencePiece's table of character
// replacements. Its bytes are the size of a double array in bytes (uint32,
// little-endian), the array, and replacement texts that end in NUL; a value of
// the array is where its text begins.
//
// The reference looks up grapheme clusters below 6 bytes whole and then
// everything else code point by code point; of the keys that begin the cluster
// the shortest counts, even if the rest of the cluster is thereby dropped.
type charsmap struct {
	trie  doubleArray
	texts []byte
	plain [utf8.RuneSelf]bool // printable ASCII that the map leaves alone
}

// maxCluster is the length in bytes from which a cluster is not looked up whole.
const maxCluster = 6

// maxReplacement bounds the text for one character, in bytes. The longest of
// NFKC is 33 (U+FDFA).
const maxReplacement = 256

// loadCharsmap reads a Precompiled component; data replaces the map of one
// that carries none.
func loadCharsmap(c component, data []byte) ([]normalizer, error) {
	v, err := decode[struct {
		Map string `json:"precompiled_charsmap"`
	}](c)
	if err != nil {
		return nil, err
	}
	if v.Map != "" {
		if data, err = base64.StdEncoding.DecodeString(v.Map); err != nil {
			return nil, fmt.Errorf("%s Precompiled: %w", c.role, err)
		}
	}
	m, err := newCharsmap(data)
	if err != nil {
		return nil, fmt.Errorf("%s Precompiled: %w", c.role, err)
	}
	return []normalizer{m}, nil
}

// newCharsmap reads a map in place.
func newCharsmap(data []byte) (*charsmap, error) {
	if len(data) < 4 {
		return nil, errors.New("the character map is cut off")
	}
	size := uint64(binary.LittleEndian.Uint32(data))
	if size%4 != 0 || size > uint64(len(data)-4) {
		return nil, fmt.Errorf("the character map holds %d bytes, its trie claims %d", len(data)-4, size)
	}
	m := &charsmap{trie: unitsOf(data[4 : 4+size]), texts: data[4+size:]}
	if !utf8.Valid(m.texts) {
		return nil, errors.New("the texts of the character map are not UTF-8")
	}
	for rest := m.texts; len(rest) > 0; {
		end := bytes.IndexByte(rest, 0)
		if end < 0 || end > maxReplacement {
			return nil, fmt.Errorf("a text of the character map is longer than %d bytes", maxReplacement)
		}
		rest = rest[end+1:]
	}
	for c := byte(' '); c < 0x7F; c++ {
		_, found := m.lookup([]byte{c})
		m.plain[c] = !found
	}
	return m, nil
}

// lookup returns the replacement of the shortest key that chunk begins with.
func (m *charsmap) lookup(chunk []byte) (text []byte, found bool) {
	base := m.trie.root()
	for _, c := range chunk {
		next, ends, ok := m.trie.step(base, c)
		if !ok {
			return nil, false
		}
		if base = next; !ends {
			continue
		}
		at := int(m.trie.value(base))
		if at >= len(m.texts) {
			return nil, true
		}
		return m.texts[at : at+bytes.IndexByte(m.texts[at:], 0)], true
	}
	return nil, false
}

func (m *charsmap) normalize(dst, src []byte) []byte {
	for len(src) > 0 {
		n := m.plainRun(src)
		dst = append(dst, src[:n]...)
		if src = src[n:]; len(src) == 0 {
			break
		}
		n = clusterLen(src)
		dst = m.appendCluster(dst, src[:n])
		src = src[n:]
	}
	return dst
}

// plainRun returns the length of the ASCII text at the start of src that stays
// as it is. A last character that a mark may follow is left out.
func (m *charsmap) plainRun(src []byte) int {
	n := 0
	for n < len(src) && src[n] < utf8.RuneSelf && m.plain[src[n]] {
		n++
	}
	if n == 0 || n == len(src) || src[n] < utf8.RuneSelf {
		return n
	}
	if r, _ := utf8.DecodeRune(src[n:]); standsAlone(r) {
		return n
	}
	return n - 1
}

// appendCluster appends the normal form of one grapheme cluster.
func (m *charsmap) appendCluster(dst, cluster []byte) []byte {
	if len(cluster) < maxCluster {
		if text, found := m.lookup(cluster); found {
			return append(dst, text...)
		}
	}
	for len(cluster) > 0 {
		_, size := utf8.DecodeRune(cluster)
		if text, found := m.lookup(cluster[:size]); found {
			dst = append(dst, text...)
		} else {
			dst = append(dst, cluster[:size]...)
		}
		cluster = cluster[size:]
	}
	return dst
}

// clusterLen returns the length in bytes of the grapheme cluster at the start
// of text, which is not empty.
func clusterLen(text []byte) int {
	r, size := utf8.DecodeRune(text)
	if size == len(text) {
		return size
	}
	if standsAlone(r) {
		if next := text[size]; next < utf8.RuneSelf {
			return size
		}
		if next, _ := utf8.DecodeRune(text[size:]); standsAlone(next) {
			return size
		}
	}
	cluster, _, _, _ := uniseg.FirstGraphemeCluster(text, -1)
	return len(cluster)
}

// aloneRanges are code points that neither join each other nor ASCII in one
// grapheme cluster: letters, digits and punctuation of common scripts. They
// only save time, and TestStandsAlone holds them against package uniseg.
var aloneRanges = []struct{ first, last rune }{
	{0xA1, 0xA8}, {0xAA, 0xAC}, {0xAF, 0x2FF}, // Latin
	{0x370, 0x373}, {0x386, 0x386}, {0x388, 0x38A}, {0x38E, 0x3A1}, {0x3A3, 0x482}, {0x48A, 0x52F}, // Greek, Cyrillic
	{0x5D0, 0x5EA}, {0x620, 0x64A}, {0x660, 0x66F}, {0x671, 0x6D5}, // Hebrew, Arabic
	{0x904, 0x939}, {0x964, 0x96F}, {0xE01, 0xE30}, {0xE40, 0xE46}, // Devanagari, Thai
	{0x1E00, 0x1EFF}, {0x2010, 0x2027}, {0x3001, 0x3029}, // more Latin, punctuation
	{0x3041, 0x3096}, {0x30A1, 0x30FF}, {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, // Kana, Han
	{0xAC00, 0xD7A3}, {0xFF01, 0xFF9D}, // Hangul, full and half width
}

// standsAlone tells whether r is in aloneRanges.
func standsAlone(r rune) bool {
	for _, p := range aloneRanges {
		if r <= p.last {
			return r >= p.first
		}
	}
	return false
}
