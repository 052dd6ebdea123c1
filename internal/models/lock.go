package models

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"combray"
)

// lockVersion is the format of models.lock this package reads. A lock of
// another version is refused.
const lockVersion = 1

// maxLockBytes bounds a lock; the real one has some 10 kB.
const maxLockBytes = 1 << 20

// Lock is a checked models.lock. Its order is the file's.
type Lock struct {
	Version  int       `toml:"version"`
	Models   []Model   `toml:"model"`
	Runtimes []Runtime `toml:"runtime"`
}

// Model is one model of the catalogue.
type Model struct {
	Name     string `toml:"name"`
	Title    string `toml:"title"`
	Kind     string `toml:"kind"`
	Licence  string `toml:"licence"`
	Origin   string `toml:"origin"`   // owner/name at the publisher
	Revision string `toml:"revision"` // what pins the files
	Note     string `toml:"note"`
	Address  string `toml:"address"` // folder of the files; empty when Bundled
	Bundled  bool   `toml:"bundled"` // part of the program, never downloaded
	// Experimental: nobody has run the program with its real weights yet.
	Experimental bool `toml:"experimental"`
	// Space is what models share whose vectors may be compared; "": its own alone.
	Space string `toml:"space"`

	Dims          int    `toml:"dims"`       // length of a vector
	Cuts          []int  `toml:"cuts"`       // shorter lengths a vector may be cut to, longest first
	Pooling       string `toml:"pooling"`    // graph, mean, cls or last
	MaxTokens     int    `toml:"max_tokens"` // special tokens included
	Window        int    `toml:"window"`     // longest input to give; zero: MaxTokens
	QueryPrefix   string `toml:"query_prefix"`
	PassagePrefix string `toml:"passage_prefix"`
	// SymmetricPrefix stands before texts compared with others of their kind; "":
	// QueryPrefix.
	SymmetricPrefix string `toml:"symmetric_prefix"`

	// GoldenCosine is the least cosine between a golden vector and the one the model
	// gives; zero without golden vectors.
	GoldenCosine float64 `toml:"golden_cosine"`

	Files []File `toml:"file"`
}

// File is one file of a model.
type File struct {
	Role   string `toml:"role"` // one of the Role constants
	Path   string `toml:"path"` // below the model's folder, with slashes
	Bytes  int64  `toml:"bytes"`
	SHA256 string `toml:"sha256"`
}

// Runtime is the ONNX Runtime library for one platform.
type Runtime struct {
	Platform string   `toml:"platform"` // GOOS/GOARCH
	Licence  string   `toml:"licence"`
	Origin   string   `toml:"origin"`
	Sources  []Source `toml:"source"`
}

// Source is one way to get the runtime library.
type Source struct {
	Client  string `toml:"client"` // pip, npm or publisher
	Package string `toml:"package"`
	Version string `toml:"version"`
	Tag     string `toml:"tag"`    // pip: platform tag of the wheel
	Member  string `toml:"member"` // path of the library inside the package
	Bytes   int64  `toml:"bytes"`  // of the member; zero for publisher
	SHA256  string `toml:"sha256"` // of the member; empty for publisher

	Address       string `toml:"address"` // publisher only
	ArchiveBytes  int64  `toml:"archive_bytes"`
	ArchiveSHA256 string `toml:"archive_sha256"`
}

// Digest is what a file must be: its length in bytes and its SHA-256 in lower-case hexadecimal digits.
type Digest struct {
	Bytes  int64
	SHA256 string
}

// Digest returns what f must be.
func (f File) Digest() Digest { return Digest{f.Bytes, f.SHA256} }

// Embedded returns the lock the program was built with.
func Embedded() (*Lock, error) { return Parse(combray.ModelsLock) }

// Parse reads a lock. It refuses unknown keys, keys in upper case, hashes that
// are not 64 lower-case hexadecimal digits, names used twice, and paths that
// leave their folder (TestParseRefuses, FuzzParse).
func Parse(lock string) (*Lock, error) {
	if len(lock) > maxLockBytes {
		return nil, fmt.Errorf("models.lock has %d bytes, at most %d are allowed; restore the file of the release", len(lock), maxLockBytes)
	}
	var l Lock
	decoder := toml.NewDecoder(bytes.NewReader([]byte(lock))).DisallowUnknownFields()
	if err := decoder.Decode(&l); err != nil {
		return nil, fmt.Errorf("models.lock cannot be read: %s; restore the file of the release", decodeDetail(err))
	}
	if err := exactKeys(lock); err != nil {
		return nil, err
	}
	if err := l.check(); err != nil {
		return nil, fmt.Errorf("models.lock is not valid: %w; restore the file of the release", err)
	}
	return &l, nil
}

// decodeDetail names the place of a decoding error when the decoder knows it.
func decodeDetail(err error) string {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		line, _ := unknown.Errors[0].Position()
		return fmt.Sprintf("line %d: unknown key %q", line, strings.Join(unknown.Errors[0].Key(), "."))
	}
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		line, _ := bad.Position()
		return fmt.Sprintf("line %d: %s", line, bad.Error())
	}
	return err.Error()
}

// exactKeys refuses keys that are not written in lower case: the decoder would
// take them for the same key, so one value could hide another.
func exactKeys(lock string) error {
	var tree map[string]any
	if err := toml.Unmarshal([]byte(lock), &tree); err != nil {
		return fmt.Errorf("models.lock cannot be read: %w", err)
	}
	if key := upperKey(tree); key != "" {
		return fmt.Errorf("models.lock is not valid: key %q must be written in lower case; restore the file of the release", key)
	}
	return nil
}

// upperKey returns the first key, in sorted order, that is not lower case, or "".
func upperKey(node any) string {
	switch n := node.(type) {
	case map[string]any:
		keys := make([]string, 0, len(n))
		for k := range n {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			if k != strings.ToLower(k) {
				return k
			}
			if found := upperKey(n[k]); found != "" {
				return found
			}
		}
	case []any:
		for _, item := range n {
			if found := upperKey(item); found != "" {
				return found
			}
		}
	}
	return ""
}

// Model returns the model called name. The error lists the names there are.
func (l *Lock) Model(name string) (Model, error) {
	names := make([]string, 0, len(l.Models))
	for _, m := range l.Models {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Model{}, fmt.Errorf("there is no model %q in the catalogue; known are %s", name, strings.Join(names, ", "))
}

// Platforms returns the platforms with a runtime library, in the lock's order.
func (l *Lock) Platforms() []string {
	platforms := make([]string, 0, len(l.Runtimes))
	for _, r := range l.Runtimes {
		platforms = append(platforms, r.Platform)
	}
	return platforms
}

// Runtime returns the row for a platform, written GOOS/GOARCH. The error lists the platforms there are.
func (l *Lock) Runtime(platform string) (Runtime, error) {
	for _, r := range l.Runtimes {
		if r.Platform == platform {
			return r, nil
		}
	}
	return Runtime{}, fmt.Errorf("models.lock has no ONNX Runtime library for %s, only for %s; build one (1.24 or newer) and name its path in COMBRAY_ORT_LIB",
		platform, strings.Join(l.Platforms(), ", "))
}

// CheckDims refuses a length that vectors of the model cannot have; 0 stands for its
// own.
func (m Model) CheckDims(dims int) error {
	switch {
	case dims == 0 || dims == m.Dims || slices.Contains(m.Cuts, dims):
		return nil
	case len(m.Cuts) == 0:
		return fmt.Errorf("%s gives vectors of %d values, which cannot be cut", m.Name, m.Dims)
	}
	return fmt.Errorf("%s gives vectors of %d values, which may be cut to %v; %d is none of them", m.Name, m.Dims, m.Cuts, dims)
}

// File returns the first file of m with the given role.
func (m Model) File(role string) (File, bool) {
	for _, f := range m.Files {
		if f.Role == role {
			return f, true
		}
	}
	return File{}, false
}
