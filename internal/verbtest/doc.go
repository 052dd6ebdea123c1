// Package verbtest calls every verb of memory.Service at random. Only tests
// import it.
//
//   - Hand draws a call: a verb and arguments that speak of what the store holds,
//     with wrong ones among them.
//   - Against makes the same calls to a service on the plain model of memtest and
//     to one on another store, and compares answers, errors, and then everything
//     that both stores hold.
//   - Half looks for what a call that was cut off would leave behind, and for what
//     two callers at once must never reach together. It needs no model, so that it
//     can judge a store that many processes have written.
package verbtest
