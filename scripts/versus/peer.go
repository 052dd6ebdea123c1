package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"
)

// peer is an MCP server over pipes, asked one call at a time.
type peer struct {
	name    string
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	id      int
	took    time.Duration // from the call's last byte sent to the answer's last byte read
	bytes   int           // of the last answer
}

// dial starts a program and waits for its answer to initialize.
func dial(name string, environment []string, program string, args ...string) (*peer, error) {
	p := &peer{name: name, command: exec.Command(program, args...)}
	p.command.Env = append(os.Environ(), environment...)
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	if _, err := p.request("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "versus", "version": "1"}}); err != nil {
		return nil, err
	}
	return p, p.send([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`))
}

func (p *peer) send(line []byte) error {
	_, err := p.in.Write(append(line, '\n'))
	return err
}

// request sends a call and returns its result. Only the exchange is timed, not what
// this program does to write and read JSON.
func (p *peer) request(method string, params any) (json.RawMessage, error) {
	p.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	start := time.Now()
	if err := p.send(line); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	for {
		answer, err := p.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.name, err)
		}
		p.took, p.bytes = time.Since(start), len(answer)
		var reply struct {
			ID            *int
			Result, Error json.RawMessage
		}
		if err := json.Unmarshal(answer, &reply); err != nil {
			return nil, err
		}
		if reply.ID == nil || *reply.ID != p.id {
			continue
		}
		if reply.Error != nil {
			return nil, fmt.Errorf("%s: %s: %s", p.name, method, reply.Error)
		}
		return reply.Result, nil
	}
}

// call calls a tool and returns the text of its answer. Both programs say what
// went wrong in a result: theirs by a key error, ours by isError.
func (p *peer) call(tool string, arguments map[string]any) ([]byte, error) {
	result, err := p.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		return nil, err
	}
	var r struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return nil, err
	}
	if len(r.Content) == 0 {
		return nil, fmt.Errorf("%s: %s: an empty answer", p.name, tool)
	}
	text := []byte(r.Content[0].Text)
	var failure struct{ Error, Message string }
	if r.IsError || json.Unmarshal(text, &failure) == nil && failure.Error != "" {
		return nil, fmt.Errorf("%s: %s: %s", p.name, tool, text)
	}
	return text, nil
}

func (p *peer) close() error {
	return errors.Join(p.in.Close(), p.command.Wait())
}

// ticks is the unit of processor times in /proc on Linux (USER_HZ).
const ticks = time.Second / 100

// processor is what the process has used, in user and kernel.
func (p *peer) processor() time.Duration {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.command.Process.Pid))
	if err != nil {
		return 0
	}
	// The name, in brackets, may hold blanks; the times are the 12th and 13th field behind it.
	fields := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:])
	var sum time.Duration
	for _, field := range fields[11:13] {
		n, err := strconv.ParseInt(string(field), 10, 64)
		if err != nil {
			return 0
		}
		sum += time.Duration(n) * ticks
	}
	return sum
}

// resident is the memory of the process, 0 where the system does not say.
func (p *peer) resident() int64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", p.command.Process.Pid))
	if err != nil {
		return 0
	}
	pages, err := strconv.ParseInt(string(bytes.Fields(data)[1]), 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}
