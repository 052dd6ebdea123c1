package index

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"combray/index/hnsw"
)

// A graph file is framed as an index file is: header, sections, checksums. It
// belongs to one index file, whose codes it links, and holds nothing but numbers
// of rows.

// Endings of the names of graph files and of those that are being written, and
// the file whose lock lets one process build a graph.
const (
	graphEnding     = ".graph"
	graphTempEnding = ".graph.tmp"
	graphLockName   = "graph.lock"
)

var graphFormat = format{
	magic: [8]byte{'C', 'M', 'B', 'R', 'A', 'Y', 'G', 'R'}, version: 1, name: "a graph file",
}

// Sections of a graph file, in the order of header.Sections.
const (
	graphStamp = iota // of the index file
	graphSlots
	graphBase
	graphTall
	graphEnds
	graphUpper
	graphSame
)

// graphPath returns the name of the graph file of the encoder of a config.
func graphPath(config *Config) string {
	return strings.TrimSuffix(filePath(config), fileEnding) + graphEnding
}

// stamp tells an index file from all others: the hash of its header and of the
// checksums of its blocks.
func (s *segment) stamp() ([]byte, error) {
	page, sums := make([]byte, headerBytes), make([]byte, s.header.Size-s.header.SumsAt)
	if err := errors.Join(s.mapping.readAt(page, 0), s.mapping.readAt(sums, int64(s.header.SumsAt))); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(append(page, sums...))
	return sum[:], nil
}

// writeGraph writes the graph of an index file: a temporary file, synced, renamed,
// the folder synced. It does not if ready, asked before the renaming, returns an error.
func writeGraph(config *Config, file *segment, g *hnsw.Graph, ready func() error) error {
	stamp, err := file.stamp()
	if err != nil {
		return err
	}
	temp, err := os.CreateTemp(config.Dir, "*"+graphTempEnding)
	if err != nil {
		return err
	}
	err = writeGraphTo(temp, file, g, stamp)
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = ready()
	}
	if err == nil {
		err = os.Rename(temp.Name(), graphPath(config))
	}
	if err != nil {
		os.Remove(temp.Name())
		return err
	}
	return syncDir(config.Dir)
}

func writeGraphTo(temp *os.File, file *segment, g *hnsw.Graph, stamp []byte) error {
	out := newFileWriter(temp)
	h := file.header
	out.header = header{
		Magic: graphFormat.magic, Version: graphFormat.version, Dims: h.Dims, Generation: h.Generation,
		Seq: h.Seq, Store: h.Store, Identity: h.Identity, Slots: h.Slots, CodeRows: h.CodeRows,
	}
	slice(out, graphStamp, stamp)
	slice(out, graphSlots, slotsOf(&file.vectors))
	slice(out, graphBase, g.Base)
	slice(out, graphTall, g.Tall)
	slice(out, graphEnds, g.Ends)
	slice(out, graphUpper, g.Upper)
	slice(out, graphSame, g.Same)
	return out.finish()
}

// slotsOf returns the slot of each row of codes.
func slotsOf(set *vectorSet) []uint32 {
	slots := make([]uint32, len(set.infos))
	for slot := range uint32(len(set.ends)) {
		from, to := set.rows(slot)
		for row := from; row < to; row++ {
			slots[row] = slot
		}
	}
	return slots
}

// loadGraph maps the graph file of an index file and checks its blocks. Rows that it
// names are checked where they are used (FuzzOpenGraph). stop, called
// before each block, ends it with the error it returns.
func loadGraph(config *Config, file *segment, stop func() error) (*graph, error) {
	m, err := openMapping(graphPath(config))
	if err != nil {
		return nil, err
	}
	g, err := openGraph(config, file, m, stop)
	if err != nil {
		m.close()
		return nil, err
	}
	return g, nil
}

func openGraph(config *Config, file *segment, m *mapping, stop func() error) (*graph, error) {
	h, err := decodeHeader(m.data, int64(len(m.data)), &graphFormat, config)
	if err != nil {
		return nil, err
	}
	if err := m.verify(h, stop); err != nil {
		return nil, err
	}
	g := &graph{mapping: m}
	rows := len(file.vectors.infos)
	l := layout{data: m.data, header: h}
	var stamp []byte
	layLong(&l, &stamp, graphStamp, sha256.Size)
	layLong(&l, &g.slots, graphSlots, rows)
	layLong(&l, &g.Base, graphBase, rows*hnsw.BaseLinks)
	layLong(&l, &g.Same, graphSame, rows)
	l.layAll(&g.Tall, graphTall)
	l.layAll(&g.Ends, graphEnds)
	l.layAll(&g.Upper, graphUpper)
	if l.err != nil {
		return nil, l.err
	}
	if own, err := file.stamp(); err != nil || !bytes.Equal(own, stamp) {
		return nil, errors.Join(err, errors.New("it was made for another index file"))
	}
	return g, g.Open()
}

// layAll sets to to a section of any number of items.
func (l *layout) layAll(to *[]uint32, id int) {
	layLong(l, to, id, int(min(l.header.Sections[id].Length, uint64(len(l.data)))/4))
}

// removeGraphTemps removes what builders left that did not come to an end. Only the
// holder of the lock of graphs may call it.
func removeGraphTemps(dir string) error {
	return removeFiles(dir, func(name string) bool { return strings.HasSuffix(name, graphTempEnding) })
}

func graphLockPath(config *Config) string { return filepath.Join(config.Dir, graphLockName) }
