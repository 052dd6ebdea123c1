package local

import (
	"context"
	"time"
)

// every calls do again and again, a period after it began and from then on each
// period, until ctx ends.
func every(ctx context.Context, period time.Duration, do func()) {
	again := time.NewTicker(period)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-again.C:
			do()
		}
	}
}
