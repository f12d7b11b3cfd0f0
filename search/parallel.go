package search

import (
	"context"
	"runtime"

	"toposearch/internal/crew"
)

// Each is crew.Each with a worker for each processor where their number is not given.
func Each(ctx context.Context, workers, n int, do func(worker, i int)) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	crew.Each(ctx, workers, n, do)
}
