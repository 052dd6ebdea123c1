package memory

import (
	"math"
	"slices"
)

// reading is one body reading with the range in which it can be true.
type reading struct {
	name      string
	low, high float64
	unit      string
}

// readings are the six of contract/sense.md 1.3. The ranges are wider than any
// living person's, so that only faults of a sensor are refused.
var readings = []reading{
	{"heart_rate", 1, 400, "beats a minute"},
	{"hrv", 0.1, 1000, "ms"},
	{"skin_temp", 0, 60, "°C"},
	{"eda", 0.001, 200, "µS"},
	{"steps_per_min", 0, 400, "steps a minute"},
	{"respiration_rate", 0, 150, "breaths a minute"},
}

// ReadingNames lists the accepted body readings in the contract's order.
func ReadingNames() []string {
	names := make([]string, len(readings))
	for i, r := range readings {
		names[i] = r.name
	}
	return names
}

func captureReadings(m *Memory, in RememberInput, _ RememberFacts, warnings *[]string) error {
	kept, ignored, err := CheckReadings(in.Biometric)
	if err != nil {
		return err
	}
	for _, name := range ignored {
		*warnings = append(*warnings, unknownReading(name))
	}
	m.Biometric = kept
	return nil
}

// CheckReadings refuses a reading that is no number or outside its range, and
// names those it does not know, sorted.
func CheckReadings(given map[string]float64) (kept map[string]float64, ignored []string, err error) {
	for _, r := range readings {
		v, ok := given[r.name]
		if !ok {
			continue
		}
		if math.IsNaN(v) || v < r.low || v > r.high {
			return nil, nil, Invalid("biometric", "Leave a reading out when the sensor has none.",
				"biometric.%s must be between %g and %g %s", r.name, r.low, r.high, r.unit)
		}
		if kept == nil {
			kept = make(map[string]float64)
		}
		kept[r.name] = v
	}
	for name := range given {
		if !slices.Contains(ReadingNames(), name) {
			ignored = append(ignored, name)
		}
	}
	slices.Sort(ignored)
	return kept, ignored, nil
}
