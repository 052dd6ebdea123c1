package media

import (
	"errors"
	"image"
	"testing"

	"combray/internal/sense/sensetest"
)

// checkRefusal is what every decoder promises for every file: it is read, or the fault
// is told as an *Error.
func checkRefusal(t *testing.T, err error) {
	t.Helper()
	var ours *Error
	if err != nil && !errors.As(err, &ours) {
		t.Errorf("%v is no *Error", err)
	}
}

func FuzzReadPicture(f *testing.F) {
	img := sensetest.Picture(f, "plasma").SubImage(image.Rect(0, 0, 16, 12))
	block := exifBlock([]exifTag{{0x0112, uint16(6)}}, []exifTag{{0x9003, "2008:10:22 16:52:15"}}, []exifTag{{1, "N"}, {2, [][2]uint32{{43, 1}, {1, 1}, {1, 1}}}})
	for _, seed := range [][]byte{
		encodePNG(f, img), pngChunk(encodePNG(f, img), "eXIf", block), encodeGIF(f, img), smallWebP,
		encodeJPEG(f, img, 50), withEXIF(encodeJPEG(f, img, 50), block), manyScans(3), nil,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadPicture(t.Context(), data)
		checkRefusal(t, err)
		if err != nil {
			return
		}
		if len(p.Pixels) != 3*InputSide*InputSide || p.Width < 1 || p.Height < 1 {
			t.Errorf("%d values of %d x %d pixels", len(p.Pixels), p.Width, p.Height)
		}
		for _, x := range p.Pixels {
			if !(x >= 0 && x <= 255) {
				t.Fatalf("a pixel is %v", x)
			}
		}
	})
}

func FuzzReadSound(f *testing.F) {
	melody := sensetest.Sound(f, "melody")[:2000]
	for _, seed := range [][]byte{
		wavOf{wavePCM, 1, 16, 16000, wide(melody)}.bytes(), wavOf{waveFloat, 2, 32, 44100, wide(melody)}.bytes(),
		encodeFLAC(f, melody, 16000), noisyMP3(6), append([]byte("ID3\x04\x00\x00\x00\x00\x00\x05hello"), noisyMP3(1)...), nil,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ReadSound(t.Context(), data)
		checkRefusal(t, err)
		if err != nil {
			return
		}
		if s.Seconds() > MaxSeconds+.001 || len(s.Samples) < minSamples {
			t.Errorf("a sound of %.2f s", s.Seconds())
		}
		reading, err := (&Reader{}).Read(t.Context(), Signal{Channel: ChannelAudio, Data: data})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range reading.Fingerprints {
			if a := Alike(p.Backend, p.Data, p.Data); a.Similarity < .999 {
				t.Errorf("%s: a sound is alike to itself by %+v", p.Backend, a)
			}
		}
	})
}
