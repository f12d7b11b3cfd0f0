package memory

import (
	"context"
	"slices"
	"sync"
)

// Pool is memory that what runs side by side shares: who wants more than is left waits until others give theirs back. Needs are predictions, so that
// nothing is allocated here. It is safe for concurrent use.
type Pool struct {
	size    float64
	mu      sync.Mutex
	held    float64
	active  int       // holders that do not wait
	waiting []*waiter // first come, first served
}

// Hold is what one user has of a pool; the zero value has nothing. It is of one goroutine at a time.
type Hold struct{ bytes float64 }

// waiter is a user that waits for more; given is closed when it has it.
type waiter struct {
	h     *Hold
	bytes float64 // in all
	given chan struct{}
}

// NewPool shares out so many bytes.
func NewPool(bytes float64) *Pool { return &Pool{size: bytes} }

// Grow gives h so many bytes in all, unless it has them already. It waits until they are there or, where all that others have would only be given back
// by users that wait themselves, until it is the first of those: so a need beyond the whole pool is met, too, and nobody waits for ever. Its error is
// that of the context; h has then what it had.
func (p *Pool) Grow(ctx context.Context, h *Hold, bytes float64) error {
	p.mu.Lock()
	if bytes <= h.bytes {
		p.mu.Unlock()
		return nil
	}
	if h.bytes > 0 {
		p.active--
	}
	w := &waiter{h, bytes, make(chan struct{})}
	p.waiting = append(p.waiting, w)
	p.serve()
	p.mu.Unlock()
	select {
	case <-w.given:
		return nil
	case <-ctx.Done():
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if i := slices.Index(p.waiting, w); i >= 0 {
		p.waiting = slices.Delete(p.waiting, i, i+1)
		if h.bytes > 0 {
			p.active++
		}
		p.serve()
	}
	return ctx.Err()
}

// Free gives all back that h has.
func (p *Pool) Free(h *Hold) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if h.bytes == 0 {
		return
	}
	p.held -= h.bytes
	h.bytes = 0
	p.active--
	if p.active == 0 && len(p.waiting) == 0 {
		p.held = 0 // of sums that round
	}
	p.serve()
}

// serve gives the first of those that wait what they want.
func (p *Pool) serve() {
	for len(p.waiting) > 0 {
		w := p.waiting[0]
		more := w.bytes - w.h.bytes
		if p.held+more > p.size && p.active > 0 {
			return
		}
		p.held += more
		w.h.bytes = w.bytes
		p.active++
		p.waiting = p.waiting[1:]
		close(w.given)
	}
}
