package media

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"combray/internal/sense/sensetest"
)

// The bar for a file that is hostile, damaged or cut off.
const (
	hostileFiles  = 500
	hostileTime   = time.Second
	hostileMemory = 200 // MiB of the whole process, at its peak
)

// hostile is a file that must be refused.
type hostile struct {
	name string
	data []byte
	read func(*testing.T, []byte) error
}

func readPicture(t *testing.T, data []byte) error {
	_, err := ReadPicture(t.Context(), data)
	return err
}

func readSound(t *testing.T, data []byte) error {
	_, err := ReadSound(t.Context(), data)
	return err
}

// TestHostileFiles makes the files and reads each: a clear error within a second. The
// memory is measured in a process of its own that does nothing else.
func TestHostileFiles(t *testing.T) {
	files := 0
	eachHostile(t, func(f hostile) {
		files++
		began := time.Now()
		err := f.read(t, f.data)
		if took := time.Since(began); took > hostileTime {
			t.Errorf("%s: %v", f.name, took)
		}
		var ours *Error
		switch {
		case err == nil:
			t.Errorf("%s was accepted", f.name)
		case !errors.As(err, &ours):
			t.Errorf("%s: %v is no *Error", f.name, err)
		case len(ours.Message) < 20 || len(ours.Hint) < 10:
			t.Errorf("%s: %q says too little", f.name, err)
		}
	})
	if files < hostileFiles {
		t.Errorf("only %d files are made, %d are promised", files, hostileFiles)
	}
	if runtime.GOOS == "linux" && os.Getenv("COMBRAY_TEST_HOSTILE") == "" {
		checkHostileMemory(t)
	}
}

func checkHostileMemory(t *testing.T) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestHostilePeak$", "-test.v")
	cmd.Env = append(os.Environ(), "COMBRAY_TEST_HOSTILE=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, text, found := strings.Cut(string(out), "peak kB: ")
	var kB int
	if _, err := fmt.Sscan(text, &kB); !found || err != nil {
		t.Fatalf("no peak in %s", out)
	}
	t.Logf("peak of a process that read all files: %d MiB", kB/1024)
	if kB > hostileMemory*1024 {
		t.Errorf("reading the files took %d MiB, %d are allowed", kB/1024, hostileMemory)
	}
}

// TestHostilePeak is the process of checkHostileMemory.
func TestHostilePeak(t *testing.T) {
	if os.Getenv("COMBRAY_TEST_HOSTILE") == "" {
		return
	}
	TestHostileFiles(t)
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, peak, _ := strings.Cut(string(status), "VmHWM:")
	t.Logf("peak kB: %s", strings.Fields(peak)[0])
}

// eachHostile makes the files, always the same ones, one after the other so that none
// stays in memory.
func eachHostile(tb testing.TB, use func(hostile)) {
	picture := func(name string, data []byte) { use(hostile{name, data, readPicture}) }
	sound := func(name string, data []byte) { use(hostile{name, data, readSound}) }
	truncations(tb, picture, sound)
	noiseBehindMagic(picture, sound)
	pictureBombs(tb, picture)
	soundHeaders(tb, sound)
	soundContents(tb, sound)
	wrongKinds(tb, picture, sound)
}

// truncations cuts whole files at many places inside what is needed of them.
func truncations(tb testing.TB, picture, sound func(string, []byte)) {
	img := sensetest.Picture(tb, "plasma")
	melody := sensetest.Sound(tb, "melody")
	pictures := map[string][]byte{"PNG": encodePNG(tb, img), "JPEG": encodeJPEG(tb, img, 80), "GIF": encodeGIF(tb, img), "WebP": smallWebP}
	sounds := map[string][]byte{"WAV": melodyWAV(tb), "FLAC": encodeFLAC(tb, melody, 16000)}
	const cuts = 30
	mp3 := noisyMP3(cuts)
	for i := range cuts {
		share := float64(i) / cuts * .97
		for name, file := range pictures {
			picture(fmt.Sprintf("%.0f %% of a %s", 100*share, name), file[:int(share*float64(len(file)))])
		}
		for name, file := range sounds {
			sound(fmt.Sprintf("%.0f %% of a %s", 100*share, name), file[:int(share*float64(len(file)))])
		}
		sound(fmt.Sprintf("%d frames and a half of an MP3", i), mp3[:i*mp3Frame+mp3Frame/2])
	}
}

// noiseBehindMagic puts random bytes behind the beginning of every format.
func noiseBehindMagic(picture, sound func(string, []byte)) {
	random := rand.New(rand.NewPCG(7, 11))
	for i := range 28 {
		noise := make([]byte, 1<<(4+i%14))
		for j := range noise {
			noise[j] = byte(random.Uint32())
		}
		size := binary.LittleEndian.AppendUint32(nil, uint32(len(noise)+4))
		for name, magic := range map[string]string{"PNG": "\x89PNG\r\n\x1a\n", "JPEG": "\xff\xd8\xff\xe0", "GIF": "GIF89a", "WebP": "RIFF" + string(size) + "WEBP"} {
			picture(fmt.Sprintf("%d random bytes as %s", len(noise), name), append([]byte(magic), noise...))
		}
		for name, magic := range map[string]string{"WAV": "RIFF" + string(size) + "WAVE", "FLAC": "fLaC", "ID3": "ID3\x04\x00\x00\x7f\x7f\x7f\x7f"} {
			sound(fmt.Sprintf("%d random bytes as %s", len(noise), name), append([]byte(magic), noise...))
		}
	}
}

// pictureBombs promise far more pixels than they have bytes, or work without end.
func pictureBombs(tb testing.TB, picture func(string, []byte)) {
	for _, size := range [][2]uint32{{65535, 65535}, {1 << 30, 1 << 30}, {1 << 31, 1}, {0, 0}, {0, 5}, {30000, 30000}, {25_000_001, 1}, {70000, 300}, {5001, 5000}} {
		header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, size[0]), size[1])
		file := pngChunk(encodePNG(tb, image.NewGray(image.Rect(0, 0, 1, 1))), "tEXt", nil)
		copy(file[16:], header)
		refreshIHDR(file)
		picture(fmt.Sprintf("a PNG of %d x %d", size[0], size[1]), file)
		gif := encodeGIF(tb, sensetest.Picture(tb, "gradient"))
		copy(gif[6:], binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, uint16(size[0]|0x8000)), uint16(size[1]|0x8000)))
		picture(fmt.Sprintf("a GIF of %d x %d", size[0], size[1]), gif)
		jpeg := encodeJPEG(tb, sensetest.Picture(tb, "gradient"), 50)
		at := bytes.Index(jpeg, []byte{0xff, markerSOF0})
		copy(jpeg[at+5:], []byte{0xff, byte(size[0]), 0xff, byte(size[1])})
		picture(fmt.Sprintf("a JPEG of %d x %d", size[0], size[1]), jpeg)
		webp := bytes.Clone(smallWebP)
		copy(webp[26:], []byte{0xff, 0x3f, 0xff, 0x3f})
		picture("a WebP of 16383 x 16383", webp)
	}
	// As large as is allowed, and without pixels: what is made must fit.
	file := encodePNG(tb, image.NewNRGBA(image.Rect(0, 0, 1, 1)))
	copy(file[16:], binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, 4900), 4900))
	refreshIHDR(file)
	for range 5 {
		picture("an empty PNG of 4900 x 4900", file)
	}
	for _, scans := range []int{200, 5000} {
		picture(fmt.Sprintf("a progressive JPEG of %d scans", scans), manyScans(scans))
	}
	picture("a large progressive JPEG", progressive(4500, 4500, nil))
}

func refreshIHDR(file []byte) {
	copy(file[8:], pngChunk(make([]byte, 33), "IHDR", file[16:29])[33:])
}

// progressive returns the header of a progressive JPEG of full-size components, and
// what follows.
func progressive(w, h int, rest []byte) []byte {
	file := []byte{0xff, 0xd8, 0xff, markerSOF2, 0, 17, 8, byte(h >> 8), byte(h), byte(w >> 8), byte(w), 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0}
	return append(file, rest...)
}

// manyScans is a JPEG in which every scan skips the whole picture in a few bytes.
func manyScans(n int) []byte {
	scan := []byte{0xff, markerSOS, 0, 8, 1, 1, 0, 1, 1, 0, 0xff, 0}
	return progressive(2000, 2000, bytes.Repeat(scan, n))
}

// soundHeaders say what cannot be.
func soundHeaders(tb testing.TB, sound func(string, []byte)) {
	values := wide(sensetest.Sound(tb, "melody")[:8000])
	for _, rate := range []int{0, 1, 3999, 192_001, 1 << 30, math.MaxUint32} {
		sound(fmt.Sprintf("a WAV of %d Hz", rate), wavOf{wavePCM, 1, 16, rate, values}.bytes())
	}
	for _, channels := range []int{0, 9, 255, 65535} {
		sound(fmt.Sprintf("a WAV of %d channels", channels), wavOf{wavePCM, channels, 16, 16000, values}.bytes())
	}
	for _, kind := range [][2]int{{wavePCM, 0}, {wavePCM, 1}, {wavePCM, 12}, {wavePCM, 64}, {waveFloat, 16}, {2, 16}, {6, 8}, {0x55, 0}, {waveExtensible, 16}} {
		file := wavFile(wavOf{kind[0], 1, kind[1], 16000, nil}.header(), make([]byte, 8000))
		sound(fmt.Sprintf("a WAV of format %d with %d bits", kind[0], kind[1]), file)
	}
	good := melodyWAV(tb)
	for name, at := range map[string]int{"RIFF": 4, "fmt": 16, "data": 40} {
		for _, length := range []uint32{0, 3, math.MaxUint32, math.MaxInt32, uint32(len(good)) + 2} {
			if name == "RIFF" && length > 3 {
				continue // recorders that stream leave it open; the data is whole
			}
			file := bytes.Clone(good)
			binary.LittleEndian.PutUint32(file[at:], length)
			sound(fmt.Sprintf("a WAV whose %s chunk has %d bytes", name, length), file)
		}
	}
	sound("a WAV without samples before its data", riffChunk(nil, "RIFF", riffChunk([]byte("WAVE"), "data", good[44:])))
	sound("a WAV without data", riffChunk(nil, "RIFF", riffChunk([]byte("WAVE"), "fmt ", good[20:36])))
	flac := encodeFLAC(tb, sensetest.Sound(tb, "melody"), 16000)
	for name, bits := range map[string][]byte{"no rate": {0, 0, 0}, "655350 Hz": {0x9f, 0xff, 0xf0}} {
		file := bytes.Clone(flac)
		copy(file[18:], bits)
		sound("a FLAC with "+name, file)
	}
	long := bytes.Clone(flac)
	copy(long[21:], []byte{0xff, 0xff, 0xff, 0xff, 0xff})
	sound("a FLAC that promises 2^36 samples", long)
}

// soundContents are whole files that hold nothing one could use.
func soundContents(tb testing.TB, sound func(string, []byte)) {
	melody := wide(sensetest.Sound(tb, "melody"))
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 65, -1e30} {
		for _, bits := range []int{32, 64} {
			values := append([]float64(nil), melody...)
			values[12345] = bad
			sound(fmt.Sprintf("a float%d WAV with a sample of %v", bits, bad), wavOf{waveFloat, 1, bits, 16000, values}.bytes())
		}
	}
	for _, n := range []int{0, 1, 100, 1599} {
		sound(fmt.Sprintf("a WAV of %d samples", n), wavOf{wavePCM, 1, 16, 16000, melody[:n]}.bytes())
		sound(fmt.Sprintf("a FLAC of %d samples", n), encodeFLAC(tb, sensetest.Sound(tb, "melody")[:n], 16000))
	}
	sound("a silent WAV", wavOf{wavePCM, 1, 16, 16000, make([]float64, 16000)}.bytes())
	sound("a silent FLAC", encodeFLAC(tb, make([]float32, 16000), 16000))
	sound("an ID3 tag and nothing else", []byte("ID3\x04\x00\x00\x00\x00\x00\x05hello"))
	sound("an ID3 tag and ten million zeros", append([]byte("ID3\x04\x00\x00\x00\x00\x00\x05hello"), make([]byte, MaxBytes-20)...))
	sound("one MP3 frame and ten million zeros", append(noisyMP3(1), make([]byte, MaxBytes-mp3Frame)...))
}

// wrongKinds are files of another kind, none at all, or too long.
func wrongKinds(tb testing.TB, picture, sound func(string, []byte)) {
	for _, head := range []string{"OggS\x00\x02", "II*\x00", "MM\x00*", "BM", "FORM", "%PDF-1.7", "\x00\x00\x00\x18ftypheic", "\xff\xf1\x50\x80", "<svg>", "hello", "\x00", "RIFF", "RIFF\x04\x00\x00\x00AVI ", "MZ\x90\x00", "PK\x03\x04"} {
		data := append([]byte(head), make([]byte, 100)...)
		picture(fmt.Sprintf("%q as a picture", head), data)
		sound(fmt.Sprintf("%q as a sound", head), data)
	}
	picture("a sound as a picture", melodyWAV(tb))
	sound("a picture as a sound", encodePNG(tb, sensetest.Picture(tb, "plasma")))
	picture("no bytes", nil)
	sound("no bytes", nil)
	picture("a picture over the limit", append(encodePNG(tb, sensetest.Picture(tb, "plasma")), make([]byte, MaxBytes)...))
	sound("a sound over the limit", append(melodyWAV(tb), make([]byte, MaxBytes)...))
}
