package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"path/filepath"

	"combray/internal/media"
	"combray/internal/sense"
)

// ffmpeg turns a file, or standard input, into what the arguments say on standard output.
func ffmpeg(ctx context.Context, input []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "ffmpeg", append([]string{"-v", "error"}, args...)...)
	var out, complaint bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &complaint
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("ffmpeg: %w: %s", err, complaint.String())
	}
	return out.Bytes(), nil
}

// hear decodes a clip of a set, at most some seconds of it.
func (t tools) hear(ctx context.Context, path string, seconds float64) ([]float32, error) {
	flac, err := ffmpeg(ctx, nil, "-i", filepath.Join(t.data, path), "-t", fmt.Sprint(seconds), "-ac", "1", "-f", "flac", "-")
	if err != nil {
		return nil, err
	}
	s, err := media.ReadSound(ctx, flac)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s.Samples, nil
}

// wav returns the samples as a file of 16 bits.
func wav(samples []float32) []byte {
	data := make([]byte, 0, 2*len(samples))
	for _, x := range samples {
		data = binary.LittleEndian.AppendUint16(data, uint16(int16(math.Round(float64(max(-1, min(1, x)))*32767))))
	}
	head := []byte("RIFF\x00\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80>\x00\x00\x00}\x00\x00\x02\x00\x10\x00data\x00\x00\x00\x00")
	binary.LittleEndian.PutUint32(head[4:], uint32(36+len(data)))
	binary.LittleEndian.PutUint32(head[40:], uint32(len(data)))
	return append(head, data...)
}

// kinds measures sound59 on the environmental clips.
func kinds(ctx context.Context, t tools) error {
	items, err := t.items("audio-esc10")
	if err != nil {
		return err
	}
	vectors := make([]sense.Vector, len(items))
	for i, it := range items {
		samples, err := t.hear(ctx, filepath.Join("audio-esc10", it.File), 5)
		if err != nil {
			return err
		}
		vectors[i] = sense.NewVector(sense.Sound59(samples))
	}
	alike := func(i, j int) float64 { return vectors[i].Cosine(vectors[j]) }
	equal := func(i, j int) bool { return items[i].Label == items[j].Label }
	var different, same []float64
	for i := range items {
		for j := range i {
			if equal(i, j) {
				same = append(same, alike(i, j))
			} else {
				different = append(different, alike(i, j))
			}
		}
	}
	mAP, first := precision(len(items), alike, equal, never)
	fmt.Printf("sound59, %d clips: mAP %.3f, rank 1 %.2f; different classes median %.3f, 99 %% %.3f; same class median %.3f\n\n",
		len(items), mAP, first, quantile(different, .5), quantile(different, .99), quantile(same, .5))
	return nil
}

// telephone measures the voice encoder on the prompts: same voice, other phrase.
func telephone(ctx context.Context, t tools) error {
	items, err := t.items("speech-asterisk")
	if err != nil {
		return err
	}
	voices := make([]sense.Vector, len(items))
	for i, it := range items {
		samples, err := t.hear(ctx, filepath.Join("speech-asterisk", it.File), 10)
		if err != nil {
			return err
		}
		v, err := t.voice.Hear(ctx, sense.VoiceMel(samples))
		if err != nil {
			return err
		}
		voices[i] = sense.NewVector(v)
	}
	alike := func(i, j int) float64 { return voices[i].Cosine(voices[j]) }
	equal := func(i, j int) bool { return items[i].Lang == items[j].Lang }
	var different []float64
	for i := range items {
		for j := range i {
			if !equal(i, j) {
				different = append(different, alike(i, j))
			}
		}
	}
	mAP, first := precision(len(items), alike, equal, func(i, j int) bool { return items[i].Item == items[j].Item })
	fmt.Printf("voice, %d prompts: mAP %.3f, rank 1 %.2f; different voices median %.3f, 99 %% %.3f\n\n",
		len(items), mAP, first, quantile(different, .5), quantile(different, .99))
	return nil
}

// recordings measures the sound print on all clips of all sets.
func recordings(ctx context.Context, t tools) error {
	clips, err := t.clips(ctx)
	if err != nil {
		return err
	}
	prints := make([]sense.Print, len(clips))
	var apart []float64
	for i, c := range clips {
		prints[i] = sense.NewPrint(c)
		for j := range i {
			if m := prints[i].Match(prints[j]); m.Frames > 0 {
				apart = append(apart, m.Z)
			}
		}
	}
	fmt.Printf("sound print, %d clips, %d pairs: z of different clips median %.3f, 99 %% %.3f, 99.9 %% %.3f, largest %.3f\n",
		len(clips), len(apart), quantile(apart, .5), quantile(apart, .99), quantile(apart, .999), quantile(apart, 1))
	fmt.Println("change\trank 1\tz >= 2.2")
	for _, e := range soundEdits {
		var first, found float64
		for i, c := range clips {
			changed, err := e.change(ctx, c, rand.New(rand.NewPCG(uint64(i), 1)))
			if err != nil {
				return err
			}
			p := sense.NewPrint(changed)
			best, z := -1, math.Inf(-1)
			for j, q := range prints {
				if m := p.Match(q); m.Frames > 0 && m.Z > z {
					best, z = j, m.Z
				}
			}
			first += share(best == i, len(clips))
			found += share(best == i && z >= 2.2, len(clips))
		}
		fmt.Printf("%s\t%.3f\t%.3f\n", e.name, first, found)
	}
	return nil
}

// clips decodes every sound there is, three seconds and a bit of each.
func (t tools) clips(ctx context.Context) ([][]float32, error) {
	var out [][]float32
	for _, set := range []string{"audio-esc10", "images-tuxpaint", "speech-asterisk", "speech-tuxpaint"} {
		items, err := t.items(set)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			file := it.File
			if set == "images-tuxpaint" {
				file = it.Sound
			}
			if file == "" {
				continue
			}
			samples, err := t.hear(ctx, filepath.Join(set, file), 3.37)
			if err != nil {
				return nil, err
			}
			out = append(out, samples)
		}
	}
	return out, nil
}

// soundEdits are what happens to a clip on its way.
var soundEdits = []struct {
	name   string
	change func(context.Context, []float32, *rand.Rand) ([]float32, error)
}{
	{"white noise at 10 dB", func(_ context.Context, s []float32, r *rand.Rand) ([]float32, error) { return noisy(s, r), nil }},
	{"clipped at a quarter", func(_ context.Context, s []float32, _ *rand.Rand) ([]float32, error) { return clipped(s), nil }},
	{"first 0.37 s cut", func(_ context.Context, s []float32, _ *rand.Rand) ([]float32, error) {
		return s[min(len(s)/3, 37*sense.SampleRate/100):], nil
	}},
	{"300 to 3400 Hz", filtered("highpass=f=300,highpass=f=300,lowpass=f=3400,lowpass=f=3400")},
	{"1 % faster", filtered("asetrate=16160,aresample=16000")},
	{"mp3, 24 kbit/s", coded("mp3", "-b:a", "24k")},
	{"mp3, 64 kbit/s", coded("mp3", "-b:a", "64k")},
}

func noisy(samples []float32, r *rand.Rand) []float32 {
	power := 0.
	for _, x := range samples {
		power += float64(x) * float64(x)
	}
	level := math.Sqrt(power / float64(len(samples)) / 10)
	out := make([]float32, len(samples))
	for i, x := range samples {
		out[i] = x + float32(level*r.NormFloat64())
	}
	return out
}

func clipped(samples []float32) []float32 {
	peak := float32(0)
	for _, x := range samples {
		peak = max(peak, x, -x)
	}
	out := make([]float32, len(samples))
	for i, x := range samples {
		out[i] = max(-peak/4, min(peak/4, x))
	}
	return out
}

func filtered(filter string) func(context.Context, []float32, *rand.Rand) ([]float32, error) {
	return throughFile("-af", filter, "-f", "flac")
}

func coded(format string, options ...string) func(context.Context, []float32, *rand.Rand) ([]float32, error) {
	return throughFile(append(options, "-f", format)...)
}

// throughFile sends a clip through ffmpeg and reads the file that comes out.
func throughFile(args ...string) func(context.Context, []float32, *rand.Rand) ([]float32, error) {
	return func(ctx context.Context, samples []float32, _ *rand.Rand) ([]float32, error) {
		file, err := ffmpeg(ctx, wav(samples), append(append([]string{"-i", "-"}, args...), "-")...)
		if err != nil {
			return nil, err
		}
		s, err := media.ReadSound(ctx, file)
		if err != nil {
			return nil, err
		}
		return s.Samples, nil
	}
}
