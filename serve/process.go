package serve

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"toposearch/internal/crew"
)

// process is a run or resume that was started from the page. It is a session of its own, without a pipe to us: what ends this server, a
// closed terminal too, does not touch it.
type process struct {
	log   string // file that has what it says; removed when it has ended
	ended chan struct{}
	code  int    // exit status; below 0: ended by a signal
	said  string // last, once it has ended
}

// logTail is how much of what a process said is shown.
const logTail = 4 << 10

// launch starts the program with arguments.
func launch(program []string, args ...string) (*process, error) {
	log, err := os.CreateTemp("", "toposearch-serve-*.log")
	if err != nil {
		return nil, fmt.Errorf("nothing was started: no file for what it says: %w", err)
	}
	defer log.Close()
	all := append(append([]string(nil), program...), args...)
	c := exec.Command(all[0], all[1:]...)
	c.Stdout, c.Stderr = log, log
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := c.Start(); err != nil {
		os.Remove(log.Name())
		return nil, fmt.Errorf("nothing was started: %w", err)
	}
	p := &process{log: log.Name(), ended: make(chan struct{})}
	crew.Detach(func() {
		_ = c.Wait() // its status is looked at
		p.code, p.said = c.ProcessState.ExitCode(), tail(p.log)
		os.Remove(p.log)
		close(p.ended)
	}, func(error) { close(p.ended) })
	return p, nil
}

// tail is the end of a file, from the beginning of a line.
func tail(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > logTail {
		_, _ = f.Seek(-logTail, io.SeekEnd) // it is that long
	}
	b, _ := io.ReadAll(io.LimitReader(f, logTail)) // what can be read
	if i := bytes.IndexByte(b, '\n'); len(b) == logTail && i >= 0 {
		b = b[i+1:]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(b), "?"))
}

// working reports whether it has not ended.
func (p *process) working() bool {
	select {
	case <-p.ended:
		return false
	default:
		return true
	}
}

// failed says how a process ended that did not end well; "" if it did, or is at work. Statuses of runs that say something about designs,
// and of those that were asked to stop, are no failures (toposearch help exit-codes).
func (p *process) failed() string {
	if p.working() {
		return ""
	}
	switch p.code {
	case 0, 3, 4, 5, 6, 130, 143:
		return ""
	}
	how := fmt.Sprintf("exit status %d", p.code)
	if p.code < 0 {
		how = "ended by a signal of the system, such as for want of memory"
	}
	if p.said == "" {
		return how
	}
	return p.said + "\n" + how
}

const (
	// begins is how long a process gets to show in its run directory that it has begun, before the page says "asked".
	begins = 5 * time.Second
	// look is how often that is looked for.
	look = 50 * time.Millisecond
)

// await waits until something is so, or the process has ended, or for a while.
func (p *process) await(done <-chan struct{}, so func() bool) bool {
	for began := time.Now(); time.Since(began) < begins; {
		if so() {
			return true
		}
		select {
		case <-p.ended:
			return so()
		case <-done:
			return false
		case <-time.After(look):
		}
	}
	return so()
}
