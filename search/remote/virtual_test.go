package remote

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server/ats"

	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/search"
	"toposearch/search/run"
)

// seeds is how many runs TestVirtual makes; for a long test: go test ./search/remote -run TestVirtual -timeout 2h -v -seeds 500
var seeds = flag.Uint64("seeds", 4, "runs of TestVirtual")

// world is a run with its queue and workers, all in this process and in virtual time, in which what goes wrong follows from a seed.
type world struct {
	mu     sync.Mutex
	rng    *rand.Rand
	c      *Coordinator // nil: there is none at the moment
	lines  []*wire
	counts struct{ cuts, deaths, restarts, slow, apart int }
}

// draw is a number below n.
func (w *world) draw(n int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.rng.IntN(n)
}

// after waits for up to so long.
func (w *world) after(most time.Duration) { time.Sleep(time.Duration(w.draw(int(most)))) }

var errDown = errors.New("the run is down")

// InProcessConn connects a worker to the run that is there.
func (w *world) InProcessConn() (net.Conn, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.c == nil {
		return nil, errDown
	}
	conn, err := w.c.srv.InProcessConn()
	if err != nil {
		return nil, err
	}
	line := &wire{Conn: conn, sent: make(chan []byte, 1<<12), shut: make(chan struct{})}
	go line.carry(w)
	w.lines = append(w.lines, line)
	return line, nil
}

// wire is a connection on which everything takes a while. Who sends does not wait: it may hold a lock, at which no virtual time goes by; so it does until
// the server has answered its first two lines.
type wire struct {
	net.Conn
	lines int
	sent  chan []byte
	shut  chan struct{}
	once  sync.Once
}

func (x *wire) carry(w *world) {
	for {
		select {
		case b := <-x.sent:
			w.after(50 * time.Millisecond)
			if _, err := x.Conn.Write(b); err != nil {
				_ = x.Close()
			}
		case <-x.shut:
			return
		}
	}
}

func (x *wire) Write(b []byte) (int, error) {
	if x.lines += bytes.Count(b, []byte("\r\n")); x.lines <= 2 {
		return x.Conn.Write(b)
	}
	select {
	case x.sent <- slices.Clone(b):
		return len(b), nil
	case <-x.shut:
		return 0, net.ErrClosed
	}
}

func (x *wire) Close() error {
	x.once.Do(func() { close(x.shut) })
	return x.Conn.Close()
}

// cut cuts a connection, as a network does: both ends find out.
func (w *world) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.lines); n > 0 {
		w.counts.cuts++
		k := w.rng.IntN(n)
		_ = w.lines[k].Close()
		w.lines = append(w.lines[:k], w.lines[k+1:]...)
	}
}

// lead goes on with the run until it is done, or for so long.
func (w *world) lead(t *testing.T, dir string, last time.Duration) (done bool) {
	c, err := Listen(t.Context(), Options{Token: "secret", Dir: dir, Program: version, Now: time.Now, inside: true, worth: 1, Apart: func(ctx context.Context, task []byte) ([]byte, error) {
		w.mu.Lock()
		w.counts.apart++
		w.mu.Unlock()
		return Apart(ctx, dir, task, nil)
	}})
	if err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	w.c = c
	w.mu.Unlock()
	ctx, cancel := context.WithTimeout(t.Context(), last)
	defer cancel()
	for range 60 { // what nobody is there for is computed by the run, in no time
		if c.AtOnce() > 0 {
			break
		}
		time.Sleep(time.Second)
	}
	begun := time.Now()
	_, err = run.Resume(ctx, dir, search.Options{Workers: 2, Remote: c, Shown: func() time.Duration { return time.Since(begun) }, Savepoints: time.Second})
	w.mu.Lock()
	w.c, w.lines = nil, nil
	w.mu.Unlock()
	if err == nil {
		c.Close(false)
		return true
	}
	if ctx.Err() == nil {
		t.Fatal(err)
	}
	w.counts.restarts++
	c.drop() // without a word
	return false
}

// worker works for the run on one core (several wait for each other with a lock while the front is asked for), and dies and comes again, until the run is done.
func (w *world) worker(ctx context.Context, name string) {
	for ctx.Err() == nil {
		life, die := context.WithTimeout(ctx, time.Duration(20+w.draw(200))*time.Second)
		for more := true; more && life.Err() == nil; {
			_, more, _ = Work(life, WorkerOptions{Token: "secret", Name: name, Program: version, Cores: 1, server: w})
		}
		if life.Err() != nil && ctx.Err() == nil {
			w.mu.Lock()
			w.counts.deaths++
			w.mu.Unlock()
		}
		die()
		w.after(5 * time.Second)
	}
}

// TestVirtual runs a study with workers in virtual time, by many seeds: messages take up to 50 ms, designs up to 20 s and a few of them minutes, connections are cut, workers and the run itself end and come
// again. Each run writes what it does alone. A seed draws what goes wrong, and when; in what order goroutines run between two moments is the scheduler's.
func TestVirtual(t *testing.T) {
	const child = "TOPOSEARCH_TEST_VIRTUAL"
	if os.Getenv(child) == "" { // NATS keeps timers for the whole process, which must not be those of real time
		n := *seeds
		if testing.Short() {
			n = uint64(racing.Of(2, 1))
		}
		p := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestVirtual$", "-test.v", fmt.Sprint("-seeds=", n))
		p.Env = append(os.Environ(), child+"=1")
		out, err := p.CombinedOutput()
		if t.Logf("%s", out); err != nil {
			t.Error(err)
		}
		return
	}
	if _, err := alone(); err != nil {
		t.Fatal(err)
	}
	ats.Register() // a clock of the server's, which outlives a run
	synctest.Test(t, func(t *testing.T) {
		for seed := range *seeds {
			virtual(t, seed)
		}
	})
}

func virtual(t *testing.T, seed uint64) {
	w := &world{rng: stream.New(seed, "virtual")}
	computing = func(string) {
		switch most := w.draw(200); {
		case most == 0:
			w.mu.Lock()
			w.counts.slow++
			w.mu.Unlock()
			w.after(5 * time.Minute)
		case most < 100:
			w.after(20 * time.Second)
		}
	}
	_, dir := begun(t)
	if err := dir.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, done := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() { w.worker(ctx, fmt.Sprint("w", i)) })
	}
	all.Go(func() {
		for ctx.Err() == nil {
			w.after(2 * time.Minute)
			w.cut()
		}
	})
	begun := time.Now()
	for !w.lead(t, dir.Path, time.Duration(30+w.draw(600))*time.Second) {
		w.after(10 * time.Second)
	}
	took := time.Since(begun)
	done()
	all.Wait()
	same(t, dir.Path)
	t.Logf("seed %d: %s, %+v", seed, took.Round(time.Second), w.counts)
}
