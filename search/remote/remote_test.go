package remote

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"toposearch/internal/stream"
	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
)

// kills is how many processes TestKilled ends; for a long test: go test ./search/remote -run TestKilled -timeout 2h -v -kills 1000
var kills = flag.Int("kills", 8, "processes that TestKilled kills")

const version = "test"

// TestMain is a worker where the environment says so: processes that a test can kill.
func TestMain(m *testing.M) {
	if deadly := os.Getenv("TOPOSEARCH_TEST_DEADLY"); deadly != "" {
		computing = func(design string) {
			if design == deadly {
				os.Exit(3)
			}
		}
	}
	if dir := os.Getenv("TOPOSEARCH_TEST_APART"); dir != "" {
		text, err := io.ReadAll(os.Stdin)
		if err == nil {
			text, err = Apart(context.Background(), dir, text, nil)
		}
		if err != nil {
			os.Exit(1)
		}
		_, _ = os.Stdout.Write(text)
		os.Exit(0)
	}
	if url := os.Getenv("TOPOSEARCH_TEST_JOIN"); url != "" {
		for more := true; more; {
			var err error
			_, more, err = Work(context.Background(), WorkerOptions{URL: url, Token: "secret", Name: fmt.Sprint("process ", os.Getpid()), Program: version, Cores: 1})
			if err != nil {
				os.Exit(1) // the run is not there at the moment
			}
		}
		os.Exit(0)
	}
	if dir := os.Getenv("TOPOSEARCH_TEST_LEAD"); dir != "" {
		if err := lead(dir, os.Getenv("TOPOSEARCH_TEST_ADDR")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// lead goes on with a run, with whoever joins.
func lead(dir, addr string) error {
	begun := time.Now()
	opt := search.Options{Workers: 2, Shown: func() time.Duration { return time.Since(begun) }, Savepoints: time.Microsecond}
	c, err := Listen(context.Background(), Options{Addr: addr, Token: "secret", Dir: dir, Program: version, Now: time.Now})
	if err != nil {
		return err
	}
	defer c.Close(false)
	opt.Remote = c
	_, err = run.Resume(context.Background(), dir, opt)
	return err
}

// studyFile is a search of a hundred evaluations, and two finalists.
const studyFile = `name = "remote"
[endpoints]
count = { min = 48, max = 72 }
bandwidth = "400 Gb/s"
[space]
families = ["fattree", "dragonfly", "hyperx", "slimfly", "zcube_rect"]
[[objective]]
metric = "cost"
[[objective]]
metric = "uniform_throughput"
[[objective]]
metric = "latency"
[search]
strategy = "nsga2"
[search.budget]
evaluations = 100
[verify]
finalists = 2
cycles = 400
loads = 3
`

// begun makes a run directory.
func begun(t testing.TB) (*study.Study, *run.RunDir) {
	t.Helper()
	return begunOf(t, studyFile)
}

func begunOf(t testing.TB, text string) (*study.Study, *run.RunDir) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "study.toml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	st, faults := study.Load(file)
	if faults.HasErrors() {
		t.Fatal(faults)
	}
	dir, err := run.Create(st, "", filepath.Join(t.TempDir(), "run"), run.Origin{Program: version, Started: time.Unix(0, 0).UTC()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return st, dir
}

// listening starts a coordinator for a run.
func listening(t testing.TB, dir string, change func(*Options)) *Coordinator {
	t.Helper()
	opt := Options{Addr: "127.0.0.1:0", Token: "secret", Dir: dir, Program: version, Now: time.Now, Log: func(text string) { t.Log(text) }}
	if change != nil {
		change(&opt)
	}
	c, err := Listen(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// alone is the run on one machine, computed once.
var alone = sync.OnceValues(func() ([2]string, error) {
	dir, err := os.MkdirTemp("", "remote-alone-")
	if err != nil {
		return [2]string{}, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "study.toml")
	if err := os.WriteFile(file, []byte(studyFile), 0o644); err != nil {
		return [2]string{}, err
	}
	st, _ := study.Load(file)
	d, err := run.Create(st, "", filepath.Join(dir, "run"), run.Origin{Program: version, Started: time.Unix(0, 0).UTC()})
	if err != nil {
		return [2]string{}, err
	}
	defer d.Close()
	if _, err := run.Run(context.Background(), st, d, search.Options{Workers: 2}); err != nil {
		return [2]string{}, err
	}
	return written(d.Path)
})

func written(dir string) (out [2]string, err error) {
	for i, name := range []string{"journal.jsonl", "front.json"} {
		b, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return out, err
		}
		out[i] = string(b)
	}
	return out, nil
}

// same holds a run to that on one machine.
func same(t *testing.T, dir string) {
	t.Helper()
	want, err := alone()
	if err != nil {
		t.Fatal(err)
	}
	got, err := written(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got != want {
		t.Error("journal or front are not those of the run on one machine")
	}
}

// eventually waits for something that comes to be.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for until := time.Now().Add(time.Minute); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatal(what)
		}
	}
}

// TestSameBytes: with workers that come and go a run writes what it does alone, and they did the work.
func TestSameBytes(t *testing.T) {
	st, dir := begun(t)
	c := listening(t, dir.Path, nil)
	ctx, leave := context.WithCancel(context.Background())
	var all sync.WaitGroup
	done := make([]int64, 3)
	for i := range done {
		at := ctx
		if i == 0 {
			at = context.Background() // stays
		}
		all.Go(func() {
			n, more, err := Work(at, WorkerOptions{URL: c.URL(), Token: "secret", Name: fmt.Sprint("w", i), Program: version, Cores: 1})
			if err != nil || more {
				t.Errorf("worker %d: more %v, %v", i, more, err)
			}
			done[i] = n
		})
	}
	eventually(t, "three workers did not join", func() bool { return c.AtOnce() == 3 })
	steps := 0
	out, err := run.Run(context.Background(), st, dir, search.Options{Workers: 2, Remote: c, Progress: func(search.Progress) {
		if steps++; steps == 4 {
			leave()
		}
	}})
	if err != nil || out.Front == nil {
		t.Fatal(out, err)
	}
	leave()
	c.Close(false)
	all.Wait()
	same(t, dir.Path)
	if done[0] < 5 {
		t.Errorf("the worker that stayed did %d tasks", done[0])
	}
}

// TestBoxes: a run whose boxes are worked on by workers writes what it does alone, complete or with a proof.
func TestBoxes(t *testing.T) {
	for name, text := range map[string]string{
		"complete": strings.Replace(strings.Replace(studyFile, "nsga2", "enumerate", 1), "[search.budget]\nevaluations = 100\n", "", 1),
		"proof":    strings.Replace(strings.Replace(studyFile, "nsga2", "enumerate", 1), "evaluations = 100", "evaluations = 20", 1),
	} {
		t.Run(name, func(t *testing.T) {
			if name == "complete" && testing.Short() {
				t.Skip("the same way, for longer")
			}
			st, dir := begunOf(t, text)
			want, err := run.Run(context.Background(), st, dir, search.Options{Workers: 2})
			if err != nil || want.Front == nil {
				t.Fatal(want, err)
			}
			files, err := written(dir.Path)
			if err != nil {
				t.Fatal(err)
			}
			st, dir = begunOf(t, text)
			c := listening(t, dir.Path, func(o *Options) { o.worth = 1 })
			ctx, leave := context.WithCancel(context.Background())
			var all sync.WaitGroup
			for i := range 2 {
				all.Go(func() {
					if _, _, err := Work(ctx, WorkerOptions{URL: c.URL(), Token: "secret", Name: fmt.Sprint("w", i), Program: version, Cores: 2}); err != nil {
						t.Error(err)
					}
				})
			}
			eventually(t, "two workers did not join", func() bool { return c.AtOnce() == 4 })
			if _, err := run.Run(context.Background(), st, dir, search.Options{Workers: 2, Remote: c}); err != nil {
				t.Fatal(err)
			}
			leave()
			c.Close(false)
			all.Wait()
			got, err := written(dir.Path)
			if err != nil {
				t.Fatal(err)
			}
			if got != files {
				t.Error("journal or front are not those of the run on one machine")
			}
			if c.boxes.tasks < 5 || c.boxes.undone > 0 {
				t.Errorf("%d tasks of boxes were handed out, %d came back undone", c.boxes.tasks, c.boxes.undone)
			}
		})
	}
}

// TestKilled kills the run and its workers at random moments, again and again, and each run writes what it does alone. Savepoints are written as often as can be.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes and kills them")
	}
	rng := stream.New(1, "kills")
	killed, runs := [2]int{}, 0 // runs, workers
	for killed[0]+killed[1] < *kills {
		_, dir := begun(t)
		if err := dir.Close(); err != nil { // the lock is the process's
			t.Fatal(err)
		}
		_, port, err := Free("127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr := fmt.Sprintf("127.0.0.1:%d", port)
		runs++
		ended := make(chan error, 1)
		start := func(env ...string) *exec.Cmd {
			p := exec.Command(os.Args[0], "-test.run=^$")
			p.Env, p.Stderr = append(os.Environ(), env...), os.Stderr
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			return p
		}
		var all [3]*exec.Cmd
		begin := func(i int) {
			if i > 0 {
				all[i] = start("TOPOSEARCH_TEST_JOIN=nats://" + addr)
				return
			}
			p := start("TOPOSEARCH_TEST_LEAD="+dir.Path, "TOPOSEARCH_TEST_ADDR="+addr)
			all[0], ended = p, make(chan error, 1)
			go func(ended chan<- error) { ended <- p.Wait() }(ended)
		}
		for i := range all {
			begin(i)
		}
		for over := false; !over; {
			pause := time.Hour // the rest of the last run is left alone
			if killed[0]+killed[1] < *kills {
				pause = time.Duration(50+rng.IntN(1200)) * time.Millisecond
			}
			victim := rng.IntN(len(all))
			select {
			case err := <-ended:
				if over = true; err != nil {
					t.Fatal(err)
				}
			case <-time.After(pause):
				_ = all[victim].Process.Kill()
				if victim == 0 {
					if err := <-ended; err == nil { // it had just ended by itself
						over = true
						break
					}
					killed[0]++
				} else if err := all[victim].Wait(); !exited(err) {
					killed[1]++
				}
				begin(victim)
			}
		}
		for _, p := range all[1:] {
			_ = p.Process.Kill()
			_ = p.Wait()
		}
		same(t, dir.Path)
	}
	t.Logf("in %d runs %d kills of the run and %d of workers", runs, killed[0], killed[1])
}

// TestClockJumps: a clock that jumps by hours, forward and back, changes no byte: at worst workers that are there are taken to have gone, and what they had is computed here.
func TestClockJumps(t *testing.T) {
	st, dir := begun(t)
	rng := stream.New(1, "clock")
	var mu sync.Mutex
	jumps, at := 0, time.Duration(0)
	c := listening(t, dir.Path, func(o *Options) {
		o.Now = func() time.Time {
			mu.Lock()
			defer mu.Unlock()
			if rng.IntN(6) == 0 {
				jumps++
				at = time.Duration(rng.IntN(48)-24) * time.Hour
			}
			return time.Now().Add(at)
		}
	})
	ctx, leave := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() {
			for more := true; more; {
				var err error
				if _, more, err = Work(ctx, WorkerOptions{URL: c.URL(), Token: "secret", Name: fmt.Sprint("w", i), Program: version, Cores: 1}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	eventually(t, "no worker joined", func() bool { return c.AtOnce() > 0 })
	begun := time.Now()
	elapsed := func() time.Duration { // that of the run jumps as well
		mu.Lock()
		defer mu.Unlock()
		return time.Since(begun) + at
	}
	if _, err := run.Run(context.Background(), st, dir, search.Options{Workers: 2, Remote: c, Elapsed: elapsed, Shown: elapsed, Savepoints: time.Second}); err != nil {
		t.Fatal(err)
	}
	leave()
	c.Close(false)
	all.Wait()
	same(t, dir.Path)
	if jumps < 10 {
		t.Errorf("the clock jumped %d times", jumps)
	}
	t.Logf("the clock jumped %d times", jumps)
}

// exited tells whether a process ended by itself.
func exited(err error) bool {
	var e *exec.ExitError
	return err == nil || errors.As(err, &e) && e.Exited()
}

// TestDeadlyDesign: a design with which every process ends is put aside and told, the others of its task are evaluated, and the run ends.
func TestDeadlyDesign(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes and waits for tasks to be given to others")
	}
	want, err := alone()
	if err != nil {
		t.Fatal(err)
	}
	deadly := regexp.MustCompile(`"d":"([^"]*)"`).FindAllStringSubmatch(want[0], 4)[3][1]
	st, dir := begun(t)
	var told sync.Map
	c := listening(t, dir.Path, func(o *Options) {
		o.patience = 1500 * time.Millisecond
		at := time.Now()
		o.Now = func() time.Time { return at } // whoever joined is there: nothing is computed here
		o.Log = func(text string) { told.Store(text, true) }
		o.Apart = func(ctx context.Context, task []byte) ([]byte, error) {
			p := exec.CommandContext(ctx, os.Args[0], "-test.run=^$")
			p.Env = append(os.Environ(), "TOPOSEARCH_TEST_APART="+dir.Path, "TOPOSEARCH_TEST_DEADLY="+deadly)
			p.Stdin = bytes.NewReader(task)
			return p.Output()
		}
	})
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for ctx.Err() == nil { // as a scheduler begins workers again
				p := exec.CommandContext(ctx, os.Args[0], "-test.run=^$")
				p.Env = append(os.Environ(), "TOPOSEARCH_TEST_JOIN="+c.URL(), "TOPOSEARCH_TEST_DEADLY="+deadly)
				_ = p.Run()
			}
		})
	}
	eventually(t, "no worker joined", func() bool { return c.AtOnce() > 0 })
	out, err := run.Run(context.Background(), st, dir, search.Options{Workers: 2, Remote: c})
	cancel()
	c.Close(false)
	all.Wait()
	if err != nil || out.Front == nil {
		t.Fatal(out, err)
	}
	got, err := written(dir.Path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got[0], `"d":"`+deadly+`","r":["`+Crashed) {
		t.Errorf("the journal does not say that %s was put aside", deadly)
	}
	said := false
	told.Range(func(k, _ any) bool {
		said = said || strings.Contains(k.(string), deadly+" is put aside")
		return true
	})
	if !said {
		t.Errorf("nobody was told that %s was put aside", deadly)
	}
}

// TestCoordinatorGone: a coordinator that goes without a word is continued at the same address; its worker joins again, and the run ends as on one machine.
func TestCoordinatorGone(t *testing.T) {
	if testing.Short() {
		t.Skip("computes the run once more")
	}
	st, dir := begun(t)
	c := listening(t, dir.Path, nil)
	addr := strings.TrimPrefix(c.URL(), "nats://")
	ctx, leave := context.WithCancel(context.Background())
	var all sync.WaitGroup
	joined := 0
	all.Go(func() {
		for ctx.Err() == nil {
			_, again, err := Work(ctx, WorkerOptions{URL: c.URL(), Token: "secret", Name: "w", Program: version, Cores: 1})
			if err == nil {
				joined++
			}
			if err == nil && !again {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	})
	eventually(t, "no worker joined", func() bool { return c.AtOnce() > 0 })
	cut, cancel := context.WithCancel(context.Background())
	steps := 0
	_, err := run.Run(cut, st, dir, search.Options{Workers: 2, Remote: c, Progress: func(search.Progress) {
		if steps++; steps == 4 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	c.drop()
	dir.Close()
	next := listening(t, dir.Path, func(o *Options) { o.Addr = addr })
	eventually(t, "the worker did not join again", func() bool { return next.AtOnce() > 0 })
	if _, err := run.Resume(context.Background(), dir.Path, search.Options{Workers: 2, Remote: next}); err != nil {
		t.Fatal(err)
	}
	next.Close(false)
	leave()
	all.Wait()
	if same(t, dir.Path); joined != 2 {
		t.Errorf("the worker joined %d times", joined)
	}
}

// TestNetworkCut: a connection that is cut again and again and healed loses nothing.
func TestNetworkCut(t *testing.T) {
	if testing.Short() {
		t.Skip("computes the run once more")
	}
	st, dir := begun(t)
	c := listening(t, dir.Path, func(o *Options) { o.patience = 2 * time.Second })
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var open []net.Conn
	var all sync.WaitGroup
	cut := func() {
		mu.Lock()
		defer mu.Unlock()
		for _, x := range open {
			x.Close()
		}
		open = nil
	}
	all.Go(func() { // what lies between worker and run
		for {
			a, err := l.Accept()
			if err != nil {
				return
			}
			b, err := net.Dial("tcp", strings.TrimPrefix(c.URL(), "nats://"))
			if err != nil {
				a.Close()
				continue
			}
			mu.Lock()
			open = append(open, a, b)
			mu.Unlock()
			all.Go(func() { _, _ = io.Copy(a, b); a.Close(); b.Close() })
			all.Go(func() { _, _ = io.Copy(b, a); a.Close(); b.Close() })
		}
	})
	ctx, leave := context.WithCancel(context.Background())
	all.Go(func() {
		for ctx.Err() == nil {
			_, _, _ = Work(ctx, WorkerOptions{URL: "nats://" + l.Addr().String(), Token: "secret", Name: "w", Program: version, Cores: 1})
		}
	})
	eventually(t, "no worker joined", func() bool { return c.AtOnce() > 0 })
	steps := 0
	_, err = run.Run(context.Background(), st, dir, search.Options{Workers: 2, Remote: c, Progress: func(search.Progress) {
		if steps++; steps%4 == 0 {
			cut()
		}
	}})
	leave()
	c.Close(false)
	l.Close()
	cut()
	all.Wait()
	if err != nil {
		t.Fatal(err)
	}
	same(t, dir.Path)
}

// TestOwnServer: a server of the site serves as well; of two runs the second is refused, and after one that went without a word the next begins.
func TestOwnServer(t *testing.T) {
	_, dir := begun(t)
	host := listening(t, dir.Path, func(o *Options) { o.patience = time.Second }) // its server stands for the site's
	defer host.drop()
	host.conn.Close() // only the server is left
	url := host.URL()
	first := listening(t, dir.Path, func(o *Options) { o.Addr = url })
	if _, err := Listen(context.Background(), Options{Addr: url, Token: "secret", Dir: dir.Path, Program: version, Now: time.Now}); !errors.Is(err, ErrListen) || !strings.Contains(err.Error(), "another run") {
		t.Errorf("a second run: %v", err)
	}
	first.drop()
	deaf(t, url)
	next := listening(t, dir.Path, func(o *Options) { o.Addr = url })
	ctx, leave := context.WithCancel(context.Background())
	var all sync.WaitGroup
	all.Go(func() {
		if _, _, err := Work(ctx, WorkerOptions{URL: url, Token: "secret", Name: "w", Program: version, Cores: 1}); err != nil {
			t.Error(err)
		}
	})
	eventually(t, "no worker joined", func() bool { return next.AtOnce() > 0 })
	got, err := next.Evaluate(context.Background(), next.sample.Designs, &next.p.Request)
	if err != nil || got[0] == nil || string(run.EncodeEntry(got[0])) != string(next.proof[0]) {
		t.Errorf("%v, %v", got, err)
	}
	next.Close(false)
	leave()
	all.Wait()
	if _, err := Listen(context.Background(), Options{Addr: "nats://127.0.0.1:1", Dir: dir.Path, Program: version, Now: time.Now}); !errors.Is(err, ErrListen) {
		t.Errorf("no server: %v", err)
	}
}

// deaf is connected to a server as a run is, and hears one question and answers none: as what has gone of which the server has not heard.
func deaf(t *testing.T, url string) {
	t.Helper()
	conn, err := nats.Connect(url, nats.Token("secret"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	if _, err := conn.Subscribe(joinSubject, func(m *nats.Msg) { _ = m.Sub.Unsubscribe() }); err != nil {
		t.Fatal(err)
	}
	if err := conn.Flush(); err != nil {
		t.Fatal(err)
	}
}

// TestNobodyThere: a run that listens and that nobody joins computes by itself.
func TestNobodyThere(t *testing.T) {
	if testing.Short() {
		t.Skip("computes the run once more")
	}
	st, dir := begun(t)
	c := listening(t, dir.Path, nil)
	defer c.Close(false)
	if _, err := run.Run(context.Background(), st, dir, search.Options{Workers: 2, Remote: c}); err != nil {
		t.Fatal(err)
	}
	same(t, dir.Path)
}

// TestAnswersOnce: what arrives twice, late, out of order or from nobody is taken once or not at all.
func TestAnswersOnce(t *testing.T) {
	_, dir := begun(t)
	c := listening(t, dir.Path, nil)
	defer c.Close(false)
	c.mu.Lock()
	c.workers["w"] = &Worker{Name: "w", Cores: 1, Seen: time.Now()}
	c.mu.Unlock()
	ctx := context.Background()
	var tasks []*task
	var waits []<-chan *answer
	for range 3 {
		x := &task{Designs: c.sample.Designs[:1], Request: &c.p.Request}
		wait, err := c.ask(ctx, x)
		if err != nil {
			t.Fatal(err)
		}
		tasks, waits = append(tasks, x), append(waits, wait...)
	}
	say := func(a answer) {
		if _, err := c.conn.Request(doneSubject, a.encode(), 10*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	line := func(text string) [][]byte { return [][]byte{[]byte(text)} }
	for _, i := range []int{2, 0, 2, 1, 0, 1, 1} {
		say(answer{Run: "another", ID: tasks[i].ID, Worker: "w", Lines: line("of a coordinator that is gone")})
		say(answer{Run: c.run, ID: tasks[i].ID, Worker: "stranger", Lines: line("not admitted")})
		say(answer{Run: c.run, ID: tasks[i].ID, Worker: "w", Lines: line(fmt.Sprint("first of ", i))})
		say(answer{Run: c.run, ID: tasks[i].ID, Worker: "w", Lines: line("again")})
	}
	say(answer{Run: c.run, ID: 99, Worker: "w", Lines: line("of no task")})
	for i := range tasks {
		lines, err := c.get(ctx, tasks[i], waits[i])
		if err != nil || string(lines[0]) != fmt.Sprint("first of ", i) {
			t.Errorf("task %d: %q, %v", i, lines, err)
		}
	}
	var p search.Progress
	if c.Tell(&p); len(p.Workers) != 1 || p.Workers[0].Tasks != 3 || p.Workers[0].AtOnce != 1 || p.Retries != 0 {
		t.Errorf("told %+v, %d retries; want one worker with 3 tasks", p.Workers, p.Retries)
	}
}

// TestRefused: who may not or cannot work is told why, and does not.
func TestRefused(t *testing.T) {
	_, dir := begun(t)
	c := listening(t, dir.Path, nil)
	defer c.Close(false)
	ok := WorkerOptions{URL: c.URL(), Token: "secret", Name: "w", Program: version, Cores: 1}
	for name, x := range map[string]struct {
		change func(*WorkerOptions)
		err    error
		text   string
	}{
		"token":       {func(o *WorkerOptions) { o.Token = "wrong" }, ErrToken, "token"},
		"server":      {func(o *WorkerOptions) { o.URL = "nats://127.0.0.1:1" }, ErrNoServer, "no run listens there"},
		"version":     {func(o *WorkerOptions) { o.Program = "another" }, ErrRefused, "install the same on both"},
		"certificate": {func(o *WorkerOptions) { o.URL, o.TLS = strings.Replace(o.URL, "nats:", "tls:", 1), &tls.Config{} }, ErrNoServer, ""},
	} {
		o := ok
		x.change(&o)
		if _, _, err := Work(context.Background(), o); !errors.Is(err, x.err) || !strings.Contains(err.Error(), x.text) {
			t.Errorf("%s: %v, want %v", name, err, x.err)
		}
	}
	if n := c.AtOnce(); n != 0 {
		t.Errorf("%d may work", n)
	}
	// One that computes otherwise is found out as it joins.
	conn, err := nats.Connect(c.URL(), nats.Token("secret"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	proof := append([][]byte{}, c.proof...)
	proof[1] = []byte(strings.Replace(string(proof[1]), "1", "2", 1))
	w := &worker{opt: ok, conn: conn}
	if _, err := w.ask(context.Background(), &join{Proof: proof}); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), sample[1]) {
		t.Errorf("another proof: %v", err)
	}
}

// TestWrongLater: one that computes rightly as it joins and wrongly later ends the run by a task that is done here, too.
func TestWrongLater(t *testing.T) {
	_, dir := begun(t)
	c := listening(t, dir.Path, nil)
	defer c.Close(false)
	x := &task{ID: RecheckEvery, Designs: c.sample.Designs[:2], Request: &c.p.Request}
	lines := append([][]byte{}, c.proof[:2]...)
	if err := c.recheck(context.Background(), x, &answer{Worker: "w", Lines: lines}); err != nil {
		t.Errorf("right lines: %v", err)
	}
	lines[0] = []byte(strings.Replace(string(lines[0]), "1", "2", 1))
	if err := c.recheck(context.Background(), x, &answer{Worker: "w", Lines: lines}); err == nil || !strings.Contains(err.Error(), "worker w computes") {
		t.Errorf("wrong lines: %v", err)
	}
}

// TestListen: an address that is wrong or taken is said at once.
func TestListen(t *testing.T) {
	_, dir := begun(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for _, addr := range []string{"", "4222", ":4222", "127.0.0.1:port", "127.0.0.1:99999", l.Addr().String()} {
		if _, err := Listen(context.Background(), Options{Addr: addr, Dir: dir.Path, Program: version, Now: time.Now}); !errors.Is(err, ErrListen) {
			t.Errorf("%q: %v", addr, err)
		}
	}
}

// TestTLS: with certificates both sides show theirs, and one without is not let in.
func TestTLS(t *testing.T) {
	_, dir := begun(t)
	pool, pair := certificate(t)
	c := listening(t, dir.Path, func(o *Options) {
		o.TLS = &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{pair}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert}
	})
	defer c.Close(false)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o := WorkerOptions{URL: c.URL(), Token: "secret", Name: "w", Program: version, Cores: 1, TLS: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}}}
	var all sync.WaitGroup
	all.Go(func() {
		if _, _, err := Work(ctx, o); err != nil {
			t.Error(err)
		}
	})
	eventually(t, "no worker joined", func() bool { return c.AtOnce() == 1 })
	cancel()
	all.Wait()
	for name, bad := range map[string]*tls.Config{"no certificate": {RootCAs: pool}, "an unknown authority": {Certificates: []tls.Certificate{pair}}} {
		o.TLS = bad
		if _, _, err := Work(context.Background(), o); !errors.Is(err, ErrNoServer) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// certificate signs itself for 127.0.0.1.
func certificate(t *testing.T) (*x509.CertPool, tls.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	x := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}}
	der, err := x509.CreateCertificate(rand.Reader, x, x, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(parsed)
	return pool, tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// FuzzMessages: nothing that arrives brings a coordinator down.
func FuzzMessages(f *testing.F) {
	f.Add((&answer{ID: 1, Worker: "w", Lines: [][]byte{[]byte("hello")}}).encode())
	f.Add([]byte(`{"Worker":"w","Proof":[""]}`))
	f.Add([]byte("w"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &Coordinator{opt: Options{Program: version, Now: time.Now, Dir: t.TempDir()}, sample: &task{}, workers: map[string]*Worker{"w": {}}, waiting: map[int64]chan *answer{1: make(chan *answer, 1)}}
		for _, take := range []nats.MsgHandler{c.answered, c.joined, c.seen, c.following} {
			take(&nats.Msg{Data: data})
		}
		var x task
		_ = json.Unmarshal(data, &x)
	})
}
