package crew

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// attempt runs f and gives the panic that comes out of it.
func attempt(f func()) (p *Panic) {
	var err error
	func() {
		defer Catch(&err)
		f()
	}()
	errors.As(err, &p)
	return p
}

// TestRun: whoever panics, the caller's own goroutine among them, the others are stopped and waited
// for, and the panic comes out, once, with its place.
func TestRun(t *testing.T) {
	for bad := range 4 {
		var stops, ended atomic.Int32
		stopped := make(chan struct{})
		p := attempt(func() {
			Run(4, func(i int) {
				if i == bad {
					var none []int
					_ = none[i]
				}
				<-stopped
				ended.Add(1)
				panic("because another did")
			}, func() { stops.Add(1); close(stopped) })
		})
		if p == nil {
			t.Fatalf("call %d panicked, and nothing came out", bad)
		}
		if text := p.Error(); !strings.Contains(text, "index out of range") || !strings.Contains(text, "internal/crew.TestRun") || strings.Contains(text, "goroutine") {
			t.Errorf("call %d: %s", bad, text)
		}
		if stops.Load() != 1 || ended.Load() != 3 {
			t.Errorf("call %d: stopped %d times, %d others ended; want 1 and 3", bad, stops.Load(), ended.Load())
		}
	}
	n := 0
	Run(0, func(int) { n++ }, nil)
	Run(1, func(int) { n += 10 }, nil)
	if n != 10 {
		t.Errorf("none and one made %d calls", n)
	}
}

// TestEach: every index once, workers numbered; after a panic or the end of the context no further ones.
func TestEach(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 100} {
		var seen [50]atomic.Int32
		Each(t.Context(), workers, len(seen), func(w, i int) {
			if w >= max(1, workers) {
				t.Errorf("worker %d of %d", w, workers)
			}
			seen[i].Add(1)
		})
		for i := range seen {
			if seen[i].Load() != 1 {
				t.Errorf("%d workers: index %d was done %d times", workers, i, seen[i].Load())
			}
		}
	}
	var done atomic.Int32
	p := attempt(func() {
		Each(t.Context(), 2, 1e9, func(_, i int) {
			if done.Add(1); i == 100 {
				panic("at 100")
			}
		})
	})
	if p == nil || p.Value != "at 100" {
		t.Errorf("%v came out", p)
	}
	ctx, cancel := context.WithCancel(t.Context())
	Each(ctx, 2, 1e9, func(_, i int) {
		if i == 100 {
			cancel()
		}
	})
}

// TestGroup: a panic is the error of the group, and ends the context of the others.
func TestGroup(t *testing.T) {
	g, ctx := WithContext(t.Context(), 2)
	g.Go(func() error { <-ctx.Done(); return ctx.Err() })
	g.Go(func() error { panic(io.ErrUnexpectedEOF) })
	var p *Panic
	if err := g.Wait(); !errors.As(err, &p) || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
	g, _ = WithContext(t.Context(), 0)
	g.Go(func() error { return nil })
	if err := g.Wait(); err != nil {
		t.Error(err)
	}
}

// TestDoing: what was done is told from the outside in, across goroutines, and asked only after a panic.
func TestDoing(t *testing.T) {
	p := attempt(func() {
		defer Doing(func() string { return "running a study" })
		Each(t.Context(), 2, 2, func(_, i int) {
			defer Doing(func() string { return "evaluating x(n=1)" })
			if i == 1 {
				panic("negative weight")
			}
		})
	})
	if p == nil || !strings.HasPrefix(p.Error(), "internal error while running a study, evaluating x(n=1): negative weight\n") {
		t.Errorf("%v", p)
	}
	func() { defer Doing(func() string { t.Error("asked without need"); return "" }) }()
}

// TestDetach: whoever detaches a goroutine hears of its panic, and of nothing else.
func TestDetach(t *testing.T) {
	heard := make(chan error, 1)
	Detach(func() { panic("alone") }, func(err error) { heard <- err })
	if err := <-heard; !strings.Contains(err.Error(), "alone") {
		t.Error(err)
	}
	var wg sync.WaitGroup
	wg.Add(1)
	Detach(wg.Done, func(err error) { t.Error(err) })
	wg.Wait()
	time.Sleep(time.Millisecond)
}
