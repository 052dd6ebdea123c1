package main

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

// drawEvery bounds how often a bar is drawn: a reader tells of each line.
const drawEvery = 50 * time.Millisecond

// progress is a bar on stderr when that is a terminal, and nothing otherwise.
type progress struct {
	app  *app
	name string
	bar  *progressbar.ProgressBar
}

func (a *app) progress(name string) *progress { return &progress{app: a, name: name} }

func (p *progress) begin(name string, total int64, bytes bool) {
	if !p.app.errTTY || p.bar != nil && p.name == name {
		return
	}
	p.close()
	p.name = name
	p.bar = progressbar.NewOptions64(total, progressbar.OptionSetWriter(p.app.err), progressbar.OptionSetDescription(name),
		progressbar.OptionShowBytes(bytes), progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionFullWidth(),
		progressbar.OptionThrottle(drawEvery))
}

// bytes shows how far a file is.
func (p *progress) bytes(name string, done, total int64) { p.set(name, done, total, true) }

// count shows how many of total are done.
func (p *progress) count(name string, done, total int) { p.set(name, int64(done), int64(total), false) }

func (p *progress) set(name string, done, total int64, bytes bool) {
	p.begin(name, total, bytes)
	if p.bar != nil {
		_ = p.bar.Set64(done) // a bar that cannot be drawn harms nothing
	}
}

func (p *progress) close() {
	if p.bar != nil {
		_ = p.bar.Finish()
		p.bar = nil
	}
}
