package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// configFile is another program's configuration file as it was found.
type configFile struct {
	path   string // as its program knows it
	real   string // where links lead; it is what is written, so that a link stays one
	data   []byte
	info   fs.FileInfo // nil: there is no file yet
	linked bool
}

// maxLinks bounds a chain of links, as the kernel does.
const maxLinks = 40

// readConfigFile reads a file. One that is not there has no data.
func readConfigFile(path string) (configFile, error) {
	f := configFile{path: path, real: path}
	for range maxLinks {
		target, err := os.Readlink(f.real)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(f.real), target)
		}
		f.real, f.linked = target, true
	}
	info, err := os.Stat(f.real)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	if err != nil {
		return f, fmt.Errorf("%s cannot be read: %w", path, err)
	}
	if !info.Mode().IsRegular() {
		return f, fmt.Errorf("%s is not a file", path)
	}
	f.info = info
	if f.data, err = os.ReadFile(f.real); err != nil {
		return f, fmt.Errorf("%s cannot be read: %w", path, err)
	}
	return f, nil
}

// Permissions of what is made beside a user's files: entries may hold secrets.
const (
	newFileMode   fs.FileMode = 0o600
	newFolderMode fs.FileMode = 0o700
)

// write puts new content in place of the old, whole or not at all, with the
// file's mode and owner. What was there goes into a backup beside it first.
func (f configFile) write(data []byte, now time.Time) (backup string, err error) {
	again, err := readConfigFile(f.path)
	if err != nil {
		return "", err
	}
	if !bytes.Equal(again.data, f.data) || (again.info == nil) != (f.info == nil) {
		return "", &failure{code: exitFailed, err: fmt.Errorf("%s was changed by another program meanwhile; nothing was written", f.path),
			hint: "Run the command again."}
	}
	if err := os.MkdirAll(filepath.Dir(f.real), newFolderMode); err != nil {
		return "", err
	}
	if f.info != nil {
		if backup, err = f.backUp(now); err != nil {
			return "", fmt.Errorf("no backup could be made, so nothing was written: %w", err)
		}
	}
	return backup, f.replace(data)
}

func (f configFile) replace(data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(f.real), "."+filepath.Base(f.real)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	mode := newFileMode
	if f.info != nil {
		mode = f.info.Mode().Perm()
		keepOwner(temp, f.info)
	}
	_, err = temp.Write(data)
	if err := errors.Join(err, temp.Chmod(mode), temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Rename(temp.Name(), f.real); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(f.real))
}

// backupMark stands between a file's name and the moment of its backup.
const backupMark = ".combray-"

// backUp writes the old content beside the file, readable for its owner alone.
func (f configFile) backUp(now time.Time) (string, error) {
	name := f.real + backupMark + now.UTC().Format("20060102-150405")
	for n := 1; ; n++ {
		path := name + ".bak"
		if n > 1 {
			path = fmt.Sprintf("%s-%d.bak", name, n)
		}
		b, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, newFileMode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = b.Write(f.data)
		return path, errors.Join(err, b.Sync(), b.Close())
	}
}

// made says whether a file is one that setup itself began: nothing would be left
// in it, and it was never backed up.
func (f configFile) made(rest []byte) bool {
	if f.linked || strings.Trim(string(rest), "\ufeff \t\r\n{}") != "" {
		return false
	}
	names, err := os.ReadDir(filepath.Dir(f.real))
	if err != nil {
		return false
	}
	for _, n := range names {
		if strings.HasPrefix(n.Name(), filepath.Base(f.real)+backupMark) {
			return false
		}
	}
	return true
}
