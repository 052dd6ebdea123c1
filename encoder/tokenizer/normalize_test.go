package tokenizer

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// TestManyMarks: more than 30 marks on one character get no joiner, unless the
// text has one.
func TestManyMarks(t *testing.T) {
	marks := strings.Repeat("\u0301", 40)
	for _, c := range []struct {
		form      norm.Form
		src, want string
	}{
		{norm.NFC, "a\u0301" + marks, "á" + marks},
		{norm.NFD, "á" + marks, "a\u0301" + marks},
		{norm.NFC, "a\u034F\u0301b", "a\u034F\u0301b"},
	} {
		if got := string(unicodeForm(c.form).normalize(nil, []byte(c.src))); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.src, got, c.want)
		}
	}
}
