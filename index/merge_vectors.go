package index

import "context"

// writeVectors writes the codes. If the centre is the one that the codes of the
// snapshot were made with, they are copied, otherwise made anew from the store.
func (m *merge) writeVectors(ctx context.Context, source Source, c *centre) error {
	rows := &codeWriter{out: m.out, set: vectorSet{dims: m.vectors.dims}}
	m.out.begin(secCodes)
	var err error
	if c.sameSample(m.centre) {
		m.copyCodes(rows)
	} else {
		err = m.makeCodes(ctx, source, c, rows)
	}
	rows.flush()
	m.out.end(secCodes)
	m.out.header.CodeRows = uint32(len(rows.set.infos))
	m.out.header.Embedded = rows.embedded
	slice(m.out, secVectorEnds, rows.set.ends)
	slice(m.out, secCodeInfos, rows.set.infos)
	m.writeSigns()
	m.writeCentre(c)
	return err
}

func (m *merge) copyCodes(rows *codeWriter) {
	for _, old := range m.order {
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
	docs := make([]int64, len(m.order))
	for i, old := range m.order {
		docs[i] = m.embeddedDoc(old)
	}
	return eachVectors(ctx, source, docs, func(_ int, vectors [][]float32) {
		if areUnits(vectors, rows.set.dims) {
			for _, v := range vectors {
				rows.make(v, c.mean)
			}
		}
		rows.endSlot()
	})
}

// codeWriter writes rows of codes and remembers what goes into other sections.
type codeWriter struct {
	out      *fileWriter
	set      vectorSet // its codes are those that are not yet written
	embedded uint32    // slots with vectors
	last     int       // rows at the end of the slot before
}

// codeBatch is how many codes are written at a time.
const codeBatch = 64 << 10

func (w *codeWriter) copy(codes []int8, info codeInfo) {
	w.set.codes = append(w.set.codes, codes...)
	w.set.infos = append(w.set.infos, info)
}

func (w *codeWriter) make(v, mean []float32) {
	w.set.addRow(v, mean)
	w.set.signs = w.set.signs[:0] // writeSigns makes them again
}

func (w *codeWriter) endSlot() {
	rows := len(w.set.infos)
	w.set.ends = append(w.set.ends, uint32(rows))
	w.embedded += uint32(count(rows > w.last))
	w.last = rows
	if len(w.set.codes) >= codeBatch {
		w.flush()
	}
}

func (w *codeWriter) flush() {
	w.out.Write(bytesOf(w.set.codes))
	w.set.codes = w.set.codes[:0]
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
