package encoder

import (
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// entryPoint is the one function of the library that is looked up by name.
const entryPoint = "OrtGetApiBase"

// The least version of the library: github.com/yalue/onnxruntime_go v1.27.0 asks
// for version 24 of its C interface, which came with 1.24.
const (
	minMajor = 1
	minMinor = 24
)

// probeLibrary looks into the library at path without loading it: loading a file
// that is cut off, of another processor, or something else can end the process.
// It returns the version if the file tells it, else "".
func probeLibrary(path string) (version string, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("there is no ONNX Runtime library at %s; run \"make setup\", or correct COMBRAY_ORT_LIB", path)
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a file but should be the ONNX Runtime library; correct COMBRAY_ORT_LIB", path)
	}
	switch runtime.GOOS {
	case "darwin":
		err = probeMachO(path, info.Size())
	case "windows":
		err = probePE(path, info.Size())
	default:
		version, err = probeELF(path, info.Size())
	}
	if err == nil {
		err = checkVersion(version)
	}
	if err != nil {
		return "", fmt.Errorf("%s cannot be used as ONNX Runtime library: %w; run \"make setup\", or set COMBRAY_ORT_LIB to a library of version %d.%d or newer for %s/%s",
			path, err, minMajor, minMinor, runtime.GOOS, runtime.GOARCH)
	}
	return version, nil
}

var (
	errCutOff    = errors.New("it is cut off")
	errNoRuntime = errors.New("it has no function " + entryPoint + ", so it is another library")
)

var elfMachines = map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64}

func probeELF(path string, size int64) (string, error) {
	f, err := elf.Open(path)
	if err != nil {
		return "", errors.New("it is not a shared library of this system, or cut off")
	}
	defer f.Close()
	if f.Type != elf.ET_DYN || f.Class != elf.ELFCLASS64 {
		return "", errors.New("it is not a 64-bit shared library")
	}
	if want, known := elfMachines[runtime.GOARCH]; known && f.Machine != want {
		return "", fmt.Errorf("it is built for another processor (%s)", strings.TrimPrefix(f.Machine.String(), "EM_"))
	}
	for _, p := range f.Progs {
		if p.Off+p.Filesz > uint64(size) || p.Off+p.Filesz < p.Off {
			return "", errCutOff
		}
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return "", errors.New("its table of functions cannot be read")
	}
	entry := slices.IndexFunc(symbols, func(s elf.Symbol) bool { return s.Name == entryPoint && s.Section != elf.SHN_UNDEF })
	if entry < 0 {
		return "", errNoRuntime
	}
	// The official builds name their functions' version node VERS_1.24.3.
	version, _ := strings.CutPrefix(symbols[entry].Version, "VERS_")
	return version, nil
}

var machoCPUs = map[string]macho.Cpu{"amd64": macho.CpuAmd64, "arm64": macho.CpuArm64}

func probeMachO(path string, size int64) error {
	f, err := macho.Open(path)
	if err != nil {
		return errors.New("it is not a library of this system for one processor")
	}
	defer f.Close()
	if f.Type != macho.TypeDylib {
		return errors.New("it is not a shared library")
	}
	if want, known := machoCPUs[runtime.GOARCH]; known && f.Cpu != want {
		return fmt.Errorf("it is built for another processor (%s)", f.Cpu)
	}
	for _, load := range f.Loads {
		if s, ok := load.(*macho.Segment); ok && s.Offset+s.Filesz > uint64(size) {
			return errCutOff
		}
	}
	return nil
}

var peMachines = map[string]uint16{"amd64": pe.IMAGE_FILE_MACHINE_AMD64, "arm64": pe.IMAGE_FILE_MACHINE_ARM64}

func probePE(path string, size int64) error {
	f, err := pe.Open(path)
	if err != nil {
		return errors.New("it is not a library of this system")
	}
	defer f.Close()
	if f.Characteristics&pe.IMAGE_FILE_DLL == 0 {
		return errors.New("it is not a shared library")
	}
	if want, known := peMachines[runtime.GOARCH]; known && f.Machine != want {
		return fmt.Errorf("it is built for another processor (machine 0x%x)", f.Machine)
	}
	for _, s := range f.Sections {
		if int64(s.Offset)+int64(s.Size) > size {
			return errCutOff
		}
	}
	return nil
}

// checkVersion refuses a version below the least one. What is no version passes:
// the library itself is asked next.
func checkVersion(version string) error {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return nil
	}
	major, errMajor := strconv.Atoi(parts[0])
	minor, errMinor := strconv.Atoi(parts[1])
	if errMajor != nil || errMinor != nil {
		return nil
	}
	if major < minMajor || (major == minMajor && minor < minMinor) {
		return fmt.Errorf("it is version %s, too old", version)
	}
	return nil
}
