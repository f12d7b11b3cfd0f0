package trial

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"toposearch/internal/tool"
)

// tools are the programs and where they are.
type tools struct{ ibsim, opensm, discover, check, preload string }

// Missing is the error of tools that are not there.
type Missing struct{ Packages []string }

func (m *Missing) Error() string {
	return "OpenSM and its tools are not all here: apt-get install --no-install-recommends " + strings.Join(m.Packages, " ")
}

// findTools looks for all tools, so that one error names all packages.
func findTools() (t tools, err error) {
	var m Missing
	for _, x := range []struct {
		path *string
		name string
	}{{&t.ibsim, "ibsim"}, {&t.opensm, "opensm"}, {&t.discover, "ibnetdiscover"}, {&t.check, "ibdmchk"}} {
		if *x.path, err = tool.Find(x.name); err != nil {
			m.Packages = append(m.Packages, tool.Package(x.name))
		}
	}
	// What lets programs talk to ibsim instead of hardware comes with it; Debian's folder has the machine's name in it.
	for _, pattern := range []string{"/usr/lib/*/umad2sim/libumad2sim.so", "/usr/lib*/umad2sim/libumad2sim.so"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			t.preload = found[0]
		}
	}
	if t.preload == "" && len(m.Packages) == 0 {
		m.Packages = []string{tool.Package("ibsim")}
	}
	if len(m.Packages) > 0 {
		return t, &m
	}
	return t, nil
}

// session is a simulated fabric with a folder of its own.
type session struct {
	tools
	dir     string
	socket  string
	timeout time.Duration // of a program
	stop    func()
}

// sessions counts them: the name of each socket is its own.
var sessions atomic.Int64

// Room that ibsim takes beyond the network's own nodes and ports: tables of these sizes are allocated at once.
const spare = 64

// start runs ibsim on a file and waits until it listens. The goroutine that calls it calls stop, too.
func start(ctx context.Context, t tools, dir, fabric string, nodes, switches, ports int, timeout time.Duration) (*session, error) {
	s := &session{tools: t, dir: dir, timeout: timeout, socket: fmt.Sprintf("toposearch-%d-%d", os.Getpid(), sessions.Add(1))}
	ctx, cancel := context.WithCancel(ctx)
	c := s.command(ctx, s.ibsim, "-s", "-n", "-N", strconv.Itoa(nodes+spare), "-S", strconv.Itoa(switches+spare), "-P", strconv.Itoa(ports+spare), fabric)
	log, err := os.Create(filepath.Join(dir, "ibsim.log"))
	if err != nil {
		cancel()
		return nil, err
	}
	defer func() { _ = log.Close() }() // ibsim has its own handle
	c.Stdout, c.Stderr = log, log
	runtime.LockOSThread() // the child dies with the thread that started it (dieWithParent): that has to stay until stop
	if err := c.Start(); err != nil {
		runtime.UnlockOSThread()
		cancel()
		return nil, fmt.Errorf("ibsim does not start: %w", err)
	}
	s.stop = func() {
		cancel()
		_ = c.Wait() // killed: that is no news
		runtime.UnlockOSThread()
	}
	for deadline := time.Now().Add(timeout); ; time.Sleep(20 * time.Millisecond) {
		sockets, err := os.ReadFile("/proc/net/unix")
		switch {
		case err != nil:
			err = fmt.Errorf("whether ibsim listens cannot be seen: %w", err)
		case strings.Contains(string(sockets), "@"+s.socket+":ctl"):
			return s, nil
		case ended(c.Process.Pid):
			err = fmt.Errorf("ibsim ended by itself; %s", tail(log.Name()))
		case ctx.Err() != nil:
			err = ctx.Err()
		case time.Now().After(deadline):
			err = fmt.Errorf("ibsim did not come up in %v (--timeout); %s", timeout, tail(log.Name()))
		}
		if err != nil {
			s.stop()
			return nil, err
		}
	}
}

// ended tells whether a child is a zombie: it ended, and nobody has asked how.
func ended(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// command is a program with the environment of the session; the context ends it at once: opensm does not heed SIGTERM
// while it waits for a fabric.
func (s *session) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = s.dir
	c.Env = append(os.Environ(), "IBSIM_SOCKNAME="+s.socket, "OSM_TMP_DIR="+s.dir, "OSM_CACHE_DIR="+s.dir, "LC_ALL=C")
	c.WaitDelay = time.Second
	dieWithParent(c)
	return c
}

// run runs a program on the simulated fabric and gives what it prints.
func (s *session) run(ctx context.Context, name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	c := s.command(ctx, name, args...)
	if name != s.check {
		c.Env = append(c.Env, "LD_PRELOAD="+s.preload)
	}
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	if name == s.discover {
		c.Stderr = nil
	}
	runtime.LockOSThread() // as in start
	err := c.Run()
	runtime.UnlockOSThread()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err = fmt.Errorf("%s did not end in %v (--timeout)", filepath.Base(name), s.timeout)
	}
	return []byte(out.String()), err
}

// tail is the end of a log, for messages.
func tail(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	const last = 300 // bytes: the lines that tell
	text := strings.TrimSpace(string(data[max(0, len(data)-last):]))
	return "it said last: " + strconv.Quote(text)
}
