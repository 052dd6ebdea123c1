package media

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"slices"
	"testing"

	"combray/internal/sense/sensetest"
)

// Files of every format for the tests, made here: no picture or recording lies in
// the repository but the one below, which no Go library can write.

// smallWebP is a lossy WebP of 1 x 1 pixel (RFC 9649), 44 bytes.
var smallWebP = []byte("RIFF\x24\x00\x00\x00WEBPVP8 \x18\x00\x00\x000\x01\x00\x9d\x01*\x01\x00\x01\x00\x02\x004%\xa4\x00\x03p\x00\xfe\xfb\x94\x00\x00")

func encodePNG(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func encodeJPEG(tb testing.TB, img image.Image, quality int) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

func encodeGIF(tb testing.TB, img image.Image) []byte {
	tb.Helper()
	var b bytes.Buffer
	if err := gif.Encode(&b, img, nil); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// exifTag is one entry of a made EXIF block. value is text, a uint16 or rationals.
type exifTag struct {
	id    uint16
	value any
}

// exifBlock makes a big-endian TIFF structure: IFD0, its Exif and its GPS directory, and
// below Exif the directory of interoperability that cameras write, whose tags 1 and 2
// have the numbers of the latitude.
func exifBlock(ifd0, exif, gps []exifTag) []byte {
	const header = 8
	interoperability := []exifTag{{1, "R98"}, {2, uint32(0x30313030)}}
	exif = append(slices.Clip(exif), exifTag{0xa005, uint32(0)})
	size := func(tags []exifTag) int { return 2 + 12*len(tags) + 4 }
	ifd0 = append(ifd0, exifTag{0x8769, uint32(0)}, exifTag{0x8825, uint32(0)})
	exifAt := header + size(ifd0)
	gpsAt := exifAt + size(exif)
	interoperabilityAt := gpsAt + size(gps)
	heap := interoperabilityAt + size(interoperability)
	ifd0[len(ifd0)-2].value, ifd0[len(ifd0)-1].value = uint32(exifAt), uint32(gpsAt)
	exif[len(exif)-1].value = uint32(interoperabilityAt)
	out := []byte("MM\x00*\x00\x00\x00\x08")
	var values []byte
	for _, tags := range [][]exifTag{ifd0, exif, gps, interoperability} {
		out = binary.BigEndian.AppendUint16(out, uint16(len(tags)))
		for _, t := range tags {
			kind, count, value := exifValue(t.value)
			out = binary.BigEndian.AppendUint16(out, t.id)
			out = binary.BigEndian.AppendUint16(out, kind)
			out = binary.BigEndian.AppendUint32(out, count)
			if len(value) > 4 {
				out = binary.BigEndian.AppendUint32(out, uint32(heap+len(values)))
				values = append(values, value...)
			} else {
				out = append(out, append(value, make([]byte, 4-len(value))...)...)
			}
		}
		out = binary.BigEndian.AppendUint32(out, 0)
	}
	return append(out, values...)
}

// exifValue returns the type, count and bytes of a value.
func exifValue(v any) (kind uint16, count uint32, value []byte) {
	switch v := v.(type) {
	case string:
		return 2, uint32(len(v) + 1), append([]byte(v), 0)
	case uint16:
		return 3, 1, binary.BigEndian.AppendUint16(nil, v)
	case uint32:
		return 4, 1, binary.BigEndian.AppendUint32(nil, v)
	case [][2]uint32:
		for _, r := range v {
			value = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(value, r[0]), r[1])
		}
		return 5, uint32(len(v)), value
	}
	panic("no EXIF type for this value")
}

// withEXIF puts an EXIF block into a JPEG.
func withEXIF(file, block []byte) []byte {
	segment := append([]byte("\xff\xe1\x00\x00Exif\x00\x00"), block...)
	binary.BigEndian.PutUint16(segment[2:], uint16(len(segment)-2))
	return append(append(append([]byte(nil), file[:2]...), segment...), file[2:]...)
}

// pngChunk puts a chunk before the pixels of a PNG.
func pngChunk(file []byte, name string, body []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	chunk = append(append(chunk, name...), body...)
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	const afterHeader = 8 + 25
	return append(append(append([]byte(nil), file[:afterHeader]...), chunk...), file[afterHeader:]...)
}

// wavOf makes a WAV of interleaved values.
type wavOf struct {
	tag, channels, bits int
	rate                int
	values              []float64
}

func (w wavOf) bytes() []byte {
	var data []byte
	for _, x := range w.values {
		switch {
		case w.tag == waveFloat && w.bits == 64:
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(x))
		case w.tag == waveFloat:
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
		case w.bits == 8:
			data = append(data, byte(128+math.Round(127*x)))
		default:
			whole := int32(math.Round(x * (1<<31 - 1)))
			for shift := 32 - w.bits; shift < 32; shift += 8 {
				data = append(data, byte(whole>>shift))
			}
		}
	}
	return wavFile(w.header(), data)
}

func (w wavOf) header() []byte {
	frame := w.channels * w.bits / 8
	h := binary.LittleEndian.AppendUint16(nil, uint16(w.tag))
	h = binary.LittleEndian.AppendUint16(h, uint16(w.channels))
	h = binary.LittleEndian.AppendUint32(h, uint32(w.rate))
	h = binary.LittleEndian.AppendUint32(h, uint32(w.rate*frame))
	h = binary.LittleEndian.AppendUint16(h, uint16(frame))
	return binary.LittleEndian.AppendUint16(h, uint16(w.bits))
}

func wavFile(format, data []byte) []byte {
	body := riffChunk(riffChunk([]byte("WAVE"), "fmt ", format), "data", data)
	return riffChunk(nil, "RIFF", body)
}

func riffChunk(out []byte, name string, body []byte) []byte {
	out = binary.LittleEndian.AppendUint32(append(out, name...), uint32(len(body)))
	out = append(out, body...)
	if len(body)%2 == 1 {
		out = append(out, 0)
	}
	return out
}

func wide(samples []float32) []float64 {
	out := make([]float64, len(samples))
	for i, x := range samples {
		out[i] = float64(x)
	}
	return out
}

// melodyWAV is the golden melody as the file it is sent in.
func melodyWAV(tb testing.TB) []byte {
	tb.Helper()
	return wavOf{wavePCM, 1, 16, 16000, wide(sensetest.Sound(tb, "melody"))}.bytes()
}

// lying returns the picture as it lies in a file of an orientation.
func lying(img *image.RGBA, o orientation) *image.RGBA {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	if o.sideways() {
		out = image.NewRGBA(image.Rect(0, 0, h, w))
	}
	set := func(x, y int, c color.RGBA) { out.SetRGBA(x, y, c) }
	for y := range h {
		for x := range w {
			c := img.RGBAAt(x, y)
			switch o { // where the pixel seen at x, y is stored: EXIF 2.32, tag 0x0112
			case 2:
				set(w-1-x, y, c)
			case 3:
				set(w-1-x, h-1-y, c)
			case 4:
				set(x, h-1-y, c)
			case 5:
				set(y, x, c)
			case 6: // its first row is the right side: stored turned left
				set(y, w-1-x, c)
			case 7:
				set(h-1-y, w-1-x, c)
			case 8:
				set(h-1-y, x, c)
			default:
				set(x, y, c)
			}
		}
	}
	return out
}
