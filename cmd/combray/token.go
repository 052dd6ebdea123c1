package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/adrg/xdg"

	"combray/internal/httpapi"
)

// madeleineToken is the token of a system whose users can switch with it
// (contract/surface.md 6).
const madeleineToken = "MADELEINE_API_TOKEN"

// tokens are those that open the doors over HTTP, and where they come from.
type tokens struct {
	*httpapi.Tokens
	from string // a file, or the name of an environment variable
	made bool   // this start wrote the file
}

// readTokens reads the token file, or the variable that stands in for it. Where
// there is none, and make allows it, a file with one new token is written.
func (a *app) readTokens(make bool) (tokens, error) {
	path := a.set.TokenFile
	if secret := os.Getenv(madeleineToken); path == "" && secret != "" {
		t, err := httpapi.ParseTokens(strings.NewReader(secret))
		if err != nil {
			return tokens{}, &failure{code: exitUsage, err: fmt.Errorf("%s: %w", madeleineToken, err), hint: "Unset it to have a token made."}
		}
		return tokens{Tokens: t, from: madeleineToken}, nil
	}
	if path == "" {
		path = filepath.Join(xdg.DataHome, "combray", "token")
	}
	t, err := readTokenFile(path)
	if !errors.Is(err, fs.ErrNotExist) || !make {
		return tokens{Tokens: t, from: path}, err
	}
	if err := writeTokenFile(path); err != nil {
		return tokens{}, err
	}
	t, err = readTokenFile(path)
	return tokens{Tokens: t, from: path, made: true}, err
}

// readTokenFile refuses a file that others can read, as it refuses no secret in
// the open: others have it then.
func readTokenFile(path string) (*httpapi.Tokens, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the token file cannot be read: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, &failure{code: exitUsage, err: fmt.Errorf("the token file %s can be read by others", path),
			hint: "Run chmod 600 on it; better, remove it, so that a new token is made."}
	}
	t, err := httpapi.ParseTokens(f)
	if err != nil {
		return nil, &failure{code: exitUsage, err: fmt.Errorf("the token file %s: %w", path, err), hint: "Correct it, or remove it to have a token made."}
	}
	return t, nil
}

// writeTokenFile makes a token. Two processes that start at once use the one
// that was first: the file appears whole, by a link, or not at all.
func writeTokenFile(path string) error {
	secret, err := httpapi.NewToken(rand.Reader)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".token-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(secret + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Link(f.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return os.Rename(f.Name(), path) // a file system without links
	}
	return nil
}
