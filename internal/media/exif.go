package media

import (
	"bytes"
	"context"
	"math"
	"strings"
	"time"

	"github.com/bep/imagemeta"
)

// Place is where a picture was taken, in WGS84 degrees, as its file says.
type Place struct{ Lat, Lon float64 }

// Taken is when a picture was taken, as its file says: the wall clock of the camera.
// Without an offset in the file the time stands in UTC and is only a wall clock.
type Taken struct {
	Time      time.Time
	HasOffset bool
}

// exif is what is read of the EXIF block of a picture.
type exif struct {
	orientation orientation
	place       *Place
	taken       *Taken
}

// exifTags are the tags that are read, with the directory each must stand in: other
// directories use the same numbers, which are then read as the same names.
var exifTags = map[string]string{
	"Orientation":        "IFD0",
	"DateTimeOriginal":   "IFD0/ExifIFDP",
	"CreateDate":         "IFD0/ExifIFDP",
	"OffsetTimeOriginal": "IFD0/ExifIFDP", "OffsetTimeDigitized": "IFD0/ExifIFDP",
	"GPSLatitude": "IFD0/GPSInfoIFD", "GPSLatitudeRef": "IFD0/GPSInfoIFD",
	"GPSLongitude": "IFD0/GPSInfoIFD", "GPSLongitudeRef": "IFD0/GPSInfoIFD",
}

// exifFormats are the formats that may hold an EXIF block.
var exifFormats = map[string]imagemeta.ImageFormat{
	formatJPEG.name: imagemeta.JPEG, formatPNG.name: imagemeta.PNG, formatWebP.name: imagemeta.WebP,
}

// readEXIF reads the EXIF block of a picture. A block that is missing or damaged tells
// nothing: the picture is good without it.
func readEXIF(ctx context.Context, data []byte, f format) exif {
	tags := map[string]any{}
	kind, may := exifFormats[f.name]
	if !may {
		return exif{}
	}
	_ = fenced(ctx, f, func() error {
		_, err := imagemeta.Decode(imagemeta.Options{
			R: bytes.NewReader(data), ImageFormat: kind, Sources: imagemeta.EXIF,
			ShouldHandleTag: func(t imagemeta.TagInfo) bool {
				return exifTags[t.Tag] != "" && exifTags[t.Tag] == t.Namespace
			},
			HandleTag: func(t imagemeta.TagInfo) error {
				if _, twice := tags[t.Tag]; !twice {
					tags[t.Tag] = t.Value
				}
				return ctx.Err()
			},
		})
		return err
	})
	return exif{orientation: orientationOf(tags), place: placeOf(tags), taken: takenOf(tags)}
}

func orientationOf(tags map[string]any) orientation {
	o, _ := tags["Orientation"].(uint16)
	return orientation(o)
}

// placeOf returns the place in the tags, if it is one on earth. A coordinate of exactly
// 0 is what cameras write before they know where they are, and what a division by zero
// is read as.
func placeOf(tags map[string]any) *Place {
	lat, hasLat := tags["GPSLatitude"].(float64)
	lon, hasLon := tags["GPSLongitude"].(float64)
	if !hasLat || !hasLon || math.IsNaN(lat) || math.IsNaN(lon) || lat == 0 || lon == 0 {
		return nil
	}
	if ref, _ := tags["GPSLatitudeRef"].(string); strings.HasPrefix(ref, "S") {
		lat = -lat
	}
	if ref, _ := tags["GPSLongitudeRef"].(string); strings.HasPrefix(ref, "W") {
		lon = -lon
	}
	if math.Abs(lat) > 90 || math.Abs(lon) > 180 {
		return nil
	}
	return &Place{Lat: lat, Lon: lon}
}

// takenOf returns when the picture was taken, or else digitised. The time a file was
// changed is neither.
func takenOf(tags map[string]any) *Taken {
	for _, pair := range [][2]string{{"DateTimeOriginal", "OffsetTimeOriginal"}, {"CreateDate", "OffsetTimeDigitized"}} {
		clock, _ := tags[pair[0]].(string)
		offset, _ := tags[pair[1]].(string)
		clock, offset = strings.TrimSpace(clock), strings.TrimSpace(offset)
		if t, err := time.Parse("2006:01:02 15:04:05-07:00", clock+offset); err == nil {
			return &Taken{Time: t, HasOffset: true}
		}
		if t, err := time.Parse("2006:01:02 15:04:05", clock); err == nil {
			return &Taken{Time: t}
		}
	}
	return nil
}
