package memory

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"log/slog"
	"time"
)

// Config wires a Service. Store and Index are required; the zero value of
// everything else works.
type Config struct {
	Store     Store
	Index     Index
	Encoder   Encoder          // nil: words only
	Times     TimeReader       // nil: time words are not understood
	Now       func() time.Time // nil: the system's clock
	Random    io.Reader        // nil: the system's source; ids come from it
	Zone      *time.Location   // nil: time.Local; where a time without offset is read
	Logger    *slog.Logger     // nil: nothing is logged
	Secrets   SecretsPolicy    // "": flag
	Cues      CueIndex         // what perceptions are compared with; nil: Sense is unavailable
	Perceiver Perceiver        // nil: pictures and sounds are refused
	Sense     SenseSettings
	Behind    func() // called when memories were stored without their vectors; nil: nobody cares
	Next      bool   // Encoder is to answer later, when Backfill has made all of its vectors
	// Change tells of a change of the encoder; nil: there is never one.
	Change func(context.Context) (*EncoderChange, error)
}

// Service is every verb of Combray. It is safe for concurrent use.
type Service struct {
	store   Store
	index   Index
	encoder Encoder
	times   TimeReader
	clock   func() time.Time
	random  io.Reader
	zone    *time.Location
	log     *slog.Logger
	secrets SecretsPolicy
	behind  func()
	next    bool
	change  func(context.Context) (*EncoderChange, error)

	cues      CueIndex
	perceiver Perceiver
	sense     SenseSettings
	senses    senses
	perceived perceived
}

// New makes a Service.
func New(c Config) *Service {
	s := &Service{store: c.Store, index: c.Index, encoder: c.Encoder, times: c.Times,
		clock: c.Now, random: c.Random, zone: c.Zone, log: c.Logger, secrets: c.Secrets, behind: c.Behind, next: c.Next, change: c.Change,
		cues: c.Cues, perceiver: c.Perceiver, sense: c.Sense}
	if s.encoder == nil {
		s.encoder = noEncoder{}
	}
	if s.times == nil {
		s.times = noTimes{}
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.random == nil {
		s.random = rand.Reader
	}
	if s.zone == nil {
		s.zone = time.Local
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.behind == nil {
		s.behind = func() {}
	}
	if s.change == nil {
		s.change = func(context.Context) (*EncoderChange, error) { return nil, nil }
	}
	if s.secrets == "" {
		s.secrets = SecretsFlag
	}
	return s
}

// now is the present moment as it is stored; a use case reads it once.
func (s *Service) now() time.Time { return Micro(s.clock()) }

// newID makes a random ID. A source of randomness that fails leaves nothing
// sensible to do, as crypto/rand has it.
func (s *Service) newID() ID {
	var b [6]byte
	if _, err := io.ReadFull(s.random, b[:]); err != nil {
		panic("memory: no randomness for an id: " + err.Error())
	}
	return ID(hex.EncodeToString(b[:]))
}

// noEncoder serves a Service that works with words only.
type noEncoder struct{}

const encoderOff = "no encoder is configured (COMBRAY_MODEL=none), so only words are searched"

func (noEncoder) Wait(context.Context) EncoderState { return EncoderState{Reason: encoderOff} }
func (noEncoder) Identity() string                  { return "" }
func (noEncoder) Describe() *Backend                { return nil }
func (noEncoder) Question(context.Context, string) ([]float32, error) {
	return nil, Unavailable("Set COMBRAY_MODEL=bundled, or use mode lexical.", nil, encoderOff)
}
func (noEncoder) Symmetric(context.Context, string) ([]float32, error) {
	return nil, Unavailable("Set COMBRAY_MODEL=bundled.", nil, encoderOff)
}
func (noEncoder) Passage(context.Context, string) ([][]float32, error) {
	return nil, Unavailable("Set COMBRAY_MODEL=bundled, or use mode lexical.", nil, encoderOff)
}

// noTimes understands no time words.
type noTimes struct{}

func (noTimes) Understand(string, time.Time) (Interval, bool) { return Interval{}, false }
