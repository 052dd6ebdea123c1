package encoder

import (
	"fmt"
	"path/filepath"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// environment is the runtime of this process. There can be only one, and it is
// never ended: a session may live as long as the process.
var environment struct {
	sync.Mutex
	library string // absolute path, once it runs
	version string
}

// startEnvironment loads the library once and returns its version. A second call
// must name the same library.
func startEnvironment(library string) (version string, err error) {
	path, err := filepath.Abs(library)
	if err != nil {
		return "", fmt.Errorf("path of the ONNX Runtime library %s: %w", library, err)
	}
	if _, err := probeLibrary(path); err != nil {
		return "", err
	}
	environment.Lock()
	defer environment.Unlock()
	if environment.library == path {
		return environment.version, nil
	}
	if environment.library != "" {
		return "", fmt.Errorf("this process already uses the ONNX Runtime library %s and cannot load %s beside it; start it again to change", environment.library, path)
	}
	ort.SetSharedLibraryPath(path)
	if err := ort.InitializeEnvironment(ort.WithLogLevelFatal()); err != nil {
		return "", fmt.Errorf("ONNX Runtime could not be started from %s: %w; it must be version %d.%d or newer: run \"make setup\", or correct COMBRAY_ORT_LIB",
			path, err, minMajor, minMinor)
	}
	environment.library = path
	// Only now: after a failed start this call ends the process.
	environment.version = ort.GetVersion()
	if err := ort.DisableTelemetry(); err != nil {
		return "", fmt.Errorf("switch off the telemetry of ONNX Runtime: %w", err)
	}
	return environment.version, nil
}
