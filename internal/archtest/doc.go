// Package archtest holds the house in order by machine: which package may import
// which, what rule files may not know, how long a file or function may grow, and
// that every package says what it is. The tables are the rules; the reasons stand
// in docs/ARCHITECTURE.md.
package archtest
