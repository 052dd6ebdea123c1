// Package index answers what a query ranks with: the words of rows, their
// vectors, their fields and their neighbours in a session. It knows numbers and
// labels, not memories, and is a cache: all of it can be made again from the
// store, its Source.
//
// # Parts
//
// A row of the store takes a slot. Most slots lie in a file (segment), mapped and
// shared by all processes, ascending by row number; the rows that changed since
// the file was made lie in memory (delta), in the order in which they came.
// Together with the bits that say which slots stand and which are live they are
// a state. A row that changes takes a new slot in the delta, and its old slot
// stands no more, so what is forgotten or erased is out of every answer at once.
//
// A search first turns its filter into one bit a slot. The lanes rank only what the
// filter allows, so no filter, however narrow, loses a match.
//
// The words lane adds every posting of every term into one array over all slots
// and picks the best. Frequencies and lengths count the live rows, exactly: what
// a row of the file takes with it when it stands no more is found by the list of
// its terms (forward). The lane's score of any row is its cell of the array.
//
// The vectors lane compares signs, then int8 codes, then the vectors themselves:
// the Hamming distances of the sign bits leave the nearest max(10,000, 3 % of the
// live rows), of which the codes pick the candidates, and the best 40 are scored
// again with the exact vectors of the store. Up to the size of the shortlist all
// allowed rows are compared by their codes, so recall is exact by construction
// (TestRecallIsExact). A row of several windows is as near as its best window. The
// exact vectors are read while the candidates are scored.
//
// A question's vector takes a while to make. Who asks may give a promise of it; words
// are looked for meanwhile, and again if rows have come in since (TestAwaitedVectors).
//
// With Config.Kind Graph the nearest rows of a file are found by a walk of a graph of
// its codes (package hnsw) instead of the signs, and compared by their codes together
// with all rows of the delta. The scan answers where it compares all allowed rows
// anyway, where a filter keeps less than half of the file, for surveys, while codes
// are others than those of the file, and while there is no graph. A walk may miss
// near rows that a scan finds (TestGraphRecall; decision 0011 has the figures), and two
// indexes of a store need not then name the same ones, but what is found has the same
// scores, and is live and allowed (TestModel, TestGraphAfterChanges).
//
// The cue lane asks the caller's function about place and time of every allowed
// row, and takes the best.
//
// Sample asks the same of the signs and of all codes, for a few rows of the store: what
// memory_stats shows as recall.
//
// Survey asks the vectors lane for the best few, and says beside them how C spreads
// over all live rows, by their codes; above 16,384 rows by those whose number has a
// low hash. Its sums are of whole numbers, so that this too is the same in every
// index of a store (TestModel, TestSurveyOfASample).
//
// # The mean
//
// Vectors of sentence encoders lie in a narrow cone. Before they are compared the
// mean of the store is subtracted and the rest made length 1. The mean is a
// function of what the store has, so that an index that lived through every
// change, one made at once from the rows, and one in another process give the
// same answers bit for bit (TestModel):
//
//   - Let n be the number of rows that have vectors, forgotten ones included, and
//     g the largest size of a fixed grid (6 to 16, from there on steps of one part
//     in sixteen) that is not above n. Below 6 there is no mean.
//   - The sample is the first g of those rows by row number; if these are more
//     than 4,096, those 4,096 of them whose number has the lowest hash.
//   - The mean is that of all vectors of the sample, added up in row order.
//
// So it moves only when a row of the sample changes or the grid is left, which
// new rows do once in n/16. Up to 4,096 embedded rows, or without a file, CatchUp
// then makes all codes anew from the store. In a larger index this waits for the
// next rewrite of the file, which is due when the grid is left, and the mean of
// the file serves until then. Index.Centre shows the mean.
//
// # Files
//
// There is one file for each encoder identity, named after its hash, and a file
// "lock". A file is a header page, sections, and a CRC-32C for each MiB of them;
// the header has a checksum of its own. It is written from the state by merging,
// under the lock, as a temporary file that is synced and renamed, while searches
// and changes go on; other processes take it over at their next catch-up and
// drop the old one when their running searches are done. Writing takes four bytes
// of memory a row beside some buffers (TestRewriteTakesLittleMemory): sections that
// come to be while another is written wait in temporary files, and every 8 MiB go to
// the disk, so that who syncs a small file beside it does not wait for all. Sections
// need no decoding. Their offsets are checked when a file is opened, places within them
// where they are used, so that a file with right checksums and wrong content
// gives wrong answers but no panic (FuzzOpenFile).
//
// A file is made anew from the store when it is missing, cut short, damaged in
// any bit (TestDamageIsNoticed), of another version, store or encoder, or ahead
// of the store. Files up to 64 MiB are checked before they are used, larger ones
// while they already answer, after three seconds and in no haste, so that opening one
// reads next to nothing.
//
// Rows wait in memory until one in twenty is new, 16,384 at most; Settle, for those
// who end and for times when nobody writes, leaves one in a hundred, 4,096 at most.
//
// A graph is a file beside that of the codes it links, stamped with the hash of that
// file's checksums (TestGraphOfAnotherFile), and checked before it is used. It is
// built in the background, by one process of those that share the folder, when
// CatchUp finds none that can be used (TestGraphDamage, TestOneBuildsTheGraph), and
// is removed when the file it belongs to is replaced.
//
// What was erased is gone from all files after Rewrite; see there.
package index
