// Command flatten-tokenizer writes the flat form of a Unigram tokenizer.json.
//
//	flatten-tokenizer -in tokenizer.json -out tokenizer.flat
//
// The same input gives the same bytes on every machine.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"

	"combray/encoder/tokenizer"
)

func main() {
	in := flag.String("in", "", "the tokenizer.json to read")
	out := flag.String("out", "", "the file to write")
	flag.Parse()
	if err := flatten(*in, *out); err != nil {
		fmt.Fprintln(os.Stderr, "flatten-tokenizer:", err)
		os.Exit(1)
	}
}

func flatten(in, out string) error {
	if in == "" || out == "" {
		return fmt.Errorf("give -in tokenizer.json and -out tokenizer.flat")
	}
	data, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	t, err := tokenizer.Load(data)
	if err != nil {
		return err
	}
	var flat bytes.Buffer
	if err := tokenizer.WriteFlat(&flat, t); err != nil {
		return err
	}
	return os.WriteFile(out, flat.Bytes(), 0o644)
}
