package notes

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"go.yaml.in/yaml/v3"

	"combray/internal/memory"
)

// frontMatter is what is taken from the block at the head of a page.
type frontMatter struct {
	at    *time.Time // a moment
	day   *time.Time // a day without an hour
	tags  []string
	title string
}

// fences of the block and what stands between them.
var fences = []struct {
	fence string
	parse func([]byte, any) error
}{
	{"---", yaml.Unmarshal},
	{"+++", toml.Unmarshal},
}

// cutFrontMatter takes the block off a page. A first line that only looks like
// a fence, with no second one, is text.
func cutFrontMatter(text string, zone *time.Location) (frontMatter, string, error) {
	for _, f := range fences {
		block, body, ok := cutBlock(text, f.fence)
		if !ok {
			continue
		}
		if !hasKey.MatchString(block) {
			continue // a text that begins with a rule
		}
		var fields map[string]any
		if err := f.parse([]byte(block), &fields); err != nil {
			return frontMatter{}, "", fmt.Errorf("the front matter cannot be read: %v", err)
		}
		front, err := readFields(lowerKeys(fields), zone)
		return front, body, err
	}
	return frontMatter{}, text, nil
}

// hasKey tells a block of fields from text between two rules.
var hasKey = regexp.MustCompile(`(?m)^\s*["']?[\w-]+["']?\s*[:=]`)

func lowerKeys(fields map[string]any) map[string]any {
	out := make(map[string]any, len(fields))
	for name, v := range fields {
		out[strings.ToLower(name)] = v
	}
	return out
}

// dateFields give the event time, the first that is there.
var dateFields = []string{"event_at", "date", "datetime", "created", "created_at", "day", "published", "timestamp"}

func cutBlock(text, fence string) (block, body string, ok bool) {
	first, rest, ok := strings.Cut(text, "\n")
	if !ok || strings.TrimRight(first, " \r") != fence {
		return "", "", false
	}
	for at := 0; at < len(rest); {
		end := strings.IndexByte(rest[at:], '\n')
		line := rest[at:]
		next := len(rest)
		if end >= 0 {
			line, next = rest[at:at+end], at+end+1
		}
		if strings.TrimRight(line, " \r") == fence {
			return rest[:at], rest[next:], true
		}
		at = next
	}
	return "", "", false
}

func readFields(fields map[string]any, zone *time.Location) (frontMatter, error) {
	var front frontMatter
	for _, name := range dateFields {
		v, ok := fields[name]
		if !ok {
			continue
		}
		if err := front.setDate(v, zone); err != nil {
			return front, fmt.Errorf("the front matter's %s cannot be read as a date: %v", name, v)
		}
		break
	}
	if title, ok := fields["title"].(string); ok {
		front.title = strings.TrimSpace(title)
	}
	front.tags = readTags(fields["tags"])
	return front, nil
}

func (f *frontMatter) setDate(v any, zone *time.Location) error {
	if d, ok := v.(toml.LocalDate); ok {
		v = d.String()
	}
	if d, ok := v.(toml.LocalDateTime); ok {
		v = d.AsTime(zone)
	}
	if t, ok := v.(time.Time); ok {
		// YAML gives a bare day as midnight UTC.
		if t.Equal(t.Truncate(24*time.Hour)) && t.Location() == time.UTC {
			f.day = &t
		} else {
			f.at = &t
		}
		return nil
	}
	s := strings.TrimSpace(fmt.Sprint(v))
	if day, err := time.Parse("2006-01-02", s); err == nil {
		f.day = &day
		return nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02T15:04", "2006-01-02 15:04:05 -0700"} {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil {
			f.at = &t
			return nil
		}
	}
	return fmt.Errorf("not a date")
}

// readTags takes a list, or words separated by commas; tags too long for a
// memory are left out.
func readTags(v any) []string {
	var raw []string
	switch v := v.(type) {
	case string:
		raw = strings.Split(v, ",")
	case []any:
		for _, t := range v {
			raw = append(raw, fmt.Sprint(t))
		}
	}
	var tags []string
	for _, t := range raw {
		t = strings.TrimPrefix(strings.TrimSpace(t), "#")
		if t != "" && len([]rune(t)) <= memory.MaxTagRunes && len(tags) < memory.MaxTags {
			tags = append(tags, t)
		}
	}
	return tags
}
