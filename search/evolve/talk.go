package evolve

import (
	"context"
	"errors"
	"toposearch/search"
)

// talk turns an algorithm that calls for scores into one that is asked: the algorithm runs on a
// goroutine of its own, and exactly one of the two sides runs at a time.
type talk struct {
	asks  chan []search.Candidate
	tells chan []search.Score
	quit  chan struct{}
	ended chan struct{}
	err   error
}

func newTalk() *talk {
	return &talk{asks: make(chan []search.Candidate), tells: make(chan []search.Score), quit: make(chan struct{}), ended: make(chan struct{})}
}

func (t *talk) start(run func() error) {
	go func() {
		defer close(t.ended)
		if err := run(); err != nil && !errors.Is(err, errQuit) {
			t.err = err
		}
	}()
}

var errQuit = errors.New("search: nobody asks any more")

// ask is called by the algorithm.
func (t *talk) ask(cs []search.Candidate) ([]search.Score, error) {
	if len(cs) == 0 {
		return nil, nil
	}
	select {
	case t.asks <- cs:
	case <-t.quit:
		return nil, errQuit
	}
	select {
	case s := <-t.tells:
		return s, nil
	case <-t.quit:
		return nil, errQuit
	}
}

// next waits for what the algorithm asks; nil when it has ended.
func (t *talk) next(ctx context.Context) ([]search.Candidate, error) {
	select {
	case cs := <-t.asks:
		return cs, nil
	case <-t.ended:
		return nil, t.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (t *talk) tell(scores []search.Score) {
	select {
	case t.tells <- scores:
	case <-t.ended:
	}
}

func (t *talk) close() {
	select {
	case <-t.quit:
	default:
		close(t.quit)
	}
	<-t.ended
}
