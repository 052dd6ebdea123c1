package index

import "context"

// writeVectors writes the codes. If the centre is the one that the codes of the
// snapshot were made with, they are copied, otherwise made anew from the store.
func (m *merge) writeVectors(ctx context.Context, source Source, c *centre) error {
	rows := newCodeWriter(m.out, m.vectors.dims)
	m.out.begin(secCodes)
	var err error
	if c.sameSample(m.centre) {
		m.copyCodes(rows)
	} else {
		err = m.makeCodes(ctx, source, c, rows)
	}
	rows.flush()
	m.out.end(secCodes)
	m.out.header.CodeRows = uint32(rows.infos.n)
	m.out.header.Embedded = rows.embedded
	rows.ends.place(secVectorEnds)
	rows.infos.place(secCodeInfos)
	m.writeSigns()
	m.writeCentre(c)
	return err
}

func (m *merge) copyCodes(rows *codeWriter) {
	for old := range m.order {
		set, local := m.vectorsOf(old)
		from, to := set.rows(local)
		for row := from; row < to; row++ {
			rows.copy(set.codesOf(row), set.infos[row])
		}
		rows.endSlot()
	}
}

// makeCodes codes the vectors that the store has now. Where it is ahead of the
// snapshot, the rows concerned will come again with the changes after it.
func (m *merge) makeCodes(ctx context.Context, source Source, c *centre, rows *codeWriter) error {
	docs := make([]int64, 0, readDocs)
	code := func() error {
		return eachVectors(ctx, source, docs, func(_ int, vectors [][]float32) {
			if areUnits(vectors, rows.set.dims) {
				for _, v := range vectors {
					rows.make(v, c.mean)
				}
			}
			rows.endSlot()
		})
	}
	for old := range m.order {
		if docs = append(docs, m.embeddedDoc(old)); len(docs) < readDocs {
			continue
		}
		if err := code(); err != nil {
			return err
		}
		docs = docs[:0]
	}
	return code()
}

// codeWriter writes rows of codes, and beside them what goes into other sections.
type codeWriter struct {
	out      *fileWriter
	set      vectorSet // rows that are not yet written
	ends     *aside[uint32]
	infos    *aside[codeInfo]
	embedded uint32 // slots with vectors
	rows     int
	last     int // rows at the end of the slot before
}

func newCodeWriter(out *fileWriter, dims int) *codeWriter {
	return &codeWriter{out: out, set: vectorSet{dims: dims}, ends: newAside[uint32](out), infos: newAside[codeInfo](out)}
}

// codeBatch is how many codes are written at a time.
const codeBatch = 64 << 10

func (w *codeWriter) copy(codes []int8, info codeInfo) {
	w.set.codes = append(w.set.codes, codes...)
	w.set.infos = append(w.set.infos, info)
	w.rows++
}

func (w *codeWriter) make(v, mean []float32) {
	w.set.addRow(v, mean)
	w.set.signs = w.set.signs[:0] // writeSigns makes them again
	w.rows++
}

func (w *codeWriter) endSlot() {
	w.ends.add(uint32(w.rows))
	w.embedded += uint32(count(w.rows > w.last))
	w.last = w.rows
	if len(w.set.codes) >= codeBatch {
		w.flush()
	}
}

func (w *codeWriter) flush() {
	w.out.Write(bytesOf(w.set.codes))
	w.infos.addAll(w.set.infos)
	w.set.codes, w.set.infos = w.set.codes[:0], w.set.infos[:0]
}

// writeSigns makes the signs from the codes that were just written. Kept in
// memory until then, they would take 48 MB at a million rows.
func (m *merge) writeSigns() {
	dims := m.vectors.dims
	words := wordsFor(dims)
	m.out.begin(secSigns)
	if dims > 0 {
		left := int(m.out.header.CodeRows)
		offset := m.out.header.Sections[secCodes].Offset
		batch := max(codeBatch/dims, 1)
		codes, signs := make([]int8, batch*dims), make([]uint64, batch*words)
		for ; left > 0 && m.out.err == nil; left -= batch {
			n := min(left, batch)
			m.out.readBack(bytesOf(codes[:n*dims]), offset)
			offset += uint64(n * dims)
			for i := range n {
				signsOf(signs[i*words:(i+1)*words], codes[i*dims:(i+1)*dims])
			}
			m.out.Write(bytesOf(signs[:n*words]))
		}
	}
	m.out.end(secSigns)
}

func (m *merge) writeCentre(c *centre) {
	slice(m.out, secMean, c.mean)
	slice(m.out, secSampleDocs, c.docs)
	slice(m.out, secSampleHashes, c.hashes)
	h := &m.out.header
	h.Sample, h.Centred, h.LastDoc = uint32(len(c.docs)), uint32(c.size), c.last
}
