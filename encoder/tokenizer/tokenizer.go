package tokenizer

import "slices"

// A Tokenizer turns text into token ids. It is immutable and safe for
// concurrent use. The zero value is not usable: take one from [Load] or
// [OpenFlat].
type Tokenizer struct {
	normalizers []normalizer
	splitters   []splitter
	model       model

	raw        *scanner // added tokens looked for in the text as it came; nil: none
	normalized *scanner // added tokens looked for after normalizing; nil: none
	specials   bool     // special added tokens in the text become their ids

	prefix, suffix []int32
	pad            int32
	size           int

	flat *flatParts // what WriteFlat needs; nil: no flat form
}

// A model turns one piece of pre-tokenized text into ids.
type model interface {
	// appendPiece appends the ids of piece to dst. piece is not kept or changed.
	appendPiece(dst []int32, piece []byte, s *scratch) []int32
}

// WithSpecialTokens returns a tokenizer over the same data that reads the
// special tokens of the file ("<s>", "[CLS]") in a text as their ids, as the
// reference does by default. (A name that only normalizing makes, such as "<s>"
// in full-width characters, stays text.) It serves comparisons with the
// reference; text from users belongs to the tokenizer as loaded.
func (t *Tokenizer) WithSpecialTokens() *Tokenizer {
	c := *t
	c.specials = true
	return &c
}

// Specials returns the ids that the model expects before and after the ids of
// one text, as the post-processor of the file states them; both may be empty.
// The slices belong to the caller.
func (t *Tokenizer) Specials() (prefix, suffix []int32) {
	return slices.Clone(t.prefix), slices.Clone(t.suffix)
}

// Pad returns the id of the padding token, 0 if the file names none. A padded
// place is masked, so any id the model knows serves there.
func (t *Tokenizer) Pad() int32 { return t.pad }

// VocabSize returns the number of rows an embedding table needs: one more than
// the highest id, added tokens included. Every id of [Tokenizer.Append] and
// [Tokenizer.Specials] is in [0, VocabSize).
func (t *Tokenizer) VocabSize() int { return t.size }
