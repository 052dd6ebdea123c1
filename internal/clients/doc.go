// Package clients knows where each MCP client keeps its configuration and what
// an entry for Combray looks like there. It edits such a file as text: it splices
// the entry in or out and leaves every other byte, so that comments, order and
// indentation stay what their owner made them. Each edit is read back and
// compared with what was meant (see guard), and a file that cannot be read is
// refused and never rewritten.
//
// The package is pure: paths are computed from the folders handed in, files come
// and go as bytes. Shapes and paths of facts: each client's own documentation,
// as of 2026-11.
package clients
