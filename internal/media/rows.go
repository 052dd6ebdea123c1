package media

import (
	"context"
	"image"
	"image/color"
	"image/draw"
)

// eachRow gives every row of a picture as R G B A bytes on a white ground, from top to
// bottom. The bytes are valid until the next row. Working by rows, what is taken of
// memory beside the decoded picture does not grow with it.
func eachRow(ctx context.Context, img image.Image, use func(y int, pixels []byte)) error {
	const band = 16 // rows converted at a time
	bounds := img.Bounds()
	strip := image.NewRGBA(image.Rect(0, 0, bounds.Dx(), band))
	white := image.NewUniform(color.White)
	for top := 0; top < bounds.Dy(); top += band {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := image.Rect(0, 0, bounds.Dx(), min(band, bounds.Dy()-top))
		if !opaque(img) {
			draw.Draw(strip, part, white, image.Point{}, draw.Src)
		}
		draw.Draw(strip, part, img, image.Pt(bounds.Min.X, bounds.Min.Y+top), draw.Over)
		for y := range part.Dy() {
			use(top+y, strip.Pix[y*strip.Stride:][:4*bounds.Dx()])
		}
	}
	return nil
}

// opaque reports whether every picture of this kind is: its rows need no ground.
func opaque(img image.Image) bool {
	switch img.(type) {
	case *image.YCbCr, *image.Gray, *image.Gray16, *image.CMYK:
		return true
	}
	return false
}
