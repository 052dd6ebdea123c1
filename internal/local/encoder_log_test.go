package local

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"testing"

	"combray/encoder"
	"combray/internal/models"
)

// TestClosingWhileTheEncoderLoadsIsNoFailure also holds that a library that is
// not there is told of.
func TestClosingWhileTheEncoderLoadsIsNoFailure(t *testing.T) {
	for closed, told := range map[bool]bool{true: false, false: true} {
		var log bytes.Buffer
		e := newEncoder(encoder.Files{}, Config{Models: models.Store{Library: filepath.Join(t.TempDir(), "nothing.so")},
			Logger: slog.New(slog.NewTextHandler(&log, nil))})
		if closed {
			e.stop()
		}
		e.load()
		if e.reason == "" || (log.Len() > 0) != told {
			t.Errorf("closed %t: reason %q, log %q", closed, e.reason, log.String())
		}
		e.stop()
	}
}
