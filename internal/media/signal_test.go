package media

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"image"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"combray/encoder"
	"combray/internal/sense/sensetest"
)

// fakePictures gives every picture the same vector and labels.
type fakePictures struct{ err error }

func (f fakePictures) See(context.Context, []float32) (encoder.Seen, error) {
	return encoder.Seen{Vector: []float32{1, 0}, Labels: []encoder.Label{{Index: 3, Name: "tabby", P: .7}, {Index: 1, Name: "cat", P: .2}}}, f.err
}

func (fakePictures) Identity() string { return "fake:1" }

// fakeVoices gives every voice the same vector.
type fakeVoices struct{}

func (fakeVoices) Hear(_ context.Context, inputs [][]float32) ([]float32, error) {
	return []float32{float32(len(inputs)), 0}, nil
}

func (fakeVoices) Identity() string { return "fake:2" }

func backends(r Reading) (out []string) {
	for _, p := range r.Fingerprints {
		out = append(out, p.Backend)
	}
	return out
}

func TestReadSignals(t *testing.T) {
	picture := encodePNG(t, sensetest.Picture(t, "plasma"))
	bare, full := &Reader{}, &Reader{Pictures: fakePictures{}, Voices: fakeVoices{}}
	for name, c := range map[string]struct {
		reader   *Reader
		signal   Signal
		backends []string
		guesses  int
		note     string
	}{
		"a picture without an encoder": {bare, Signal{Channel: ChannelImage, Data: picture}, []string{"phash64"}, 0, "only copies"},
		"a picture":                    {full, Signal{Channel: ChannelImage, Data: picture}, []string{"phash64", "picture:fake:1"}, 2, ""},
		"a sound":                      {bare, Signal{Channel: ChannelAudio, Data: melodyWAV(t)}, []string{"sound-print-1", "sound59-1"}, 0, ""},
		"a sound, voices on":           {full, Signal{Channel: ChannelAudio, Data: melodyWAV(t)}, []string{"sound-print-1", "sound59-1", "voice:fake:2"}, 0, ""},
		"a short sound":                {bare, Signal{Channel: ChannelAudio, Data: wavOf{wavePCM, 1, 16, 16000, wide(sensetest.Sound(t, "melody")[:4000])}.bytes()}, []string{"sound59-1"}, 0, "too short"},
		"a caller's vector":            {bare, Signal{Channel: ChannelImage, Vector: []float32{3, 4}, Backend: "clip/b32"}, []string{"caller:clip/b32"}, 0, ""},
		"a caller's vector under one of our names": {full, Signal{Channel: ChannelImage, Vector: []float32{3, 4}, Backend: "fake:1"}, []string{"caller:fake:1"}, 0, ""},
	} {
		got, err := c.reader.Read(t.Context(), c.signal)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(backends(got), c.backends) || len(got.Guesses) != c.guesses || got.Channel != c.signal.Channel {
			t.Errorf("%s: %v with %v, want %v and %d guesses", name, backends(got), got.Guesses, c.backends, c.guesses)
		}
		if notes := strings.Join(got.Notes, " "); !strings.Contains(notes, c.note) || c.note == "" && notes != "" {
			t.Errorf("%s: notes %q, want %q in them", name, notes, c.note)
		}
	}
}

func TestReadRefusesSignals(t *testing.T) {
	nan := float32(math.NaN())
	folder := t.TempDir()
	files := &Reader{AllowFiles: true}
	for name, c := range map[string]struct {
		reader *Reader
		signal Signal
		says   string
	}{
		"another channel":        {files, Signal{Channel: "text", Data: []byte("x")}, "takes no media"},
		"nothing":                {files, Signal{Channel: ChannelImage}, "no bytes"},
		"a file, not allowed":    {&Reader{}, Signal{Channel: ChannelImage, Path: folder}, "COMBRAY_ALLOW_LOCAL_FILES"},
		"a file that is not":     {files, Signal{Channel: ChannelImage, Path: filepath.Join(folder, "none")}, "no file at the path"},
		"a folder":               {files, Signal{Channel: ChannelAudio, Path: folder}, "is no file"},
		"bytes and a path":       {files, Signal{Channel: ChannelImage, Path: folder, Data: []byte("x")}, "both"},
		"bytes and a vector":     {files, Signal{Channel: ChannelImage, Vector: []float32{1}, Backend: "a", Data: []byte("x")}, "a vector and a file"},
		"a vector of no one":     {files, Signal{Channel: ChannelImage, Vector: []float32{1}}, "1 to 64"},
		"a long name":            {files, Signal{Channel: ChannelImage, Vector: []float32{1}, Backend: strings.Repeat("x", 65)}, "has 65 bytes"},
		"a name over two lines":  {files, Signal{Channel: ChannelImage, Vector: []float32{1}, Backend: "a\nb"}, "printable"},
		"an empty vector":        {files, Signal{Channel: ChannelImage, Vector: []float32{}, Backend: "a"}, "no direction"},
		"a vector of zeros":      {files, Signal{Channel: ChannelImage, Vector: []float32{0, 0}, Backend: "a"}, "no direction"},
		"a vector with a NaN":    {files, Signal{Channel: ChannelImage, Vector: []float32{0, nan}, Backend: "a"}, "value 1"},
		"a vector without end":   {files, Signal{Channel: ChannelImage, Vector: make([]float32, maxVector+1), Backend: "a"}, "at most 4096"},
		"a sound in the picture": {files, Signal{Channel: ChannelImage, Data: melodyWAV(t)}, "this is a WAV sound"},
	} {
		_, err := c.reader.Read(t.Context(), c.signal)
		var ours *Error
		if !errors.As(err, &ours) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q in an *Error", name, err, c.says)
		}
	}
}

func TestReadFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "melody.wav")
	if err := os.WriteFile(path, melodyWAV(t), 0o600); err != nil {
		t.Fatal(err)
	}
	reader := &Reader{AllowFiles: true}
	got, err := reader.Read(t.Context(), Signal{Channel: ChannelAudio, Path: path})
	if err != nil || len(got.Fingerprints) != 2 {
		t.Errorf("%v, %v", backends(got), err)
	}
	if err := os.WriteFile(path, make([]byte, MaxBytes+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Read(t.Context(), Signal{Channel: ChannelAudio, Path: path}); err == nil || !strings.Contains(err.Error(), "at most") {
		t.Errorf("a file over the limit: %v", err)
	}
}

// The fault of an encoder is not the caller's: it stays what it is.
func TestReadPassesOtherErrorsOn(t *testing.T) {
	broken := errors.New("out of order")
	_, err := (&Reader{Pictures: fakePictures{err: broken}}).Read(t.Context(), Signal{Channel: ChannelImage, Data: encodePNG(t, sensetest.Picture(t, "plasma"))})
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, s := range []Signal{
		{Channel: ChannelImage, Data: encodePNG(t, image.NewGray(image.Rect(0, 0, 3000, 3000)))},
		{Channel: ChannelAudio, Data: melodyWAV(t)},
	} {
		if _, err := (&Reader{}).Read(ended, s); !errors.Is(err, context.Canceled) {
			t.Errorf("%s after the end of its context: %v", s.Channel, err)
		}
	}
}

func TestPicturesTellPlaceAndTime(t *testing.T) {
	block := exifBlock(nil, []exifTag{{0x9003, "2008:10:22 16:52:15"}}, []exifTag{{1, "N"}, {2, [][2]uint32{{43, 1}, {1, 1}, {1, 1}}}, {3, "E"}, {4, [][2]uint32{{11, 1}, {1, 1}, {1, 1}}}})
	got, err := (&Reader{}).Read(t.Context(), Signal{Channel: ChannelImage, Data: withEXIF(encodeJPEG(t, sensetest.Picture(t, "plasma"), 80), block)})
	if err != nil || got.Place == nil || got.Taken == nil {
		t.Errorf("place %v and time %v, %v", got.Place, got.Taken, err)
	}
}

func TestAlike(t *testing.T) {
	hash := func(h uint64) []byte { return binary.BigEndian.AppendUint64(nil, h) }
	vector := func(v ...float32) []byte { return packed(v) }
	read := func(name, backend string) []byte {
		r, err := (&Reader{}).Read(t.Context(), Signal{Channel: ChannelAudio, Data: wavOf{wavePCM, 1, 16, 16000, wide(sensetest.Sound(t, name))}.bytes()})
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(r.Fingerprints, func(f Fingerprint) bool { return f.Backend == backend })
		return r.Fingerprints[i].Data
	}
	for name, c := range map[string]struct {
		backend           string
		a, b              []byte
		similarity, proof float64
	}{
		"a copy":                        {BackendPHash, hash(0), hash(0x7ff), 1, 1},
		"no copy":                       {BackendPHash, hash(0), hash(0xffffffff), 0, 0},
		"a damaged hash":                {BackendPHash, hash(0), hash(0)[:7], 0, 0},
		"an edited picture":             {"picture:x", vector(1, 0), vector(.81, .586), 1, 1},
		"pictures at a right angle":     {"picture:x", vector(1, 0), vector(0, 1), 0, 0},
		"vectors of different lengths":  {"picture:x", vector(1, 0), vector(1), 0, 0},
		"the same voice only ranks":     {"voice:x", vector(1, 0), vector(1, 0), 1, .5},
		"the same kind only ranks":      {BackendSound59, vector(1, 0), vector(1, 0), 1, .5},
		"a caller's vectors":            {"caller:x", vector(1, 0), vector(.8, .6), .4, 0},
		"the same melody":               {BackendPrint, read("melody", BackendPrint), read("melody_noisy", BackendPrint), 1, 1},
		"another melody, cut":           {BackendPrint, read("melody_cut", BackendPrint), read("melody", BackendPrint), 1, 1},
		"a melody and noise":            {BackendPrint, read("melody", BackendPrint), read("noise", BackendPrint), 0, 0},
		"a damaged print":               {BackendPrint, read("melody", BackendPrint), []byte("print"), 0, 0},
		"a melody and itself with hiss": {BackendSound59, read("melody", BackendSound59), read("melody_noisy", BackendSound59), .96, .48},
		"a backend of another program":  {"smell", vector(1), vector(1), 0, 0},
	} {
		got := Alike(c.backend, c.a, c.b)
		if math.Abs(got.Similarity-c.similarity) > .05 || math.Abs(got.Proof-c.proof) > .03 {
			t.Errorf("%s: %+v, want %g and %g", name, got, c.similarity, c.proof)
		}
	}
}

// What is kept of a sound is small, and nothing of its bytes.
func TestFingerprintsAreSmall(t *testing.T) {
	file := melodyWAV(t)
	r, err := (&Reader{}).Read(t.Context(), Signal{Channel: ChannelAudio, Data: file})
	if err != nil {
		t.Fatal(err)
	}
	size := 0
	for _, p := range r.Fingerprints {
		size += len(p.Data)
		if len(p.Data) > 0 && bytes.Contains(file, p.Data[1:33]) {
			t.Error("a fingerprint holds bytes of the file")
		}
	}
	if size > 850 {
		t.Errorf("three seconds leave %d bytes", size)
	}
}

func BenchmarkReadPicture(b *testing.B) {
	for name, size := range map[string]int{"640x480": 640, "4000x3000": 4000} {
		b.Run(name, func(b *testing.B) {
			img := image.NewRGBA(image.Rect(0, 0, size, size*3/4))
			for i := range img.Pix {
				img.Pix[i] = byte(i*i>>9) | 3
			}
			file := encodeJPEG(b, img, 85)
			for b.Loop() {
				if _, err := ReadPicture(b.Context(), file); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkReadSound(b *testing.B) {
	melody := sensetest.Sound(b, "melody")
	for name, file := range map[string][]byte{
		"wav-16k": melodyWAV(b), "wav-44k1-stereo": wavOf{wavePCM, 2, 16, 44100, wide(slices.Repeat(melody, 6)[:6*44100])}.bytes(), "flac-16k": encodeFLAC(b, melody, 16000), "mp3-44k1": noisyMP3(115),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := (&Reader{}).Read(b.Context(), Signal{Channel: ChannelAudio, Data: file}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
