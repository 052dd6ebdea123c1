package media

import (
	"context"
	"fmt"
	"math"

	"combray/internal/sense"
)

// Sound is what is used of a sound.
type Sound struct {
	Samples []float32 // mono, sense.SampleRate a second, full scale 1
	Cut     bool      // whether the file goes on after MaxSeconds
}

// Seconds returns how long the used part is.
func (s *Sound) Seconds() float64 { return float64(len(s.Samples)) / sense.SampleRate }

// ReadSound decodes a WAV, FLAC or MP3. The error is an *Error, or that of ctx.
func ReadSound(ctx context.Context, data []byte) (*Sound, error) {
	f, data, err := recogniseSound(data)
	if err != nil {
		return nil, err
	}
	leave, err := takeTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	var mix *mixer
	err = fenced(ctx, f, func() (err error) {
		switch f.name {
		case formatWAV.name:
			mix, err = decodeWAV(ctx, data)
		case formatFLAC.name:
			mix, err = decodeFLAC(ctx, data)
		default:
			mix, err = decodeMP3(ctx, data)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return mix.finish(f)
}

// recogniseSound looks behind ID3 tags, which stand before MP3 and now and then FLAC.
func recogniseSound(data []byte) (format, []byte, error) {
	if len(data) > MaxBytes {
		_, err := recognise(data, "sound")
		return format{}, nil, err
	}
	rest := data
	for len(rest) >= 10 && string(rest[:3]) == "ID3" {
		size := int(rest[6]&0x7f)<<21 | int(rest[7]&0x7f)<<14 | int(rest[8]&0x7f)<<7 | int(rest[9]&0x7f)
		rest = rest[min(len(rest), 10+size):]
	}
	if len(rest) == 0 && len(data) > 0 {
		return format{}, nil, refuse(soundHint, "the sound holds only an ID3 tag, or is cut off inside it")
	}
	f, err := recognise(rest, "sound")
	return f, rest, err
}

// mixer collects the values of a sound as mono samples.
type mixer struct {
	rate     int
	channels int
	samples  []float32 // at rate
	most     int       // samples
	full     bool      // more came than is used
	sum      float64   // of the channels so far
	seen     int
}

// newMixer checks what a header says. expected is how many samples a channel it
// promises, 0 when it does not.
func newMixer(rate, channels int, expected uint64) (*mixer, error) {
	if rate < minRate || rate > maxRate {
		return nil, refuse(soundHint, "the sound says it has %d samples a second; %d to %d are allowed", rate, minRate, maxRate)
	}
	if channels < 1 || channels > maxChannels {
		return nil, refuse(soundHint, "the sound says it has %d channels; 1 to %d are allowed", channels, maxChannels)
	}
	most := min(MaxSeconds*rate, maxValues/channels)
	return &mixer{rate: rate, channels: channels, most: most, samples: make([]float32, 0, min(expected, uint64(most)))}, nil
}

// add takes the next value, channel after channel; full scale is 1. It returns false
// when no more are used.
func (m *mixer) add(x float64) (bool, error) {
	if len(m.samples) >= m.most {
		m.full = true
		return false, nil
	}
	if math.IsNaN(x) || math.Abs(x) > maxAmplitude {
		return false, refuse(soundHint, "sample %d of the sound is %v; between -%d and %d are allowed, full scale is 1", len(m.samples), x, maxAmplitude, maxAmplitude)
	}
	m.sum += x
	if m.seen++; m.seen == m.channels {
		m.samples = append(m.samples, float32(m.sum/float64(m.channels)))
		m.sum, m.seen = 0, 0
	}
	return true, nil
}

// finish returns the sound at the rate everything is compared at.
func (m *mixer) finish(f format) (*Sound, error) {
	s := &Sound{Samples: resample(m.samples, m.rate, sense.SampleRate), Cut: m.full}
	if len(s.Samples) < minSamples {
		return nil, refuse(soundHint, "the %s has %d samples, which is %.3f s; at least %.1f s are needed",
			f.name, len(m.samples), float64(len(m.samples))/float64(m.rate), float64(minSamples)/sense.SampleRate)
	}
	for _, x := range s.Samples {
		if x != 0 {
			return s, nil
		}
	}
	return nil, refuse("send a sound in which something is heard", "the %s of %.1f s holds only silence", f.name, s.Seconds())
}

// cutNote says that a sound was longer than what is used.
func (s *Sound) cutNote() string {
	return fmt.Sprintf("Only the first %.0f s of the sound were used.", s.Seconds())
}
