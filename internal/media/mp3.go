package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"

	mp3 "github.com/hajimehoshi/go-mp3"
)

// mp3Channels is how many channels the decoder gives, whatever the file has.
const mp3Channels = 2

// decodeMP3 reads frames with github.com/hajimehoshi/go-mp3 until the end or until
// enough was read.
func decodeMP3(ctx context.Context, data []byte) (*mixer, error) {
	source := &noticing{r: watched{ctx, bytes.NewReader(data)}}
	decoder, err := mp3.NewDecoder(source)
	if err != nil {
		return nil, err
	}
	mix, err := newMixer(decoder.SampleRate(), mp3Channels, 0)
	if err != nil {
		return nil, err
	}
	buffer := make([]byte, 1<<14)
	for {
		n, err := io.ReadFull(decoder, buffer)
		for part := buffer[:n]; len(part) >= 2; part = part[2:] {
			x := float64(int16(binary.LittleEndian.Uint16(part))) / (1 << 15)
			if more, err := mix.add(x); err != nil || !more {
				return mix, err
			}
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			if source.short {
				return nil, io.ErrUnexpectedEOF
			}
			return mix, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// noticing notices what the decoder does not tell.
//
// One is that the last frame was cut off, which it takes for the usual end: the file
// ended while more than a byte was asked for and some came. The other is that it
// searches for a frame, byte by byte, in what is none.
type noticing struct {
	r     io.Reader
	short bool
	junk  int // bytes searched without finding a frame
}

func (s *noticing) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if n > 0 && n < len(p) {
		s.short = true
	}
	if s.junk++; len(p) > 1 {
		s.junk = 0
	}
	if s.junk > maxJunk {
		return 0, refuse(soundHint, "the MP3 sound holds more than %d bytes in one place that are no sound", maxJunk)
	}
	return n, err
}
