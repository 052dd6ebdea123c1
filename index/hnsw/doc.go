// Package hnsw is a graph over int8 vectors in which a walk from neighbour to
// neighbour finds those nearest to a question without looking at most of them:
// the hierarchical navigable small world of Malkov and Yashunin, "Efficient and
// robust approximate nearest neighbor search using Hierarchical Navigable Small
// World graphs" (2016, arXiv 1603.09320), called the paper below.
//
// A Graph is five flat arrays, so that it can lie in a mapped file as it is, and
// never changes once it is built. Rows are numbers from 0; their vectors belong
// to the caller (Vectors). The similarity of two rows is the dot product of
// their codes times both scales, a cosine if the vectors have length 1.
//
// What differs from the paper:
//
//   - The layer of a row comes from a hash of its number instead of a random
//     draw, so that the same vectors give the same graph (TestSameVectorsSameGraph).
//   - Of rows with the same vector only the first has links, see copies.
//   - After the last row, rows that no walk could reach are linked in (connect). A
//     Walk that may return as many rows as there are finds all of them, copies
//     of one vector included (TestEveryRowIsReached).
//   - A filter is honoured inside the walk: rows that do not pass are walked
//     through and not returned.
//
// There are no deletes: a row that is dead does not pass the filter, until a new
// graph is built without it.
package hnsw
