package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"

	"golang.org/x/image/riff"
)

// Sample formats of WAV (Microsoft, mmreg.h).
const (
	wavePCM        = 1
	waveFloat      = 3
	waveExtensible = 0xfffe // the format stands in the first two bytes of a GUID
)

// waveFormat is the "fmt " chunk.
type waveFormat struct {
	Tag      uint16
	Channels uint16
	Rate     uint32
	_        uint32 // bytes a second
	_        uint16 // bytes a sample of all channels
	Bits     uint16
}

// decodeWAV reads the container with golang.org/x/image/riff. The samples in it are
// plain numbers, for which no decoder is needed: the Go packages for WAV read no
// floats, and make room for whatever a chunk's length field asks for.
func decodeWAV(ctx context.Context, data []byte) (*mixer, error) {
	_, chunks, err := riff.NewReader(bytes.NewReader(closeWAV(data)))
	if err != nil {
		return nil, err
	}
	var format *waveFormat
	for {
		id, length, chunk, err := chunks.Next()
		if errors.Is(err, io.EOF) {
			return nil, refuse(soundHint, "the WAV sound has no samples: its data chunk is missing")
		}
		if err != nil {
			return nil, err
		}
		switch id {
		case riff.FourCC{'f', 'm', 't', ' '}:
			if format, err = readWaveFormat(chunk); err != nil {
				return nil, err
			}
		case riff.FourCC{'d', 'a', 't', 'a'}:
			if format == nil {
				return nil, refuse(soundHint, "the WAV sound has samples before it says what they are")
			}
			return decodeWaveData(ctx, *format, length, chunk)
		}
	}
}

// openLength is where the lengths begin that recorders write which stream and cannot
// come back: FFmpeg 2^32-1, arecord 2^31, SoX 2^31-4096, or 36 more.
const openLength = 1<<31 - 1<<16

// closeWAV gives a file that was left open the lengths that it has. Any other is
// returned as it is.
func closeWAV(data []byte) []byte {
	const idAndLength, listHeader = 8, 12
	little := binary.LittleEndian
	if len(data) < listHeader || little.Uint32(data[4:]) < openLength {
		return data
	}
	for at := listHeader; at <= len(data)-idAndLength; {
		length := little.Uint32(data[at+4:])
		if string(data[at:at+4]) == "data" && length >= openLength {
			rest := (len(data) - at - idAndLength) &^ 1 // a list has even chunks
			closed := bytes.Clone(data[:at+idAndLength+rest])
			little.PutUint32(closed[4:], uint32(len(closed)-idAndLength))
			little.PutUint32(closed[at+4:], uint32(rest))
			return closed
		}
		at += idAndLength + int(length) + int(length&1)
	}
	return data
}

func readWaveFormat(chunk io.Reader) (*waveFormat, error) {
	body, err := io.ReadAll(io.LimitReader(chunk, 40))
	if err != nil {
		return nil, err
	}
	var f waveFormat
	if _, err := binary.Decode(body, binary.LittleEndian, &f); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	if f.Tag == waveExtensible && len(body) >= 26 {
		f.Tag = binary.LittleEndian.Uint16(body[24:])
	}
	return &f, nil
}

// waveValue returns how a value of the format is read, and nil for one that is not known.
func waveValue(f waveFormat) func([]byte) float64 {
	little := binary.LittleEndian
	switch {
	case f.Tag == wavePCM && f.Bits == 8:
		return func(b []byte) float64 { return (float64(b[0]) - 128) / 128 }
	case f.Tag == wavePCM && f.Bits == 16:
		return func(b []byte) float64 { return float64(int16(little.Uint16(b))) / (1 << 15) }
	case f.Tag == wavePCM && f.Bits == 24:
		return func(b []byte) float64 {
			return float64(int32(uint32(b[0])<<8|uint32(b[1])<<16|uint32(b[2])<<24)) / (1 << 31)
		}
	case f.Tag == wavePCM && f.Bits == 32:
		return func(b []byte) float64 { return float64(int32(little.Uint32(b))) / (1 << 31) }
	case f.Tag == waveFloat && f.Bits == 32:
		return func(b []byte) float64 { return float64(math.Float32frombits(little.Uint32(b))) }
	case f.Tag == waveFloat && f.Bits == 64:
		return func(b []byte) float64 { return math.Float64frombits(little.Uint64(b)) }
	}
	return nil
}

func decodeWaveData(ctx context.Context, f waveFormat, length uint32, chunk io.Reader) (*mixer, error) {
	value := waveValue(f)
	if value == nil {
		return nil, refuse("save it as 16-bit PCM", "the WAV sound has format %d with %d bits; PCM of 8, 16, 24 or 32 bits and floats of 32 or 64 are read", f.Tag, f.Bits)
	}
	size := int(f.Bits / 8)
	mix, err := newMixer(int(f.Rate), int(f.Channels), uint64(length)/uint64(size*max(1, int(f.Channels))))
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(watched{ctx, chunk})
	if err != nil {
		return nil, err
	}
	if len(body) < int(length) {
		return nil, io.ErrUnexpectedEOF
	}
	for ; len(body) >= size; body = body[size:] {
		if more, err := mix.add(value(body)); err != nil || !more {
			return mix, err
		}
	}
	return mix, nil
}
