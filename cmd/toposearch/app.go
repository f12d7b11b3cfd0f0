package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"toposearch/internal/crew"
	"toposearch/topology"
	"toposearch/topology/netfile"
)

// app is what a command needs of the outside world.
type app struct {
	in       io.Reader
	out, err io.Writer // what is hidden in names is shown there (shownWriter)
	now      func() time.Time
	terminal bool                               // out is one
	files    map[*topology.Family]*netfile.File // networks that were read

	json    bool
	quiet   bool
	workers int
	seed    uint64
	seedSet bool

	signal   atomic.Int32  // exit status of the signal seen, 0 while there is none
	graceful atomic.Bool   // the command asks stopping itself between batches
	hurry    chan struct{} // closed when evaluations under way are to end, too; nil: never
}

// stopping reports whether a signal asked the program to stop.
func (a *app) stopping() bool { return a.signal.Load() != 0 }

// status prints an error and turns it into an exit status.
func (a *app) status(err error) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, context.Canceled) && a.stopping() { // wherever it came out: no fault of the input
		return int(a.signal.Load())
	}
	var e *exitError
	if errors.As(err, &e) {
		if e.err != nil {
			a.complain(e.err)
		}
		return e.status
	}
	a.complain(err)
	return exitFailed
}

// complain prints an error; of one of several lines, the later ones are indented under the first.
func (a *app) complain(err error) {
	lines := strings.Split(err.Error(), "\n")
	for i := range lines[1:] {
		lines[i+1] = "            " + strings.TrimLeft(lines[i+1], " ")
	}
	fmt.Fprintln(a.err, "toposearch:", strings.Join(lines, "\n"))
}

// settle is how long a run that was asked to stop may take for evaluations under way: most batches end within it.
const settle = time.Second

// within is search.Options.Within.
func (a *app) within(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, d)
	if a.hurry != nil {
		crew.Detach(func() {
			select {
			case <-a.hurry:
				cancel()
			case <-ctx.Done():
			}
		}, func(error) {})
	}
	return ctx, cancel
}

// grace is how long a run that was asked to stop may take to finish its batch before it is
// cancelled; the journal makes that safe.
const grace = 30 * time.Second

// echo is for how long after the first signal further ones are taken for the same: timeout(1) and some
// job managers signal a process and then its group.
const echo = 250 * time.Millisecond

// withSignals makes the first SIGINT, SIGTERM or SIGHUP a request to stop: it cancels the
// context, of a graceful command only after a grace; the second ends the program.
func (a *app) withSignals(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	a.hurry = make(chan struct{})
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	crew.Detach(func() {
		s := signalStatus(<-ch)
		a.signal.Store(int32(s))
		if a.graceful.Load() {
			fmt.Fprintln(a.err, "\ntoposearch: stopping: finishing the running batch and saving; press ^C again to stop now")
			time.AfterFunc(settle, func() { close(a.hurry) })
			time.AfterFunc(grace, cancel)
		} else {
			cancel()
		}
		for asked := time.Now(); ; {
			if <-ch; time.Since(asked) > echo {
				os.Exit(s)
			}
		}
	}, func(err error) { os.Exit(a.status(err)) })
	return ctx
}

// patience is how long a command whose context was cancelled may take to end by itself, with what it has to
// say. Readers of files, and the libraries under them, know no context: they are left behind.
const patience = 2 * time.Second

// prompt runs a command so that the first signal ends it soon, whatever it is doing: reading a file, counting
// a space, writing a report. Only a command that saves what it has done takes its own time (graceful).
func (a *app) prompt(ctx context.Context, command func() error) error {
	done := make(chan error, 1)
	crew.Detach(func() { done <- command() }, func(fault error) { done <- fault })
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	if a.graceful.Load() {
		return <-done
	}
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return ctx.Err()
	}
}

// signalStatus is the exit status of a signal.
func signalStatus(s os.Signal) int {
	if s == os.Interrupt {
		return exitInterrupted
	}
	return exitTerminated
}

// note prints a line of information to stderr.
func (a *app) note(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.err, format+"\n", args...)
	}
}

// seedOr is the seed of the command line, or another.
func (a *app) seedOr(seed uint64) uint64 {
	if a.seedSet {
		return a.seed
	}
	return seed
}

// cores is the number of workers to use.
func (a *app) cores() int {
	if a.workers == 0 {
		return runtime.GOMAXPROCS(0)
	}
	return a.workers
}
