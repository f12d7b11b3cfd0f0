package memory

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
)

// What is held never exceeds the pool by more than what a single user, alone at work, wants; all come to their end, however they grow.
func TestPool(t *testing.T) {
	const size = 100
	p := NewPool(size)
	var wg sync.WaitGroup
	for k := range 16 {
		wg.Go(func() {
			rng := rand.New(rand.NewPCG(1, uint64(k)))
			for range 500 {
				var h Hold
				for range 3 {
					if err := p.Grow(context.Background(), &h, float64(rng.IntN(120))); err != nil {
						t.Error(err)
					}
					p.mu.Lock()
					if p.held > size && p.active > 1 && p.held-h.bytes > size {
						t.Errorf("%g of %d are held beside %g", p.held-h.bytes, size, h.bytes)
					}
					p.mu.Unlock()
				}
				p.Free(&h)
			}
		})
	}
	wg.Wait()
	if p.held != 0 || p.active != 0 || len(p.waiting) != 0 {
		t.Errorf("%g are held by %d, %d wait, when all have ended", p.held, p.active, len(p.waiting))
	}
}

// Who wants more than is left waits for what others give back, and stops waiting with its context.
func TestPoolWaits(t *testing.T) {
	p := NewPool(10)
	var a, b Hold
	if err := p.Grow(context.Background(), &a, 8); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.Grow(ctx, &b, 3); !errors.Is(err, context.Canceled) || b.bytes != 0 {
		t.Errorf("3 of 10, of which 8 are held: %v", err)
	}
	done := make(chan error)
	go func() { done <- p.Grow(context.Background(), &b, 3) }()
	p.Free(&a)
	if err := <-done; err != nil || p.held != 3 {
		t.Errorf("%v, %g held", err, p.held)
	}
	if err := p.Grow(context.Background(), &b, 30); err != nil { // nobody else is there to wait for
		t.Error(err)
	}
}
