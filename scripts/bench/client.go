package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// client speaks to a server over pipes, one call at a time.
type client struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	id      int
}

// dial starts the program and waits for its answer to initialize.
func dial(binary, db string) (*client, error) {
	c := &client{command: exec.Command(binary, "--db", db, "mcp", "--profile", "full")}
	c.command.Stderr = os.Stderr
	var err error
	if c.in, err = c.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := c.command.Start(); err != nil {
		return nil, err
	}
	_, err = c.request("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]any{"name": "bench", "version": "1"}})
	return c, err
}

func (c *client) request(method string, params any) (json.RawMessage, error) {
	c.id++
	line, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	for {
		answer, err := c.out.ReadBytes('\n')
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
		if reply.ID == nil || *reply.ID != c.id {
			continue
		}
		if reply.Error != nil {
			return nil, fmt.Errorf("%s: %s", method, reply.Error)
		}
		return reply.Result, nil
	}
}

func (c *client) call(tool string, arguments map[string]any) (json.RawMessage, error) {
	result, err := c.request("tools/call", map[string]any{"name": tool, "arguments": arguments})
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
	if r.IsError {
		return nil, fmt.Errorf("%s: %s", tool, r.Content[0].Text)
	}
	return result, nil
}

func (c *client) close() error {
	if err := c.in.Close(); err != nil {
		return err
	}
	return c.command.Wait()
}
