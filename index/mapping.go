package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// mapping is a file in memory.
type mapping struct {
	data []byte
	file *os.File // open while data is mapped; nil if data is a copy
	info os.FileInfo
	// handle is that of file; asking it each time would cost more than the call.
	handle uintptr
}

// openMapping brings a file into memory without reading more of it than the
// operating system has to.
func openMapping(path string) (*mapping, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && info.Size() < headerBytes {
		err = errors.New("it is shorter than its header")
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return mapFile(file, info)
}

// readAll is what mapFile does where files cannot be mapped. It closes the file.
func readAll(file *os.File, info os.FileInfo) (*mapping, error) {
	defer file.Close()
	words := make([]uint64, (info.Size()+7)/8) // for the alignment
	data := bytesOf(words)[:info.Size()]
	if _, err := io.ReadFull(file, data); err != nil {
		return nil, err
	}
	return &mapping{data: data, info: info}, nil
}

// verify compares the blocks of a file with their checksums. It reads the file
// rather than the mapping, whose pages would count as memory of this process.
// stop, called before each block, ends it with the error it returns.
func (m *mapping) verify(h *header, stop func() error) error {
	sums := make([]byte, h.Size-h.SumsAt)
	if err := m.readAt(sums, int64(h.SumsAt)); err != nil {
		return err
	}
	block := make([]byte, blockBytes)
	for i := 0; len(sums) > 0; i++ {
		if err := stop(); err != nil {
			return err
		}
		start := uint64(headerBytes) + uint64(i)*blockBytes
		part := block[:min(blockBytes, h.SumsAt-start)]
		if err := m.readAt(part, int64(start)); err != nil {
			return err
		}
		if crc32.Checksum(part, castagnoli) != binary.LittleEndian.Uint32(sums) {
			return fmt.Errorf("its block %d is damaged", i)
		}
		sums = sums[4:]
	}
	return nil
}

func (m *mapping) readAt(p []byte, offset int64) error {
	if m.file == nil {
		copy(p, m.data[offset:])
		return nil
	}
	_, err := m.file.ReadAt(p, offset)
	return err
}
