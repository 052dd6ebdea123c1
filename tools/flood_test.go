package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// nonsense are lines that are no message of the protocol, a family each.
func nonsense(i int) string {
	switch i % 9 {
	case 0:
		return `{"jsonrpc":"2.0","id":` + fmt.Sprint(i) + `,"method":`
	case 1:
		return `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`
	case 2:
		return fmt.Sprintf(`{"jsonrpc":"1.0","id":"v%d","method":"tools/list"}`, i)
	case 3:
		return strings.Repeat(`{"a":[`, 5000)
	case 4:
		return "\xff\xfe\xff" + fmt.Sprint(i)
	case 5:
		return `{"jsonrpc":"2.0","id":{"a":1},"method":"tools/list"}`
	case 6:
		return `null`
	case 7:
		return `{"jsonrpc":"2.0","id":"t` + fmt.Sprint(i) + `","method":"tools/call","params":{"name":"recall","arguments":` + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + `}}`
	}
	return strings.Repeat("x", 1<<10)
}

// TestAFloodOfNonsenseHoldsUpNobody: a thousand malformed lines, one of 20 MB among
// them, and every good call between them is answered; afterwards the memory is
// what it was.
func TestAFloodOfNonsenseHoldsUpNobody(t *testing.T) {
	w := newWorld(t, Config{})
	const flood, every = 1000, 20
	answers := func(lines int) (good int) {
		var in bytes.Buffer
		for i := range lines {
			in.WriteString(nonsense(i) + "\n")
			if i%every == 0 {
				fmt.Fprintf(&in, `{"jsonrpc":"2.0","id":"good %d","method":"tools/call","params":{"name":"recall","arguments":{}}}`+"\n", i)
			}
		}
		in.WriteString(`{"jsonrpc":"2.0","id":"big","method":"ping","params":{"x":"` + strings.Repeat("y", 20<<20) + "\"}}\n")
		var out bytes.Buffer
		if err := (Stdio{Server: w.server, In: &in, Out: &out, Parent: func() int { return 1 }}).Serve(t.Context()); err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(out.Bytes()) {
			var m message
			if err := json.Unmarshal(line, &m); err != nil || m.JSONRPC != "2.0" {
				t.Fatalf("not a protocol line: %.200q", line)
			}
			if strings.HasPrefix(string(m.ID), `"good`) && m.Error == nil && m.Result["isError"] == nil {
				good++
			}
		}
		return good
	}
	answers(every) // what is made once is made now
	before := heapInUse()
	if got := answers(flood); got != flood/every {
		t.Errorf("%d of %d good calls were answered", got, flood/every)
	}
	const slack = 4 << 20 // bytes; the flood itself is some 40 MB
	if after := heapInUse(); after > before+slack {
		t.Errorf("the heap grew from %d to %d bytes", before, after)
	}
}

func heapInUse() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
