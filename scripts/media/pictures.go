package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math/bits"
	"os"
	"path/filepath"
	"strings"

	xdraw "golang.org/x/image/draw"

	"combray/internal/media"
	"combray/internal/sense"
)

// exif compares place and time read from photographs with what is known of them.
func exif(ctx context.Context, t tools) error {
	items, err := t.items("photos-exif-gps")
	if err != nil {
		return err
	}
	right := 0
	for _, i := range items {
		data, err := os.ReadFile(filepath.Join(t.data, "photos-exif-gps", i.File))
		if err != nil {
			return err
		}
		p, err := media.ReadPicture(ctx, data)
		if err != nil {
			return err
		}
		if p.Place != nil && p.Taken != nil && sense.Distance(p.Place.Lat, p.Place.Lon, i.Lat, i.Lon) < 15 &&
			p.Taken.Time.Format("2006:01:02 15:04:05") == i.Taken {
			right++
		}
	}
	fmt.Printf("EXIF: place and time right in %d of %d photographs\n\n", right, len(items))
	return nil
}

// print is what is compared of a picture.
type print struct {
	hash   uint64
	vector sense.Vector
	words  string
}

func (t tools) see(ctx context.Context, data []byte) (print, error) {
	p, err := media.ReadPicture(ctx, data)
	if err != nil {
		return print{}, err
	}
	seen, err := t.picture.See(ctx, p.Pixels)
	if err != nil {
		return print{}, err
	}
	return print{p.Hash, sense.NewVector(seen.Vector), seen.Labels[0].Name}, nil
}

// pictures measures copies, edits and categories on the stamps.
func pictures(ctx context.Context, t tools) error {
	items, err := t.items("images-tuxpaint")
	if err != nil {
		return err
	}
	whole, images := make([]print, len(items)), make([]image.Image, len(items))
	for i, it := range items {
		data, err := os.ReadFile(filepath.Join(t.data, "images-tuxpaint", it.File))
		if err != nil {
			return err
		}
		if images[i], err = jpeg.Decode(bytes.NewReader(data)); err != nil {
			return err
		}
		if whole[i], err = t.see(ctx, data); err != nil {
			return err
		}
	}
	cosines, distances := unrelated(items, whole)
	fmt.Printf("pictures of different categories: cosine median %.3f, 99 %% %.3f, 99.9 %% %.3f; pHash64 distance median %.0f, 1 %% %.0f\n",
		quantile(cosines, .5), quantile(cosines, .99), quantile(cosines, .999), quantile(distances, .5), quantile(distances, .01))
	fmt.Println("edit\tpHash64 d <= 11\tencoder >= .722\tencoder >= .80")
	for _, e := range edits {
		var copies, near, same float64
		for i, img := range images {
			p, err := t.see(ctx, e.file(img))
			if err != nil {
				return err
			}
			copies += share(bits.OnesCount64(p.hash^whole[i].hash) <= 11, len(images))
			c := p.vector.Cosine(whole[i].vector)
			near += share(c >= .722, len(images))
			same += share(c >= .80, len(images))
		}
		fmt.Printf("%s\t%.2f\t%.2f\t%.2f\n", e.name, copies, near, same)
	}
	category := func(i int) string { return strings.SplitN(items[i].Category, "/", 2)[0] }
	mAP, first := precision(len(items), func(i, j int) float64 { return whole[i].vector.Cosine(whole[j].vector) },
		func(i, j int) bool { return category(i) == category(j) }, never)
	fmt.Printf("same category: mAP %.3f, rank 1 %.3f\n\n", mAP, first)
	return nil
}

func never(int, int) bool { return false }

func share(is bool, of int) float64 {
	if is {
		return 1 / float64(of)
	}
	return 0
}

func unrelated(items []item, whole []print) (cosines, distances []float64) {
	for i := range items {
		for j := range i {
			if items[i].Category != items[j].Category {
				cosines = append(cosines, whole[i].vector.Cosine(whole[j].vector))
				distances = append(distances, float64(bits.OnesCount64(whole[i].hash^whole[j].hash)))
			}
		}
	}
	return cosines, distances
}

// edits of a picture, as files.
var edits = []struct {
	name string
	file func(image.Image) []byte
}{
	{"half size", func(i image.Image) []byte { return asPNG(scaled(i, .5)) }},
	{"JPEG 30", func(i image.Image) []byte { return asJPEG(i, 30) }},
	{"grey", func(i image.Image) []byte { return asPNG(each(i, grey)) }},
	{"0.6 brightness", func(i image.Image) []byte { return asPNG(each(i, brighter(.6))) }},
	{"80 % of each side, centre", func(i image.Image) []byte { return asPNG(cut(i, .8, .1, .1)) }},
	{"80 % of each side, corner", func(i image.Image) []byte { return asPNG(cut(i, .8, 0, 0)) }},
	{"mirrored", func(i image.Image) []byte { return asPNG(mirrored(i)) }},
	{"90 % of each side, 0.7 of the size, 1.2 brightness, JPEG 40", func(i image.Image) []byte {
		return asJPEG(each(scaled(cut(i, .9, .05, .05), .7), brighter(1.2)), 40)
	}},
}

func asPNG(img image.Image) []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, img) // a buffer takes everything
	return b.Bytes()
}

func asJPEG(img image.Image, quality int) []byte {
	var b bytes.Buffer
	_ = jpeg.Encode(&b, img, &jpeg.Options{Quality: quality}) // a buffer takes everything
	return b.Bytes()
}

func scaled(img image.Image, by float64) image.Image {
	r := img.Bounds()
	out := image.NewRGBA(image.Rect(0, 0, max(1, int(by*float64(r.Dx()))), max(1, int(by*float64(r.Dy())))))
	xdraw.CatmullRom.Scale(out, out.Rect, img, r, draw.Src, nil)
	return out
}

func cut(img image.Image, by, x, y float64) image.Image {
	r := img.Bounds()
	w, h := float64(r.Dx()), float64(r.Dy())
	out := image.NewRGBA(image.Rect(0, 0, int(by*w), int(by*h)))
	draw.Draw(out, out.Rect, img, image.Pt(r.Min.X+int(x*w), r.Min.Y+int(y*h)), draw.Src)
	return out
}

func mirrored(img image.Image) image.Image {
	r := img.Bounds()
	out := image.NewRGBA(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			out.Set(r.Max.X-1-(x-r.Min.X), y, img.At(x, y))
		}
	}
	return out
}

func each(img image.Image, change func(color.Color) color.Color) image.Image {
	r := img.Bounds()
	out := image.NewRGBA(r)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			out.Set(x, y, change(img.At(x, y)))
		}
	}
	return out
}

func grey(c color.Color) color.Color { return color.GrayModel.Convert(c) }

func brighter(by float64) func(color.Color) color.Color {
	return func(c color.Color) color.Color {
		r, g, b, _ := c.RGBA()
		light := func(v uint32) uint8 { return uint8(min(255, by*float64(v>>8))) }
		return color.RGBA{light(r), light(g), light(b), 255}
	}
}
