// Package sense compares what is perceived now with what was perceived when a
// memory was made: one file a channel, each a pure function from two readings to
// a similarity between 0 and 1. It knows places, hours and readings, and nothing
// of memories, silence or storage. The formulas and their test values are those
// of contract/sense.md section 4.
package sense
