package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// packed is the moment of every file in the bundle: the first that a zip can
// hold, so that the bytes do not depend on when they were packed.
var packed = time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)

// packedFile is a file of the bundle and where it comes from.
type packedFile struct {
	name, from string
	mode       fs.FileMode
}

// pack makes the zip. Its files come in this order.
func pack(m manifest, o options) ([]byte, error) {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	if err := add(z, "manifest.json", append(text, '\n'), 0o644); err != nil {
		return nil, err
	}
	files := []packedFile{
		{"LICENSE", filepath.Join(o.root, "LICENSE"), 0o644},
		{"NOTICE", filepath.Join(o.root, "NOTICE"), 0o644},
		{programPath(o), o.binary, 0o755},
	}
	if o.library != "" {
		files = append(files, packedFile{libraryPath(o), o.library, 0o644})
	}
	for _, f := range files {
		data, err := os.ReadFile(f.from)
		if err != nil {
			return nil, err
		}
		if err := add(z, f.name, data, f.mode); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func add(z *zip.Writer, name string, data []byte, mode fs.FileMode) error {
	h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: packed}
	h.SetMode(mode)
	w, err := z.CreateHeader(h)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}
