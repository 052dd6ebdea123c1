package store

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"combray/internal/memory"
)

// inMemory is the path of a store that ends with the process.
const inMemory = ":memory:"

// Permissions of what is made: the owner alone reads memories.
const (
	folderMode fs.FileMode = 0o700
	fileMode   fs.FileMode = 0o600
)

// location is where a store's files lie.
type location struct {
	path    string // absolute, links resolved
	scratch string // private folder of a store in memory, removed once it is open; "" for others
}

// locate finds the place of a store and makes what is missing there, unless the
// store is only read.
func locate(path string, readOnly bool) (location, error) {
	switch {
	case strings.TrimSpace(path) == "" || strings.ContainsRune(path, 0):
		return location{}, memory.Invalid("db", "Give --db a file, or :memory:.", "the path of the store is empty or holds a zero byte")
	case path == inMemory && readOnly:
		return location{}, memory.Invalid("db", "Leave out --read-only, or give --db a file.", "a store in memory begins empty and cannot be read-only")
	case path == inMemory:
		return locateInMemory()
	}
	resolved, err := resolve(path)
	if err != nil {
		return location{}, err
	}
	if !readOnly {
		err = makePrivate(resolved)
	} else if _, statErr := os.Stat(resolved); errors.Is(statErr, fs.ErrNotExist) {
		err = memory.Unavailable("See the path given with --db, or leave out --read-only to begin a store there.", statErr,
			"there is no store at %s", path)
	}
	return location{path: resolved}, err
}

// resolve makes a path absolute and follows links, so that the files beside the
// store are looked for where SQLite puts them.
func resolve(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real, nil
	}
	return abs, nil
}

// locateInMemory gives a private folder, in memory where the system offers it.
// SQLite keeps snapshots only for real files, so a store "in memory" is files
// that are unlinked as soon as all connections hold them.
func locateInMemory() (location, error) {
	parent := os.TempDir()
	if info, err := os.Stat("/dev/shm"); err == nil && info.IsDir() {
		parent = "/dev/shm"
	}
	dir, err := os.MkdirTemp(parent, "combray-")
	if err != nil {
		return location{}, err
	}
	at := location{path: filepath.Join(dir, "memory.db"), scratch: dir}
	return at, makePrivate(at.path)
}

// forget unlinks the files of a store in memory. Where open files cannot be
// unlinked, Close calls it again.
func (l location) forget() {
	if l.scratch != "" {
		_ = os.RemoveAll(l.scratch)
	}
}

// unlinksOpenFiles says whether the system removes files that are still open.
const unlinksOpenFiles = runtime.GOOS != "windows"

// makePrivate makes missing folders and the file, whatever the umask says. A file
// that holds something is left as it is, and none that exists is opened here:
// closing it would drop SQLite's locks where the system has no better ones (see
// sqliteDriver).
func makePrivate(path string) error {
	if err := makeFolders(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, fileMode)
	if errors.Is(err, fs.ErrExist) {
		return makeEmptyPrivate(path)
	}
	if err != nil {
		return err
	}
	err = errors.Join(f.Chmod(fileMode), f.Sync(), f.Close())
	return errors.Join(err, syncFolder(filepath.Dir(path)))
}

// makeEmptyPrivate takes the rights of others away from a file that is there and
// empty: a store will be begun in it. One that holds something is left as its owner
// has it.
func makeEmptyPrivate(path string) error {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 0 || info.Mode().Perm() == fileMode {
		return err
	}
	return os.Chmod(path, fileMode)
}

func makeFolders(dir string) error {
	if info, err := os.Stat(dir); err == nil {
		if !info.IsDir() {
			return memory.Invalid("db", "Give --db a path whose folder is a folder.", "%s is a file, not a folder", dir)
		}
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := makeFolders(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, folderMode); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return nil // another process was quicker
		}
		return err
	}
	return errors.Join(os.Chmod(dir, folderMode), syncFolder(parent))
}

// syncFolder makes new names in a folder durable. Windows has no such call.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// walPath and shmPath are the files that SQLite keeps beside the store while it
// is in use: the write-ahead log and its index.
func (l location) walPath() string { return l.path + "-wal" }
func (l location) shmPath() string { return l.path + "-shm" }

// uri names the file to SQLite with parameters; every character that a URI
// gives a meaning is escaped.
func (l location) uri(mode string, pragmas ...string) string {
	path := filepath.ToSlash(l.path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	u := url.URL{Scheme: "file", Path: path}
	q := url.Values{"_pragma": pragmas, "_dqs": {"0"}, "_error_rc": {"1"}}
	return fmt.Sprintf("%s?%s&%s", u.String(), mode, q.Encode())
}
