package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// arguments collects flags as the arguments of a tool, under its names.
type arguments struct{ values map[string]any }

func newArguments() *arguments { return &arguments{values: map[string]any{}} }

func wireName(flag string) string { return strings.ReplaceAll(flag, "-", "_") }

func (a *arguments) text(f *pflag.FlagSet, flag, help string) {
	f.Var(collected{"text", func(s string) error { a.values[wireName(flag)] = s; return nil }}, flag, help)
}

func (a *arguments) whole(f *pflag.FlagSet, flag, help string) {
	f.Var(collected{"number", func(s string) error {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			return errors.New("a whole number is wanted, such as 10")
		}
		a.values[wireName(flag)] = n
		return nil
	}}, flag, help)
}

func (a *arguments) number(f *pflag.FlagSet, flag, help string) {
	f.Var(collected{"number", func(s string) error {
		return a.setNumber(wireName(flag), s)
	}}, flag, help)
}

// setNumber keeps a number, which JSON can carry.
func (a *arguments) setNumber(name, text string) error {
	n, err := finite(text)
	if err != nil {
		return errors.New("a number is wanted, such as 48.8566")
	}
	a.values[name] = n
	return nil
}

// finite reads a number that is neither infinite nor NaN.
func finite(text string) (float64, error) {
	n, err := strconv.ParseFloat(text, 64)
	if err == nil && n-n != 0 {
		err = strconv.ErrRange
	}
	return n, err
}

func (a *arguments) list(f *pflag.FlagSet, flag, name, help string) {
	f.Var(collected{"text", func(s string) error {
		list, _ := a.values[name].([]any)
		a.values[name] = append(list, s)
		return nil
	}}, flag, help)
}

func (a *arguments) flag(f *pflag.FlagSet, flag, help string) {
	f.BoolFunc(flag, help, func(s string) error {
		on, err := strconv.ParseBool(s)
		a.values[wireName(flag)] = on
		return err
	})
}

// filters are the flags that choose memories, for every command that shows some.
func (a *arguments) filters(f *pflag.FlagSet) {
	a.text(f, "frame", "only memories of this frame")
	a.text(f, "source", "only memories of this source")
	a.text(f, "session-id", "only memories of this conversation")
	a.text(f, "tier", "only memories of this tier")
	a.list(f, "tag", "tags", "only memories with this label; may be given several times")
	a.text(f, "since", "only what happened then or later, ISO 8601 with an offset")
	a.text(f, "until", "only what happened then or earlier")
}

// collected is a flag that hands its value on.
type collected struct {
	kind string
	set  func(string) error
}

func (c collected) String() string     { return "" }
func (c collected) Set(s string) error { return c.set(s) }
func (c collected) Type() string       { return c.kind }
