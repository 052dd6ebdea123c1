// Command mcpb packs Combray as an .mcpb bundle: a zip with a manifest, the
// program, and the runtime library when there is one, which clients install with
// a double click. The same files give the same bytes on every machine.
//
//	mcpb -binary build/combray -library libonnxruntime.so -out build
//
// Name, version and description come from server.json. With -url, the address
// from which the bundle can be fetched, it also writes the server.json to be
// published, with the bundle's hash in it.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// options are the flags.
type options struct {
	root    string // of the repository
	binary  string
	library string // "": none
	out     string // folder
	url     string // "": not published
	goos    string
	goarch  string
}

func main() {
	o := options{goos: runtime.GOOS, goarch: runtime.GOARCH}
	flag.StringVar(&o.root, "root", ".", "folder of server.json, LICENSE and NOTICE")
	flag.StringVar(&o.binary, "binary", "build/combray", "the program")
	flag.StringVar(&o.library, "library", "", "the ONNX Runtime library; without it the bundle works with words until one is downloaded")
	flag.StringVar(&o.out, "out", "build", "folder to write to")
	flag.StringVar(&o.url, "url", "", "where the bundle will be published")
	flag.StringVar(&o.goos, "os", o.goos, "system of the program")
	flag.StringVar(&o.goarch, "arch", o.goarch, "processor of the program")
	flag.Parse()
	path, err := run(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcpb:", err)
		os.Exit(1)
	}
	fmt.Println(path)
}

// run writes the bundle and gives its path.
func run(o options) (string, error) {
	server, err := readServer(filepath.Join(o.root, "server.json"))
	if err != nil {
		return "", err
	}
	m, err := newManifest(server, o)
	if err != nil {
		return "", err
	}
	data, err := pack(m, o)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(o.out, fmt.Sprintf("combray-%s-%s-%s.mcpb", server.Version, o.goos, o.goarch))
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return "", err
	}
	if o.url == "" {
		return path, nil
	}
	return path, writeJSON(filepath.Join(o.out, "server.json"), server.published(o.url, data))
}

func writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(data, '\n'), 0o644)
}
