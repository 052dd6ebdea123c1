package tokenizer

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"unsafe"
)

// The flat form of a Unigram tokenizer, all numbers little-endian:
//
//	 0  magic    8 bytes, flatMagic
//	 8  version  uint32, flatVersion
//	12  order    uint32, flatOrder: read wrongly on a big-endian machine
//	16  longest  uint32, bytes of the longest piece
//	20  sizes    4 x uint32, bytes of the sections that follow
//	36  zero     28 bytes
//	64  settings tokenizer.json without vocabulary and character map
//	    trie     doubleArray
//	    scores   float32 by id
//	    charsmap the character map as the file has it; may be empty
//
// Every section starts at a multiple of flatAlign, the gaps are zero. The file
// ends where the last section ends.
const (
	flatMagic   = "UNIGRAM\x00"
	flatVersion = 1
	flatOrder   = 0x01020304
	flatHeader  = 64
	flatAlign   = 8
)

// The sections in the order of the file.
const (
	flatSettings = iota
	flatTrie
	flatScores
	flatCharsmap
	flatSections
)

// OpenFlat reads the form that [WriteFlat] writes. The tokenizer uses data in
// place and keeps it, so that processes that map one file share it; data must
// not change. Its own memory is a few kilobytes for the settings. On
// machines that cannot read numbers at any address, data that does not start at
// a multiple of 4 bytes is copied.
//
// Damaged data is an error as far as it can be seen at once; damage in the trie
// or the scores gives wrong ids but never a panic. Check the SHA-256 first. The
// form is little-endian and refused on other machines.
func OpenFlat(data []byte) (*Tokenizer, error) {
	t, err := openFlat(data)
	if err != nil {
		return nil, fmt.Errorf("tokenizer: flat form: %w", err)
	}
	return t, nil
}

func openFlat(data []byte) (*Tokenizer, error) {
	if !viewable(data) {
		data = unitBytes(copyUnits(data))[:len(data)]
	}
	longest, sections, err := flatLayout(data)
	if err != nil {
		return nil, err
	}
	if !json.Valid(sections[flatSettings]) {
		return nil, errors.New("the settings are not valid JSON")
	}
	fields, err := object(sections[flatSettings])
	if err != nil {
		return nil, fmt.Errorf("settings: %w", err)
	}
	block, err := object(fields["model"])
	if err != nil {
		return nil, fmt.Errorf("settings: model: %w", err)
	}
	settings, err := readSettings(block)
	if err != nil {
		return nil, fmt.Errorf("settings: model: %w", err)
	}
	if settings.Type != "Unigram" || settings.UnkID == nil {
		return nil, errors.New("the settings are not those of a Unigram model with an unk_id")
	}
	t, added, err := loadPipeline(fields, sections[flatCharsmap])
	if err != nil {
		return nil, err
	}
	scores := floatsOf(sections[flatScores])
	t.model, err = newUnigram(unigram[float32]{
		trie: unitsOf(sections[flatTrie]), scores: scores, unknown: *settings.UnkID, longest: longest,
	}, settings.ByteFallback)
	if err != nil {
		return nil, err
	}
	return t, t.finish(added, len(scores), fields)
}

// flatLayout checks the header and returns the longest piece and the sections.
func flatLayout(data []byte) (longest int, sections [flatSections][]byte, err error) {
	if len(data) < flatHeader || string(data[:8]) != flatMagic {
		return 0, sections, errors.New("this is not a flat tokenizer file")
	}
	if binary.NativeEndian.Uint32(data[12:]) != flatOrder {
		return 0, sections, errors.New("the file is little-endian and this machine is not: load the tokenizer.json")
	}
	if v := binary.LittleEndian.Uint32(data[8:]); v != flatVersion {
		return 0, sections, fmt.Errorf("version %d is not supported, only %d is: make the file anew", v, flatVersion)
	}
	longest = int(binary.LittleEndian.Uint32(data[16:]))
	if longest > maxPieceBytes {
		return 0, sections, fmt.Errorf("pieces of %d bytes, at most %d are allowed", longest, maxPieceBytes)
	}
	at := uint64(flatHeader)
	for i := range sections {
		at = (at + flatAlign - 1) / flatAlign * flatAlign
		end := at + uint64(binary.LittleEndian.Uint32(data[20+4*i:]))
		if end > uint64(len(data)) {
			return 0, sections, fmt.Errorf("the file is cut off: %d bytes, at least %d belong to it", len(data), end)
		}
		sections[i] = data[at:end:end]
		at = end
	}
	if at != uint64(len(data)) {
		return 0, sections, fmt.Errorf("%d bytes follow the last section", uint64(len(data))-at)
	}
	if len(sections[flatTrie])%4 != 0 || len(sections[flatScores])%4 != 0 {
		return 0, sections, errors.New("the trie and the scores must be whole numbers of 4 bytes")
	}
	return longest, sections, nil
}

// viewable tells whether numbers of 4 bytes can be read from data in place.
// Embedded files start at any address.
func viewable(data []byte) bool {
	return runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" || uintptr(unsafe.Pointer(unsafe.SliceData(data)))%4 == 0
}

// unitsOf views little-endian bytes as trie units where the machine allows it,
// else copies them. len(raw) is a multiple of 4.
func unitsOf(raw []byte) doubleArray {
	if len(raw) == 0 || !viewable(raw) || binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return copyUnits(raw)
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(raw))), len(raw)/4)
}

// copyUnits reads little-endian units into memory of its own; a rest below 4
// bytes is filled with zero.
func copyUnits(raw []byte) []uint32 {
	units := make([]uint32, (len(raw)+3)/4)
	for i := range units {
		var word [4]byte
		copy(word[:], raw[4*i:])
		units[i] = binary.LittleEndian.Uint32(word[:])
	}
	return units
}

// unitBytes views units as bytes in the order of the machine.
func unitBytes(units []uint32) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(units))), 4*len(units))
}

// floatsOf views raw, which openFlat has found viewable and in the order of the machine.
func floatsOf(raw []byte) []float32 {
	if len(raw) == 0 {
		return nil
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(raw))), len(raw)/4)
}
