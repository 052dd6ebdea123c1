package index

import "slices"

// best keeps the k best of the items it is offered. better must be a total
// order, so that what is kept does not depend on the order of the offers.
type best[T any] struct {
	k      int
	better func(a, b T) bool
	items  []T // a heap, the worst first
}

// full reports whether an item must now beat worst to be kept.
func (b *best[T]) full() bool { return len(b.items) == b.k }

// worst returns the item that the next better one displaces; only when full.
func (b *best[T]) worst() T { return b.items[0] }

func (b *best[T]) offer(item T) {
	if b.k == 0 {
		return
	}
	if !b.full() {
		b.items = append(b.items, item)
		b.up(len(b.items) - 1)
		return
	}
	if b.better(item, b.items[0]) {
		b.items[0] = item
		b.down()
	}
}

func (b *best[T]) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !b.better(b.items[parent], b.items[i]) {
			return
		}
		b.items[parent], b.items[i] = b.items[i], b.items[parent]
		i = parent
	}
}

func (b *best[T]) down() {
	for i := 0; ; {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(b.items); child++ {
			if b.better(b.items[worst], b.items[child]) {
				worst = child
			}
		}
		if worst == i {
			return
		}
		b.items[worst], b.items[i] = b.items[i], b.items[worst]
		i = worst
	}
}

// sorted returns the items, the best first.
func (b *best[T]) sorted() []T {
	slices.SortFunc(b.items, func(x, y T) int {
		switch {
		case b.better(x, y):
			return -1
		case b.better(y, x):
			return 1
		}
		return 0
	})
	return b.items
}
