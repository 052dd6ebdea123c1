// Package benchmark builds a store of a given size, measures the real program on
// it, and shows what was measured as a table, as a comparison of two runs, and as
// pictures. The same parameters build the same memories.
package benchmark
