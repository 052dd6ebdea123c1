package main

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// keepOwner does nothing: a new file belongs to who may write in its folder.
func keepOwner(*os.File, fs.FileInfo) {}

// syncFolder does nothing: Windows writes names with the file.
func syncFolder(string) error { return nil }

// freeBytes is how much room the owner of this process has in a folder's disk.
func freeBytes(dir string) (free uint64, err error) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, err
	}
	err = windows.GetDiskFreeSpaceEx(name, &free, nil, nil)
	return free, err
}

// keepsRights says that the rights of files mean something here.
const keepsRights = false
