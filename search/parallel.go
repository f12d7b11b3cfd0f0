package search

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do for every index below n on some goroutines; worker numbers them, so that each can
// have its own memory. It stops handing out work when ctx ends, and waits for all.
func Each(ctx context.Context, workers, n int, do func(worker, i int)) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, n)
	if workers <= 1 {
		for i := 0; i < n && ctx.Err() == nil; i++ {
			do(0, i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(w, i)
			}
		})
	}
	wg.Wait()
}
