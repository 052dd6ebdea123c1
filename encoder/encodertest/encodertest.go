// Package encodertest finds the ONNX Runtime library for tests that need it, and
// makes catalogues of the small graphs that stand for models.
package encodertest

import (
	"os"
	"testing"

	"combray/internal/models"
)

// Library returns the path of the ONNX Runtime library: the one COMBRAY_ORT_LIB
// names, else the one in COMBRAY_MODELS_DIR or the user's data folder. Without
// one the test fails and says how to get it; a test that is skipped proves nothing.
func Library(tb testing.TB) string {
	tb.Helper()
	store := models.Store{Dir: os.Getenv("COMBRAY_MODELS_DIR"), Library: os.Getenv("COMBRAY_ORT_LIB")}
	path, err := store.FindRuntime(tb.Context())
	if err != nil {
		tb.Fatalf("this test needs the ONNX Runtime library: %v", err)
	}
	return path
}
