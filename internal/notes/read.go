package notes

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"combray/internal/memory"
)

// MaxFileBytes is the largest file that is read; a longer one is reported.
const MaxFileBytes = 64 << 20

// Note is one capture and where it was found.
type Note struct {
	File  string // as it was named, or the path below the folder that was named
	Line  int    // from 1
	Input memory.RememberInput
}

// Problem is a file or line that could not be read.
type Problem struct {
	File string
	Line int // 0 for the whole file
	Err  error
}

// Error implements error.
func (p *Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %v", p.File, p.Err)
	}
	return fmt.Sprintf("%s:%d: %v", p.File, p.Line, p.Err)
}

// Unwrap gives the cause.
func (p *Problem) Unwrap() error { return p.Err }

// Reader reads notes.
type Reader struct {
	// Zone is where a day or a time without offset is read; nil is time.Local.
	Zone *time.Location
	// Decode turns a line of JSON into a capture by the argument rules of
	// remember.
	Decode func(json.RawMessage) (memory.RememberInput, error)
	// Unused is told what of a foreign memory has no place here; nil: nobody is.
	Unused func(*Problem)
}

// file is one file to read.
type file struct {
	path  string // to open
	name  string // to show and to remember: below the folder named, with slashes
	bytes int64
}

// Bytes says how long the files are that paths name.
func (r Reader) Bytes(paths []string) (n int64) {
	for _, p := range paths {
		files, _ := list(p)
		for _, f := range files {
			n += f.bytes
		}
	}
	return n
}

// Read gives the notes of files and folders in a fixed order. What could not be
// read comes as a *Problem in its place; done is told, now and then, how many
// bytes more have been read.
func (r Reader) Read(ctx context.Context, paths []string, done func(bytes int64)) iter.Seq2[Note, *Problem] {
	return func(yield func(Note, *Problem) bool) {
		for _, p := range paths {
			files, err := list(p)
			if err != nil && !yield(Note{}, &Problem{File: p, Err: readable(err)}) {
				return
			}
			for _, f := range files {
				if ctx.Err() != nil || !r.readFile(f, done, yield) {
					return
				}
			}
		}
	}
}

func (r Reader) readFile(f file, done func(bytes int64), yield func(Note, *Problem) bool) bool {
	data, err := load(f.path)
	if err != nil {
		return yield(Note{}, &Problem{File: f.name, Err: readable(err)})
	}
	if strings.EqualFold(filepath.Ext(f.path), ".jsonl") {
		return r.readLines(f, data, done, yield)
	}
	done(int64(len(data)))
	text, err := decodeText(data)
	if err != nil {
		return yield(Note{}, &Problem{File: f.name, Err: err})
	}
	page, err := parsePage(f.name, text, r.zone())
	if err != nil {
		return yield(Note{}, &Problem{File: f.name, Err: err})
	}
	for _, s := range page.sections {
		if !yield(page.note(f.name, s), nil) {
			return false
		}
	}
	return true
}

func (r Reader) zone() *time.Location {
	if r.Zone == nil {
		return time.Local
	}
	return r.Zone
}

// extensions that are read.
var extensions = []string{".md", ".markdown", ".mdown", ".txt", ".text", ".jsonl"}

// list gives the files that a path names: itself, or those below a folder.
// Hidden files and folders are left out, and links are not followed.
func list(path string) ([]file, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		if !slices.Contains(extensions, strings.ToLower(filepath.Ext(path))) {
			return nil, fmt.Errorf("only %s files are read", strings.Join(extensions, ", "))
		}
		return []file{{path, filepath.Base(path), info.Size()}}, nil
	}
	var files []file
	var failed error
	err = filepath.WalkDir(path, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			failed = errors.Join(failed, err)
			return nil
		}
		if strings.HasPrefix(d.Name(), ".") && p != path {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() && slices.Contains(extensions, strings.ToLower(filepath.Ext(p))) {
			name, err := filepath.Rel(path, p)
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				failed = errors.Join(failed, err)
				return nil
			}
			files = append(files, file{p, filepath.ToSlash(name), info.Size()})
		}
		return nil
	})
	return files, errors.Join(err, failed)
}

func load(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > MaxFileBytes {
		return nil, fmt.Errorf("the file has %d bytes; at most %d are read: split it", info.Size(), MaxFileBytes)
	}
	return os.ReadFile(path)
}

// readable leaves the path out of a file error, which is named beside it.
func readable(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// key makes a second import of the same note add nothing: it depends on the
// text, its time and where it came from, and on nothing of the machine.
func key(parts ...string) *string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	k := "import:" + hex.EncodeToString(h.Sum(nil))[:40]
	return &k
}
