package media

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"time"

	"combray/internal/sense/sensetest"
)

// Of the golden pictures the hash must be right and the mean of each plane near; the
// vectors made of the pixels are held by the encoder's tests.
func TestGoldenPixels(t *testing.T) {
	golden := sensetest.GoldenImage(t)
	for _, name := range slices.Sorted(maps.Keys(golden.Images)) {
		want := golden.Images[name]
		p, err := ReadPicture(t.Context(), encodePNG(t, sensetest.Picture(t, name)))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%016x", p.Hash); got != want.PHash64 || p.Width != want.W || p.Height != want.H {
			t.Errorf("%s: %d x %d with pHash64 %s, want %s", name, p.Width, p.Height, got, want.PHash64)
		}
		for colour, mean := range want.InputMean {
			sum := 0.
			for _, x := range p.Pixels[colour*InputSide*InputSide:][:InputSide*InputSide] {
				sum += float64(x)
			}
			if got := sum / (InputSide * InputSide); math.Abs(got-mean) > .05 {
				t.Errorf("%s: mean of plane %d is %.3f, want %.3f", name, colour, got, mean)
			}
		}
	}
}

func TestEveryFormatGivesThePicture(t *testing.T) {
	img := sensetest.Picture(t, "plasma")
	want, err := ReadPicture(t.Context(), encodePNG(t, img))
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{
		"JPEG":          encodeJPEG(t, img, 90),
		"JPEG, damaged": encodeJPEG(t, img, 30),
		"GIF":           encodeGIF(t, img),
		"16-bit PNG":    encodePNG(t, deep(img)),
		"alpha PNG":     encodePNG(t, halfClear(img)),
	} {
		got, err := ReadPicture(t.Context(), file)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := bits.OnesCount64(got.Hash ^ want.Hash); d > 11 {
			t.Errorf("%s: the hash is %d bits away", name, d)
		}
	}
	if p, err := ReadPicture(t.Context(), smallWebP); err != nil || p.Width != 1 || p.Height != 1 {
		t.Errorf("WebP: %+v, %v", p, err)
	}
}

func deep(img *image.RGBA) image.Image {
	out := image.NewRGBA64(img.Rect)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			out.Set(x, y, img.At(x, y))
		}
	}
	return out
}

// halfClear gives every pixel half of its colour over white; the hash does not see
// the lower contrast.
func halfClear(img *image.RGBA) image.Image {
	out := image.NewNRGBA(img.Rect)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			c := img.RGBAAt(x, y)
			out.SetNRGBA(x, y, color.NRGBA{R: c.R, G: c.G, B: c.B, A: 128})
		}
	}
	return out
}

// A clear picture is white, not black.
func TestTransparencyIsWhite(t *testing.T) {
	p, err := ReadPicture(t.Context(), encodePNG(t, image.NewNRGBA(image.Rect(0, 0, 30, 20))))
	if err != nil {
		t.Fatal(err)
	}
	if lowest := slices.Min(p.Pixels); lowest != 255 {
		t.Errorf("a transparent picture has a value of %v", lowest)
	}
}

// The filter keeps a plain picture plain, whatever its size, and a picture of the
// input's size as it is.
func TestStretch(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {1, 700}, {700, 1}, {223, 225}, {224, 224}, {1000, 999}} {
		s := newStretch(InputSide, InputSide, size[0], size[1])
		row := slices.Repeat([]byte{10, 20, 30, 255}, size[0])
		for y := range size[1] {
			s.addRow(y, row)
		}
		for colour, want := range []float32{10, 20, 30} {
			plane := s.plane(colour)
			if lo, hi := slices.Min(plane), slices.Max(plane); math.Abs(float64(lo-want)) > 1e-4 || math.Abs(float64(hi-want)) > 1e-4 {
				t.Errorf("%v: plane %d lies between %v and %v, want %v", size, colour, lo, hi, want)
			}
		}
	}
	img := sensetest.Picture(t, "gradient").SubImage(image.Rect(0, 0, 224, 192)).(*image.RGBA)
	s := newStretch(InputSide, InputSide, 224, 192)
	for y := range 192 {
		s.addRow(y, img.Pix[y*img.Stride:])
	}
	for x, v := range s.plane(0)[:224] {
		if math.Abs(float64(v)-float64(x)) > 1e-3 {
			t.Fatalf("red at %d is %v", x, v)
		}
	}
}

func TestOrientations(t *testing.T) {
	img := sensetest.Picture(t, "plasma")
	want, err := ReadPicture(t.Context(), encodeJPEG(t, img, 100))
	if err != nil {
		t.Fatal(err)
	}
	for o := orientation(0); o <= 9; o++ {
		block := exifBlock([]exifTag{{0x0112, uint16(o)}}, nil, nil)
		got, err := ReadPicture(t.Context(), withEXIF(encodeJPEG(t, lying(img, o), 100), block))
		if err != nil {
			t.Fatal(err)
		}
		apart := 0.
		for i, x := range got.Pixels {
			apart += math.Abs(float64(x-want.Pixels[i])) / float64(len(got.Pixels))
		}
		if got.Width != 256 || got.Height != 192 || bits.OnesCount64(got.Hash^want.Hash) > 2 || apart > 2 {
			t.Errorf("orientation %d: %d x %d, hash %016x, want %016x, pixels %.2f apart", o, got.Width, got.Height, got.Hash, want.Hash, apart)
		}
	}
}

func TestEXIFPlaceAndTime(t *testing.T) {
	degrees := func(d, m, s uint32) [][2]uint32 { return [][2]uint32{{d, 1}, {m, 1}, {s, 100}} }
	gps := func(ns, ew string) []exifTag {
		return []exifTag{{1, ns}, {2, degrees(43, 28, 212)}, {3, ew}, {4, degrees(11, 53, 645)}}
	}
	const lat, lon = 43 + 28./60 + 2.12/3600, 11 + 53./60 + 6.45/3600
	berlin := time.FixedZone("", 2*3600)
	for name, c := range map[string]struct {
		exif, gps []exifTag
		place     *Place
		taken     *Taken
	}{
		"north-east":            {nil, gps("N", "E"), &Place{lat, lon}, nil},
		"south-west":            {nil, gps("S", "W"), &Place{-lat, -lon}, nil},
		"no fix yet":            {nil, []exifTag{{1, "N"}, {2, degrees(0, 0, 0)}, {3, "E"}, {4, degrees(0, 0, 0)}}, nil, nil},
		"no place on earth":     {nil, []exifTag{{1, "N"}, {2, degrees(143, 0, 0)}, {3, "E"}, {4, degrees(0, 0, 0)}}, nil, nil},
		"divided by zero":       {nil, []exifTag{{1, "N"}, {2, [][2]uint32{{1, 0}, {1, 0}, {1, 0}}}, {3, "E"}, {4, degrees(1, 0, 0)}}, nil, nil},
		"half a place":          {nil, []exifTag{{1, "N"}, {2, degrees(43, 0, 0)}}, nil, nil},
		"a place as text":       {nil, []exifTag{{2, "here"}, {4, "there"}}, nil, nil},
		"wall clock":            {[]exifTag{{0x9003, "2008:10:22 16:52:15"}}, nil, nil, &Taken{time.Date(2008, 10, 22, 16, 52, 15, 0, time.UTC), false}},
		"with an offset":        {[]exifTag{{0x9003, "2008:10:22 16:52:15"}, {0x9011, "+02:00"}}, nil, nil, &Taken{time.Date(2008, 10, 22, 16, 52, 15, 0, berlin), true}},
		"a nonsense offset":     {[]exifTag{{0x9003, "2008:10:22 16:52:15"}, {0x9011, "local"}}, nil, nil, &Taken{time.Date(2008, 10, 22, 16, 52, 15, 0, time.UTC), false}},
		"digitised only":        {[]exifTag{{0x9004, "2008:10:22 16:52:15"}}, nil, nil, &Taken{time.Date(2008, 10, 22, 16, 52, 15, 0, time.UTC), false}},
		"a clock never set":     {[]exifTag{{0x9003, "0000:00:00 00:00:00"}}, nil, nil, nil},
		"the thirtieth of Feb.": {[]exifTag{{0x9003, "2008:02:30 16:52:15"}}, nil, nil, nil},
		"nothing":               {nil, nil, nil, nil},
	} {
		block := exifBlock(nil, c.exif, c.gps)
		picture := sensetest.Picture(t, "gradient")
		for format, file := range map[string][]byte{
			"JPEG": withEXIF(encodeJPEG(t, picture, 80), block),
			"PNG":  pngChunk(encodePNG(t, picture), "eXIf", block),
		} {
			got, err := ReadPicture(t.Context(), file)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, format, err)
			}
			if !samePlace(got.Place, c.place) || !sameTime(got.Taken, c.taken) {
				t.Errorf("%s, %s: %+v %+v, want %+v %+v", name, format, got.Place, got.Taken, c.place, c.taken)
			}
		}
	}
}

func samePlace(a, b *Place) bool {
	if a == nil || b == nil {
		return a == b
	}
	return math.Abs(a.Lat-b.Lat) < 1e-6 && math.Abs(a.Lon-b.Lon) < 1e-6
}

func sameTime(a, b *Taken) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Time.Format(time.RFC3339) == b.Time.Format(time.RFC3339) && a.HasOffset == b.HasOffset
}

// A progressive JPEG may say in a few bytes each to go over the whole picture again.
func TestScansAreCounted(t *testing.T) {
	for name, c := range map[string]struct {
		file []byte
		says string
	}{
		"ten scans of four million pixels":     {manyScans(10), "damaged"}, // in what follows: it has no tables
		"a hundred scans of as many":           {manyScans(100), "in 100 scans"},
		"many scans of no progressive picture": {bytes.Replace(manyScans(100), []byte{0xff, markerSOF2}, []byte{0xff, markerSOF0}, 1), "damaged"},
	} {
		if _, err := ReadPicture(t.Context(), c.file); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q in it", name, err, c.says)
		}
	}
	block := exifBlock(nil, []exifTag{{0x9003, strings.Repeat("\xff\xda", 400)}}, nil)
	if h := readJPEGHeader(withEXIF(encodeJPEG(t, sensetest.Picture(t, "plasma"), 80), block)); h.scans != 1 || h.progressive || h.samples != 1.5 {
		t.Errorf("a plain JPEG with a strange EXIF block is taken for %+v", h)
	}
}
