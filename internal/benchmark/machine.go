package benchmark

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Machine is what the figures were measured on. What the system does not tell is
// empty.
type Machine struct {
	CPU         string    `json:"cpu"`
	Cores       int       `json:"cores"` // that the program may use
	MemoryBytes int64     `json:"memory_bytes"`
	OS          string    `json:"os"`
	Arch        string    `json:"arch"`
	Go          string    `json:"go"`
	LoadAtStart []float64 `json:"load_at_start"` // averages of 1, 5 and 15 minutes
	LoadAtEnd   []float64 `json:"load_at_end"`
}

// thisMachine describes the machine at the start of a run.
func thisMachine() Machine {
	return Machine{CPU: fieldOf("/proc/cpuinfo", "model name"), Cores: runtime.GOMAXPROCS(0), MemoryBytes: memoryBytes(),
		OS: system(), Arch: runtime.GOARCH, Go: runtime.Version(), LoadAtStart: load()}
}

func system() string {
	if name := strings.Trim(fieldOf("/etc/os-release", "PRETTY_NAME"), `"`); name != "" {
		return runtime.GOOS + ", " + name
	}
	return runtime.GOOS
}

// fieldOf gives the first value behind a name and ":" or "=" in a file of the
// system, "" when there is none.
func fieldOf(path, name string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for scan := bufio.NewScanner(f); scan.Scan(); {
		at := strings.IndexAny(scan.Text(), ":=")
		if at > 0 && strings.TrimSpace(scan.Text()[:at]) == name {
			return strings.TrimSpace(scan.Text()[at+1:])
		}
	}
	return ""
}

func memoryBytes() int64 {
	kib, err := strconv.ParseInt(strings.TrimSuffix(fieldOf("/proc/meminfo", "MemTotal"), " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}

func load() []float64 {
	data, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return nil
	}
	var out []float64
	for _, field := range strings.Fields(string(data))[:3] {
		n, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return nil
		}
		out = append(out, n)
	}
	return out
}

// processorTime is how long the threads of a process have worked so far; false
// where the system does not tell.
func processorTime(pid int) (sum time.Duration, ok bool) {
	threads, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/schedstat")
	if err != nil {
		return 0, false
	}
	for _, path := range threads {
		data, err := os.ReadFile(path)
		if err != nil {
			continue // a thread that has ended
		}
		worked, _, _ := strings.Cut(string(data), " ")
		n, err := strconv.ParseInt(worked, 10, 64)
		if err != nil {
			return 0, false
		}
		sum += time.Duration(n)
	}
	return sum, sum > 0
}

// footprint is the memory of a process in bytes.
type footprint struct {
	resident int64
	own      int64 // anonymous: no other process can share it, and it is of no file
}

var mapped = regexp.MustCompile(`(?m)^(Anonymous|Rss):\s+(\d+) kB`)

// footprintOf reads the memory of a process; false where the system does not tell.
func footprintOf(pid int) (footprint, bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
	if err != nil {
		return footprint{}, false
	}
	return readFootprint(string(data))
}

func readFootprint(rollup string) (f footprint, ok bool) {
	for _, m := range mapped.FindAllStringSubmatch(rollup, -1) {
		kib, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			return footprint{}, false
		}
		if m[1] == "Rss" {
			f.resident += kib << 10
		} else {
			f.own += kib << 10
		}
	}
	return f, f.resident > 0
}
