// Package crew starts goroutines, and is the only one to do so. A panic in one of them does not end the
// program, as it would where nobody recovers it: the others are told to stop, and whoever waits for
// them gets it, as an error of a Group or as a panic on its own goroutine after Run and Each. From there
// it goes on like any panic, through deferred calls that close files, to a Catch or to the end of the
// command, where it is printed as a fault of the program.
//
// What the runtime calls a fatal error is out of reach of any program: no memory left, a stack without
// end, two goroutines that write to a map at the same time.
package crew

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Group is an errgroup.Group whose functions may panic: Wait then returns the *Panic as the error.
type Group struct{ group *errgroup.Group }

// WithContext gives a group of at most limit goroutines at a time (0: any number), and a context that
// ends when one of them fails or panics.
func WithContext(ctx context.Context, limit int) (*Group, context.Context) {
	g, ctx := errgroup.WithContext(ctx)
	if limit > 0 {
		g.SetLimit(limit)
	}
	return &Group{g}, ctx
}

// Go runs f on a goroutine. It waits for its turn if the group has a limit.
func (g *Group) Go(f func() error) {
	g.group.Go(func() (err error) {
		defer Catch(&err)
		return f()
	})
}

// Wait returns the first error when all functions have returned.
func (g *Group) Wait() error { return g.group.Wait() }

// Detach runs f on a goroutine that nobody waits for; fault is told of its panic.
func Detach(f func(), fault func(error)) {
	go func() {
		var err error
		defer func() {
			if err != nil {
				fault(err)
			}
		}()
		defer Catch(&err)
		f()
	}()
}

// Run calls do for 0 to n-1 at the same time, 0 on the goroutine of the caller, and returns when all
// calls have. If some panic, stop is called once, at once (nil: nothing), so that the others do not wait
// for what will not come, and Run panics with the *Panic of the first.
func Run(n int, do func(i int), stop func()) {
	if n <= 0 {
		return
	}
	r := &team{do: do, stop: stop}
	r.others.Add(n - 1)
	for i := 1; i < n; i++ {
		go r.other(i)
	}
	r.one(0)
	r.others.Wait()
	if p := r.first.Load(); p != nil {
		panic(p)
	}
}

// team is one Run, in one allocation: simulations make one for every few cycles.
type team struct {
	do     func(i int)
	stop   func()
	others sync.WaitGroup
	first  atomic.Pointer[Panic]
}

func (r *team) other(i int) {
	defer r.others.Done()
	r.one(i)
}

func (r *team) one(i int) {
	defer func() {
		if v := recover(); v != nil && r.first.CompareAndSwap(nil, caught(v)) && r.stop != nil {
			r.stop()
		}
	}()
	r.do(i)
}

// Each calls do for every index below n, in order, on some goroutines; worker, below workers, numbers
// them, so that each can have its own memory. It stops handing out work when ctx ends or a call panics, waits
// for the calls under way, and then panics as Run does.
func Each(ctx context.Context, workers, n int, do func(worker, i int)) {
	var next atomic.Int64
	Run(max(1, min(workers, n)), func(worker int) {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= n {
				return
			}
			do(worker, i)
		}
	}, func() { next.Store(int64(n)) })
}
