package media

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"

	"combray/encoder"
	"combray/internal/sense"
)

// Channel is the sense a signal belongs to.
type Channel string

// The channels of this package (contract/sense.md 2).
const (
	ChannelImage Channel = "image"
	ChannelAudio Channel = "audio"
)

// Signal is one reading of a channel as a caller gives it: bytes, or the path of a
// file, or a vector of the caller's own with the name of what made it.
type Signal struct {
	Channel Channel
	Data    []byte
	Path    string
	Vector  []float32
	Backend string // of Vector
}

// Fingerprint is what is kept of a signal and compared by Alike.
type Fingerprint struct {
	Channel Channel
	Backend string // what made it; only fingerprints of one backend are compared
	Data    []byte // as the backend writes it
}

// Guess is a word for what a picture may show, with its chance. It is a guess, never a
// fact, and must be shown as one (facts/media.md 6).
type Guess struct {
	Word string
	P    float64 // 0 to 1
}

// Reading is everything made of a signal.
type Reading struct {
	Channel      Channel
	Fingerprints []Fingerprint
	Guesses      []Guess  // of a picture, likeliest first; none without a picture encoder
	Place        *Place   // from a picture's file
	Taken        *Taken   // from a picture's file
	Notes        []string // what the caller should know, in sentences
}

// Pictures makes the vector and labels of a picture; *encoder.Picture is one.
type Pictures interface {
	See(ctx context.Context, pixels []float32) (encoder.Seen, error)
	Identity() string
}

// Voices makes the vector of a voice; *encoder.Voice is one.
type Voices interface {
	Hear(ctx context.Context, inputs [][]float32) ([]float32, error)
	Identity() string
}

// Space makes vectors of pictures and sounds that may be compared with those of texts;
// *encoder.Space is one.
type Space interface {
	Sees() bool
	Hears() bool
	See(ctx context.Context, p encoder.Patches) ([]float32, error)
	Hear(ctx context.Context, parts []encoder.Frames) ([]float32, error)
	Identity() string
}

var (
	_ Space    = (*encoder.Space)(nil)
	_ Pictures = (*encoder.Picture)(nil)
	_ Voices   = (*encoder.Voice)(nil)
)

// Reader reads signals. The zero value works without any encoder: pictures then have
// only their hash, sounds everything but the voice. It may be used by several
// goroutines.
type Reader struct {
	Pictures   Pictures // nil: no vectors and no guesses
	Voices     Voices   // nil: voices are not told apart, which is how it should stay unless the owner asked
	Space      Space    // nil: what is seen and heard is not compared with texts
	AllowFiles bool     // whether a signal may name a file of this machine
}

// Read makes everything that is kept of a signal. The error is an *Error when the
// signal is at fault.
func (r *Reader) Read(ctx context.Context, s Signal) (Reading, error) {
	if s.Channel != ChannelImage && s.Channel != ChannelAudio {
		return Reading{}, refuse("use image or audio", "the channel %q takes no media", s.Channel)
	}
	if s.Vector != nil {
		return supplied(s)
	}
	data, err := r.bytes(s)
	if err != nil {
		return Reading{}, err
	}
	if s.Channel == ChannelImage {
		return r.picture(ctx, data)
	}
	return r.sound(ctx, data)
}

// bytes returns the content of a signal.
func (r *Reader) bytes(s Signal) ([]byte, error) {
	if s.Path == "" {
		return s.Data, nil
	}
	if s.Data != nil {
		return nil, refuse("give one of them", "the %s signal has both bytes and a path", s.Channel)
	}
	if !r.AllowFiles {
		return nil, refuse("send the bytes, or let the owner set COMBRAY_ALLOW_LOCAL_FILES=1", "a signal may not name a file of this machine")
	}
	info, err := os.Stat(s.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, refuse("correct the path", "there is no file at the path of the %s signal", s.Channel)
	case err != nil:
		return nil, refuse("make the file readable", "the file of the %s signal cannot be read: %w", s.Channel, err)
	case !info.Mode().IsRegular():
		return nil, refuse("name a file", "the path of the %s signal is no file", s.Channel)
	}
	f, err := os.Open(s.Path)
	if err != nil {
		return nil, refuse("make the file readable", "the file of the %s signal cannot be read: %w", s.Channel, err)
	}
	defer f.Close()
	// One byte more than is allowed, so that a longer file is refused and not cut.
	data, err := io.ReadAll(io.LimitReader(f, MaxBytes+1))
	if err != nil {
		return nil, refuse("make the file readable", "the file of the %s signal cannot be read: %w", s.Channel, err)
	}
	return data, nil
}

func (r *Reader) picture(ctx context.Context, data []byte) (Reading, error) {
	p, err := pictureOf(ctx, data, r.Space != nil && r.Space.Sees())
	if err != nil {
		return Reading{}, err
	}
	out := Reading{Channel: ChannelImage, Place: p.Place, Taken: p.Taken}
	out.add(BackendPHash, binary.BigEndian.AppendUint64(nil, p.Hash))
	if p.Patches != nil {
		v, err := r.Space.See(ctx, *p.Patches)
		if err != nil {
			return Reading{}, err
		}
		out.add(SpacePrefix+r.Space.Identity(), packed(v))
	}
	if r.Pictures == nil {
		out.Notes = append(out.Notes, "No picture encoder is loaded: only copies of this picture will be recognised.")
		return out, nil
	}
	seen, err := r.Pictures.See(ctx, p.Pixels)
	if err != nil {
		return Reading{}, err
	}
	out.add(picturePrefix+r.Pictures.Identity(), packed(seen.Vector))
	for _, l := range seen.Labels {
		out.Guesses = append(out.Guesses, Guess{Word: l.Name, P: l.P})
	}
	return out, nil
}

func (r *Reader) sound(ctx context.Context, data []byte) (Reading, error) {
	s, err := ReadSound(ctx, data)
	if err != nil {
		return Reading{}, err
	}
	out := Reading{Channel: ChannelAudio}
	if s.Cut {
		out.Notes = append(out.Notes, s.cutNote())
	}
	if p := sense.NewPrint(s.Samples); p.Active() > 0 {
		stored, err := p.MarshalBinary()
		if err != nil {
			return Reading{}, err
		}
		out.add(BackendPrint, stored)
	} else {
		out.Notes = append(out.Notes, "The sound is too short to be recognised as the same recording: 0.4 s of sound are needed.")
	}
	out.add(BackendSound59, packed(sense.Sound59(s.Samples)))
	if parts := frames(s.Samples); r.Space != nil && r.Space.Hears() && len(parts) > 0 {
		v, err := r.Space.Hear(ctx, parts)
		if err != nil {
			return Reading{}, err
		}
		out.add(SpacePrefix+r.Space.Identity(), packed(v))
	}
	if r.Voices == nil {
		return out, nil
	}
	voice, err := r.Voices.Hear(ctx, sense.VoiceMel(s.Samples))
	if err != nil {
		return Reading{}, err
	}
	out.add(voicePrefix+r.Voices.Identity(), packed(voice))
	return out, nil
}

// add appends a fingerprint, if there is one.
func (r *Reading) add(backend string, data []byte) {
	if data != nil {
		r.Fingerprints = append(r.Fingerprints, Fingerprint{Channel: r.Channel, Backend: backend, Data: data})
	}
}

// supplied takes a vector that the caller made.
func supplied(s Signal) (Reading, error) {
	hint := "send the vector as it came, with the name of what made it"
	if s.Data != nil || s.Path != "" {
		return Reading{}, refuse("give one of them", "the %s signal has a vector and a file", s.Channel)
	}
	if s.Backend == "" || len(s.Backend) > maxBackend {
		return Reading{}, refuse(hint, "the name of the backend of the %s vector has %d bytes; 1 to %d are allowed", s.Channel, len(s.Backend), maxBackend)
	}
	for _, c := range s.Backend {
		if c <= ' ' || c > '~' {
			return Reading{}, refuse(hint, "the name of the backend of the %s vector holds %q; printable ASCII without spaces is allowed", s.Channel, c)
		}
	}
	if len(s.Vector) > maxVector {
		return Reading{}, refuse(hint, "the %s vector has %d values; at most %d are allowed", s.Channel, len(s.Vector), maxVector)
	}
	for i, x := range s.Vector {
		if math.IsNaN(float64(x)) || math.IsInf(float64(x), 0) {
			return Reading{}, refuse(hint, "value %d of the %s vector is %v", i, s.Channel, x)
		}
	}
	data := packed(s.Vector)
	if data == nil {
		return Reading{}, refuse(hint, "the %s vector of %d values has no direction", s.Channel, len(s.Vector))
	}
	out := Reading{Channel: s.Channel}
	out.add(callerPrefix+s.Backend, data)
	return out, nil
}
