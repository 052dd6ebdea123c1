package loopback

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
)

// answerBytes bounds what is read of an answer: three recollections with their
// memories, each below the limit of a reply.
const answerBytes = 1 << 20

// Memory is a Combray that runs on this machine.
type Memory struct {
	base  string
	token string
}

// At names the Combray that listens at a URL such as http://127.0.0.1:1913. The
// error is for a URL that is not of this machine. localhost is taken for
// 127.0.0.1: no name is looked up.
func At(address, token string) (Memory, error) {
	refused := fmt.Errorf("%q is no address of this machine; http://127.0.0.1:PORT and http://[::1]:PORT are allowed", address)
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" || u.User != nil || (u.Path != "" && u.Path != "/") || u.RawQuery != "" {
		return Memory{}, refused
	}
	host := u.Hostname()
	if host == "localhost" {
		host = "127.0.0.1"
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.IsLoopback() {
		return Memory{}, refused
	}
	port, err := strconv.ParseUint(u.Port(), 10, 16)
	if err != nil {
		return Memory{}, refused
	}
	return Memory{base: "http://" + netip.AddrPortFrom(ip, uint16(port)).String(), token: token}, nil
}

// Recollection is what is used of a memory that came back.
type Recollection struct {
	ID         string `json:"id"`
	PromptLine string `json:"prompt_line"`
	Verified   bool   `json:"verified"`
}

// Cue reports words that were perceived.
func (m Memory) Cue(ctx context.Context, text, source string) error {
	body, err := json.Marshal(map[string]string{"text": text, "source": source})
	if err != nil {
		return err
	}
	return m.ask(ctx, http.MethodPost, "/cues", body, nil)
}

// Waiting gives at most limit recollections, the oldest first, and takes none.
func (m Memory) Waiting(ctx context.Context, limit int) (all []Recollection, err error) {
	return all, m.ask(ctx, http.MethodGet, "/recollections?drain=false&limit="+strconv.Itoa(limit), nil, &all)
}

// Take takes recollections out of the queue, and no others.
func (m Memory) Take(ctx context.Context, ids []string) error {
	return m.ask(ctx, http.MethodGet, "/recollections?"+url.Values{"drain": {"true"}, "id": ids}.Encode(), nil, nil)
}

// ask sends a request and reads the answer into out, if that is wanted.
func (m Memory) ask(ctx context.Context, method, path string, body []byte, out any) error {
	request, err := http.NewRequestWithContext(ctx, method, m.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+m.token)
	request.Header.Set("User-Agent", "combray-hook")
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	reply, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("combray serve does not answer: %w", errors.Unwrap(err)) // without the URL and its query
	}
	defer reply.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(reply.Body, answerBytes))
	if err != nil {
		return err
	}
	if reply.StatusCode != http.StatusOK {
		var refusal struct{ Message string }
		_ = json.Unmarshal(answer, &refusal) // what is no JSON has no message
		return fmt.Errorf("combray serve refuses (%d) %s", reply.StatusCode, refusal.Message)
	}
	if out == nil {
		return nil
	}
	return json.Unmarshal(answer, out)
}
