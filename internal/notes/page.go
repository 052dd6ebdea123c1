package notes

import (
	"bytes"
	"errors"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	gmtext "github.com/yuin/goldmark/text"
	"golang.org/x/text/encoding/unicode"

	"combray/internal/memory"
)

// page is a file cut into sections.
type page struct {
	event    *string // when, as remember takes it
	dayOnly  bool
	tags     []string
	title    string
	sections []section
}

// section is the text from one heading to the next, heading line included.
type section struct {
	text  string
	line  int      // from 1
	above []string // headings above it, outermost first, its own last
}

// decodeText reads UTF-8, and UTF-16 with a byte order mark.
func decodeText(data []byte) (string, error) {
	if bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF}) {
		out, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Bytes(data)
		if err != nil {
			return "", errors.New("the file is damaged UTF-16 text: save it as UTF-8")
		}
		return string(out), nil
	}
	data = bytes.TrimPrefix(data, []byte{0xEF, 0xBB, 0xBF})
	if !utf8.Valid(data) {
		return "", errors.New("the file is not UTF-8 text: save it as UTF-8")
	}
	return string(data), nil
}

// parsePage cuts a Markdown file at its headings; another text is one section.
func parsePage(name, text string, zone *time.Location) (page, error) {
	front, body, err := cutFrontMatter(text, zone)
	if err != nil {
		return page{}, err
	}
	p := page{tags: front.tags, title: front.title}
	p.event, p.dayOnly = eventOf(front, name, zone)
	skipped := 1 + strings.Count(text[:len(text)-len(body)], "\n")
	if isMarkdown(name) {
		p.sections = cutSections(body)
	} else {
		p.sections = []section{{text: body, line: 1}}
	}
	kept := p.sections[:0]
	for _, s := range p.sections {
		s.line += skipped - 1
		if s.text = strings.Trim(s.text, "\r\n"); s.hasBody() {
			kept = append(kept, s)
		}
	}
	p.sections = kept
	return p, nil
}

func isMarkdown(name string) bool {
	lower := strings.ToLower(name)
	return !strings.HasSuffix(lower, ".txt") && !strings.HasSuffix(lower, ".text")
}

// hasBody says whether there is more than a heading.
func (s section) hasBody() bool {
	body := s.text
	if len(s.above) > 0 {
		_, body, _ = strings.Cut(s.text, "\n")
		body = strings.TrimLeft(body, "=-\r\n ")
	}
	return strings.TrimSpace(body) != ""
}

// cutSections cuts Markdown at its headings. Headings inside code blocks,
// quotes and lists are text, as CommonMark has it.
func cutSections(body string) []section {
	source := []byte(body)
	document := goldmark.New().Parser().Parse(gmtext.NewReader(source))
	var (
		sections []section
		above    []string
		levels   []int
		start    int
	)
	cut := func(end int) {
		sections = append(sections, section{text: body[start:end], line: 1 + strings.Count(body[:start], "\n"), above: append([]string(nil), above...)})
		start = end
	}
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok || h.Lines().Len() == 0 {
			continue
		}
		at := h.Lines().At(0).Start
		cut(strings.LastIndexByte(body[:at], '\n') + 1)
		for len(levels) > 0 && levels[len(levels)-1] >= h.Level {
			levels, above = levels[:len(levels)-1], above[:len(above)-1]
		}
		levels = append(levels, h.Level)
		above = append(above, strings.TrimSpace(string(h.Lines().Value(source))))
	}
	cut(len(body))
	return sections
}

// note makes the capture of a section.
func (p page) note(name string, s section) Note {
	context := append([]string{name}, s.above...)
	if p.title != "" {
		context = append([]string{name, p.title}, s.above...)
	}
	path := strings.Join(context, " > ")
	in := memory.RememberInput{Content: s.text, Source: &name, CaptureContext: &path, OriginID: &name,
		MaterialType: "document", EventAt: p.event, DayOnly: p.dayOnly, Tags: p.tags}
	when := ""
	if p.event != nil {
		when = *p.event
	}
	in.IdempotencyKey = key(name, strings.Join(s.above, "\n"), when, s.text)
	return Note{File: name, Line: s.line, Input: in}
}

var (
	dashedDay  = regexp.MustCompile(`(?:^|[^0-9])(\d{4})[-_.](\d{2})[-_.](\d{2})(?:[^0-9]|$)`)
	compactDay = regexp.MustCompile(`(?:^|[^0-9])((?:19|20)\d{2})(\d{2})(\d{2})(?:[^0-9]|$)`)
)

// eventOf finds when a page happened: its front matter, else a day in the name
// of the file or of a folder above it, else it stays unknown.
func eventOf(front frontMatter, name string, zone *time.Location) (*string, bool) {
	if front.at != nil {
		s := front.at.Format("2006-01-02T15:04:05Z07:00")
		return &s, false
	}
	if front.day != nil {
		return noon(*front.day, zone), true
	}
	parts := strings.Split(name, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		for _, form := range []*regexp.Regexp{dashedDay, compactDay} {
			if m := form.FindStringSubmatch(parts[i]); m != nil {
				if day, err := time.Parse("2006-01-02", m[1]+"-"+m[2]+"-"+m[3]); err == nil {
					return noon(day, zone), true
				}
			}
		}
	}
	return nil, false
}

// noon is 12:00 of a day in a zone, as surface.md 2 stores a day without an hour.
func noon(day time.Time, zone *time.Location) *string {
	s := time.Date(day.Year(), day.Month(), day.Day(), 12, 0, 0, 0, zone).Format("2006-01-02T15:04:05Z07:00")
	return &s
}
