package lexical

import (
	"hash/maphash"
	"sync/atomic"
)

// The cache remembers the forms of recent words, so that a common word costs
// neither a stem nor an allocation. It is a table of fixed size in which a word
// takes the place of another with the same slot; goroutines share it without a
// lock. Full, it holds about 2 MB.
const (
	cacheSlots   = 1 << 14
	cacheMaxWord = 32 // bytes; longer words are rarely met twice
)

var (
	cache     [cacheSlots]atomic.Pointer[forms]
	cacheSeed = maphash.MakeSeed()
)

// formsOf returns the forms of a folded word. The scripts follow from the
// letters, so the word alone is the key.
func formsOf(word []byte, scripts script) forms {
	if len(word) > cacheMaxWord {
		return newForms(string(word), scripts)
	}
	slot := &cache[maphash.Bytes(cacheSeed, word)%cacheSlots]
	if f := slot.Load(); f != nil && f.word == string(word) {
		return *f
	}
	f := newForms(string(word), scripts)
	slot.Store(&f)
	return f
}
