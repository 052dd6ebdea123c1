// Package memtest proves stores and feeds tests. Only tests import it.
//
//   - Store is the model: the plainest memory.Store there is, on Go maps, short
//     enough to be believed by reading.
//   - Suite holds every promise of memory.Store against any store, a subtest a
//     promise; TestSuiteFailsOnBrokenStores shows that each of them can fail.
//   - Operations does the same random plans to a store and to the model, and
//     Compare compares what both then answer.
//   - Index is memory.Index by brute force and Encoder a hashed bag of words, so
//     that use cases run without files, SQLite and ONNX Runtime. Index is the
//     oracle of the real one.
//   - Sample makes plausible rows; Clock and IDs are sources of time and names
//     that give the same on every run.
//
// Where ports.go leaves a choice, the model takes one and says so at the code;
// Suite then tests only what is promised.
package memtest
