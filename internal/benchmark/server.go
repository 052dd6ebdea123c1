package benchmark

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"
)

// server is a process of the program with a client of its own, which speaks MCP
// over pipes, one call at a time.
type server struct {
	stopped func() error // why the process was killed, nil while it may run
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	said    bytes.Buffer // on stderr
	id      int
	came    time.Time // when the last answer had come
}

// start runs a command line and waits for its answer to initialize.
func start(ctx context.Context, line []string) (*server, error) {
	s := &server{stopped: ctx.Err, command: exec.CommandContext(ctx, line[0], line[1:]...)}
	s.command.Stderr = &s.said
	var err error
	if s.in, err = s.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReaderSize(out, 1<<20)
	if err := s.command.Start(); err != nil {
		return nil, err
	}
	if _, err := s.request("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "combray bench", "version": "1"}}); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

// request sends a request and gives the result of its answer.
func (s *server) request(method string, params any) (json.RawMessage, error) {
	result, err := s.exchange(method, params)
	if stopped := s.stopped(); stopped != nil {
		return nil, stopped
	}
	if err != nil {
		return nil, fmt.Errorf("%s of the program that is measured: %w", method, err)
	}
	return result, nil
}

func (s *server) exchange(method string, params any) (json.RawMessage, error) {
	s.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := s.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	for {
		answer, err := s.out.ReadBytes('\n')
		s.came = time.Now()
		if err != nil {
			return nil, err
		}
		var reply struct {
			ID     *int
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal(answer, &reply); err != nil {
			return nil, err
		}
		if reply.ID == nil || *reply.ID != s.id {
			continue
		}
		if reply.Error != nil {
			return nil, errors.New(string(reply.Error))
		}
		return reply.Result, nil
	}
}

// call calls a tool and gives its answer and the time until the answer had come.
func (s *server) call(tool string, arguments map[string]any) (body json.RawMessage, took time.Duration, err error) {
	began := time.Now()
	result, err := s.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
	if err != nil {
		return nil, 0, err
	}
	took = s.came.Sub(began)
	var r struct {
		IsError           bool
		StructuredContent json.RawMessage
		Content           []struct{ Text string }
	}
	if err := json.Unmarshal(result, &r); err != nil {
		return nil, 0, err
	}
	if r.IsError && len(r.Content) > 0 {
		return nil, 0, fmt.Errorf("%s of the program that is measured: %s", tool, r.Content[0].Text)
	}
	return r.StructuredContent, took, nil
}

// close ends the process as a client does, by closing its input.
func (s *server) close() error {
	closed := s.in.Close()
	err := s.command.Wait()
	if s.stopped() != nil {
		return nil // killed, as it was asked to be
	}
	if said := strings.TrimSpace(s.said.String()); err != nil && said != "" {
		err = fmt.Errorf("%w: %s", err, said)
	}
	return errors.Join(closed, err)
}
