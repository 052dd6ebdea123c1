package media

import "bytes"

// format is a kind of file.
type format struct {
	name  string
	media string                 // picture, sound, or "" for a format that is only known by name
	sniff func(head []byte) bool // whether a file begins like this
}

// The formats that are decoded.
var (
	formatPNG  = format{"PNG picture", "picture", begins("\x89PNG\r\n\x1a\n")}
	formatJPEG = format{"JPEG picture", "picture", begins("\xff\xd8\xff")}
	formatGIF  = format{"GIF picture", "picture", func(h []byte) bool { return begins("GIF87a")(h) || begins("GIF89a")(h) }}
	formatWebP = format{"WebP picture", "picture", riffForm("WEBP")}
	formatWAV  = format{"WAV sound", "sound", riffForm("WAVE")}
	formatFLAC = format{"FLAC sound", "sound", begins("fLaC")}
	formatMP3  = format{"MP3 sound", "sound", mpegFrame}
)

// formats in the order they are tried; those without media are named in errors, so
// that a person learns what the file is.
var formats = []format{
	formatPNG, formatJPEG, formatGIF, formatWebP, formatWAV, formatFLAC,
	{name: "Ogg file (Vorbis or Opus)", sniff: begins("OggS")},
	{name: "TIFF picture", sniff: func(h []byte) bool { return begins("II*\x00")(h) || begins("MM\x00*")(h) }},
	{name: "BMP picture", sniff: begins("BM")},
	{name: "AIFF sound", sniff: begins("FORM")},
	{name: "Matroska or WebM file", sniff: begins("\x1aE\xdf\xa3")},
	{name: "PDF document", sniff: begins("%PDF")},
	{name: "HEIC, AVIF, MP4 or M4A file", sniff: func(h []byte) bool { return len(h) >= 8 && string(h[4:8]) == "ftyp" }},
	{name: "AAC sound", sniff: func(h []byte) bool { return len(h) >= 2 && h[0] == 0xff && h[1]&0xf6 == 0xf0 }},
	formatMP3,
}

// begins returns a test for a prefix.
func begins(prefix string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(prefix)) }
}

// riffForm returns a test for a RIFF file of a form.
func riffForm(form string) func([]byte) bool {
	return func(head []byte) bool {
		return len(head) >= 12 && string(head[:4]) == "RIFF" && string(head[8:12]) == form
	}
}

// mpegFrame tests for the header of an MPEG audio frame, layer III: eleven bits of
// synchronisation, a version, a layer, a bit rate and a sample rate that exist.
func mpegFrame(h []byte) bool {
	return len(h) >= 4 && h[0] == 0xff && h[1]&0xe0 == 0xe0 && h[1]&0x18 != 0x08 && h[1]&0x06 == 0x02 &&
		h[2]&0xf0 != 0xf0 && h[2]&0x0c != 0x0c
}

// hint is what to do when a file of the format cannot be used.
func (f format) hint() string {
	if f.media == "sound" {
		return soundHint
	}
	return pictureHint
}

const (
	pictureHint = "send a whole PNG, JPEG, GIF or WebP picture of at most 10 MiB and 25 million pixels"
	soundHint   = "send a whole WAV, FLAC or MP3 sound of at most 10 MiB"
)

// recognise returns the format of a file by its content, if it holds the wanted media.
func recognise(data []byte, media string) (format, error) {
	hint := format{media: media}.hint()
	if len(data) == 0 {
		return format{}, refuse(hint, "the %s has no bytes", media)
	}
	if len(data) > MaxBytes {
		return format{}, refuse(hint, "the %s has %d bytes, at most %d are allowed", media, len(data), MaxBytes)
	}
	for _, f := range formats {
		if !f.sniff(data) {
			continue
		}
		if f.media != media {
			return format{}, refuse(hint, "a %s is wanted, and this is a %s", media, f.name)
		}
		return f, nil
	}
	return format{}, refuse(hint, "the %s has a format that is not known", media)
}
