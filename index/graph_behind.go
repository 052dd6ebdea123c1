package index

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"combray/index/hnsw"
)

// errSuperseded ends the building of a graph whose index file is in use no more.
var errSuperseded = errors.New("index: a newer index file is in use")

// graphFailure is why an index file has no graph.
type graphFailure struct {
	file *segment
	info os.FileInfo // of the graph file that was there, nil for none
}

// followGraph sees to it that the file in use has a graph if it is to have one:
// in the background it takes over the one in the folder, or builds it. Index.catch
// is held.
func (ix *Index) followGraph() {
	s := ix.state
	file := s.segment
	if ix.config.Kind != Graph || file == nil || s.vectors != &file.vectors || int(file.header.CodeRows) < ix.config.graphRows {
		return
	}
	info, err := os.Stat(graphPath(&ix.config))
	if g := file.graph.Load(); g != nil {
		if err == nil && same(g.mapping.info, info) {
			return
		}
		ix.log.Warn("the graph file was changed in place or removed, it is made anew")
		ix.dropGraph(file)
	}
	if info == nil && !ix.writes() {
		return
	}
	if failed := ix.noGraph.Load(); failed != nil && failed.file == file && (failed.info == nil && info == nil || same(failed.info, info)) {
		return
	}
	ix.graphInBackground(file, info)
}

func (ix *Index) graphInBackground(file *segment, info os.FileInfo) {
	if !ix.graphing.CompareAndSwap(false, true) {
		return
	}
	file.use()
	ix.background.Go(func() {
		defer ix.graphing.Store(false)
		defer file.release()
		err := ix.bringGraph(file)
		if err == nil || ix.ctx.Err() != nil || errors.Is(err, errSuperseded) {
			return
		}
		ix.log.Warn("there is no graph, searches scan", "reason", err)
		ix.noGraph.Store(&graphFailure{file, info})
	})
}

// dropGraph takes the graph of a file out of use.
func (ix *Index) dropGraph(file *segment) {
	g := file.graph.Swap(nil)
	ix.mu.Lock() // searches that use it have ended once this is held
	defer ix.mu.Unlock()
	g.mapping.close()
}

// bringGraph takes over the graph file, or builds it if it cannot be used.
func (ix *Index) bringGraph(file *segment) error {
	stop := func() error { return ix.superseded(file) }
	g, err := loadGraph(&ix.config, file, stop)
	if err != nil && ix.writes() {
		if !errors.Is(err, fs.ErrNotExist) && stop() == nil {
			ix.log.Warn("a graph file cannot be used, it will be made anew", "reason", err)
		}
		g, err = ix.buildGraph(file, stop)
	}
	if err != nil {
		return err
	}
	file.graph.Store(g)
	return nil
}

// buildGraph builds the graph file unless another process has done so when its
// turn comes.
func (ix *Index) buildGraph(file *segment, stop func() error) (*graph, error) {
	lock, err := lockFile(ix.ctx, graphLockPath(&ix.config), true)
	if err != nil {
		return nil, err
	}
	defer lock.release()
	if g, err := loadGraph(&ix.config, file, stop); err == nil {
		return g, nil
	}
	if err := removeGraphTemps(ix.config.Dir); err != nil {
		return nil, err
	}
	built, err := hnsw.Build(vectorsOf(&file.vectors), stop)
	if err != nil {
		return nil, err
	}
	if err := writeGraph(&ix.config, file, built, stop); err != nil {
		return nil, err
	}
	g, err := loadGraph(&ix.config, file, stop)
	if err != nil {
		return nil, fmt.Errorf("the graph file just written cannot be read: %w", err)
	}
	return g, nil
}

// superseded returns an error if a file is in use no more, or cut short.
func (ix *Index) superseded(file *segment) error {
	if err := ix.ctx.Err(); err != nil {
		return err
	}
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if ix.state == nil || ix.state.segment != file || !file.mapping.whole() {
		return errSuperseded
	}
	return nil
}
