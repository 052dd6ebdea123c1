package tokenizer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A normalizer rewrites a text before it is split.
type normalizer interface {
	// normalize appends the normal form of src to dst. src is valid UTF-8, is
	// not changed and does not overlap dst.
	normalize(dst, src []byte) []byte
}

// loadNormalizers reads the "normalizer" block; sequences are flattened.
// charsmap replaces the character map of a Precompiled that carries none.
func loadNormalizers(raw json.RawMessage, charsmap []byte) ([]normalizer, error) {
	var list []normalizer
	err := eachComponent("normalizer", "normalizers", raw, func(c component) error {
		n, err := loadNormalizer(c, charsmap)
		list = append(list, n...)
		return err
	})
	return list, err
}

func loadNormalizer(c component, charsmap []byte) ([]normalizer, error) {
	switch c.Type {
	case "NFC":
		return []normalizer{unicodeForm(norm.NFC)}, nil
	case "NFD":
		return []normalizer{unicodeForm(norm.NFD)}, nil
	case "NFKC":
		return []normalizer{unicodeForm(norm.NFKC)}, nil
	case "NFKD":
		return []normalizer{unicodeForm(norm.NFKD)}, nil
	case "Lowercase":
		return []normalizer{lowercase{}}, nil
	case "StripAccents":
		return []normalizer{dropMarks{unicode.M}}, nil
	case "Strip":
		n, err := decode[strip](c)
		return []normalizer{n}, err
	case "Prepend":
		n, err := decode[prepend](c)
		return []normalizer{n}, err
	case "Replace":
		return loadReplace(c)
	case "Precompiled":
		return loadCharsmap(c, charsmap)
	case "BertNormalizer":
		return loadBert(c)
	}
	return nil, c.unknown("BertNormalizer, Lowercase, NFC, NFD, NFKC, NFKD, Precompiled, Prepend, Replace, Strip and StripAccents")
}

// unicodeForm is one of the forms of Unicode annex 15.
type unicodeForm norm.Form

// graphemeJoiner is what x/text puts after 30 marks in a row (annex 15,
// stream-safe format). The reference puts nothing there.
var graphemeJoiner = []byte("\u034F")

// joinerFrom is the length in bytes below which a text cannot hold 30 marks.
const joinerFrom = 60

func (f unicodeForm) normalize(dst, src []byte) []byte {
	old := len(dst)
	dst = norm.Form(f).Append(dst, src...)
	if len(src) < joinerFrom || !bytes.Contains(dst[old:], graphemeJoiner) || bytes.Contains(src, graphemeJoiner) {
		return dst
	}
	return append(dst[:old], bytes.ReplaceAll(dst[old:], graphemeJoiner, nil)...)
}

// lowercase lowers code point by code point, without the rule for a final sigma.
type lowercase struct{}

func (lowercase) normalize(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		if c := src[i]; c < utf8.RuneSelf {
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRune(src[i:])
		i += size
		if r == 'İ' { // the one code point with a longer lower case (SpecialCasing.txt)
			dst = append(dst, "i\u0307"...)
			continue
		}
		dst = utf8.AppendRune(dst, unicode.ToLower(r))
	}
	return dst
}

// dropMarks removes the code points of a table.
type dropMarks struct{ table *unicode.RangeTable }

func (d dropMarks) normalize(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r < 0x300 || !unicode.Is(d.table, r) { // no mark lies below U+0300
			dst = append(dst, src[i:i+size]...)
		}
		i += size
	}
	return dst
}

// strip removes white space from the ends.
type strip struct {
	Left  bool `json:"strip_left"`
	Right bool `json:"strip_right"`
}

func (s strip) normalize(dst, src []byte) []byte {
	if s.Left {
		src = bytes.TrimLeftFunc(src, unicode.IsSpace)
	}
	if s.Right {
		src = bytes.TrimRightFunc(src, unicode.IsSpace)
	}
	return append(dst, src...)
}

// prepend puts a text before any text that is not empty.
type prepend struct {
	Text string `json:"prepend"`
}

func (p prepend) normalize(dst, src []byte) []byte {
	return append(append(dst, p.Text...), src...)
}

// replace puts content in place of every match of a pattern.
type replace struct {
	pattern pattern
	content string
}

func loadReplace(c component) ([]normalizer, error) {
	v, err := decode[struct {
		Pattern json.RawMessage `json:"pattern"`
		Content string          `json:"content"`
	}](c)
	if err != nil {
		return nil, err
	}
	p, err := loadPattern(v.Pattern)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Type, err)
	}
	return []normalizer{replace{p, v.Content}}, nil
}

func (n replace) normalize(dst, src []byte) []byte {
	for at := 0; ; {
		start, end := n.pattern.find(src, at)
		if start < 0 {
			return append(dst, src[at:]...)
		}
		dst = append(append(dst, src[at:start]...), n.content...)
		at = end
	}
}

// loadBert takes BertNormalizer apart into the steps it stands for.
func loadBert(c component) ([]normalizer, error) {
	v, err := decode[struct {
		CleanText    bool  `json:"clean_text"`
		ChineseChars bool  `json:"handle_chinese_chars"`
		StripAccents *bool `json:"strip_accents"`
		Lowercase    bool  `json:"lowercase"`
	}](c)
	if err != nil {
		return nil, err
	}
	var list []normalizer
	if v.CleanText || v.ChineseChars {
		list = append(list, bertClean{v.CleanText, v.ChineseChars})
	}
	if v.StripAccents == nil && v.Lowercase || v.StripAccents != nil && *v.StripAccents {
		list = append(list, unicodeForm(norm.NFD), dropMarks{unicode.Mn})
	}
	if v.Lowercase {
		list = append(list, lowercase{})
	}
	return list, nil
}

// bertClean drops control characters and makes every white space U+0020
// (clean), and puts spaces around Chinese characters (chinese).
type bertClean struct{ clean, chinese bool }

func (b bertClean) normalize(dst, src []byte) []byte {
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		char := src[i : i+size]
		i += size
		switch {
		case r >= ' ' && r < 0x7F:
			dst = append(dst, byte(r))
		case b.clean && (unicode.IsSpace(r) && (r == '\t' || r == '\n' || r == '\r' || !isControl(r))):
			dst = append(dst, ' ')
		case b.clean && (r == 0xFFFD || isControl(r)):
		case b.chinese && isChinese(r):
			dst = append(append(append(dst, ' '), char...), ' ')
		default:
			dst = append(dst, char...)
		}
	}
	return dst
}
