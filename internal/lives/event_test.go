package lives

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestReadNamesWhatIsWrong(t *testing.T) {
	const good = `{"op":"sense","id":"s1","text":"x","at":"2023-01-09T07:00:00Z"}`
	for line, want := range map[string]string{
		`{`:  "is no event",
		`[]`: "is no event",
		`{}`: "at must be a time",
		`{"op":"sense","id":"s","text":"x","at":"2023-01-09"}`:                                        "at must be a time",
		`{"op":"sense","text":"x","at":"2023-01-09T07:00:00Z"}`:                                       "id is missing",
		`{"op":"sense","id":"s","lat":1,"at":"2023-01-09T07:00:00Z"}`:                                 "belong together",
		`{"op":"sense","id":"s","at":"2023-01-09T07:00:00Z"}`:                                         "a text or a place",
		`{"op":"remember","id":"m","text":" ","at":"2023-01-09T07:00:00Z"}`:                           "needs its text",
		`{"op":"forget","id":"m","text":"x","at":"2023-01-09T07:00:00Z"}`:                             `not "forget"`,
		`{"op":"sense","id":"s1","text":"x","at":"2023-01-09T07:00:00Z"}`:                             "used before",
		`{"op":"sense","id":"s","text":"x","at":"2023-01-09T07:00:00Z","due":["m"]}`:                  "no reason",
		`{"op":"sense","id":"s","text":"x","at":"2023-01-09T07:00:00Z","due":[],"why":{"m":"place"}}`: "which due does not",
	} {
		_, err := Read(strings.NewReader(good + "\n\n" + line + "\n"))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "line 3") {
			t.Errorf("%s: %v; wanted line 3 and %q", line, err, want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"op":"remember","id":"m1","text":"x","lat":1,"lon":2,"tags":["a"],"salience":0.5,"kind":"place","at":"2023-01-09T07:00:00+01:00"}`))
	f.Add([]byte(`{"op":"sense","id":"s1","text":"x","day":3,"due":["m"],"why":{"m":"place"},"ok":[],"at":"2023-01-09T07:00:00Z"}`))
	f.Add([]byte("\n{\"op\":1}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		events, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Write(&b, events); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&b)
		if err != nil || len(again) != len(events) {
			t.Fatalf("%d events became %d: %v", len(events), len(again), err)
		}
		for i := range events {
			if !reflect.DeepEqual(again[i].Why, events[i].Why) || again[i].At != events[i].At || again[i].ID != events[i].ID {
				t.Fatalf("%+v became %+v", events[i], again[i])
			}
		}
	})
}

func TestWallClocksKnowSummer(t *testing.T) {
	for _, c := range []struct {
		zone  zone
		day   time.Time
		hours float64
		want  string
	}{
		{zone{1, europe}, date(2023, 3, 25), 12, "2023-03-25T12:00:00+01:00"},
		{zone{1, europe}, date(2023, 3, 26), 1.5, "2023-03-26T01:30:00+01:00"},
		{zone{1, europe}, date(2023, 3, 26), 12, "2023-03-26T12:00:00+02:00"},
		{zone{0, europe}, date(2023, 10, 29), 12, "2023-10-29T12:00:00Z"},
		{zone{-7, mountain}, date(2024, 3, 10), 12, "2024-03-10T12:00:00-06:00"},
		{zone{-7, mountain}, date(2023, 11, 5), 12, "2023-11-05T12:00:00-07:00"},
		{zone{9, nil}, date(2023, 7, 1), 30.5, "2023-07-02T06:30:00+09:00"},
	} {
		if got := c.zone.at(c.day, c.hours).Format(time.RFC3339); got != c.want {
			t.Errorf("%v and %g hours: %s, want %s", c.day, c.hours, got, c.want)
		}
	}
}
