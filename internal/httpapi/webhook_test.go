package httpapi

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestWebhooks holds what cue each body makes. The server's zone is +02:00.
func TestWebhooks(t *testing.T) {
	for name, c := range map[string]struct {
		door, body string
		arguments  string
		warning    string // part of it; "": none
	}{
		"HA: fields of one's own": {"home-assistant", `{"entity_id":"person.ada","state":"home","latitude":48.8566,"longitude":"2.3522","gps_accuracy":15,"at":"2026-05-08T07:40:00+02:00"}`,
			`{"source":"home-assistant","lat":48.8566,"lon":2.3522,"accuracy_m":15,"at":"2026-05-08T07:40:00+02:00"}`, ""},
		"HA: a state object": {"home-assistant", `{"entity_id":"device_tracker.phone","state":"not_home","attributes":{"latitude":1.5,"longitude":-2,"gps_accuracy":30,"battery_level":80,"friendly_name":"Phone"},"last_changed":"2026-05-08T05:40:00.123+00:00","context":{"id":"x"}}`,
			`{"source":"home-assistant","lat":1.5,"lon":-2,"accuracy_m":30,"at":"2026-05-08T07:40:00+02:00"}`, ""},
		"HA: a trigger": {"home-assistant", `{"trigger":{"platform":"state","from_state":{"state":"away"},"to_state":{"entity_id":"person.ada","state":"Grandmother","attributes":{}}}}`,
			`{"source":"home-assistant","text":"Grandmother"}`, ""},
		"HA: companion app": {"home-assistant", `{"type":"update_location","data":{"gps":[48.85,2.35],"gps_accuracy":12,"location_name":"Office"}}`,
			`{"source":"home-assistant","lat":48.85,"lon":2.35,"accuracy_m":12}`, ""},
		"HA: media": {"home-assistant", `{"entity_id":"media_player.kitchen","state":"playing","attributes":{"media_title":"Gymnopédie No. 1","media_artist":"Erik Satie","volume_level":0.3}}`,
			`{"source":"home-assistant","text":"Gymnopédie No. 1 by Erik Satie"}`, ""},
		"HA: a wearable": {"home-assistant", `{"entity_id":"sensor.watch_heart_rate","state":"112","attributes":{"unit_of_measurement":"bpm","device_class":"heart_rate"}}`,
			`{"source":"home-assistant","biometric":{"heart_rate":112}}`, ""},
		"HA: a watch on the table": {"home-assistant", `{"heart_rate":0,"steps_per_min":0,"latitude":48.2,"longitude":16.4}`,
			`{"source":"home-assistant","lat":48.2,"lon":16.4,"biometric":{"steps_per_min":0}}`, ""},
		"HA: several readings": {"home-assistant", `{"heart_rate":"88","heart_rate_variability":41.5,"skin_temperature":33.1,"respiratory_rate":14,"steps_per_min":0,"eda":"unavailable"}`,
			`{"source":"home-assistant","biometric":{"heart_rate":88,"hrv":41.5,"skin_temp":33.1,"respiration_rate":14,"steps_per_min":0}}`, ""},
		"HA: not there": {"home-assistant", `{"entity_id":"person.ada","state":"unavailable","latitude":"unknown","longitude":null}`,
			`{"source":"home-assistant"}`, ""},
		"HA: another sensor": {"home-assistant", `{"entity_id":"sensor.rain","state":"3.5"}`, `{"source":"home-assistant"}`, "no cue"},
		"HA: unknown fields": {"home-assistant", `{"text":"rain","colour":"red","Wind Speed":3}`, `{"source":"home-assistant","text":"rain"}`, `"colour", "wind_speed"`},
		"HA: message and media": {"home-assistant", `{"message":"Tea is ready","media_title":"Spring","source":"kitchen"}`,
			`{"source":"kitchen","text":"Tea is ready\nSpring"}`, ""},
		"iOS: arrive": {"shortcuts", `{"event":"arrive","place":"Home","Latitude":"48,8566","Longitude":"2,3522","Horizontal Accuracy":"65","date":"2026-05-08T07:40:00+02:00"}`,
			`{"source":"shortcuts","lat":48.8566,"lon":2.3522,"accuracy_m":65,"at":"2026-05-08T07:40:00+02:00"}`, ""},
		"iOS: location inside": {"shortcuts", `{"Current Location":{"Latitude":1,"Longitude":2,"City":"Paris","State":"IDF","Street":"x"},"Text":"the old shop"}`,
			`{"source":"shortcuts","lat":1,"lon":2,"text":"the old shop"}`, ""},
		"iOS: a place's name": {"shortcuts", `{"event":"arrive","place":"Gym"}`, `{"source":"shortcuts","text":"Gym"}`, ""},
		"iOS: a song":         {"shortcuts", `{"song":"La Mer","artist":"Charles Trenet","album":"x"}`, `{"source":"shortcuts","text":"La Mer by Charles Trenet"}`, ""},
		"iOS: health, epoch":  {"shortcuts", `{"health":{"heart_rate":"61"},"timestamp":1778218800}`, `{"source":"shortcuts","biometric":{"heart_rate":61},"at":"2026-05-08T07:40:00+02:00"}`, ""},
		"iOS: a point":        {"shortcuts", `{"coordinates":"48.85, 2.35"}`, `{"source":"shortcuts","lat":48.85,"lon":2.35}`, ""},
		"iOS: unknown":        {"shortcuts", `{"text":"x","focus":"Work"}`, `{"source":"shortcuts","text":"x"}`, `"focus"`},
	} {
		w := newWorld(t)
		got := w.send("POST", "/webhooks/"+c.door, c.body)
		if got.Code != 200 {
			t.Errorf("%s: %d %s", name, got.Code, got.Body)
			continue
		}
		asked := w.tools.last(t)
		if arguments := encoded(t, asked.arguments); asked.tool != "sense" || !sameJSON(t, arguments, c.arguments) {
			t.Errorf("%s: called %s %s", name, asked.tool, arguments)
		}
		var warnings []string
		if h := got.Header().Get(headerWarnings); h != "" {
			if err := json.Unmarshal([]byte(h), &warnings); err != nil {
				t.Errorf("%s: %s %v", name, h, err)
			}
		}
		if joined := strings.Join(warnings, " "); (c.warning == "") != (joined == "") || !strings.Contains(joined, c.warning) {
			t.Errorf("%s: warnings %q", name, joined)
		}
	}
}

func TestWebhookFaults(t *testing.T) {
	for body, field := range map[string]string{
		`{"latitude":"north"}`: "latitude", `{"heart_rate":"NaN"}`: "heart_rate", `{"heart_rate":"Inf"}`: "heart_rate", `{"gps":[1]}`: "gps", `{"gps":"here"}`: "gps",
		`{"timestamp":-5}`: "timestamp", `{"timestamp":1e300}`: "timestamp", `{"timestamp":true}`: "timestamp", `{"text":5}`: "text", `{"accuracy":{}}`: "accuracy",
	} {
		w := newWorld(t)
		got := w.send("POST", "/webhooks/shortcuts", body)
		if f := fault(t, got); got.Code != 400 || !strings.HasPrefix(f.Message, field+":") {
			t.Errorf("%s: %d %+v", body, got.Code, f)
		}
		if w.tools.count() != 0 {
			t.Errorf("%s: a tool was called", body)
		}
	}
}

// TestDialectsAreDisjoint holds that no field is both used and passed over.
func TestDialectsAreDisjoint(t *testing.T) {
	for _, d := range []dialect{homeAssistant, shortcuts} {
		for _, name := range d.unused {
			if d.fields[name] != nil {
				t.Errorf("%s: %s", d.source, name)
			}
		}
	}
}

// TestGuideBodies sends every body that docs/guide/sensors.md shows for a
// webhook: each is understood without a warning.
func TestGuideBodies(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/sensors.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)<!-- (home-assistant|shortcuts) -->\n\n```json\n(.*?)\n```").FindAllStringSubmatch(string(guide), -1)
	if len(shown) < 6 {
		t.Fatalf("the guide shows %d bodies", len(shown))
	}
	for _, m := range shown {
		w := newWorld(t)
		got := w.send("POST", "/webhooks/"+m[1], m[2])
		if got.Code != 200 || got.Header().Get(headerWarnings) != "" {
			t.Errorf("%s\n%d %s %s", m[2], got.Code, got.Header().Get(headerWarnings), got.Body)
		}
		if asked := w.tools.last(t).arguments; len(asked) < 2 {
			t.Errorf("%s\nmakes only %v", m[2], asked)
		}
	}
}

func FuzzWebhook(f *testing.F) {
	for _, s := range []string{`{"latitude":"1,5","state":"x","entity_id":"a.b"}`, `{"gps":[1,2]}`, `{"at":1e9}`, `{"attributes":{"attributes":{"text":"x"}}}`, `{"":null}`, `{"gps":",,"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		d := json.NewDecoder(strings.NewReader(body))
		d.UseNumber()
		var object map[string]any
		if d.Decode(&object) != nil {
			return
		}
		for _, dialect := range []dialect{homeAssistant, shortcuts} {
			b := &cueBuilder{arguments: map[string]any{}, biometric: map[string]any{}, zone: zone}
			if err := dialect.read(b, object); err != nil {
				continue
			}
			if _, err := json.Marshal(b.arguments); err != nil {
				t.Errorf("%s makes %v: %v", body, b.arguments, err)
			}
		}
	})
}
