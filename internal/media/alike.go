package media

import (
	"encoding/binary"
	"math"
	"strings"

	"combray/internal/sense"
)

// Backends that are no encoders. The number is the version of what they write.
const (
	BackendPHash   = "phash64"       // eight bytes, big-endian
	BackendPrint   = "sound-print-1" // the stored form of sense.Print
	BackendSound59 = "sound59-1"     // a packed vector
)

// What stands before the identity of an encoder, and before the names that callers
// give, so that none of them can be taken for one of ours. Their fingerprints are
// packed vectors.
const (
	picturePrefix = "picture:"
	voicePrefix   = "voice:"
	callerPrefix  = "caller:"

	// SpacePrefix stands before the identity of a space that texts share.
	SpacePrefix = "space:"
)

// packed returns a vector as it is kept, nil when it has no direction: sense.Vector,
// a byte a value.
func packed(values []float32) []byte {
	v := sense.NewVector(values)
	if v == nil {
		return nil
	}
	out := make([]byte, len(v))
	for i, x := range v {
		out[i] = byte(x)
	}
	return out
}

func unpacked(data []byte) sense.Vector {
	v := make(sense.Vector, len(data))
	for i, x := range data {
		v[i] = int8(x)
	}
	return v
}

// Unpacked gives a packed vector with length 1; nil for one without direction.
func Unpacked(data []byte) []float32 {
	sum := 0.
	for _, x := range unpacked(data) {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return nil
	}
	out := make([]float32, len(data))
	for i, x := range unpacked(data) {
		out[i] = float32(float64(x) / math.Sqrt(sum))
	}
	return out
}

// Alike compares two fingerprints of one backend. Those that are damaged, or of a
// backend that is not known, have nothing in common.
func Alike(backend string, a, b []byte) sense.Alike {
	switch {
	case backend == BackendPHash:
		if len(a) != 8 || len(b) != 8 {
			return sense.Alike{}
		}
		return sense.Copy(binary.BigEndian.Uint64(a), binary.BigEndian.Uint64(b))
	case backend == BackendPrint:
		var p, q sense.Print
		if p.UnmarshalBinary(a) != nil || q.UnmarshalBinary(b) != nil {
			return sense.Alike{}
		}
		return sense.Recording(p, q)
	case backend == BackendSound59:
		return sense.SoundKind(unpacked(a), unpacked(b))
	case strings.HasPrefix(backend, picturePrefix):
		return sense.Picture(unpacked(a), unpacked(b))
	case strings.HasPrefix(backend, voicePrefix):
		return sense.Voice(unpacked(a), unpacked(b))
	case strings.HasPrefix(backend, callerPrefix), strings.HasPrefix(backend, SpacePrefix):
		return sense.Supplied(unpacked(a), unpacked(b))
	}
	return sense.Alike{}
}
