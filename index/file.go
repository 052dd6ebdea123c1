package index

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"unsafe"
)

// A file is a header page, the sections, and the checksums of the blocks that
// the sections lie in. All numbers are little endian.
const (
	headerBytes = 4096
	// blockBytes is how many bytes of the sections a checksum covers.
	blockBytes = 1 << 20
	// sectionAlign lets a section start at the beginning of a cache line.
	sectionAlign = 64
	headerSumAt  = headerBytes - 4 // the CRC of all the bytes of the header before it
)

// format is a kind of file that is framed like this.
type format struct {
	magic   [8]byte
	version uint32
	name    string
}

var indexFormat = format{
	magic: [8]byte{'C', 'M', 'B', 'R', 'A', 'Y', 'I', 'X'}, version: 1, name: "an index file",
}

// castagnoli is the CRC that processors compute themselves.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Sections of a file, in the order of header.Sections.
const (
	secDocs = iota
	secCaptured
	secEvent
	secPosition
	secLineLength
	secContentLength
	secSession
	secOffset
	secFlags
	secClass
	secLive
	secPlaceSlots
	secPlaceLat
	secPlaceLon
	secSessionNameEnds
	secSessionNames
	secSessionEnds
	secSessionMembers
	secFacetNameEnds
	secFacetNames
	secFacetEnds
	secFacetLists
	secTermNameEnds
	secTermNames
	secTermEnds
	secTermLists
	secTermLine
	secTermContent
	secForwardEnds
	secForward
	secVectorEnds
	secCodes
	secSigns
	secCodeInfos
	secMean
	secSampleDocs
	secSampleHashes
	sectionCount
)

// section is where a section lies.
type section struct{ Offset, Length uint64 }

// header is the first page of a file, as it is written but for the padding and
// the checksum at its end.
type header struct {
	Magic           [8]byte
	Version         uint32
	Dims            uint32
	Generation      uint64   // one more than that of the file before
	Seq             int64    // change sequence of the store
	Store, Identity [32]byte // SHA-256 of Config.StoreID and Config.Identity

	Size      uint64 // of the file
	SumsAt    uint64 // where the checksums of the blocks start
	Slots     uint32
	Places    uint32
	Sessions  uint32
	Members   uint32 // of all sessions
	Facets    uint32
	Terms     uint32
	CodeRows  uint32
	Embedded  uint32 // rows with vectors
	Sample    uint32 // rows that the centre was made from
	Centred   uint32 // centre.size
	LastDoc   int64  // centre.last
	LineTotal int64  // totals over the live rows
	// ContentTotal is that of the content alone.
	ContentTotal int64
	Sections     [sectionCount]section
}

// encode returns the header page.
func (h *header) encode() []byte {
	page := make([]byte, headerBytes)
	if _, err := binary.Encode(page, binary.LittleEndian, h); err != nil {
		panic(err) // a header of fixed size fits in its page
	}
	binary.LittleEndian.PutUint32(page[headerSumAt:], crc32.Checksum(page[:headerSumAt], castagnoli))
	return page
}

// decodeHeader reads a header page and checks that it belongs to a file of a
// format and of size bytes made with config.
func decodeHeader(page []byte, size int64, format *format, config *Config) (*header, error) {
	if len(page) < headerBytes {
		return nil, errors.New("it is shorter than its header")
	}
	page = page[:headerBytes]
	h := new(header)
	if _, err := binary.Decode(page, binary.LittleEndian, h); err != nil {
		return nil, err
	}
	if h.Magic != format.magic {
		return nil, errors.New("it is not " + format.name)
	}
	if h.Version != format.version {
		return nil, fmt.Errorf("it has version %d, this program reads version %d", h.Version, format.version)
	}
	if crc32.Checksum(page[:headerSumAt], castagnoli) != binary.LittleEndian.Uint32(page[headerSumAt:]) {
		return nil, errors.New("its header is damaged")
	}
	return h, h.check(size, config)
}

// check says why a file of size bytes with this header cannot be used.
func (h *header) check(size int64, config *Config) error {
	blocks := (h.SumsAt - headerBytes + blockBytes - 1) / blockBytes
	switch {
	case h.Size != uint64(size):
		return fmt.Errorf("it has %d bytes instead of %d", size, h.Size)
	case h.SumsAt < headerBytes || h.SumsAt > h.Size || h.Size-h.SumsAt != blocks*4:
		return errors.New("its checksums are not where they should be")
	case h.Store != sha256.Sum256([]byte(config.StoreID)):
		return errors.New("it was made from another store")
	case h.Identity != sha256.Sum256([]byte(config.Identity)) || int64(h.Dims) != int64(config.Dims):
		return errors.New("it was made with another encoder")
	case h.Slots >= maxSlots:
		return fmt.Errorf("it has %d rows, at most %d are allowed", h.Slots, maxSlots-1)
	}
	return nil
}

// view returns the n items of a section, in the memory of data.
func view[T any](data []byte, s section, n int) ([]T, error) {
	var item T
	width := uint64(unsafe.Sizeof(item))
	if s.Length != uint64(n)*width {
		return nil, fmt.Errorf("a section has %d bytes instead of %d", s.Length, uint64(n)*width)
	}
	if s.Offset%sectionAlign != 0 || s.Offset > uint64(len(data)) || s.Length > uint64(len(data))-s.Offset {
		return nil, errors.New("a section lies outside of it")
	}
	if n == 0 {
		return nil, nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&data[s.Offset])), n), nil
}

// bytesOf returns the memory of items as bytes.
func bytesOf[T any](items []T) []byte {
	if len(items) == 0 {
		return nil
	}
	var item T
	return unsafe.Slice((*byte)(unsafe.Pointer(&items[0])), len(items)*int(unsafe.Sizeof(item)))
}

// nativeOrder reports whether this machine keeps numbers as files do. Where it
// does not, an index lives in memory alone.
func nativeOrder() bool {
	return bytes.Equal(bytesOf([]uint16{1}), []byte{1, 0})
}
