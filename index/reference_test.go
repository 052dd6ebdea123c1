package index

import (
	"cmp"
	"math"
	"slices"
)

// reference answers a query the plain way, in float64, from the rows of a store.
type reference struct {
	rows   []Row // ascending by doc
	query  Query
	mean   []float64 // nil if not centred
	length float64
	live   int
	idf    []float64
}

func newReference(s *store, q Query, dims int) *reference {
	r := &reference{rows: s.sorted(), query: q}
	r.centre(dims)
	r.weigh()
	return r
}

// centre takes the mean of the first rows with vectors, as many as the grid says.
func (r *reference) centre(dims int) {
	var embedded []Row
	for _, row := range r.rows {
		if len(row.Vectors) > 0 {
			embedded = append(embedded, row)
		}
	}
	size := 6
	if len(embedded) < size {
		return
	}
	for {
		step := 1
		if size >= 16 {
			step = size / 16
		}
		if size+step > len(embedded) {
			break
		}
		size += step
	}
	r.mean = make([]float64, dims)
	n := 0
	for _, row := range embedded[:size] {
		for _, v := range row.Vectors {
			n++
			for i, x := range v {
				r.mean[i] += float64(x)
			}
		}
	}
	for i := range r.mean {
		r.mean[i] /= float64(n)
	}
}

// count returns how often a row has a term in the field of the query.
func (r *reference) count(row *Row, term string) float64 {
	for _, c := range row.Terms {
		if c.Term == term {
			return float64(pick(r.query.Field, c.Line, c.Content))
		}
	}
	return 0
}

func (r *reference) rowLength(row *Row) (length float64) {
	for _, c := range row.Terms {
		length += float64(pick(r.query.Field, c.Line, c.Content))
	}
	return length
}

func (r *reference) weigh() {
	for i := range r.rows {
		if row := &r.rows[i]; row.Live {
			r.live++
			r.length += r.rowLength(row)
		}
	}
	if r.length == 0 {
		r.length = 1
	} else {
		r.length /= float64(r.live)
	}
	for at, term := range r.query.Terms {
		df := 0
		for i := range r.rows {
			if row := &r.rows[i]; row.Live && r.count(row, term) > 0 {
				df++
			}
		}
		weight := math.Log(1 + (float64(r.live)-float64(df)+0.5)/(float64(df)+0.5))
		if slices.Contains(r.query.Terms[:at], term) {
			weight = 0
		}
		r.idf = append(r.idf, weight)
	}
}

func (r *reference) scores(row *Row) Scores {
	k1, b := r.query.K1, r.query.B
	if k1 == 0 && b == 0 {
		k1, b = 0.9, 0.4
	}
	var s Scores
	for i, term := range r.query.Terms {
		if tf := r.count(row, term); tf > 0 {
			s.Words += r.idf[i] * tf * (k1 + 1) / (tf + k1*(1-b+b*r.rowLength(row)/r.length))
		}
	}
	if r.query.Vector != nil && len(row.Vectors) > 0 {
		s.HasVector, s.C = true, math.Inf(-1)
		for _, v := range row.Vectors {
			s.C = max(s.C, r.c(v))
		}
	}
	return s
}

func (r *reference) c(v []float32) float64 {
	c := r.raw(v)
	if r.mean == nil {
		return (c - 0.75) / 0.2
	}
	return c
}

// raw is c without the mapping of plain cosines.
func (r *reference) raw(v []float32) float64 {
	var product, a, b float64
	for i := range v {
		x, y := float64(v[i]), float64(r.query.Vector[i])
		if r.mean != nil {
			x, y = x-r.mean[i], y-r.mean[i]
		}
		product, a, b = product+x*y, a+x*x, b+y*y
	}
	return product / math.Sqrt(a*b)
}

// meaning returns the raw C of the best window of a row, 0 without vectors.
func (r *reference) meaning(row *Row) float64 {
	if len(row.Vectors) == 0 {
		return 0
	}
	best := math.Inf(-1)
	for _, v := range row.Vectors {
		best = max(best, r.raw(v))
	}
	return best
}

// survey compares the vector of the query with all rows that pass its filter.
func (r *reference) survey() Survey {
	out := Survey{Centred: r.mean != nil}
	for _, row := range r.passing() {
		if len(row.Vectors) > 0 {
			out.Best = append(out.Best, Nearest{row.Doc, r.meaning(row)})
		}
	}
	out.Embedded, out.Compared = len(out.Best), len(out.Best)
	differ := map[float64]bool{}
	for _, near := range out.Best {
		differ[near.C] = true
	}
	out.Distinct = len(differ)
	if n := float64(len(differ)); n > 0 {
		for c := range differ {
			out.Mean += c / n
		}
		for c := range differ {
			out.Deviation += (c - out.Mean) * (c - out.Mean) / n
		}
		out.Deviation = math.Sqrt(out.Deviation)
	}
	slices.SortFunc(out.Best, func(a, b Nearest) int { return cmp.Or(cmp.Compare(b.C, a.C), cmp.Compare(a.Doc, b.Doc)) })
	out.Best = out.Best[:min(8, len(out.Best))]
	return out
}

func (r *reference) passes(row *Row) bool {
	f := &r.query.Filter
	within := func(t int64, since, until *int64) bool {
		return (since == nil || *since <= t) && (until == nil || t <= *until)
	}
	switch {
	case f.State == Live && !row.Live, f.State == NotLive && row.Live, slices.Contains(f.Exclude, row.Doc),
		!within(row.Captured, f.CapturedSince, f.CapturedUntil),
		f.Undated && row.HasEvent,
		(f.EventSince != nil || f.EventUntil != nil) && (!row.HasEvent || !within(row.Event, f.EventSince, f.EventUntil)),
		f.Near != nil && (!row.HasPlace || chord(row.Lat, row.Lon, f.Near.Lat, f.Near.Lon) > f.Near.RadiusM):
		return false
	}
	for _, facet := range f.All {
		if !slices.Contains(row.Facets, facet) {
			return false
		}
	}
	return true
}

// chord is the great-circle distance in metres by way of the angle between two
// directions in space.
func chord(lat1, lon1, lat2, lon2 float64) float64 {
	at := func(lat, lon float64) [3]float64 {
		sinLat, cosLat := math.Sincos(lat * math.Pi / 180)
		sinLon, cosLon := math.Sincos(lon * math.Pi / 180)
		return [3]float64{cosLat * cosLon, cosLat * sinLon, sinLat}
	}
	a, b := at(lat1, lon1), at(lat2, lon2)
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return 2 * 6371008.8 * math.Asin(min(math.Sqrt(x*x+y*y+z*z)/2, 1))
}

// passing returns the rows that pass the filter.
func (r *reference) passing() []*Row {
	var rows []*Row
	for i := range r.rows {
		if r.passes(&r.rows[i]) {
			rows = append(rows, &r.rows[i])
		}
	}
	return rows
}

// embedded returns how many of the rows that pass have vectors.
func (r *reference) embedded() (n int) {
	for _, row := range r.passing() {
		n += count(len(row.Vectors) > 0)
	}
	return n
}

// situationOf returns where and when a row happened.
func situationOf(row *Row) Situation {
	s := Situation{HasEvent: row.HasEvent, Event: row.Event, HasPlace: row.HasPlace}
	if row.HasPlace {
		s.Lat, s.Lon = row.Lat, row.Lon
	}
	if s.HasHour = row.HasEvent && row.HasHour && row.Offset >= -1440 && row.Offset <= 1440; s.HasHour {
		s.Offset = row.Offset
	}
	return s
}

// neighbours returns the rows before and after one in its session.
func (r *reference) neighbours(row *Row) (prev, next *Row) {
	if row.Session == "" {
		return nil, nil
	}
	before := func(a, b *Row) bool {
		pa, pb := a.Position, b.Position
		if pa < 0 {
			pa = math.MaxInt64
		}
		if pb < 0 {
			pb = math.MaxInt64
		}
		return cmp.Or(cmp.Compare(pa, pb), cmp.Compare(a.Captured, b.Captured), cmp.Compare(a.Doc, b.Doc)) < 0
	}
	for i := range r.rows {
		other := &r.rows[i]
		if !other.Live || other.Session != row.Session || other.Doc == row.Doc {
			continue
		}
		if before(other, row) && (prev == nil || before(prev, other)) {
			prev = other
		}
		if before(row, other) && (next == nil || before(other, next)) {
			next = other
		}
	}
	return prev, next
}

// recent returns the rows that pass in the default order.
func (r *reference) recent() []int64 {
	rows := r.passing()
	slices.SortFunc(rows, func(a, b *Row) int {
		return cmp.Or(cmp.Compare(b.Class, a.Class), cmp.Compare(b.Captured, a.Captured), cmp.Compare(a.Doc, b.Doc))
	})
	docs := make([]int64, len(rows))
	for i, row := range rows {
		docs[i] = row.Doc
	}
	return docs
}
