package tokenizer

import "unicode/utf8"

// byteLevel writes every byte of a text as a printable character, so that a
// vocabulary of text covers any input.
type byteLevel struct{}

// gpt2Words is how ByteLevel cuts a text where the file leaves that to it
// (github.com/openai/gpt-2, src/encoder.py).
const gpt2Words = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|` + spaceRuns

// byteChars holds the character for each byte: itself if it is a printable
// character of Latin-1, else the next from U+0100 (same source).
var byteChars = func() (chars [256][]byte) {
	next := rune(0x100)
	for b := range chars {
		r := rune(b)
		if !(r >= '!' && r <= '~' || r >= 0xA1 && r <= 0xAC || r >= 0xAE) {
			r = next
			next++
		}
		chars[b] = utf8.AppendRune(nil, r)
	}
	return chars
}()

func loadByteLevel(c component) ([]splitter, error) {
	v, err := decode[struct {
		AddPrefixSpace bool  `json:"add_prefix_space"`
		UseRegex       *bool `json:"use_regex"`
	}](c)
	if err != nil {
		return nil, err
	}
	var list []splitter
	if v.AddPrefixSpace {
		list = append(list, spacePrefix{})
	}
	if v.UseRegex == nil || *v.UseRegex {
		words, err := compileRegex(gpt2Words)
		if err != nil {
			return nil, err
		}
		list = append(list, patternSplit{pattern: words, behavior: isolated})
	}
	return append(list, byteLevel{}), nil
}

func (byteLevel) split(dst *pieces, piece []byte, _ bool) {
	for _, b := range piece {
		dst.text = append(dst.text, byteChars[b]...)
	}
	dst.close()
}

// spacePrefix puts a space before a piece that does not begin with one.
type spacePrefix struct{}

func (spacePrefix) split(dst *pieces, piece []byte, _ bool) {
	if piece[0] != ' ' {
		dst.text = append(dst.text, ' ')
	}
	dst.add(piece)
}
