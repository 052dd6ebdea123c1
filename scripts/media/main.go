// Command media measures the comparison of pictures and sounds on the evaluation data
// that lies beside a developer's checkout: what is found again after an edit, what kinds
// are told apart, and where unrelated pairs lie, which are the bounds of internal/sense.
// Sounds in Ogg, and edits by codecs, need ffmpeg on the path.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"combray/encoder"
	"combray/encoder/bundled"
	"combray/internal/models"
)

func main() {
	data := flag.String("data", "../shared/eval", "folder of the evaluation data")
	only := flag.String("set", "", "the one set to measure; empty for all")
	flag.Parse()
	if err := run(context.Background(), *data, *only); err != nil {
		fmt.Fprintln(os.Stderr, "media:", err)
		os.Exit(1)
	}
}

// parts are the measurements, each with the folder it needs.
var parts = []struct {
	folder string
	run    func(context.Context, tools) error
}{
	{"photos-exif-gps", exif},
	{"images-tuxpaint", pictures},
	{"audio-esc10", kinds},
	{"speech-asterisk", telephone},
	{"speech-tuxpaint", recordings},
}

// tools are what the measurements work with.
type tools struct {
	data    string
	picture *encoder.Picture
	voice   *encoder.Voice
}

func run(ctx context.Context, data, only string) error {
	t := tools{data: data}
	for _, p := range parts {
		if only != "" && only != p.folder {
			continue
		}
		if _, err := os.Stat(filepath.Join(data, p.folder)); err != nil {
			fmt.Printf("%s is not there: nothing is measured on it\n\n", p.folder)
			continue
		}
		if t.picture == nil {
			if err := t.open(ctx); err != nil {
				return err
			}
			defer t.picture.Close()
			defer t.voice.Close()
		}
		if err := p.run(ctx, t); err != nil {
			return fmt.Errorf("%s: %w", p.folder, err)
		}
	}
	return nil
}

func (t *tools) open(ctx context.Context) error {
	store := models.Store{Dir: os.Getenv("COMBRAY_MODELS_DIR"), Library: os.Getenv("COMBRAY_ORT_LIB")}
	library, err := store.FindRuntime(ctx)
	if err != nil {
		return err
	}
	cfg := encoder.MediaConfig{Library: library}
	if t.picture, err = encoder.OpenPicture(ctx, cfg, bundled.Picture()); err != nil {
		return err
	}
	t.voice, err = encoder.OpenVoice(ctx, cfg, bundled.Voice())
	return err
}
