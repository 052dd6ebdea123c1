package media

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/mewkiz/flac"
)

// decodeFLAC reads frames with github.com/mewkiz/flac until the end or until enough
// was read.
func decodeFLAC(ctx context.Context, data []byte) (*mixer, error) {
	stream, err := flac.New(watched{ctx, bytes.NewReader(data)})
	if err != nil {
		return nil, err
	}
	info := stream.Info
	// A few bytes of a constant block promise any length: the header is believed
	// only as far as the bytes could tell as plain samples.
	mix, err := newMixer(int(info.SampleRate), int(info.NChannels), min(info.NSamples, uint64(len(data))))
	if err != nil {
		return nil, err
	}
	scale := 1 / float64(uint64(1)<<(info.BitsPerSample-1))
	for {
		frame, err := stream.ParseNext()
		if errors.Is(err, io.EOF) {
			if uint64(len(mix.samples)) < info.NSamples {
				return nil, io.ErrUnexpectedEOF
			}
			return mix, nil
		}
		if err != nil {
			return nil, err
		}
		if len(frame.Subframes) != mix.channels {
			return nil, refuse(soundHint, "the FLAC sound changes from %d channels to %d", mix.channels, len(frame.Subframes))
		}
		for i := range frame.Subframes[0].Samples {
			for _, channel := range frame.Subframes {
				if more, err := mix.add(float64(channel.Samples[i]) * scale); err != nil || !more {
					return mix, err
				}
			}
		}
	}
}
