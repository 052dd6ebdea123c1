package media

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"runtime"

	"golang.org/x/image/webp"

	"combray/encoder"
	"combray/internal/sense"
)

// InputSide is how many pixels each way the picture encoder sees.
const InputSide = 224

// Picture is what is made of the pixels of a picture.
type Picture struct {
	Width, Height int       // upright, in pixels of the file
	Pixels        []float32 // planes R, G, B of InputSide x InputSide, 0 to 255, upright, on white
	Hash          uint64    // pHash64
	Place         *Place    // nil when the file does not tell
	Taken         *Taken    // nil when the file does not tell
	// Patches are the picture as an encoder of a space takes it; nil unless wanted.
	Patches *encoder.Patches
}

// codec is the decoder of one picture format.
type codec struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var codecs = map[string]codec{
	formatPNG.name:  {png.DecodeConfig, png.Decode},
	formatJPEG.name: {jpeg.DecodeConfig, jpeg.Decode},
	formatGIF.name:  {gif.DecodeConfig, gif.Decode}, // the first picture
	formatWebP.name: {webp.DecodeConfig, webp.Decode},
}

// ReadPicture decodes a PNG, JPEG, GIF (its first picture) or WebP. The error is an
// *Error, or that of ctx.
func ReadPicture(ctx context.Context, data []byte) (*Picture, error) {
	return pictureOf(ctx, data, false)
}

func pictureOf(ctx context.Context, data []byte, patches bool) (*Picture, error) {
	f, err := recognise(data, "picture")
	if err != nil {
		return nil, err
	}
	leave, err := takeTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	var img image.Image
	err = fenced(ctx, f, func() (err error) {
		c := codecs[f.name]
		config, err := c.config(bytes.NewReader(data))
		if err != nil {
			return err
		}
		if err := checkSize(f, config, data); err != nil {
			return err
		}
		img, err = c.decode(watched{ctx, bytes.NewReader(data)})
		return err
	})
	if err != nil {
		return nil, err
	}
	return reduce(ctx, img, readEXIF(ctx, data, f), patches)
}

// checkSize refuses a picture whose header promises more than is allowed, before
// anything of that size is made, and makes room for one that is large.
func checkSize(f format, c image.Config, data []byte) error {
	if c.Width < 1 || c.Height < 1 || c.Width > maxSide || c.Height > maxSide || c.Width*c.Height > MaxPixels {
		return refuse(f.hint(), "the %s says it has %d x %d pixels; 1 to %d each way and %d in all are allowed", f.name, c.Width, c.Height, maxSide, MaxPixels)
	}
	pixels := float64(c.Width) * float64(c.Height)
	each := pixelBytes(c.ColorModel)
	if f.name == formatJPEG.name {
		h := readJPEGHeader(data)
		each = h.samples
		if h.progressive {
			each += 4 * h.samples // its coefficients are kept until the last scan
			if float64(h.scans)*pixels > maxScanPixels {
				return refuse(f.hint(), "the %s goes over its %d x %d pixels in %d scans, which is far more than any camera or program writes", f.name, c.Width, c.Height, h.scans)
			}
		}
	}
	if each*pixels > maxDecoded {
		return refuse("send a smaller copy of it", "the %s of %d x %d pixels would take %.0f MiB decoded, %d are allowed", f.name, c.Width, c.Height, each*pixels/(1<<20), maxDecoded>>20)
	}
	if each*pixels > largeDecoded {
		runtime.GC()
	}
	return nil
}

// pixelBytes returns how many bytes the decoded pixel of a colour model takes.
func pixelBytes(m color.Model) float64 {
	switch m {
	case color.GrayModel:
		return 1
	case color.Gray16Model:
		return 2
	case color.RGBA64Model, color.NRGBA64Model:
		return 8
	case color.YCbCrModel:
		return 3
	case color.NYCbCrAModel:
		return 1 + 1.5 + 4 // lossy WebP: the alpha is decoded as a picture of its own
	}
	if _, paletted := m.(color.Palette); paletted {
		return 1
	}
	return 4
}

// reduce makes what is kept of a decoded picture in one pass over its rows.
func reduce(ctx context.Context, img image.Image, e exif, patches bool) (*Picture, error) {
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	if w < 1 || h < 1 {
		return nil, refuse(pictureHint, "the picture has %d x %d pixels", w, h)
	}
	grid, input := sense.NewGreyGrid(w, h), newStretch(InputSide, InputSide, w, h)
	var squares *patching
	if patches {
		squares = newPatching(w, h, e.orientation)
	}
	err := eachRow(ctx, img, func(y int, pixels []byte) {
		grid.AddRow(y, pixels)
		input.addRow(y, pixels)
		if squares != nil {
			squares.addRow(y, pixels)
		}
	})
	if err != nil {
		return nil, err
	}
	p := &Picture{Width: w, Height: h, Place: e.place, Taken: e.taken}
	if e.orientation.sideways() {
		p.Width, p.Height = h, w
	}
	for colour := range 3 {
		p.Pixels = append(p.Pixels, upright(input.plane(colour), InputSide, e.orientation)...)
	}
	if squares != nil {
		p.Patches = squares.patches()
	}
	p.Hash = sense.PHash64(upright(grid.Cells(), sense.HashGrid, e.orientation))
	return p, nil
}
