package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/search/verify"
)

// What the driver of a run asks for: evaluations, simulations and boxes, as tasks in the queue.

// ask puts tasks into the queue.
func (c *Coordinator) ask(ctx context.Context, tasks ...*task) ([]<-chan *answer, error) {
	waits, sent := make([]<-chan *answer, len(tasks)), make([]jetstream.PubAckFuture, len(tasks))
	for i, t := range tasks {
		wait := make(chan *answer, 1)
		c.mu.Lock()
		c.next++
		t.Run, t.ID = c.run, c.next
		c.waiting[t.ID] = wait
		c.mu.Unlock()
		var err error
		if sent[i], err = c.js.PublishAsync(taskSubject, encode(t)); err != nil {
			return nil, fmt.Errorf("queue: %w", err)
		}
		waits[i] = wait
	}
	for _, s := range sent {
		select {
		case <-s.Ok():
		case err := <-s.Err():
			return nil, fmt.Errorf("queue: %w", err)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return waits, nil
}

// get waits for the lines of a task; nil if nobody is there any more, or the worker could not do it: it is then done here, where what went wrong shows.
func (c *Coordinator) get(ctx context.Context, t *task, wait <-chan *answer) ([][]byte, error) {
	look := time.NewTicker(Beat)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			c.forget(t)
			return nil, ctx.Err()
		case a := <-wait:
			if a.Deadly && t.Boxes == nil {
				return c.apart(ctx, t)
			}
			if a.Fault != "" || len(a.Lines) != t.lines() {
				c.log("worker %s could not compute %s: %s", a.Worker, t.name(), a.Fault)
				return nil, nil
			}
			return a.Lines, c.recheck(ctx, t, a)
		case <-look.C:
			if c.AtOnce() == 0 {
				c.forget(t)
				c.log("no worker is there: computing here")
				return nil, nil
			}
		}
	}
}

// Crashed is the constraint of designs that nobody can evaluate: the process that does ends.
const Crashed = "crashes its worker"

// apart computes a task that several workers went down with, design by design in a process of its own each. What ends that, too, is put aside: it
// is rejected, or not simulated, and told.
func (c *Coordinator) apart(ctx context.Context, t *task) (lines [][]byte, err error) {
	for _, d := range t.Designs {
		one := *t
		one.Designs = []string{d}
		var a answer
		b, err := c.opt.Apart(ctx, encode(&one))
		if err == nil {
			err = a.decode(b)
		}
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err == nil && len(a.Lines) == 1:
			lines = append(lines, a.Lines[0])
			continue
		}
		c.log("%s is put aside: %d workers ended with it, and a process of its own, too: %v", d, mostAttempts, err)
		if t.Request == nil {
			line, err := verify.SkippedLine(d, t.Traffic, "the process that simulates it ends")
			if err != nil {
				return nil, err
			}
			lines = append(lines, line)
			continue
		}
		r := &evaluator.Result{Reject: metric.Reject{Constraint: Crashed, Got: 1}}
		lines = append(lines, run.EncodeEntry(search.NewEntry(d, r)))
	}
	return lines, nil
}

func (c *Coordinator) forget(t *task) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, t.ID)
}

// recheck computes one of so many tasks here as well.
func (c *Coordinator) recheck(ctx context.Context, t *task, a *answer) error {
	if t.ID%RecheckEvery != 0 {
		return nil
	}
	one := *t
	one.Designs = t.Designs[:min(1, len(t.Designs))]
	var want [][]byte
	var err error
	do := func(front *search.Archive) (err error) {
		want, err = compute(ctx, c.p, &one, front)
		return err
	}
	if t.Boxes != nil {
		err = c.boxes.sees.with(c.p, *t.Front, func(from int) ([]objectives.Vector, error) { return c.boxes.after(t.Front.Of, from), nil }, do)
	} else {
		err = do(nil)
	}
	if err != nil {
		return err
	}
	if !bytes.Equal(want[0], a.Lines[0]) {
		return fmt.Errorf("worker %s computes %s otherwise than this machine: %s, and here %s; what it computed before is in the journal: begin anew without it", a.Worker, t.name(), excerpt(a.Lines, 0), excerpt(want, 0))
	}
	return nil
}

// Evaluate has designs evaluated by workers.
func (c *Coordinator) Evaluate(ctx context.Context, designs []string, req *evaluator.Request) ([]*search.Entry, error) {
	out := make([]*search.Entry, len(designs))
	c.mu.Lock()
	took := c.took
	c.mu.Unlock()
	each := onTwoCores.inTask(len(designs), c.AtOnce(), took)
	var tasks []*task
	for from := 0; from < len(designs); from += each {
		tasks = append(tasks, &task{Designs: designs[from:min(from+each, len(designs))], Request: req})
	}
	waits, err := c.ask(ctx, tasks...)
	if err != nil {
		return out, err
	}
	for k, t := range tasks {
		lines, err := c.get(ctx, t, waits[k])
		if err != nil {
			return out, err
		}
		for i, line := range lines {
			e, err := run.DecodeEntry(line)
			if err != nil || e.Design != t.Designs[i] {
				return out, fmt.Errorf("an answer for %s is not one: %w: %s", t.Designs[i], errors.Join(err, search.ErrLine), excerpt(lines, i))
			}
			out[k*each+i] = e
		}
	}
	return out, nil
}

// Simulate has a finalist simulated by a worker.
func (c *Coordinator) Simulate(ctx context.Context, design, traffic, routing string) ([]byte, error) {
	if c.AtOnce() == 0 {
		return nil, nil
	}
	t := &task{Designs: []string{design}, Traffic: traffic, Routing: routing}
	waits, err := c.ask(ctx, t)
	if err != nil {
		return nil, err
	}
	lines, err := c.get(ctx, t, waits[0])
	if err != nil || lines == nil {
		return nil, err
	}
	if _, err := verify.ReadNote(lines[0]); err != nil {
		return nil, fmt.Errorf("an answer for %s is not one: %w", design, err)
	}
	return lines[0], nil
}

// TakesBoxes tells whether tasks of an enumeration are worth handing out that take so many visits together.
func (c *Coordinator) TakesBoxes(visits int64) bool { return visits >= c.opt.worth && c.AtOnce() > 0 }

// Boxes has packed tasks of an enumeration worked on by workers. What is nil is to be done here.
func (c *Coordinator) Boxes(ctx context.Context, of any, front []objectives.Vector, tasks [][]byte) ([][]byte, error) {
	at := c.boxes.begin(of, front)
	all, out := make([]*task, len(tasks)), make([][]byte, len(tasks))
	for i, b := range tasks {
		all[i] = &task{Boxes: b, Front: &at}
	}
	waits, err := c.ask(ctx, all...)
	if err != nil {
		return nil, err
	}
	for i, t := range all {
		lines, err := c.get(ctx, t, waits[i])
		if err != nil {
			return nil, err
		}
		if c.boxes.tasks++; lines == nil {
			c.boxes.undone++
			continue
		}
		out[i] = lines[0]
	}
	return out, nil
}
