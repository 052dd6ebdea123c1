package memory

import "slices"

// perceivedWith is what was perceived when a memory was made.
type perceivedWith struct {
	fingerprints []Fingerprint
	media        []Medium
	warnings     []string
}

// withSignals takes what signals hold of the plain channels into a capture, and
// place and time from a picture that says them where the caller did not. seen are
// the reduced pictures and sounds.
func (in RememberInput) withSignals(seen []Percept) (RememberInput, perceivedWith, error) {
	var with perceivedWith
	s := in.Signals
	if s == nil {
		return in, with, nil
	}
	plain, err := SenseInput{Geohash: in.Geohash, Lat: in.Lat, Lon: in.Lon, AccuracyM: in.AccuracyM, Biometric: in.Biometric,
		Signals: &Signals{Geohash: s.Geohash, Lat: s.Lat, Lon: s.Lon, AccuracyM: s.AccuracyM, Biometric: s.Biometric}}.merged()
	if err != nil {
		return in, with, err
	}
	in.Geohash, in.Lat, in.Lon, in.AccuracyM, in.Biometric = plain.Geohash, plain.Lat, plain.Lon, plain.AccuracyM, plain.Biometric
	if s.At != nil && in.EventAt == nil && in.At == nil {
		in.At = s.At
	}
	if s.Text != nil && *s.Text != "" {
		with.fingerprints = append(with.fingerprints, Fingerprint{Channel: ChannelText, Text: Text(*s.Text), Chance: 1})
	}
	for _, x := range seen {
		with.add(x)
		in, with.warnings = in.placed(x, with.warnings)
	}
	return in, with, nil
}

func (w *perceivedWith) add(x Percept) {
	w.fingerprints = append(w.fingerprints, x.Fingerprints...)
	w.warnings = append(w.warnings, x.Warnings...)
	if x.Medium != nil {
		w.media = append(w.media, *x.Medium)
	}
}

// placed takes over where and when a picture says it was taken.
func (in RememberInput) placed(x Percept, warnings []string) (RememberInput, []string) {
	if x.Place != nil && in.Geohash == nil && in.Lat == nil && in.Lon == nil {
		in.Lat, in.Lon = &x.Place.Lat, &x.Place.Lon
		warnings = append(warnings, "lat and lon were read from the picture.")
	}
	if x.At != nil && in.EventAt == nil && in.At == nil {
		in.At = x.At
		warnings = append(warnings, "at was read from the picture.")
	}
	return in, warnings
}

// changes store what was perceived with a memory.
func (w perceivedWith) changes(id ID) (out []Change) {
	if w.fingerprints != nil {
		out = append(out, PutFingerprints{id, slices.Clone(w.fingerprints)})
	}
	if w.media != nil {
		out = append(out, PutMedia{id, slices.Clone(w.media)})
	}
	return out
}
