// Package tokenizer turns text into the token ids that a text encoder takes.
//
// A [Tokenizer] comes from a Hugging Face tokenizer.json ([Load]) or, for
// Unigram files, from a flat binary form that is used in place ([OpenFlat],
// made by [WriteFlat]). Models are Unigram, WordPiece and BPE (with byte
// fallback or byte-level); normalizers, pre-tokenizers and post-processors are
// taken as the file states them, and a component this package does not know
// fails at load with its name. The padding and truncation blocks of a file are
// ignored: cutting and padding belong to the caller.
//
// Ids are those of Hugging Face tokenizers 0.22.2 (TestGolden, TestFixtures),
// with these differences:
//
//   - Special tokens that a user types are plain text, see [Tokenizer.Append].
//     [Tokenizer.WithSpecialTokens] gives the reference's reading.
//   - Invalid UTF-8 is read as U+FFFD, one for each invalid byte.
//   - Character properties and grapheme clusters follow the Unicode version of
//     this build, which can be newer than the reference's.
//   - NFC, NFD, NFKC and NFKD put the marks of one character in order in groups
//     of 30.
//   - A Metaspace that prepends to the first word only takes "first" to mean
//     the start of the normalized text, not of the original.
//
// A Tokenizer never panics and takes time that grows about linearly with the
// text (FuzzAppend, TestLongInputs). It does not change after it is made and
// may be used by any number of goroutines at once (TestConcurrentUse).
package tokenizer

//go:generate go run combray/scripts/flatten-tokenizer -in ../bundled/tokenizer.json -out ../bundled/tokenizer.flat
