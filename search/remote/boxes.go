package remote

import (
	"errors"
	"sync"

	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/branch"
)

// Boxes of an enumeration are handed out with the name of the front that they are pruned against: a list that only grows, of which a task sees the
// first so many. Between two borders of the enumeration all tasks see the same; workers ask for what came to it since the last border.

// boxesWorth is how many visits the tasks of a batch take together, about, from where on they are handed out: a tenth of a second. Below,
// messages take longer than the work.
const boxesWorth = 1 << 17

// ErrOver is a task of a border that is over: nobody waits for it.
var ErrOver = errors.New("the search has gone on without this task")

// follower holds a front as tasks see it. Those of one border read it together.
type follower struct {
	mu    sync.RWMutex
	at    frontAt
	front *search.Archive
}

// with works on the front of a task. more gives what follows a place of the list. The error wraps ErrOver if the front has grown past the task.
func (f *follower) with(p *search.Problem, at frontAt, more func(from int) ([]objectives.Vector, error), do func(*search.Archive) error) error {
	for {
		f.mu.RLock()
		if f.front != nil && f.at == at {
			defer f.mu.RUnlock()
			return do(f.front)
		}
		f.mu.RUnlock()
		if err := f.follow(p, at, more); err != nil {
			return err
		}
	}
}

// follow brings the front to where a task sees it.
func (f *follower) follow(p *search.Problem, at frontAt, more func(from int) ([]objectives.Vector, error)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.front == nil || f.at.Of < at.Of {
		f.front, f.at = new(search.Archive), frontAt{Of: at.Of}
	}
	if f.at.Of > at.Of || f.at.N > at.N {
		return ErrOver
	}
	for f.at.N < at.N {
		list, err := more(f.at.N)
		if err != nil {
			return err
		}
		list = list[:min(len(list), at.N-f.at.N)]
		if len(list) == 0 {
			return ErrOver
		}
		branch.Follow(p, f.front, f.at.N, list)
		f.at.N += len(list)
	}
	return nil
}

// handed is the front of the enumeration whose boxes are handed out.
type handed struct {
	mu      sync.Mutex
	of      any // the enumeration,
	at      frontAt
	vectors []objectives.Vector // and its list
	sees    follower            // what rechecks see of it
	// tasks counts those handed out, undone those that were then done here.
	tasks, undone int
}

// begin names the front of an enumeration as it is now.
func (h *handed) begin(of any, vectors []objectives.Vector) frontAt {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of != of {
		h.of = of
		h.at.Of++
	}
	h.vectors, h.at.N = vectors, len(vectors)
	return h.at
}

// after is what follows a place of a list; nothing of one that is over.
func (h *handed) after(of int64, from int) []objectives.Vector {
	h.mu.Lock()
	defer h.mu.Unlock()
	if of != h.at.Of || from < 0 || from > len(h.vectors) {
		return nil
	}
	return h.vectors[from:]
}
