package clients

import (
	"strings"

	"github.com/tailscale/hujson"
)

// drop takes out the member at a path, then the objects around it that it leaves
// empty, as far as they look as if insert had made them: see keepsEmpty. The root
// stays.
func (d *jsonDocument) drop(path []string) error {
	for n := len(path); n > 0; n-- {
		parent, err := d.at(path[:n-1])
		if err != nil || parent.value == nil {
			return err
		}
		all := items(parent.value)
		i := indexOf(all, path[n-1])
		if i < 0 {
			return nil
		}
		again := len(all) == 1 && !d.keepsEmpty(parent.value, all[0])
		if err := d.cut(parent.value, all, i); err != nil {
			return err
		}
		if !again {
			break
		}
	}
	return d.closeRoot()
}

func indexOf(all []jsonItem, name string) int {
	for i, item := range all {
		if item.name == name {
			return i
		}
	}
	return -1
}

// keepsEmpty says whether an object stays when its only item goes: an owner's
// comment is in it, or it stood empty on one line before. What insert makes in a
// file of several lines has lines of its own.
func (d *jsonDocument) keepsEmpty(v *hujson.Value, only jsonItem) bool {
	inside := d.text[v.StartOffset+1:only.from] + d.text[only.to:v.EndOffset-1]
	if strings.Trim(inside, " \t\r\n,") != "" {
		return true
	}
	return !strings.Contains(inside, "\n") && !d.flat(&d.root)
}

// cut takes out one item with the white space before it and the comma that is
// then too much.
func (d *jsonDocument) cut(parent *hujson.Value, all []jsonItem, i int) error {
	item := all[i]
	from, to := trimmedEnd(d.text, item.from), item.to
	if item.comma >= 0 {
		to = item.comma + 1
	}
	splices := []splice{{from, to, d.breakAfterComment(from, to)}}
	if i > 0 && i == len(all)-1 && item.comma < 0 {
		splices = append(splices, splice{all[i-1].comma, all[i-1].comma + 1, ""})
	}
	return d.edit(splices...)
}

// breakAfterComment is the line break that must stay when the text before a cut
// ends in a line comment and the text after it goes on in the same line.
func (d *jsonDocument) breakAfterComment(from, to int) string {
	before := d.text[lineStart(d.text, from):from]
	if !strings.Contains(before, "//") || strings.TrimSpace(d.text[to:lineEnd(d.text, to)]) == "" {
		return ""
	}
	return d.newline
}

// closeRoot draws the braces of an empty root together.
func (d *jsonDocument) closeRoot() error {
	if len(items(&d.root)) > 0 || strings.TrimSpace(d.text[d.root.StartOffset+1:d.root.EndOffset-1]) != "" {
		return nil
	}
	return d.edit(splice{d.root.StartOffset + 1, d.root.EndOffset - 1, ""})
}
