package tools

import (
	"testing"

	"combray/internal/memory"
)

// BenchmarkNew measures what a client waits for before initialize is answered.
func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		if _, err := New(Config{Profile: "full"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReply measures putting ten found memories on the wire.
func BenchmarkReply(b *testing.B) {
	r := recallOf(memory.DefaultLimit, "a memory of about a hundred characters, as most of them are when an agent writes them down")
	for b.Loop() {
		body := newRecalled(r)
		if _, err := object(body, nil, body.sections(&body.Retrieval.Omitted)...).reply(); err != nil {
			b.Fatal(err)
		}
	}
}
