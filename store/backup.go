package store

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"combray/internal/memory"
)

// Backup writes a copy of the store to a new file, readable for its owner alone:
// one snapshot, packed, without anything that was deleted. Writers go on
// meanwhile. The file appears whole or not at all; one that exists is never
// overwritten (conflict).
func (s *Store) Backup(ctx context.Context, path string) error {
	if err := s.enter(); err != nil {
		return err
	}
	defer s.running.Done()
	path, err := filepath.Abs(path)
	if err != nil {
		return explained(err)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return backupExists(path, err)
	}
	folder, err := os.MkdirTemp(filepath.Dir(path), ".combray-backup-")
	if errors.Is(err, fs.ErrNotExist) {
		return memory.Invalid("path", "Make the folder first, or give the backup another path.", "there is no folder %s for the backup", filepath.Dir(path))
	}
	if err != nil {
		return explained(err)
	}
	defer os.RemoveAll(folder)
	made := location{path: filepath.Join(folder, "store.db")}
	if err := makePrivate(made.path); err != nil {
		return explained(err)
	}
	if err := s.copyInto(ctx, made.path); err != nil {
		return err
	}
	return publish(made.path, path)
}

func backupExists(path string, err error) error {
	if err != nil {
		return explained(err)
	}
	return memory.Forbidden("Give the backup another name, or move the old one away.", "%s exists already, and a backup overwrites nothing", path)
}

// copyInto packs the store into an empty file.
func (s *Store) copyInto(ctx context.Context, path string) error {
	c, err := s.readers.get(ctx)
	if err != nil {
		return err
	}
	defer s.readers.put(c)
	// VACUUM INTO counts as a write, though it writes elsewhere.
	err = c.script(ctx, "PRAGMA query_only = 0")
	if err == nil {
		_, err = c.raw.ExecContext(ctx, "VACUUM INTO ?", path)
	}
	if reset := c.script(context.WithoutCancel(ctx), "PRAGMA query_only = 1"); reset != nil {
		c.broken = true
	}
	if err == nil && c.still.changed() {
		err = errMoved()
	}
	return explained(err)
}

// publish gives a finished file its name, durably and without overwriting.
func publish(made, path string) error {
	f, err := os.OpenFile(made, os.O_RDWR, 0)
	if err != nil {
		return explained(err)
	}
	if err := errors.Join(f.Chmod(fileMode), f.Sync(), f.Close()); err != nil {
		return explained(err)
	}
	err = os.Link(made, path)
	if errors.Is(err, fs.ErrExist) {
		return backupExists(path, nil)
	}
	if err != nil { // a file system without links
		err = os.Rename(made, path)
	}
	if err == nil {
		err = syncFolder(filepath.Dir(path))
	}
	return explained(err)
}
