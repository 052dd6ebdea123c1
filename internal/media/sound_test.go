package media

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/mewkiz/flac"
	"github.com/mewkiz/flac/frame"
	"github.com/mewkiz/flac/meta"

	"combray/internal/sense"
	"combray/internal/sense/sensetest"
)

// encodeFLAC writes a mono FLAC of 16 bits.
func encodeFLAC(tb testing.TB, samples []float32, rate int) []byte {
	tb.Helper()
	const block = 4096
	var out bytes.Buffer
	e, err := flac.NewEncoder(&out, &meta.StreamInfo{
		BlockSizeMin: block, BlockSizeMax: block, SampleRate: uint32(rate), NChannels: 1, BitsPerSample: 16, NSamples: uint64(len(samples)),
	})
	if err != nil {
		tb.Fatal(err)
	}
	for part := range slices.Chunk(samples, block) {
		whole := make([]int32, len(part))
		for i, x := range part {
			whole[i] = int32(math.Round(float64(x) * (1<<15 - 1)))
		}
		err := e.WriteFrame(&frame.Frame{
			Header:    frame.Header{HasFixedBlockSize: true, BlockSize: uint16(len(whole)), SampleRate: uint32(rate), Channels: frame.ChannelsMono, BitsPerSample: 16},
			Subframes: []*frame.Subframe{{SubHeader: frame.SubHeader{Pred: frame.PredVerbatim}, Samples: whole, NSamples: len(whole)}},
		})
		if err != nil {
			tb.Fatal(err)
		}
	}
	if err := e.Close(); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}

// bitWriter collects bits, highest first.
type bitWriter struct {
	out  []byte
	free int // bits left in the last byte
}

func (w *bitWriter) write(value uint32, n int) {
	for i := n - 1; i >= 0; i-- {
		if w.free == 0 {
			w.out, w.free = append(w.out, 0), 8
		}
		w.free--
		w.out[len(w.out)-1] |= byte(value>>i&1) << w.free
	}
}

// mp3Frame is the size of a frame of noisyMP3.
const mp3Frame = 144 * 128000 / 44100

// noisyMP3 makes frames of noise: MPEG-1 layer III, mono, 44.1 kHz, 128 kbit/s, whose
// Huffman codes (ISO 11172-3, table B.7, table 1) are even random bits.
func noisyMP3(frames int) []byte {
	var file []byte
	x := uint32(1)
	for range frames {
		w := &bitWriter{out: []byte{0xff, 0xfb, 0x90, 0xc0}}
		w.write(0, 9+5+4) // main data begins here; private; scale factors shared: none
		for range 2 {
			w.write(1200, 12) // bits of the granule
			w.write(200, 9)   // pairs of large values
			w.write(190, 8)   // global gain
			w.write(0, 4+1)   // no scale factors; one window
			for range 3 {
				w.write(1, 5) // Huffman table
			}
			w.write(7, 4)
			w.write(7, 3) // regions
			w.write(0, 3)
		}
		for len(w.out) < mp3Frame {
			x = 1664525*x + 1013904223
			w.out = append(w.out, byte(x>>24))
		}
		file = append(file, w.out...)
	}
	return file
}

// Every sample format of WAV, and FLAC, give the samples they were made of.
func TestSoundFormats(t *testing.T) {
	melody := sensetest.Sound(t, "melody")
	values := wide(melody)
	stereo := make([]float64, 0, 2*len(values))
	for _, x := range values {
		stereo = append(stereo, .5*x, 1.5*x) // their mean is x
	}
	extensible := wavOf{waveExtensible, 1, 16, 16000, values}.header()
	extensible = append(binary.LittleEndian.AppendUint16(extensible, 22), make([]byte, 22)...)
	binary.LittleEndian.PutUint16(extensible[24:], wavePCM)
	pcm := wavOf{wavePCM, 1, 16, 16000, values}.bytes()
	open := func(length, more uint32) []byte {
		file := bytes.Clone(pcm)
		binary.LittleEndian.PutUint32(file[4:], length+more)
		binary.LittleEndian.PutUint32(file[40:], length)
		return file
	}
	for name, c := range map[string]struct {
		file  []byte
		error float64 // of a sample
	}{
		"8 bits":                  {wavOf{wavePCM, 1, 8, 16000, values}.bytes(), 1. / 64},
		"16 bits":                 {pcm, 1. / (1 << 14)},
		"24 bits":                 {wavOf{wavePCM, 1, 24, 16000, values}.bytes(), 1. / (1 << 22)},
		"32 bits":                 {wavOf{wavePCM, 1, 32, 16000, values}.bytes(), 1e-6},
		"float32":                 {wavOf{waveFloat, 1, 32, 16000, values}.bytes(), 1e-6},
		"float64":                 {wavOf{waveFloat, 1, 64, 16000, values}.bytes(), 1e-6},
		"stereo":                  {wavOf{wavePCM, 2, 16, 16000, stereo}.bytes(), 1. / (1 << 14)},
		"extensible":              {wavFile(extensible, pcm[44:]), 1. / (1 << 14)},
		"left open by FFmpeg":     {open(math.MaxUint32, 0), 1. / (1 << 14)},
		"left open, and cut":      {append(open(math.MaxUint32, 0), 7), 1. / (1 << 14)},
		"left open by arecord":    {open(1<<31, 36), 1. / (1 << 14)},
		"left open by SoX":        {open(1<<31-4096, 36), 1. / (1 << 14)},
		"FLAC":                    {encodeFLAC(t, melody, 16000), 1. / (1 << 14)},
		"FLAC behind an ID3 tag":  {append([]byte("ID3\x04\x00\x00\x00\x00\x00\x05hello"), encodeFLAC(t, melody, 16000)...), 1. / (1 << 14)},
		"a chunk before the data": {riffChunk(nil, "RIFF", riffChunk(riffChunk(riffChunk([]byte("WAVE"), "LIST", []byte("odd")), "fmt ", pcm[20:36]), "data", pcm[44:])), 1. / (1 << 14)},
	} {
		s, err := ReadSound(t.Context(), c.file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if len(s.Samples) != len(melody) || s.Cut {
			t.Errorf("%s: %d samples, want %d", name, len(s.Samples), len(melody))
			continue
		}
		for i, x := range s.Samples {
			if math.Abs(float64(x-melody[i])) > c.error {
				t.Errorf("%s: sample %d is %v, want %v", name, i, x, melody[i])
				break
			}
		}
	}
}

func TestMP3(t *testing.T) {
	const frames = 40
	for name, file := range map[string][]byte{
		"plain":          noisyMP3(frames),
		"ID3v2 before":   append([]byte("ID3\x04\x00\x00\x00\x00\x00\x05hello"), noisyMP3(frames)...),
		"ID3v1 behind":   append(noisyMP3(frames), append([]byte("TAG"), make([]byte, 125)...)...),
		"zeros behind":   append(noisyMP3(frames), make([]byte, 1000)...),
		"two ID3v2 tags": append([]byte("ID3\x04\x00\x00\x00\x00\x00\x00ID3\x04\x00\x00\x00\x00\x00\x05hello"), noisyMP3(frames)...),
	} {
		s, err := ReadSound(t.Context(), file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if want := frames * 1152. / 44100; math.Abs(s.Seconds()-want) > .001 {
			t.Errorf("%s: %.3f s, want %.3f", name, s.Seconds(), want)
		}
		if p := sense.NewPrint(s.Samples); p.Active() < 24 {
			t.Errorf("%s: the noise has a print of %d frames", name, p.Active())
		}
	}
}

// A tone keeps its height and strength at every rate, and what lies above half of the
// new rate is gone by 60 dB.
func TestResample(t *testing.T) {
	tone := func(rate int, hz float64) []float32 {
		out := make([]float32, rate)
		for i := range out {
			out[i] = float32(.5 * math.Sin(2*math.Pi*hz*float64(i)/float64(rate)))
		}
		return out
	}
	middle := func(s []float32) []float32 { return s[len(s)/4 : 3*len(s)/4] }
	for _, rate := range []int{4000, 8000, 11025, 16000, 22050, 24000, 32000, 44099, 44100, 48000, 96000, 192000} {
		got, want := resample(tone(rate, 1000), rate, 16000), tone(16000, 1000)
		if len(got) != len(want) {
			t.Errorf("%d Hz: %d samples, want %d", rate, len(got), len(want))
			continue
		}
		worst := 0.
		for i, x := range middle(got) {
			worst = max(worst, math.Abs(float64(x-middle(want)[i])))
		}
		if worst > .002 {
			t.Errorf("%d Hz: a tone of 1 kHz is up to %.5f off", rate, worst)
		}
		if rate < 22050 {
			continue
		}
		loudest := float32(0)
		for _, x := range middle(resample(tone(rate, 9500), rate, 16000)) {
			loudest = max(loudest, x, -x)
		}
		if loudest > .5e-3 {
			t.Errorf("%d Hz: a tone of 9.5 kHz is heard with %.5f", rate, loudest)
		}
	}
	for n := range 40 { // shorter than the filter
		if got := resample(make([]float32, n), 48000, 16000); len(got) != n/3 {
			t.Errorf("%d samples become %d", n, len(got))
		}
	}
}

func TestLongSoundsAreCut(t *testing.T) {
	long := make([]float64, 8000*(MaxSeconds+5))
	for i := range long {
		long[i] = .3 * math.Sin(float64(i))
	}
	s, err := ReadSound(t.Context(), wavOf{wavePCM, 1, 16, 8000, long}.bytes())
	if err != nil {
		t.Fatal(err)
	}
	if !s.Cut || s.Seconds() != MaxSeconds || s.cutNote() != "Only the first 60 s of the sound were used." {
		t.Errorf("cut %v after %.2f s: %s", s.Cut, s.Seconds(), s.cutNote())
	}
}
