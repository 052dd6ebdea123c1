package verbtest

import (
	"math/rand/v2"

	"pgregory.net/rapid"

	"combray/internal/memtest"
)

// Chance makes choices. Each has a name, which a failing run prints.
type Chance interface {
	// Below gives a number from 0 on and below n, each about as often.
	Below(name string, n int) int
}

// Seeded makes the same choices for the same seed.
type Seeded struct{ random *rand.Rand }

// NewSeeded makes a Seeded.
func NewSeeded(seed, stream uint64) Seeded { return Seeded{rand.New(rand.NewPCG(seed, stream))} }

// Below implements Chance.
func (s Seeded) Below(_ string, n int) int { return s.random.IntN(n) }

// drawn makes choices that rapid prints and makes smaller.
type drawn struct{ t *rapid.T }

// Below implements Chance.
func (d drawn) Below(name string, n int) int { return memtest.Evenly(d.t, name, n) }
