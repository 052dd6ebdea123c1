package store

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"combray/internal/memory"
)

// crowd is a store in which every way into a list is wide, narrow, or neither:
// most memories share one frame, source and tag, a few have one of their own.
func crowd(t *testing.T) *Store {
	t.Helper()
	const n = wideWay + 800
	s := openStore(t, Options{Path: inMemory})
	common, rare := "common", "rare"
	var plan memory.Plan
	for i := range n {
		m := note(i, "tea")
		m.Frame, m.Source, m.Tags = &common, &common, []string{common}
		m.SessionID = &common
		at := moment.Add(time.Duration(i%97) * time.Hour)
		m.EventAt = &at
		m.Place = &memory.Place{Lat: 48.3, Lon: 1.2, Geohash: "u09"}
		if i%1000 == 7 {
			m.Frame, m.Source, m.Tags = &rare, &rare, []string{common, rare}
			m.Place = &memory.Place{Lat: -33.9, Lon: 151.2, Geohash: "r3g"}
			m.Tier, m.LastReviewedAt = memory.Interpretation, &moment
			m.ForgottenAt, m.EventAt = nil, nil
		}
		plan.Write(memory.PutMemory{Memory: m})
	}
	apply(t, s, plan)
	return s
}

func TestListsTakeTheNarrowestWay(t *testing.T) {
	s := crowd(t)
	common, rare, tier, later := "common", "rare", memory.Interpretation, moment.Add(time.Hour)
	last := moment.Add(96 * time.Hour)
	ctx := context.Background()
	for _, c := range []struct {
		filter memory.ListFilter
		order  order
		hint   string
	}{
		{memory.ListFilter{}, byCapture, "INDEXED BY memories_captured"},
		{memory.ListFilter{}, byEvent, "INDEXED BY memories_event"},
		{memory.ListFilter{Source: &rare, Frame: &common}, byCapture, "INDEXED BY memories_source"},
		{memory.ListFilter{Source: &common, Frame: &common}, byCapture, "INDEXED BY memories_frame"},
		{memory.ListFilter{Source: &common, Frame: &common}, byEvent, "INDEXED BY memories_event"},
		{memory.ListFilter{SessionID: &common}, fromOldest, "INDEXED BY memories_session"},
		{memory.ListFilter{Frame: &rare}, byEvent, "INDEXED BY memories_frame"},
		{memory.ListFilter{Tags: []string{common, rare}}, byCapture, "NOT INDEXED"},
		{memory.ListFilter{Tags: []string{common}}, byCapture, "INDEXED BY memories_captured"},
		{memory.ListFilter{Near: &memory.Near{Lat: -33.9, Lon: 151.2, RadiusM: 100}}, byCapture, "INDEXED BY memories_place"},
		{memory.ListFilter{Near: &memory.Near{Lat: 48.3, Lon: 1.2, RadiusM: 100}}, byCapture, "INDEXED BY memories_captured"},
		{memory.ListFilter{Tier: &tier, ReviewedBefore: &later}, byCapture, "INDEXED BY memories_review"},
		{memory.ListFilter{Tier: &tier}, byCapture, "INDEXED BY memories_tier"},
		{memory.ListFilter{Forgotten: memory.ForgottenOnly}, byCapture, "INDEXED BY memories_forgotten"},
		{memory.ListFilter{Since: &last}, byCapture, "INDEXED BY memories_event"},
		{memory.ListFilter{Since: &moment, Until: &last}, byCapture, "INDEXED BY memories_captured"},
	} {
		err := s.view(ctx, func(r *reader) error {
			w, err := r.wayInto(ctx, c.filter, c.order)
			if err == nil && w.hint() != c.hint {
				t.Errorf("%+v by %q goes in %s, want %s", c.filter, c.order.sql, w.hint(), c.hint)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestNamesAreWrittenOut holds that a tier and a status stand in the statement,
// and that what is no plain word is bound.
func TestNamesAreWrittenOut(t *testing.T) {
	tier, status, odd := memory.Interpretation, memory.Consolidated, memory.Tier("x' OR 'a'='a")
	for _, c := range []struct {
		filter memory.ListFilter
		sql    string
		args   []any
	}{
		{memory.ListFilter{Forgotten: memory.ActiveAndForgotten, Tier: &tier, Status: &status}, "tier = 'interpretation' AND status = 'consolidated'", nil},
		{memory.ListFilter{Forgotten: memory.ActiveAndForgotten, Tier: &odd}, "tier = ?", []any{string(odd)}},
	} {
		if w := conditions(c.filter); w.sql != c.sql || !slices.Equal(w.args, c.args) {
			t.Errorf("%+v asks %q with %q", c.filter, w.sql, w.args)
		}
	}
}

// TestEveryWayGivesTheSame compares each way with the plainest one, which reads
// everything, in every order and by pages.
func TestEveryWayGivesTheSame(t *testing.T) {
	s := crowd(t)
	common, rare, tier := "common", "rare", memory.Interpretation
	later := moment.Add(time.Hour)
	ctx := context.Background()
	filters := []memory.ListFilter{
		{Frame: &rare}, {Source: &rare, Frame: &rare}, {Tags: []string{rare}}, {Tags: []string{common, rare}},
		{Tier: &tier}, {Tier: &tier, ReviewedBefore: &later}, {Near: &memory.Near{Lat: -33.9, Lon: 151.2, RadiusM: 100}},
		{SessionID: &common, UnknownEvent: true},
	}
	for i, f := range filters {
		for _, o := range []memory.ListOrder{memory.NewestCaptured, memory.OldestCaptured, memory.ByEvent} {
			err := s.view(ctx, func(r *reader) error {
				got, err := r.List(ctx, memory.ListQuery{Filter: f, Order: o})
				if err != nil {
					return err
				}
				var paged []memory.Memory
				q := memory.ListQuery{Filter: f, Order: o, Limit: 2}
				for {
					page, err := r.List(ctx, q)
					if err != nil {
						return err
					}
					paged = append(paged, page...)
					if len(page) < q.Limit {
						break
					}
					last := page[len(page)-1]
					q.After = &memory.Cursor{At: last.CreatedAt, CreatedAt: last.CreatedAt, ID: last.ID}
					if o == memory.ByEvent {
						q.After.At = time.Time{} // the few have no event time
					}
				}
				n, err := r.Count(ctx, f)
				want := 5
				if len(got) != want || n != want || !sameIDs(got, paged) {
					t.Errorf("filter %d, order %d: %d listed, %d counted, %d paged, want %d", i, o, len(got), n, len(paged), want)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func sameIDs(a, b []memory.Memory) bool {
	return slices.EqualFunc(a, b, func(x, y memory.Memory) bool { return x.ID == y.ID })
}

// TestBoxHoldsCircle draws places at random and looks that each one within the
// radius lies in the box, at the poles and the 180th meridian too.
func TestBoxHoldsCircle(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	inside := 0
	for range 20_000 {
		n := memory.Near{Lat: rng.Float64()*180 - 90, Lon: rng.Float64()*360 - 180, RadiusM: math.Pow(10, rng.Float64()*7.3)}
		switch rng.IntN(4) {
		case 0:
			n.Lat = math.Copysign(90-rng.Float64(), n.Lat)
		case 1:
			n.Lon = math.Copysign(180-rng.Float64()/10, n.Lon)
		}
		b := boxAround(n)
		for range 20 {
			lat, lon := scatter(rng, n)
			if metres(lat, lon, n.Lat, n.Lon) > n.RadiusM {
				continue
			}
			inside++
			east := lon >= b.west && lon <= b.east
			if b.west > b.east {
				east = lon >= b.west || lon <= b.east
			}
			if lat < b.south || lat > b.north || !east {
				t.Fatalf("%+v holds %v %v, its box %+v does not", n, lat, lon, b)
			}
		}
	}
	if inside < 50_000 {
		t.Errorf("only %d places lay inside", inside)
	}
}

// scatter gives a place at a random bearing and distance, up to a little beyond
// the radius.
func scatter(rng *rand.Rand, n memory.Near) (lat, lon float64) {
	distance, bearing := rng.Float64()*1.05*n.RadiusM/earthRadius, rng.Float64()*2*math.Pi
	sin := math.Sin(n.Lat*radian)*math.Cos(distance) + math.Cos(n.Lat*radian)*math.Sin(distance)*math.Cos(bearing)
	lat = math.Asin(max(-1, min(1, sin))) / radian
	lon = n.Lon + math.Atan2(math.Sin(bearing)*math.Sin(distance)*math.Cos(n.Lat*radian), math.Cos(distance)-math.Sin(n.Lat*radian)*math.Sin(lat*radian))/radian
	return lat, math.Mod(lon+540, 360) - 180
}

func TestMetres(t *testing.T) {
	for _, c := range []struct{ lat1, lon1, lat2, lon2, want float64 }{
		{0, 0, 0, 0, 0}, {0, 0, 0, 180, math.Pi * earthRadius}, {90, 0, -90, 0, math.Pi * earthRadius},
		{0, 179.5, 0, -179.5, math.Pi / 180 * earthRadius}, {48.8566, 2.3522, 51.5074, -0.1278, 343_556},
	} {
		if got := metres(c.lat1, c.lon1, c.lat2, c.lon2); math.Abs(got-c.want) > 1 {
			t.Errorf("%+v: %.1f", c, got)
		}
	}
}
