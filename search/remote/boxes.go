package remote

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go"

	"toposearch/internal/pack"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/branch"
)

// Boxes of an enumeration are handed out with the name of the front that they are pruned against: a list that only grows, of which a task sees the
// first so many. Between two borders of the enumeration all tasks see the same; workers ask for what came to it since the last border.

// frontAt is a front: the list of an enumeration, and how many of it count.
type frontAt struct {
	Of int64 `json:"of"`
	N  int   `json:"n"`
}

// frontAsk asks for a list from a place on.
type frontAsk struct {
	Run  string `json:"run"`
	Of   int64  `json:"of"`
	From int    `json:"from"`
}

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

// TakesBoxes tells whether tasks of an enumeration are worth handing out that take so many visits together.
func (c *Coordinator) TakesBoxes(visits int64) bool { return visits >= c.opt.worth && c.AtOnce() > 0 }

// Boxes has packed tasks of an enumeration worked on by workers. What is nil is to be done here.
func (c *Coordinator) Boxes(ctx context.Context, of any, front []objectives.Vector, tasks [][]byte) ([][]byte, error) {
	c.mu.Lock()
	if c.listOf != of {
		c.listOf = of
		c.list.Of++
	}
	c.vectors, c.list.N = front, len(front)
	at := c.list
	c.mu.Unlock()
	all, waits, out := make([]*task, len(tasks)), make([]<-chan *answer, len(tasks)), make([][]byte, len(tasks))
	for i, b := range tasks {
		all[i] = &task{Boxes: b, Front: &at}
		var err error
		if waits[i], err = c.ask(ctx, all[i]); err != nil {
			return nil, err
		}
	}
	for i, t := range all {
		lines, err := c.get(ctx, t, waits[i])
		if err != nil {
			return nil, err
		}
		if c.boxes++; lines == nil {
			c.returned++
			continue
		}
		out[i] = lines[0]
	}
	return out, nil
}

// following answers a worker that asks for what came to a front: as much as a message takes.
func (c *Coordinator) following(m *nats.Msg) {
	var q frontAsk
	if err := json.Unmarshal(m.Data, &q); err != nil {
		return
	}
	c.mu.Lock()
	var list []objectives.Vector
	if q.Run == c.run && q.Of == c.list.Of && q.From >= 0 && q.From < len(c.vectors) {
		list = c.vectors[q.From:]
	}
	c.mu.Unlock()
	var w pack.Writer
	for _, v := range list {
		if int64(len(w)+16*len(v)) > c.payload/2 && len(w) > 0 {
			break
		}
		w.Floats(v)
	}
	_ = m.Respond(w)
}

// own gives what follows a place of the list in this process.
func (c *Coordinator) own(from int) ([]objectives.Vector, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.vectors[min(from, len(c.vectors)):], nil
}

// follow asks the coordinator for what came to a front.
func (w *worker) follow(ctx context.Context, of int64, from int) (out []objectives.Vector, err error) {
	ctx, cancel := context.WithTimeout(ctx, AckWait)
	defer cancel()
	m, err := w.conn.RequestWithContext(ctx, frontSubject, encode(frontAsk{w.run, of, from}))
	if err != nil {
		return nil, fmt.Errorf("the front of the search: %w", err)
	}
	for r := pack.NewReader(m.Data); ; {
		if r.Left() == 0 {
			return out, nil
		}
		v := r.Floats()
		if r.Failed() || len(v) != len(w.p.Objectives) {
			return nil, fmt.Errorf("the front of the search: %w", branch.ErrTask)
		}
		out = append(out, v)
	}
}
