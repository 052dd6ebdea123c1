package encoder

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"combray/encoder/tokenizer"
)

// tokens turns texts into inputs of a graph.
type tokens struct {
	pieces         pieces
	before, behind []int32 // special tokens around every input
}

// pieces is what is needed of a tokenizer: the ids of a text without special
// tokens, whatever the text says.
type pieces interface {
	Append(dst []int32, text string) []int32
	Specials() (prefix, suffix []int32)
}

var _ pieces = (*tokenizer.Tokenizer)(nil)

// openTokens opens the tokenizer of a model whose hash was checked.
func openTokens(m Files) (tokens, error) {
	data := m.Tokenizer.Bytes
	if data == nil {
		var err error
		if data, err = os.ReadFile(m.Tokenizer.Path); err != nil {
			return tokens{}, fmt.Errorf("read the tokenizer: %w", err)
		}
	}
	open := tokenizer.OpenFlat
	if len(data) > 0 && strings.ContainsRune("{ \t\r\n", rune(data[0])) {
		open = tokenizer.Load // JSON; the flat form begins with a letter
		// Reading one of 9 MB leaves 70 MB of garbage, most of it until the next
		// collection long after.
		defer debug.FreeOSMemory()
	}
	tok, err := open(data)
	if err != nil {
		return tokens{}, fmt.Errorf("the tokenizer cannot be used: %w", err)
	}
	return newTokens(tok), nil
}

func newTokens(p pieces) tokens {
	before, behind := p.Specials()
	return tokens{pieces: p, before: before, behind: behind}
}

// room returns how many tokens of a text fit into one input behind the prefix.
func (t tokens) room(maxTokens int, prefix string) int {
	return t.size(maxTokens) - len(t.pieces.Append(nil, prefix))
}

// cut returns the inputs for a text: one, or overlapping windows, each with the
// special tokens and the prefix. There is always one, even for an empty text.
func (t tokens) cut(maxTokens int, prefix, text string) [][]int32 {
	body, size := t.body(prefix, text), t.size(maxTokens)
	if len(body) <= size {
		return [][]int32{t.wrap(body)}
	}
	lead := t.lead(prefix, body)
	var inputs [][]int32
	for _, w := range windows(len(body)-lead, size-lead) {
		inputs = append(inputs, t.wrap(body[:lead], body[lead+w.start:lead+w.end]))
	}
	return inputs
}

// endTokens is how much of each end of a question longer than the window is
// encoded: a question. Measured with 10 questions of some 10 tokens at the end
// (beginning) of four texts of 700 to 3,500 tokens, and 22 memories: the right one
// was among the first five 39 (29) of 40 times; with 30 tokens 37 (24), with 40
// tokens 34 (24), with the mean of all windows 10 (14) of 30 times.
const endTokens = 20

// ends returns the inputs for a question: one, or the two ends of one that is
// longer than the window.
func (t tokens) ends(maxTokens int, prefix, text string) [][]int32 {
	body := t.body(prefix, text)
	if len(body) <= t.size(maxTokens) {
		return [][]int32{t.wrap(body)}
	}
	lead := t.lead(prefix, body)
	each := min(endTokens, t.size(maxTokens)-lead)
	return [][]int32{t.wrap(body[:lead+each]), t.wrap(body[:lead], body[len(body)-each:])}
}

// body returns the tokens of a prefixed text, without special tokens.
func (t tokens) body(prefix, text string) []int32 {
	return t.pieces.Append(make([]int32, 0, 64), prefix+text)
}

// size returns how many tokens fit between the special ones.
func (t tokens) size(maxTokens int) int { return maxTokens - len(t.before) - len(t.behind) }

// lead returns how many tokens at the beginning of body are the prefix. Merging
// tokenizers join the prefix's last characters with the first word of the text,
// so it is what the prefix alone and body begin with alike.
func (t tokens) lead(prefix string, body []int32) int {
	return commonLength(t.pieces.Append(nil, prefix), body)
}

// wrap returns one input: the parts between the special tokens.
func (t tokens) wrap(parts ...[]int32) []int32 {
	return slices.Concat(t.before, slices.Concat(parts...), t.behind)
}

// commonLength returns how many elements a and b begin with alike.
func commonLength(a, b []int32) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
