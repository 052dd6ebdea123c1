package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"time"

	"combray/internal/memory"
)

// What a body may have (contract/sense.md 3.2).
const (
	maxBody      = 1 << 20
	maxMediaBody = 10 << 20
)

// bodyTime is how long a client may take to send its body: 10 MiB at 5.6 Mbit/s.
// ReadHeaderTimeout of net/http does not cover a body that dribbles in.
const bodyTime = 15 * time.Second

// readBody takes in a JSON body of at most most bytes.
func readBody(w *writer, r *http.Request, most int64) ([]byte, *refusal) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return nil, refuse(http.StatusBadRequest, memory.Invalid("", "Send the header Content-Type: application/json.", "the body must be JSON and say so"))
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		return nil, refuse(http.StatusBadRequest, memory.Invalid("", "Send the body as it is.", "the body must not be compressed"))
	}
	if r.ContentLength > most {
		return nil, tooLarge(most)
	}
	_ = w.rc.SetReadDeadline(time.Now().Add(bodyTime))
	body, err := io.ReadAll(http.MaxBytesReader(w.w, r.Body, most))
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over):
		return nil, tooLarge(most)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, refuse(http.StatusBadRequest, memory.Invalid("", "Send the whole body at once.", "the body took longer than %s", bodyTime))
	case err != nil:
		return nil, refuse(http.StatusBadRequest, memory.Invalid("", "Send the request again.", "the body could not be read to its end"))
	}
	_ = w.rc.SetReadDeadline(time.Time{})
	return body, nil
}

func tooLarge(most int64) *refusal {
	return refuse(http.StatusRequestEntityTooLarge, memory.Limit("", "Send less, or in several requests.", "the body has more than %d bytes, the most that is taken here", most))
}

// readObject takes in a JSON object. A body above 1 MiB has to carry media: the
// key signals.
func readObject(w *writer, r *http.Request, most int64) (map[string]any, int, *refusal) {
	body, refused := readBody(w, r, most)
	if refused != nil {
		return nil, 0, refused
	}
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var object map[string]any
	err := d.Decode(&object)
	if err == nil {
		_, err = d.Token()
	}
	if !errors.Is(err, io.EOF) || object == nil {
		return nil, 0, refuse(http.StatusBadRequest, memory.Invalid("", `Send an object such as {"text": "…"}.`, "the body is not one JSON object"))
	}
	if _, media := object["signals"]; len(body) > maxBody && !media {
		return nil, 0, tooLarge(maxBody)
	}
	return object, len(body), nil
}
