package tools

import (
	"encoding/json"
	"strings"
	"testing"

	"combray/internal/memory"
)

func TestShown(t *testing.T) {
	for text, want := range map[string]string{
		"plain ü 漢字 😀":              "plain ü 漢字 😀",
		"tab\tline\nend\r\n":        "tab\tline\nend\r\n",
		"\r":                        `\u{d}`,
		"a\rb\r\r\n":                `a\u{d}b\u{d}` + "\r\n",
		"\x00\x1b[31m":              `\u{0}\u{1b}[31m`,
		"\b\f\v":                    `\u{8}\u{c}\u{b}`,
		"\x7f\u0080\u009f\u00a0":    `\u{7f}\u{80}\u{9f}` + "\u00a0",
		"\u202a\u202e\u2066\u2069":  `\u{202a}\u{202e}\u{2066}\u{2069}`,
		"\u2029\u2028\u200f":        "\u2029\u2028\u200f",
		"\U000e0041\U000e007f":      `\u{e0041}\u{e007f}`,
		`back\slash "quoted" \u{0}`: `back\slash "quoted" \u{0}`,
		`\` + "\r":                  `\\u{d}`,
		"<&>":                       "<&>",
	} {
		var got string
		if err := json.Unmarshal(shown(encode(text)), &got); err != nil || got != want {
			t.Errorf("%q: got %q, %v; want %q", text, got, err, want)
		}
	}
}

func FuzzShown(f *testing.F) {
	for _, s := range []string{"", "a\r\nb\rc", "\\\x00\\", "\u202e\"", "\U000e0001", "\xff\xfe", "\r\\n", `\u0000`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		if err := json.Unmarshal(shown(encode(s)), &got); err != nil {
			t.Fatalf("%q: no JSON any more: %v", s, err)
		}
		for _, r := range strings.ReplaceAll(got, "\r\n", "") {
			if memory.Hides(r) {
				t.Fatalf("%q: %q still hides something", s, got)
			}
		}
	})
}
