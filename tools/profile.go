package tools

import (
	"fmt"
	"slices"
	"strings"
)

// profile is a set of profiles.
type profile uint8

// The profiles of contract/surface.md 1. Every tool is in full.
const (
	full profile = 1 << iota
	core
	everyday
	history
	senses
)

// Sets that several tools are in.
const (
	inCore  = full | core | history
	inDaily = inCore | everyday
)

// DefaultProfile is what a client sees unless it asks for more.
const DefaultProfile = "core"

var profileNames = []struct {
	name string
	bit  profile
}{{"core", core}, {"everyday", everyday}, {"history", history}, {"senses", senses}, {"full", full}}

// ProfileNames lists the profiles that can be asked for.
func ProfileNames() []string {
	names := make([]string, len(profileNames))
	for i, p := range profileNames {
		names[i] = p.name
	}
	return names
}

func (p profile) names() []string {
	var names []string
	for _, n := range profileNames {
		if p&n.bit != 0 {
			names = append(names, n.name)
		}
	}
	return names
}

// choose gives the tools that a configuration shows, in the order of the list.
func choose(c Config) ([]*tool, error) {
	name := c.Profile
	if name == "" {
		name = DefaultProfile
	}
	var bit profile
	for _, n := range profileNames {
		if n.name == name {
			bit = n.bit
		}
	}
	if bit == 0 {
		return nil, fmt.Errorf("unknown profile %q: use one of %s", name, strings.Join(ProfileNames(), ", "))
	}
	for _, name := range slices.Concat(c.Tools, c.ExcludeTools) {
		if find(name) == nil {
			return nil, fmt.Errorf("unknown tool %q: use any of %s", name, strings.Join(Names(), ", "))
		}
	}
	var chosen []*tool
	for _, t := range catalogue(bit) {
		wanted := t.profiles&bit != 0 || slices.Contains(c.Tools, t.name)
		if wanted && !slices.Contains(c.ExcludeTools, t.name) && (t.hints.readOnly || !c.ReadOnly) {
			chosen = append(chosen, t)
		}
	}
	return chosen, nil
}

// catalogue is what a profile chooses from. Profile senses has tools of its own
// in place of those of the same names.
func catalogue(bit profile) []*tool {
	if bit != senses {
		return everyTool
	}
	return append(slices.Clone(sensesTools), slices.DeleteFunc(slices.Clone(everyTool), func(t *tool) bool {
		return slices.ContainsFunc(sensesTools, func(own *tool) bool { return own.name == t.name })
	})...)
}

// Names lists every tool, in the order of the list.
func Names() []string {
	names := make([]string, len(everyTool))
	for i, t := range everyTool {
		names[i] = t.name
	}
	return names
}

func find(name string) *tool {
	for _, t := range everyTool {
		if t.name == name {
			return t
		}
	}
	return nil
}
