package remote

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"toposearch/evaluator"
	"toposearch/internal/crew"
	"toposearch/internal/disk"
	"toposearch/internal/infile"
	"toposearch/internal/pack"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/topology"
)

// Options is what a coordinator is made from.
type Options struct {
	Addr    string      // HOST:PORT to listen at; port 0 takes a free one
	Token   string      // that workers must show
	TLS     *tls.Config // nil: not encrypted
	Dir     string      // the run directory, whose inputs workers get
	Program string      // version of the program, which workers must have
	// Families are as in study.Load.
	Families []*topology.Family
	Log      func(string) // what people should know of workers; nil: nothing
	// Apart computes a task by remote.Apart in a process of its own.
	Apart func(ctx context.Context, task []byte) ([]byte, error)

	Now func() time.Time

	patience time.Duration // AckWait, but in tests
	worth    int64         // boxesWorth, but in tests
	inside   bool          // in tests: the server listens to this process alone
}

// Worker is one that has joined.
type Worker struct {
	Name  string
	Cores int
	Tasks int64

	Joined, Seen time.Time
}

// Coordinator hands out the work of a run. It is a search.Remote.
type Coordinator struct {
	opt Options
	p   *search.Problem
	run string // its name, drawn
	url string
	// payload is the most that the server passes on in a message, bytes.
	payload int64
	srv     *server.Server
	conn    *nats.Conn
	js      jetstream.JetStream
	sample  *task
	proof   [][]byte

	mu      sync.Mutex
	workers map[string]*Worker
	waiting map[int64]chan *answer // by task
	next    int64
	retries int64
	boxes   handed
	took    float64 // what an evaluation takes, s: of the last ones, newer ones more
}

// ErrListen is an address at which the coordinator cannot listen.
var ErrListen = errors.New("cannot listen")

// startMost is how long the server may take to be ready.
const startMost = 10 * time.Second

// Free takes an address apart, and tells whether it can be listened at. The error wraps ErrListen.
func Free(addr string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil || host == "" {
		return "", 0, fmt.Errorf("%w at %q: write HOST:PORT, such as 127.0.0.1:4222; 0.0.0.0:4222 is every address of this machine", ErrListen, addr)
	}
	if n, err := strconv.Atoi(text); err != nil || n < 0 || n > 65535 {
		return "", 0, fmt.Errorf("%w at %q: the port is a number up to 65535", ErrListen, addr)
	}
	// The server tells that a port is taken only after a while: asked first.
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return "", 0, fmt.Errorf("%w at %s: %w", ErrListen, addr, err)
	}
	defer l.Close()
	return host, l.Addr().(*net.TCPAddr).Port, nil
}

// Listen starts the server and waits for workers to join; of an address nats://HOST:PORT or tls://HOST:PORT it uses the server that is there,
// which needs JetStream. The error wraps ErrListen if the address is wrong or taken, by another run too.
func Listen(ctx context.Context, opt Options) (*Coordinator, error) {
	if opt.patience == 0 {
		opt.patience = AckWait
	}
	if opt.worth == 0 {
		opt.worth = boxesWorth
	}
	p, err := problemOf(opt.Dir, opt.Families)
	if err != nil {
		return nil, err
	}
	c := &Coordinator{opt: opt, p: p, run: rand.Text(), workers: map[string]*Worker{}, waiting: map[int64]chan *answer{}, took: firstEach}
	if c.url = opt.Addr; strings.Contains(opt.Addr, "://") {
		settings := []nats.Option{nats.Token(opt.Token), nats.MaxReconnects(-1)}
		if opt.TLS != nil {
			settings = append(settings, nats.Secure(opt.TLS))
		}
		if c.conn, err = nats.Connect(opt.Addr, settings...); err != nil {
			return nil, fmt.Errorf("%w: no server at %s lets this run in: %w", ErrListen, opt.Addr, err)
		}
	} else if err := c.serve(); err != nil {
		return nil, err
	}
	if err := c.begin(ctx); err != nil {
		c.drop()
		return nil, err
	}
	return c, nil
}

// serve starts a server in this process and connects to it.
func (c *Coordinator) serve() error {
	var host string
	var number int
	var err error
	if !c.opt.inside {
		if host, number, err = Free(c.opt.Addr); err != nil {
			return err
		}
	}
	store, err := disk.MkdirTemp("toposearch-queue-")
	if err != nil {
		return err
	}
	defer disk.RemoveAll(store) // streams are in memory
	secure := c.opt.TLS
	c.srv, err = server.NewServer(&server.Options{Host: host, Port: number, Authorization: c.opt.Token, TLSConfig: secure, TLSTimeout: 5, TLSVerify: secure != nil && secure.ClientCAs != nil,
		JetStream: true, StoreDir: store, MaxPayload: mostPayload, NoLog: true, NoSigs: true, DontListen: c.opt.inside})
	if err != nil {
		return fmt.Errorf("%w at %s: %w", ErrListen, c.opt.Addr, err)
	}
	crew.Detach(c.srv.Start, func(err error) { c.log("queue: %v", err) })
	if !c.srv.ReadyForConnections(startMost) {
		c.drop()
		return fmt.Errorf("%w at %s: the server is not ready after %s", ErrListen, c.opt.Addr, startMost)
	}
	if !c.opt.inside {
		c.url = "nats://" + c.srv.Addr().String()
		if secure != nil {
			c.url = "tls://" + c.srv.Addr().String()
		}
	}
	if c.conn, err = nats.Connect("", nats.InProcessServer(c.srv), nats.Token(c.opt.Token), nats.MaxReconnects(-1)); err != nil {
		c.drop()
		return fmt.Errorf("queue: %w", err)
	}
	return nil
}

// mostSent is how many tasks may be on their way into the queue: all of a batch.
const mostSent = 1 << 16

// begin sets the queue up. What a coordinator has left on the server that is gone is removed; one that is there is not disturbed.
func (c *Coordinator) begin(ctx context.Context) (err error) {
	if c.js, err = jetstream.New(c.conn, jetstream.WithPublishAsyncMaxPending(mostSent)); err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	c.payload = c.conn.MaxPayload()
	if c.srv == nil {
		if err := c.alone(ctx); err != nil {
			return err
		}
		if err := c.js.DeleteStream(ctx, streamName); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
			return fmt.Errorf("%w at %s: the server has no JetStream for this token: %w", ErrListen, c.opt.Addr, err)
		}
	}
	stream, err := c.js.CreateStream(ctx, jetstream.StreamConfig{Name: streamName, Subjects: []string{taskSubject}, Retention: jetstream.WorkQueuePolicy, Storage: jetstream.MemoryStorage})
	if err == nil {
		_, err = stream.CreateConsumer(ctx, jetstream.ConsumerConfig{Durable: streamName, AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.opt.patience, MaxAckPending: -1})
	}
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	if c.sample, c.proof, err = prove(ctx, c.p); err != nil {
		return err
	}
	for subject, f := range map[string]nats.MsgHandler{joinSubject: c.joined, doneSubject: c.answered, hereSubject: c.seen, frontSubject: c.following} {
		if _, err := c.conn.Subscribe(subject, f); err != nil {
			return fmt.Errorf("queue: %w", err)
		}
	}
	return c.conn.Flush()
}

// alone fails if another run uses the server. What is asked of one that has just gone may be lost with its connection, of which the server has not
// heard yet: asked again each second. Who is silent for as long as a worker would wait may be busy, and is not disturbed.
func (c *Coordinator) alone(ctx context.Context) error {
	for range int(joinMost / time.Second) {
		asking, cancel := context.WithTimeout(ctx, time.Second)
		_, err := c.conn.RequestWithContext(asking, joinSubject, encode(join{}))
		cancel()
		switch {
		case err == nil:
			return fmt.Errorf("%w at %s: another run uses this server", ErrListen, c.opt.Addr)
		case ctx.Err() != nil:
			return ctx.Err()
		case !errors.Is(err, context.DeadlineExceeded):
			return nil
		}
	}
	return fmt.Errorf("%w at %s: another run is connected to this server and has not answered for %s: end it, or try again once the server has noticed that it is gone", ErrListen, c.opt.Addr, joinMost)
}

// URL is where workers join.
func (c *Coordinator) URL() string { return c.url }

// Close tells the workers that the run has ended, and whether another follows at the same address, and ends the queue.
func (c *Coordinator) Close(more bool) {
	_ = c.conn.Publish(endSubject, encode(more))
	_ = c.conn.Flush()
	time.Sleep(parting) // what a server has not passed on when it ends is lost, and its workers then look for it for a while
	if c.srv == nil {
		ctx, cancel := context.WithTimeout(context.Background(), startMost)
		defer cancel()
		_ = c.js.DeleteStream(ctx, streamName) // or the next run does
	}
	c.drop()
}

// parting is long enough for a message to workers, and nothing beside a run.
const parting = 200 * time.Millisecond

// drop leaves without a word, as a process does that is killed.
func (c *Coordinator) drop() {
	if c.conn != nil {
		c.conn.Close()
	}
	if c.srv != nil {
		c.srv.Shutdown()
		c.srv.WaitForShutdown()
	}
}

// Workers lists those that are there.
func (c *Coordinator) Workers() (out []Worker) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.workers {
		if c.here(w) {
			out = append(out, *w)
		}
	}
	return out
}

// here tells whether a worker was heard of lately.
func (c *Coordinator) here(w *Worker) bool { return c.opt.Now().Sub(w.Seen) < c.opt.patience }

// Tell says who has joined, and what each did.
func (c *Coordinator) Tell(p *search.Progress) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p.Workers, p.Retries = nil, c.retries
	for _, name := range slices.Sorted(maps.Keys(c.workers)) {
		w := c.workers[name]
		x := search.RemoteWorker{Name: w.Name, Tasks: w.Tasks}
		if s := w.Seen.Sub(w.Joined).Seconds(); s > 0 {
			x.PerS = float64(w.Tasks) / s
		}
		if c.here(w) {
			x.AtOnce = w.Cores
		}
		p.Workers = append(p.Workers, x)
	}
}

// AtOnce is the number of designs that workers compute at once.
func (c *Coordinator) AtOnce() (n int) {
	for _, w := range c.Workers() {
		n += w.Cores
	}
	return n
}

func (c *Coordinator) log(format string, args ...any) {
	if c.opt.Log != nil {
		c.opt.Log(fmt.Sprintf(format, args...))
	}
}

// files are the inputs of the run.
func (c *Coordinator) files() (map[string][]byte, error) {
	out := map[string][]byte{}
	err := filepath.WalkDir(c.opt.Dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(c.opt.Dir, path)
		if e.IsDir() {
			if name != "." && name != run.InputsName && filepath.Dir(name) == "." {
				return filepath.SkipDir
			}
			return nil
		}
		if filepath.Dir(name) == "." && name != run.ManifestName {
			return nil
		}
		b, err := infile.Read(path, mostPayload)
		out[filepath.ToSlash(name)] = b
		return err
	})
	return out, err
}

// joined answers a worker that asks for the study, and later shows its proof.
func (c *Coordinator) joined(m *nats.Msg) {
	var j join
	if err := json.Unmarshal(m.Data, &j); err != nil {
		return
	}
	w := welcome{Run: c.run, Sample: c.sample}
	switch {
	case j.Evaluator != evaluator.Version || j.Program != c.opt.Program:
		w.Refused = fmt.Sprintf("the run is of toposearch %s, evaluator %s, the worker of toposearch %s, evaluator %s: install the same on both", c.opt.Program, evaluator.Version, j.Program, j.Evaluator)
	case j.Proof != nil:
		if at := differs(j.Proof, c.proof); at >= 0 {
			w.Refused = fmt.Sprintf("the worker computes %s otherwise than the run: %s, and here %s", c.sample.Designs[at], excerpt(j.Proof, at), excerpt(c.proof, at))
		} else {
			c.mu.Lock()
			c.workers[j.Worker] = &Worker{Name: j.Worker, Cores: j.Cores, Joined: c.opt.Now(), Seen: c.opt.Now()}
			c.mu.Unlock()
			c.log("worker %s joined, %d at once", j.Worker, j.Cores)
			if n := c.AtOnce(); n > c.p.Batch() && n-j.Cores <= c.p.Batch() {
				c.log("workers compute %d at once now, and at most %d designs are evaluated together: [search] batch = %d in the study keeps all busy", n, c.p.Batch(), n)
			}
		}
	default:
		var err error
		if w.Files, err = c.files(); err != nil {
			w.Refused = "the inputs of the run cannot be read: " + err.Error()
		}
	}
	if w.Refused != "" {
		c.log("worker %s is refused: %s", j.Worker, w.Refused)
	}
	b := encode(w)
	if most := c.payload; int64(len(b)) > most {
		b = encode(welcome{Refused: fmt.Sprintf("the inputs of the run take %d bytes, and the server passes on %d: raise its max_payload", len(b), most)})
	}
	_ = m.Respond(b)
}

// seen notes that a worker is there.
func (c *Coordinator) seen(m *nats.Msg) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.workers[string(m.Data)]; w != nil {
		w.Seen = c.opt.Now()
	}
}

// answered takes an answer, once, and says that it arrived.
func (c *Coordinator) answered(m *nats.Msg) {
	var a answer
	if err := a.decode(m.Data); err != nil {
		return
	}
	c.mu.Lock()
	w := c.workers[a.Worker]
	wait := c.waiting[a.ID]
	if a.Run != c.run {
		w = nil
	}
	if w != nil {
		w.Seen = c.opt.Now()
		if wait != nil {
			w.Tasks++
			if a.Attempt > 1 {
				c.retries++
			}
			delete(c.waiting, a.ID)
			if n := len(a.Lines); a.Took > 0 && n > 0 {
				c.took += (a.Took/float64(n) - c.took) / 8
			}
		}
	}
	c.mu.Unlock()
	if w != nil && wait != nil {
		wait <- &a // has room for one
	}
	if w == nil {
		_ = m.Respond([]byte(stranger)) // of a coordinator that is gone: the task stays in the queue
		return
	}
	_ = m.Respond(nil)
}

// following answers a worker that asks for what came to a front: as much as a message takes.
func (c *Coordinator) following(m *nats.Msg) {
	var q frontAsk
	if err := json.Unmarshal(m.Data, &q); err != nil {
		return
	}
	var w pack.Writer
	if q.Run != c.run {
		q.Of = -1
	}
	for _, v := range c.boxes.after(q.Of, q.From) {
		if int64(len(w)+16*len(v)) > c.payload/2 && len(w) > 0 {
			break
		}
		w.Floats(v)
	}
	_ = m.Respond(w)
}
