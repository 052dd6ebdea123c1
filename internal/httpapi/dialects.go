package httpapi

import (
	"maps"
	"slices"
	"strings"
)

// readingNames are the readings of contract/sense.md 1.3 under the names that
// wearables and their integrations give them.
var readingNames = map[string][]string{
	"heart_rate":       {"heart_rate", "heartrate", "heart_rate_bpm", "hr", "bpm", "pulse"},
	"hrv":              {"hrv", "heart_rate_variability", "hrv_sdnn", "hrv_rmssd", "sdnn", "rmssd"},
	"skin_temp":        {"skin_temp", "skin_temperature", "wrist_temperature"},
	"eda":              {"eda", "electrodermal_activity"},
	"steps_per_min":    {"steps_per_min", "steps_per_minute", "step_rate", "cadence"},
	"respiration_rate": {"respiration_rate", "respiratory_rate", "breathing_rate"},
}

func said(b *cueBuilder) *string   { return &b.said }
func title(b *cueBuilder) *string  { return &b.title }
func artist(b *cueBuilder) *string { return &b.artist }
func place(b *cueBuilder) *string  { return &b.place }
func entity(b *cueBuilder) *string { return &b.entity }

// everyDialect knows the arguments of sense, and the names that phones give them.
var everyDialect = func() map[string]field {
	fields := map[string]field{
		"source": as("source"), "geohash": as("geohash"), "signals": as("signals"),
		"lat": asNumber("lat"), "latitude": asNumber("lat"),
		"lon": asNumber("lon"), "lng": asNumber("lon"), "longitude": asNumber("lon"),
		"accuracy_m": asNumber("accuracy_m"), "accuracy": asNumber("accuracy_m"), "acc": asNumber("accuracy_m"),
		"gps_accuracy": asNumber("accuracy_m"), "horizontal_accuracy": asNumber("accuracy_m"),
		"gps": asPoint, "coordinates": asPoint,
		"at": asTime, "time": asTime, "timestamp": asTime, "datetime": asTime, "tst": asTime,
		"text": asWords(said), "message": asWords(said), "note": asWords(said),
		"place": asWords(place), "location_name": asWords(place),
	}
	for reading, names := range readingNames {
		for _, name := range names {
			fields[name] = asReading(reading)
		}
	}
	return fields
}()

func dialectOf(source string, fields map[string]field, inside, unused []string) dialect {
	all := maps.Clone(everyDialect)
	maps.Copy(all, fields)
	return dialect{source: source, fields: all, inside: inside, unused: unused}
}

// homeAssistant understands what an automation sends with rest_command: fields
// of one's own, a whole state object (state, attributes, last_changed), a
// trigger with its to_state, and the location update of the companion app.
var homeAssistant = dialectOf("home-assistant", map[string]field{
	"entity_id": asWords(entity), "zone": asWords(place),
	"state":        func(b *cueBuilder, v any) error { b.state = v; return nil },
	"last_changed": asServerTime, "last_updated": asServerTime,
	"media_title": asWords(title), "media_artist": asWords(artist),
}, []string{"attributes", "to_state", "new_state", "data", "trigger", "event", "location", "biometric"},
	[]string{"friendly_name", "icon", "device_class", "state_class", "unit_of_measurement", "context", "last_reported", "from_state", "old_state",
		"source_type", "battery_level", "battery", "altitude", "course", "speed", "vertical_accuracy", "id", "user_id", "editable", "device_trackers",
		"in_zones", "type", "platform", "event", "name", "person", "media_content_id", "media_content_type", "media_album_name", "media_duration",
		"media_position", "media_position_updated_at", "app_name", "app_id", "volume_level", "is_volume_muted", "supported_features", "entity_picture", "alias", "idx"})

// shortcuts understands the dictionary that an iOS personal automation sends
// with "Get Contents of URL", and the fields of its Location, Song and Health
// sample variables.
var shortcuts = dialectOf("shortcuts", map[string]field{
	"date": asTime, "current_date": asTime,
	"dictated_text": asWords(said), "song": asWords(title), "title": asWords(title), "track": asWords(title), "artist": asWords(artist),
}, []string{"location", "current_location", "health", "music", "biometric"},
	[]string{"event", "trigger", "automation", "shortcut", "device", "device_name", "name", "album", "altitude", "street", "city", "state", "zip_code",
		"postal_code", "region", "country", "phone_number", "url", "battery", "battery_level"})

// useState takes the state of Home Assistant's entity for what its domain makes
// it: the zone somebody is in, or a reading of the body.
func (b *cueBuilder) useState() {
	domain, name, _ := strings.Cut(b.entity, ".")
	text, _ := b.state.(string)
	switch {
	case domain == "person" || domain == "device_tracker" || b.entity == "":
		if b.place == "" && text != "not_home" && text != "away" {
			b.place = text
		}
		return
	case domain == "media_player":
		return
	}
	n, err := number(b.state)
	if reading := readingOf(name); err == nil && reading != "" {
		b.biometric[reading] = n
		return
	}
	b.warnings = append(b.warnings, "The state of that entity is no cue; persons, device trackers, media players and sensors of the body are.")
}

// readingOf gives the reading that the name of a sensor ends with, "" for none.
func readingOf(name string) string {
	for _, reading := range slices.Sorted(maps.Keys(readingNames)) {
		for _, alias := range readingNames[reading] {
			if name == alias || strings.HasSuffix(name, "_"+alias) {
				return reading
			}
		}
	}
	return ""
}
