package store

import (
	"context"
	"errors"
	"testing"
)

// TestTheLastConnectionGoesFirst holds that one question at a time is answered by one
// connection, that several have one each, and that who waits for one can give up.
func TestTheLastConnectionGoesFirst(t *testing.T) {
	opened := 0
	p := newPool(2, func(context.Context) (*conn, error) { opened++; return &conn{}, nil })
	get := func() *conn {
		t.Helper()
		c, err := p.get(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	first := get()
	p.put(first)
	for range 3 {
		if c := get(); c != first {
			t.Fatal("another connection was lent")
		} else {
			p.put(c)
		}
	}
	one, two := get(), get()
	if one == two || opened != 2 {
		t.Errorf("%d connections were opened for two at a time", opened)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.get(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting ended with %v", err)
	}
	p.put(two)
	p.put(one)
	if get() != one {
		t.Error("the connection that came back last does not go first")
	}
}
