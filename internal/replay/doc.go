// Package replay lets a memory live through a stream of memories and cues whose
// truth is known (internal/lives), and scores what came back: precision, recall a
// due episode, false fires a day, repeats, the queue, calibration. It asks through
// the verbs that a client has, and knows nothing of how a memory decides.
package replay
