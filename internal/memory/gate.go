package memory

import (
	"slices"
	"strings"
)

// Standing is how well a memory is corroborated.
type Standing struct {
	Labels    []string // distinct corroborating labels, trimmed, sorted
	Count     int      // labels that are independent of the origin
	Satisfied bool     // Count is at least 1
}

// Gate is the one corroboration rule (contract/history.md 2.3). Labels are
// trimmed and compared exactly. A memory of known origin needs one label other
// than its source; one of unknown origin needs two labels.
func Gate(source *string, labels []string) Standing {
	distinct := distinctLabels(labels)
	origin := ""
	if source != nil {
		origin = strings.TrimSpace(*source)
	}
	count := max(len(distinct)-1, 0)
	if origin != "" {
		count = len(distinct)
		if slices.Contains(distinct, origin) {
			count--
		}
	}
	return Standing{Labels: distinct, Count: count, Satisfied: count >= 1}
}

func distinctLabels(labels []string) []string {
	distinct := make([]string, 0, len(labels))
	for _, l := range labels {
		if l = strings.TrimSpace(l); l != "" {
			distinct = append(distinct, l)
		}
	}
	slices.Sort(distinct)
	return slices.Compact(distinct)
}

// MayRank says whether a memory may hold a reserved place (anchor, canon): a
// sensitive one needs a satisfied gate.
func MayRank(m Memory, labels []string) bool {
	return !m.SecuritySensitive || Gate(m.Source, labels).Satisfied
}
