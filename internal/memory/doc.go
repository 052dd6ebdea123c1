// Package memory is the one home of Combray's rules: what a memory is, what may
// happen to it, what comes back for a question, and what is written down about it.
//
// It knows no SQL, no wire format, no path, no environment and no wall clock. It
// declares the ports it needs (Store, Encoder, Index, TimeReader) and has two
// kinds of file. Rule files (gate.go, lifecycle.go, claim.go, rank.go …) take
// loaded facts and the present moment, check the guards in the contract's order
// and return a Plan: the rows to write, their audit rows, and the denial if
// there is one. Use-case files (…_ops.go) load facts, ask the rule and apply its
// plan; they hold no policy. internal/archtest looks at both.
//
// # Glossary
//
//   - Memory: one piece of material as it was captured; its text never changes.
//   - Tier: how far a memory may be trusted: archive, testimony, interpretation.
//   - Anchor: a memory that every recall shows first.
//   - Canon: memories that belong to a task scope for as long as it is active.
//   - Frame: a free label that filters; it gives no rights.
//   - Narrative: an account of a scope, built from memories, claims and links.
//   - Claim: a judgement with evidence for and against, adopted or not.
//   - Line: what a memory is read as when it is searched, see Line.
//   - Tombstone: the mark of a forgotten memory; restore takes it away.
//   - Erase: what cannot be undone.
package memory
