package remote

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"toposearch/evaluator"
	"toposearch/internal/crew"
	"toposearch/internal/disk"
	"toposearch/internal/pack"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/run"
	"toposearch/search/verify"
	"toposearch/topology"
)

// computing hears of every design that is begun; tests let processes end there.
var computing = func(string) {}

// compute does a task; front is what boxes are pruned against.
func compute(ctx context.Context, p *search.Problem, t *task, front *search.Archive) (lines [][]byte, err error) {
	defer crew.Catch(&err)
	if t.Boxes != nil {
		line, err := branch.WorkTask(p, front, t.Boxes)
		return [][]byte{line}, err
	}
	for _, name := range t.Designs {
		computing(name)
		d, err := topology.ParseDesign(name, p.Study.Known)
		if err != nil {
			return nil, err
		}
		var line []byte
		if t.Request == nil {
			if line, err = verify.Line(ctx, p, d, t.Traffic, t.Routing); err != nil {
				return nil, err
			}
		} else {
			r, err := p.Model.Evaluate(ctx, d, *t.Request)
			if err != nil {
				return nil, fmt.Errorf("evaluate %s: %w", name, err)
			}
			line = run.EncodeEntry(search.NewEntry(name, r))
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// problemOf reads the study of a run directory.
func problemOf(dir string, families []*topology.Family) (*search.Problem, error) {
	st, err := run.LoadStudy(dir, families...)
	if err != nil {
		return nil, fmt.Errorf("the study of the run cannot be read: %w", err)
	}
	e, err := evaluator.New(st.Options)
	if err != nil {
		return nil, err
	}
	return search.NewProblem(st, e)
}

// WorkerOptions is what a worker is made from.
type WorkerOptions struct {
	URL, Token, Name, Program string
	Cores                     int // tasks at once
	TLS                       *tls.Config
	Families                  []*topology.Family // as in study.Load
	Log                       func(string)

	server nats.InProcessConnProvider // in tests: the server, in this process
}

// Errors of joining.
var (
	ErrNoServer = errors.New("no run listens there")
	ErrToken    = errors.New("the run does not let in whoever has this token")
	ErrRefused  = errors.New("the run refuses this worker")
)

// joinMost is how long a worker waits for an answer of the coordinator, which may be reading price lists.
const joinMost = 30 * time.Second

// gone is how long a worker tries to reach a coordinator that is not there any more.
const gone = 2 * time.Minute

// worker computes for a run.
type worker struct {
	opt  WorkerOptions
	conn *nats.Conn
	p    *search.Problem
	run  string // of the coordinator
	sees follower
	// again ends the work to join anew.
	again func()
}

// Work joins a run and computes for it until it ends or ctx does. It gives the number of tasks done, and whether to join again: another run follows at the same address, or the connection was lost and is back. The errors wrap ErrNoServer, ErrToken or ErrRefused
// where a person has to change something.
func Work(ctx context.Context, opt WorkerOptions) (tasks int64, more bool, err error) {
	w := &worker{opt: opt}
	settings := []nats.Option{nats.Token(opt.Token), nats.Name(opt.Name), nats.ReconnectWait(time.Second), nats.MaxReconnects(int(gone / time.Second))}
	if opt.TLS != nil {
		settings = append(settings, nats.Secure(opt.TLS))
	}
	if opt.server != nil {
		settings = append(settings, nats.InProcessServer(opt.server))
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var back atomic.Bool // joins again
	w.again = func() {
		back.Store(true)
		cancel()
	}
	// Behind a connection that was lost may stand another coordinator, with another study.
	settings = append(settings, nats.ClosedHandler(func(*nats.Conn) { cancel() }), nats.ReconnectHandler(func(*nats.Conn) { w.again() }))
	w.conn, err = nats.Connect(opt.URL, settings...)
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return 0, false, fmt.Errorf("%w: %s", ErrToken, opt.URL)
	case err != nil:
		return 0, false, fmt.Errorf("%w: %s: %w", ErrNoServer, opt.URL, err)
	}
	defer w.conn.Close()
	dir, err := disk.MkdirTemp("toposearch-worker-")
	if err != nil {
		return 0, false, err
	}
	err = w.join(ctx, dir)
	_ = disk.RemoveAll(dir) // a worker that is killed leaves nothing behind
	switch {
	case ctx.Err() != nil: // left before it began
		return 0, false, nil
	case err != nil:
		return 0, false, err
	}
	if _, err := w.conn.Subscribe(endSubject, func(m *nats.Msg) {
		var next bool
		if json.Unmarshal(m.Data, &next) == nil && next {
			back.Store(true)
		}
		cancel()
	}); err != nil {
		return 0, false, err
	}
	tasks, err = w.work(ctx)
	return tasks, back.Load(), err
}

// ask tells the coordinator something and reads what it is told.
func (w *worker) ask(ctx context.Context, j *join) (*welcome, error) {
	j.Worker, j.Program, j.Evaluator, j.Cores = w.opt.Name, w.opt.Program, evaluator.Version, w.opt.Cores
	ctx, cancel := context.WithTimeout(ctx, joinMost)
	defer cancel()
	m, err := w.conn.RequestWithContext(ctx, joinSubject, encode(j))
	if err != nil {
		return nil, fmt.Errorf("%w: %s: a NATS server, and no coordinator answers: %w", ErrNoServer, w.opt.URL, err)
	}
	x := new(welcome)
	if err := json.Unmarshal(m.Data, x); err != nil {
		return nil, fmt.Errorf("%w: its answer cannot be read: %w", ErrRefused, err)
	}
	if x.Refused != "" {
		return nil, fmt.Errorf("%w: %s", ErrRefused, x.Refused)
	}
	return x, nil
}

// join gets the study, reads it, and shows that it computes what the coordinator does.
func (w *worker) join(ctx context.Context, dir string) error {
	x, err := w.ask(ctx, &join{})
	if err != nil {
		return err
	}
	w.run = x.Run
	for name, b := range x.Files {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("%w: it sends a file %q", ErrRefused, name)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := disk.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return err
		}
		if err := disk.WriteBytes(path, b); err != nil {
			return err
		}
	}
	if w.p, err = problemOf(dir, w.opt.Families); err != nil {
		return err
	}
	proof, err := compute(ctx, w.p, x.Sample, nil)
	if err != nil {
		return err
	}
	_, err = w.ask(ctx, &join{Proof: append([][]byte{}, proof...)})
	return err
}

// work takes tasks until the run ends.
func (w *worker) work(ctx context.Context) (tasks int64, err error) {
	js, err := jetstream.New(w.conn)
	if err != nil {
		return 0, err
	}
	c, err := js.Consumer(ctx, streamName, streamName)
	switch {
	case ctx.Err() != nil: // it has ended already
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("%w: %w", ErrNoServer, err)
	}
	var done atomic.Int64
	beat := time.NewTicker(Beat)
	defer beat.Stop()
	crew.Run(1+w.opt.Cores, func(i int) {
		if i == 0 { // says that the worker is there
			for ctx.Err() == nil {
				select {
				case <-ctx.Done():
				case <-beat.C:
					_ = w.conn.Publish(hereSubject, []byte(w.opt.Name))
				}
			}
			return
		}
		for ctx.Err() == nil {
			batch, err := c.Fetch(1, jetstream.FetchMaxWait(Beat))
			if err != nil {
				select { // the connection is being made again
				case <-ctx.Done():
				case <-time.After(Beat):
				}
				continue
			}
			for m := range batch.Messages() {
				if w.do(ctx, m) {
					done.Add(1)
				}
			}
		}
	}, nil)
	return done.Load(), nil
}

// do computes a task and answers; the task is acknowledged once the answer has arrived.
func (w *worker) do(ctx context.Context, m jetstream.Msg) bool {
	var t task
	if err := json.Unmarshal(m.Data(), &t); err != nil {
		_ = m.Term()
		return false
	}
	if t.Run != w.run {
		w.again()
		_ = m.Nak()
		return false
	}
	a := answer{Run: t.Run, ID: t.ID, Worker: w.opt.Name}
	if meta, err := m.Metadata(); err == nil {
		a.Attempt, a.Deadly = meta.NumDelivered, meta.NumDelivered > mostAttempts
	}
	if a.Deadly {
		return w.tell(ctx, m, &a)
	}
	var lines [][]byte
	var err error
	begun := time.Now()
	done := make(chan struct{})
	crew.Run(2, func(i int) {
		if i == 1 {
			defer close(done)
			lines, err = w.compute(ctx, &t)
			return
		}
		tick := time.NewTicker(Beat)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				_ = m.InProgress()
			}
		}
	}, nil)
	switch {
	case ctx.Err() != nil:
		_ = m.Nak() // another does it, now
		return false
	case err != nil:
		a.Fault = err.Error()
	default:
		if a.Lines = lines; t.Request != nil {
			a.Took = time.Since(begun).Seconds()
		}
	}
	return w.tell(ctx, m, &a)
}

// compute does a task, against the front as the coordinator has it.
func (w *worker) compute(ctx context.Context, t *task) (lines [][]byte, err error) {
	if t.Boxes == nil {
		return compute(ctx, w.p, t, nil)
	}
	if t.Front == nil {
		return nil, branch.ErrTask
	}
	err = w.sees.with(w.p, *t.Front, func(from int) ([]objectives.Vector, error) { return w.follow(ctx, t.Front.Of, from) }, func(front *search.Archive) (err error) {
		lines, err = compute(ctx, w.p, t, front)
		return err
	})
	return lines, err
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

// tell answers, and acknowledges the task once the answer has arrived; one that has not arrived after AckWait is of a task that another has by then.
func (w *worker) tell(ctx context.Context, m jetstream.Msg, a *answer) bool {
	ctx, cancel := context.WithTimeout(ctx, AckWait)
	defer cancel()
	b := a.encode()
	if most := w.conn.MaxPayload(); int64(len(b)) > most {
		none := *a
		none.Lines, none.Fault = nil, fmt.Sprintf("the answer takes %d bytes, and the server passes on %d: raise its max_payload", len(b), most)
		b = none.encode()
	}
	reply, err := w.conn.RequestWithContext(ctx, doneSubject, b)
	switch {
	case err != nil:
		return false
	case string(reply.Data) == stranger:
		w.again()
		return false
	}
	_ = m.Ack()
	return true
}

// Apart computes one task, as encoded, for the run in a directory, and gives its answer, encoded: in a process of its own, which may go down with it.
func Apart(ctx context.Context, dir string, text []byte, families []*topology.Family) ([]byte, error) {
	var t task
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, err
	}
	p, err := problemOf(dir, families)
	if err != nil {
		return nil, err
	}
	lines, err := compute(ctx, p, &t, nil)
	if err != nil {
		return nil, err
	}
	a := answer{ID: t.ID, Lines: lines}
	return a.encode(), nil
}
