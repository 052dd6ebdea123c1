package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestTwentyServersOfOneStoreStartAtOnce: each client starts a server of its own. All
// of them answer their first call, which is a write, although nobody made the store
// before.
func TestTwentyServersOfOneStoreStartAtOnce(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "combray") // testscript.Main runs the command of this name
	if err := os.Symlink(self, program); err != nil {
		t.Fatal(err)
	}
	const servers = 20
	outs := make([]string, servers)
	var all sync.WaitGroup
	for i := range servers {
		all.Go(func() {
			c := exec.Command(program, "mcp", "--profile", "full")
			c.Env = append(os.Environ(), "COMBRAY_DB="+filepath.Join(dir, "data", "combray.db"), "COMBRAY_MODEL=none", "HOME="+dir, "XDG_CONFIG_HOME="+filepath.Join(dir, "config"))
			c.Stdin = strings.NewReader(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c%d","version":"1"}}}`+"\n"+
				`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
				`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"remember","arguments":{"content":"note of server %d"}}}`+"\n", i, i))
			var complaints strings.Builder
			c.Stderr = &complaints
			out, err := c.Output()
			if err != nil || complaints.Len() > 0 {
				t.Errorf("server %d: %v %s", i, err, complaints.String())
			}
			outs[i] = string(out)
		})
	}
	all.Wait()
	for i, out := range outs {
		lines := strings.Split(strings.TrimSpace(out), "\n")
		var reply struct {
			ID     int
			Result struct {
				IsError           bool
				StructuredContent struct{ ID, Content string }
			}
		}
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &reply); err != nil || reply.ID != 2 || reply.Result.IsError ||
			reply.Result.StructuredContent.Content != fmt.Sprintf("note of server %d", i) {
			t.Errorf("server %d answered %s", i, out)
		}
	}
}
