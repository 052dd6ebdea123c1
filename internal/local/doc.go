// Package local puts the parts of Combray together on one machine: the SQLite
// store, the index files beside it, the encoder that is loaded when it is first
// needed, and the work that goes on behind: missing vectors. It holds no rules;
// it turns one part's types into another's.
package local
