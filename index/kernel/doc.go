// Package kernel holds the inner loops of a search: Hamming distances over sign
// bits, dot products over int8 codes, and the positions of what is near or good enough.
//
// A call answers a whole block of rows, so that the price of entering C (some
// 50 ns) is paid once a block. Three implementations give the same answers bit
// for bit, because nothing is rounded and no sum can overflow:
//
//   - C written for the instructions of one processor: "avx512-vnni" and "avx2"
//     on amd64, "neon" on arm64, chosen once at start by what the processor has;
//   - the same loops in plain C, "c", on any other processor;
//   - plain Go, "go", which runs where cgo is off and wherever Portable asks.
//
// TestEveryKernelEqualsThePlainLoop and FuzzKernelsAgree hold that promise.
// Nothing here allocates, and nothing reads a byte beyond the slices it was
// given, so rows may end where mapped memory ends; TestMappedEdge holds that.
// All functions may be called from several goroutines at once.
package kernel
