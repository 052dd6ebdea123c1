package index

import (
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Config says how an Index works. Zero values are defaults.
type Config struct {
	// Dir is the folder of the index files, made if it is not there; several
	// processes may share it. Empty: the index lives in memory alone.
	Dir string
	// StoreID tells stores apart: files made from a store with another are not used.
	StoreID string
	// Identity tells encoders apart: files made with another are not used, and
	// each has a file of its own. Empty: no vectors, words only.
	Identity string
	Dims     int // numbers in a vector, 1 to 8,192; needed with Identity
	ReadOnly bool
	Logger   *slog.Logger // nil discards

	// RewriteRows is from how many rows on, kept in memory because they are newer
	// than the files, the files are rewritten; 0 means 1,024. Large stores wait
	// for 5 % of their rows, at most 16,384.
	RewriteRows int
	// Shortlist is how many rows, at least, the signs leave for int8; 0 means
	// 10,000. Up to so many allowed rows the vectors lane compares them all.
	Shortlist int

	Kind Kind // Scan unless set
	// Ef is how many rows a walk of the graph keeps at a time, at least
	// Query.PerLane; 0 means 400. The more, the slower and the nearer to the truth.
	Ef int

	sampleDocs   int           // of the centre, 0 means defaultSampleDocs; smaller in tests
	verifyAtOpen int64         // bytes of a file, 0 means defaultVerifyAtOpen; smaller in tests
	verifyAfter  time.Duration // 0 means defaultVerifyAfter; shorter in tests
	shareRows    int           // 0 means defaultShareRows; smaller in tests
	surveyRows   int           // 0 means defaultSurveyRows; smaller in tests
	graphRows    int           // 0 means defaultGraphRows; smaller in tests
	graphFrom    int           // a search of so many allowed rows scans; 0 means Shortlist; smaller in tests
	graphShare   float64       // 0 means defaultGraphShare; smaller in tests
}

const (
	maxDims = 8192

	// defaultRewriteRows rows take some 16 ms to catch up and 1 MiB of memory.
	defaultRewriteRows = 1024
	// maxRewriteRows bounds the memory that each process needs beside the files, at
	// some 1,500 bytes a row (TestDeltaTakesLittleMemory), and what a new process has
	// to catch up, at some 30 µs.
	maxRewriteRows = 16 << 10
	// rewritePart is the part of the rows, one in so many, that waits in memory.
	rewritePart = 20
	// settlePart is the part of the rows, one in so many, that Settle leaves in memory;
	// maxSettleRows bounds them to six megabytes.
	settlePart    = 100
	maxSettleRows = 4 << 10
	// bulkRows is how many rows wait in memory while there are more to read.
	bulkRows = 64 << 10
	// bulkPatience is how many times the rows may grow, while there are more to
	// read, before the mean moves.
	bulkPatience = 4

	// defaultShortlist and shortlistPart give max(10,000, 3 % of the live rows):
	// 0.995 or more of the true ten best at a million rows of real vectors.
	defaultShortlist = 10_000
	shortlistPercent = 3

	// defaultVerifyAtOpen bytes are read and checked in some 15 ms.
	defaultVerifyAtOpen = 64 << 20
	// defaultVerifyAfter is how long a larger file answers before its check begins: a
	// process that answers one question ends before.
	defaultVerifyAfter = 3 * time.Second
	// verifyPause is the pause between two blocks of such a check.
	verifyPause = 4 * time.Millisecond
)

// normal returns c with its defaults filled in, or says what is wrong with it.
func (c Config) normal() (Config, error) {
	if c.Identity == "" {
		c.Dims = 0
	} else if c.Dims < 1 || c.Dims > maxDims {
		return c, fmt.Errorf("index: vectors of %d numbers, allowed are 1 to %d", c.Dims, maxDims)
	}
	if c.RewriteRows < 0 || c.Shortlist < 0 || c.Ef < 0 {
		return c, errors.New("index: RewriteRows, Shortlist and Ef must be 0 (default) or more")
	}
	if c.Kind > Graph {
		return c, fmt.Errorf("index: kind %d, allowed are Scan and Graph", c.Kind)
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	c.RewriteRows = orDefault(c.RewriteRows, defaultRewriteRows)
	c.Shortlist = orDefault(c.Shortlist, defaultShortlist)
	c.sampleDocs = orDefault(c.sampleDocs, defaultSampleDocs)
	c.shareRows = orDefault(c.shareRows, defaultShareRows)
	c.surveyRows = orDefault(c.surveyRows, defaultSurveyRows)
	c.Ef = orDefault(c.Ef, defaultEf)
	c.graphRows = orDefault(c.graphRows, defaultGraphRows)
	c.graphShare = orDefault(c.graphShare, defaultGraphShare)
	c.verifyAfter = orDefault(c.verifyAfter, defaultVerifyAfter)
	c.verifyAtOpen = orDefault(c.verifyAtOpen, int64(defaultVerifyAtOpen))
	return c, nil
}

// orDefault returns value, or standard if value is zero.
func orDefault[T comparable](value, standard T) T {
	var zero T
	if value == zero {
		return standard
	}
	return value
}
