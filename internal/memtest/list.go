package memtest

import (
	"cmp"
	"math"
	"slices"
	"time"

	"combray/internal/memory"
)

// list gives what a query asks for, in its order.
func (s *state) list(q memory.ListQuery) []memory.Memory {
	var out []memory.Memory
	for _, m := range s.memories {
		if passes(m, q.Filter) && (q.After == nil || compare(q.Order, m, place(q.Order, *q.After)) > 0) {
			out = append(out, s.shown(m))
		}
	}
	slices.SortFunc(out, func(a, b memory.Memory) int { return compare(q.Order, a, b) })
	return cut(out, q.Limit)
}

// place is a row that stands where the cursor does.
func place(order memory.ListOrder, c memory.Cursor) memory.Memory {
	m := memory.Memory{ID: c.ID}
	switch order {
	case memory.NewestForgotten:
		m.ForgottenAt = &c.At
	case memory.ByEvent:
		m.EventAt, m.CreatedAt = &c.At, c.CreatedAt
		if c.At.IsZero() {
			m.EventAt = nil
		}
	default:
		m.CreatedAt = c.At
	}
	return m
}

func compare(order memory.ListOrder, a, b memory.Memory) int {
	var byTime int
	switch order {
	case memory.NewestCaptured:
		byTime = b.CreatedAt.Compare(a.CreatedAt)
	case memory.OldestCaptured:
		byTime = a.CreatedAt.Compare(b.CreatedAt)
	case memory.NewestForgotten:
		byTime = -compareTimes(a.ForgottenAt, b.ForgottenAt)
	case memory.ByEvent:
		byTime = cmp.Or(compareTimes(a.EventAt, b.EventAt), a.CreatedAt.Compare(b.CreatedAt))
	}
	return cmp.Or(byTime, cmp.Compare(a.ID, b.ID))
}

// compareTimes puts an unknown time last.
func compareTimes(a, b *time.Time) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return a.Compare(*b)
}

// passes says whether a memory passes every field of a filter.
func passes(m memory.Memory, f memory.ListFilter) bool {
	switch {
	case f.Forgotten == memory.ActiveOnly && m.Forgotten(),
		f.Forgotten == memory.ForgottenOnly && !m.Forgotten(),
		!matches(f.Frame, m.Frame),
		!matches(f.Source, m.Source),
		!matches(f.SessionID, m.SessionID),
		!matches(f.Tier, &m.Tier),
		!matches(f.Status, &m.Status),
		!hasAll(m.Tags, f.Tags),
		!within(m.EventAt, f.Since, f.Until),
		f.Near != nil && !nearby(m.Place, *f.Near),
		f.UnknownEvent && m.EventAt != nil,
		f.CreatedUntil != nil && m.CreatedAt.After(*f.CreatedUntil),
		f.ReviewedBefore != nil && m.LastReviewedAt != nil && !m.LastReviewedAt.Before(*f.ReviewedBefore):
		return false
	}
	return true
}

// matches says whether a value is the one asked for; nil asks for nothing.
func matches[V comparable](asked, value *V) bool {
	return asked == nil || value != nil && *value == *asked
}

func hasAll(tags, asked []string) bool {
	for _, tag := range asked {
		if !slices.Contains(tags, tag) {
			return false
		}
	}
	return true
}

// within says whether a time lies in the span, ends included; an unknown time
// lies in none.
func within(t, since, until *time.Time) bool {
	if since == nil && until == nil {
		return true
	}
	return t != nil && (since == nil || !t.Before(*since)) && (until == nil || !t.After(*until))
}

func nearby(p *memory.Place, n memory.Near) bool {
	return p != nil && metres(p.Lat, p.Lon, n.Lat, n.Lon) <= n.RadiusM
}

// earthRadius is the mean radius of the earth in metres (contract/sense.md 4.1).
const earthRadius = 6_371_008.8

// metres is the haversine distance.
func metres(lat1, lon1, lat2, lon2 float64) float64 {
	const rad = math.Pi / 180
	north := math.Sin((lat2 - lat1) * rad / 2)
	east := math.Sin((lon2 - lon1) * rad / 2)
	h := north*north + math.Cos(lat1*rad)*math.Cos(lat2*rad)*east*east
	return 2 * earthRadius * math.Asin(min(1, math.Sqrt(h)))
}
