// Package lives makes invented persons' years for measuring involuntary memory:
// streams of what was remembered and what was perceived, each cue with the truth
// about what should come back for it.
//
// A stream is JSON Lines in time order. An Event is either a memory that is stored
// or a cue that is sensed; a cue names the memories that are due, why each is, and
// those that may come back without being counted. What is due follows from where
// the person truly is and what is truly spoken of, never from what a sensor says
// or from how a memory system decides (truth.go).
//
// A life is made from a profile and a seed, and is the same whenever it is made.
// Seeds 1 to 5 are kept for figures that are published; no constant of Combray may
// be chosen by looking at them. Tests and development take others, from 101 on.
package lives
