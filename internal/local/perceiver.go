package local

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"combray/encoder"
	"combray/internal/media"
	"combray/internal/memory"
	"combray/internal/models"
)

// perceiver reduces pictures and sounds to fingerprints. Its encoders are loaded at
// the first picture or voice, so that whoever sends none pays nothing.
type perceiver struct {
	models   models.Store
	pictures *encoder.PictureFiles // nil: copies only
	voices   *encoder.VoiceFiles   // nil: voices are not told apart
	text     *encoderWhenNeeded    // of texts, which may have a space for pictures and sounds; nil: none
	raw      bool
	files    bool
	log      *slog.Logger

	mu     sync.Mutex
	reader *media.Reader // nil before the first signal
	close  []func() error
}

var _ memory.Perceiver = (*perceiver)(nil)

// Perceive implements memory.Perceiver.
func (p *perceiver) Perceive(ctx context.Context, channel memory.Channel, s memory.MediaSignal) (memory.Percept, error) {
	reader, err := p.open(ctx)
	if err != nil {
		return memory.Percept{}, err
	}
	signal := media.Signal{Channel: media.Channel(channel), Data: s.Data, Path: s.Path, Vector: s.Vector, Backend: s.Backend}
	if s.Data == nil && s.Path == "" && s.Vector == nil {
		if s.Caption == "" {
			return memory.Percept{}, memory.Invalid("signals", "Pass base64, path, vector with backend, or caption.", "the %s signal holds nothing", channel)
		}
		return memory.Percept{Fingerprints: captions(channel, s)}, nil
	}
	seen, err := reader.Read(ctx, signal)
	var refused *media.Error
	if errors.As(err, &refused) {
		return memory.Percept{}, memory.Invalid("signals", sentence(refused.Hint), "%s", refused.Message)
	}
	if err != nil {
		return memory.Percept{}, err
	}
	return p.percept(channel, s, seen), nil
}

func (p *perceiver) percept(channel memory.Channel, s memory.MediaSignal, seen media.Reading) memory.Percept {
	out := memory.Percept{Fingerprints: captions(channel, s), Warnings: seen.Notes}
	for _, f := range seen.Fingerprints {
		out.Fingerprints = append(out.Fingerprints, memory.Fingerprint{Channel: channel, Backend: f.Backend, Data: f.Data})
	}
	if g := seen.Guesses; s.Caption == "" && len(g) > 0 && g[0].P >= guessLeast {
		out.Fingerprints = append(out.Fingerprints, memory.Fingerprint{Channel: channel, Text: memory.Text(g[0].Word), Chance: g[0].P})
	}
	if seen.Place != nil {
		out.Place, _ = memory.ParsePlace(nil, &seen.Place.Lat, &seen.Place.Lon, nil)
	}
	if seen.Taken != nil {
		layout := "2006-01-02T15:04:05"
		if seen.Taken.HasOffset {
			layout = time.RFC3339
		}
		at := seen.Taken.Time.Format(layout)
		out.At = &at
	}
	if p.raw && s.Data != nil {
		out.Medium = &memory.Medium{Channel: channel, Mime: s.Mime, Data: s.Data}
	}
	return out
}

// guessLeast is the chance from which the first label of a picture is kept as a
// guessed caption: it then shares a word with the true one in two of three pictures
// (facts/media.md 6).
const guessLeast = 0.7

// captions keeps the words that the caller gave for a picture or sound.
func captions(channel memory.Channel, s memory.MediaSignal) []memory.Fingerprint {
	if s.Caption == "" {
		return nil
	}
	return []memory.Fingerprint{{Channel: channel, Text: memory.Text(s.Caption), Chance: 1}}
}

// sentence makes the hint of another package one of ours.
func sentence(hint string) string {
	if hint == "" {
		return "Send another file."
	}
	return string(hint[0]-'a'+'A') + hint[1:] + "."
}

// Alike implements memory.Perceiver.
func (p *perceiver) Alike(backend string, a, b []byte) (similarity, proof float64) {
	alike := media.Alike(backend, a, b)
	return alike.Similarity, alike.Proof
}

// open loads the encoders, once. Without them copies are still recognised.
func (p *perceiver) open(ctx context.Context) (*media.Reader, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.reader != nil {
		return p.reader, nil
	}
	reader := &media.Reader{AllowFiles: p.files}
	library, err := p.models.FindRuntime(ctx)
	if err == nil {
		err = p.load(ctx, library, reader)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		p.log.Warn("pictures and voices are compared without an encoder", "reason", err)
	}
	if reader.Space, err = p.space(ctx); err != nil {
		return nil, err
	}
	p.reader = reader
	return reader, nil
}

// space is that of the encoder of texts, when encoders of pictures or sounds of it are
// installed. The encoder is loaded for it.
func (p *perceiver) space(ctx context.Context) (media.Space, error) {
	if p.text == nil || !p.text.towers {
		return nil, nil
	}
	text, err := p.text.ready(ctx)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		p.log.Warn("pictures and sounds are not compared with texts", "reason", err)
		return nil, nil
	}
	if s := text.Space(); s != nil {
		return s, nil
	}
	return nil, nil
}

// InSpace gives the vectors of what was perceived that may be compared with those of
// texts: made in the space of the present encoder. It loads nothing: without the
// encoder there is nothing to compare with either.
func (p *perceiver) InSpace(perceived []memory.Fingerprint) [][]float32 {
	space := p.text.spaceIfLoaded()
	if space == nil {
		return nil
	}
	var out [][]float32
	for _, f := range perceived {
		if f.Backend != media.SpacePrefix+space.Identity() {
			continue
		}
		if v := media.Unpacked(f.Data); v != nil {
			out = append(out, v)
		}
	}
	return out
}

func (p *perceiver) load(ctx context.Context, library string, reader *media.Reader) error {
	settings := encoder.MediaConfig{Library: library, Logger: p.log}
	if p.pictures != nil {
		pictures, err := encoder.OpenPicture(ctx, settings, *p.pictures)
		if err != nil {
			return err
		}
		reader.Pictures = pictures
		p.close = append(p.close, pictures.Close)
	}
	if p.voices != nil {
		voices, err := encoder.OpenVoice(ctx, settings, *p.voices)
		if err != nil {
			return err
		}
		reader.Voices = voices
		p.close = append(p.close, voices.Close)
	}
	return nil
}

func (p *perceiver) shut() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var errs []error
	for _, end := range p.close {
		errs = append(errs, end())
	}
	p.close = nil
	return errors.Join(errs...)
}
