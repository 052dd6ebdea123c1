package lives

import (
	"embed"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
)

// The sentences lie in files, so that they can be read and added to as text. A
// line that begins with # is a comment.
//
//go:embed pool/*.txt
var files embed.FS

// topic is a matter that a memory holds, with cues that speak of it.
type topic struct {
	memory   string
	same     []string // cues that share telling words
	other    []string // cues in other words
	foreign  []string // cues in other languages
	nearMiss string   // a shared word with another meaning
}

// pool is every sentence of a life.
type pool struct {
	topics     []topic
	rituals    []string // with {weekday}
	names      []string
	persons    []string            // with {name}
	personCues []string            // with {name}
	routine    []string            // with {friend}
	places     map[string][]string // by language
	chatter    map[string][]string // by language, with {friend}
	sentences  []string            // of other people, with {parts}
	parts      map[string][]string // what stands for a part
}

var sentences = sync.OnceValue(func() *pool {
	p := &pool{rituals: lines("rituals"), routine: lines("routine"), names: lines("names"),
		places: keyed("places"), chatter: keyed("chatter"), parts: keyed("others")}
	p.sentences = p.parts["sentence"]
	for _, line := range lines("topics") {
		p.addTopicLine(strings.Cut(line, " "))
	}
	persons := keyed("persons")
	p.persons, p.personCues = persons["m"], persons["k"]
	return p
})

// lines gives the lines of a file that are neither empty nor comments.
func lines(name string) []string {
	data, err := files.ReadFile("pool/" + name + ".txt")
	if err != nil {
		panic(fmt.Sprintf("lives: %v", err))
	}
	return slices.DeleteFunc(strings.Split(string(data), "\n"), func(line string) bool { return line == "" || strings.HasPrefix(line, "#") })
}

// keyed gives the lines of a file by their first word.
func keyed(name string) map[string][]string {
	out := map[string][]string{}
	for _, line := range lines(name) {
		key, text, _ := strings.Cut(line, " ")
		out[key] = append(out[key], text)
	}
	return out
}

func (p *pool) addTopicLine(kind, text string, _ bool) {
	if kind == "m" {
		p.topics = append(p.topics, topic{memory: text})
		return
	}
	t := &p.topics[len(p.topics)-1]
	switch kind {
	case "k":
		t.same = append(t.same, text)
	case "p":
		t.other = append(t.other, text)
	case "n":
		t.nearMiss = text
	default:
		t.foreign = append(t.foreign, text)
	}
}

// drawn gives n different elements in random order; all of them when there are
// fewer.
func drawn[E any](r *rand.Rand, from []E, n int) []E {
	order := r.Perm(len(from))
	out := make([]E, 0, n)
	for _, i := range order[:min(n, len(order))] {
		out = append(out, from[i])
	}
	return out
}

func one[E any](r *rand.Rand, from []E) E { return from[r.IntN(len(from))] }
