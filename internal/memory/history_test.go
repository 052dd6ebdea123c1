package memory

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestSearchHistoryGuards walks the guards of contract/history.md 4.1.
func TestSearchHistoryGuards(t *testing.T) {
	bad := ptr("2024")
	in := SearchHistoryInput{Query: " ", Limit: -1, Mode: "best", Expand: "all", Since: bad, Until: bad}
	walk(t, newWorld(), func(*world) error { _, _, err := checkHistory(in); return err }, []guard{
		blank("query", "query", func(*world) { in.Query = "mill" }),
		{code: CodeInvalid, keyword: "limit must be", hint: "limit", mend: func(*world) { in.Limit = 10 }},
		{code: CodeInvalid, keyword: "history mode must be one of lexical, semantic, hybrid, not \"best\"", hint: "hybrid", mend: func(*world) { in.Mode = ModeLexical }},
		{code: CodeInvalid, keyword: "expand must be one of none, links, session, both, not \"all\"", hint: "both", mend: func(*world) { in.Expand = "none" }},
		{code: CodeInvalid, keyword: "since must be a timestamp", hint: "offset", mend: func(*world) { in.Since = ptr("2024-02-01T00:00:00Z") }},
		{code: CodeInvalid, keyword: "until must be a timestamp", hint: "offset", mend: func(*world) { in.Until = ptr("2024-01-01T00:00:00Z") }},
		{code: CodeInvalid, keyword: "since must be before or equal to until", hint: "", mend: func(*world) { in.Until = in.Since }},
	})
}

func TestSearchHistoryDefaults(t *testing.T) {
	for _, c := range []struct {
		in      SearchHistoryInput
		mode    Mode
		expand  string
		content bool // words are those of contents alone
		limit   int
		warned  bool
	}{
		{SearchHistoryInput{Query: "q", Limit: 3}, ModeHybrid, "both", false, 3, false},
		{SearchHistoryInput{Query: "q", Mode: ModeLexical, Expand: "links"}, ModeLexical, "links", true, 0, false},
		{SearchHistoryInput{Query: "q", Mode: ModeSemantic, Expand: "session", Limit: MaxList + 1}, ModeSemantic, "session", false, MaxList, true},
	} {
		q, expand, err := checkHistory(c.in)
		if err != nil || q.mode != c.mode || expand != c.expand || q.content != c.content || q.limit != c.limit || (len(q.warnings) > 0) != c.warned {
			t.Errorf("%+v: %+v, %s, %v", c.in, q, expand, err)
		}
	}
}

func TestSearchArchiveGuards(t *testing.T) {
	bad := ptr("2024")
	in := SearchArchiveInput{Query: " ", Limit: -1, Frame: ptr(" "), SessionID: ptr(""), Since: bad, Until: bad}
	walk(t, newWorld(), func(*world) error { _, err := checkArchive(in); return err }, []guard{
		blank("query", "query", func(*world) { in.Query = "mill" }),
		{code: CodeInvalid, keyword: "limit must be", hint: "limit", mend: func(*world) { in.Limit = 0 }},
		blank("frame", "frame", func(*world) { in.Frame = nil }),
		blank("session_id", "session_id", func(*world) { in.SessionID = ptr("s") }),
		{code: CodeInvalid, keyword: "since must be a timestamp", hint: "offset", mend: func(*world) { in.Since = ptr("2024-02-01T00:00:00Z") }},
		{code: CodeInvalid, keyword: "until must be a timestamp", hint: "offset", mend: func(*world) { in.Until = ptr("2024-01-01T00:00:00Z") }},
		{code: CodeInvalid, keyword: "since must be before or equal to until", hint: "", mend: func(*world) { in.Until = in.Since }},
	})
}

// TestSeeds: three in five of the budget, rounded up.
func TestSeeds(t *testing.T) {
	for budget, want := range []int{0, 1, 2, 2, 3, 3, 4, 5, 5, 6, 6} {
		if got := seedCount(budget); got != want {
			t.Errorf("budget %d: %d seeds, want %d", budget, got, want)
		}
	}
}

// neighbourhood reads "seed>id class rank" entries.
func neighbourhood(entries ...string) (seeds []Memory, near map[ID][]neighbour) {
	near = map[ID][]neighbour{}
	for _, e := range entries {
		seed, rest, _ := strings.Cut(e, ">")
		if !slices.ContainsFunc(seeds, func(m Memory) bool { return m.ID == ID(seed) }) {
			seeds = append(seeds, Memory{ID: ID(seed)})
		}
		if rest == "" {
			continue
		}
		var id ID
		var n neighbour
		if _, err := fmt.Sscan(rest, &id, &n.class, &n.rank); err != nil {
			panic(err)
		}
		n.memory.ID, n.path = id, EvidencePath{SeedID: ID(seed), MemoryID: id}
		near[ID(seed)] = append(near[ID(seed)], n)
	}
	return seeds, near
}

// TestExpansion walks the rules of contract/history.md 4.1.
func TestExpansion(t *testing.T) {
	for _, c := range []struct {
		name string
		room int
		near []string
		want string // "seed>memory"
	}{
		{"links before places, then base rank, then id", 9, []string{"a>x 1 0", "a>y 0 7", "a>w 0 3", "a>v 0 3"}, "a>v a>w a>y a>x"},
		{"a neighbour a seed and pass", 9, []string{"a>p 0 1", "a>q 0 2", "b>r 0 1", "b>s 0 2", "c>"}, "a>p b>r a>q b>s"},
		{"until the room is used up", 3, []string{"a>p 0 1", "a>q 0 2", "b>r 0 1"}, "a>p b>r a>q"},
		{"no room", 0, []string{"a>p 0 1"}, ""},
		{"each once: the next seed takes its next", 9, []string{"a>p 0 1", "b>p 0 1", "b>q 0 2"}, "a>p b>q"},
		{"seeds are no neighbours", 9, []string{"a>b 0 0", "a>p 0 9", "b>a 0 0"}, "a>p"},
		{"nobody has a neighbour", 9, []string{"a>", "b>"}, ""},
		{"two links to one memory count once", 9, []string{"a>p 0 1", "a>p 0 1", "a>q 0 2"}, "a>p a>q"},
	} {
		seeds, near := neighbourhood(c.near...)
		var got []string
		for _, n := range expandSeeds(seeds, near, c.room) {
			got = append(got, string(n.path.SeedID)+">"+string(n.memory.ID))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestTimeOfAMemory: both bounds are inclusive, and an unknown time passes none.
func TestTimeOfAMemory(t *testing.T) {
	early, late := noon.Add(-time.Hour), noon.Add(time.Hour)
	for _, c := range []struct {
		at, since, until *time.Time
		want             bool
	}{
		{nil, nil, nil, true},
		{nil, &early, nil, false},
		{nil, nil, &late, false},
		{&noon, &noon, &noon, true},
		{&noon, &early, &late, true},
		{&noon, &late, nil, false},
		{&noon, nil, &early, false},
	} {
		q := question{filter: IndexFilter{Since: c.since, Until: c.until}}
		if got := q.inTime(Memory{EventAt: c.at}); got != c.want {
			t.Errorf("%v in %v to %v: %t", c.at, c.since, c.until, got)
		}
	}
}

func TestOrderOfAnArchive(t *testing.T) {
	row := func(number int64, id ID, captured time.Time) Memory {
		return Memory{Number: number, ID: id, CreatedAt: captured}
	}
	rows := []Memory{row(1, "d", noon), row(2, "a", noon.Add(-time.Hour)), row(3, "b", noon.Add(time.Hour)), row(4, "c", noon)}
	slices.SortFunc(rows, compareArchived(map[int64]float64{1: 1, 2: 2, 3: 1, 4: 1}))
	var got []ID
	for _, r := range rows {
		got = append(got, r.ID)
	}
	if want := []ID{"a", "b", "c", "d"}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v: best first, then newest captured, then id", got, want)
	}
}
