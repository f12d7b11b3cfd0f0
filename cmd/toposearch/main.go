// Command toposearch finds network topologies for AI clusters and supercomputers: see
// README.md, or run it without arguments.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"toposearch/topology"
	"toposearch/topology/netfile"
)

// Exit statuses (DESIGN.md section 7; `toposearch help exit-codes` prints them).
const (
	exitOK          = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNoFeasible  = 3
	exitBudget      = 4
	exitRequire     = 5
	exitContradicts = 6
	exitInUse       = 7
	exitInterrupted = 130
	exitTerminated  = 143
)

// exitError ends the program with a status. Its message, if any, is printed to stderr.
type exitError struct {
	status int
	err    error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.status)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usage wraps an error of what the user wrote: exit status 2.
func usage(err error) error { return &exitError{exitUsage, err} }

func usagef(format string, a ...any) error { return usage(fmt.Errorf(format, a...)) }

// app is what a command needs of the outside world.
type app struct {
	in       io.Reader
	out, err io.Writer
	now      func() time.Time
	terminal bool                               // out is one
	files    map[*topology.Family]*netfile.File // networks that were read

	json    bool
	quiet   bool
	workers int
	seed    uint64
	seedSet bool

	signal   atomic.Int32 // exit status of the signal seen, 0 while there is none
	graceful atomic.Bool  // the command asks stopping itself between batches
}

// stopping tells that a signal asked the program to stop.
func (a *app) stopping() bool { return a.signal.Load() != 0 }

func main() {
	os.Exit(execute(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// execute runs one command line and returns the exit status.
func execute(args []string, in io.Reader, out, errw io.Writer) int {
	checked := &checkedWriter{w: out}
	a := &app{in: in, out: checked, terminal: isTerminal(out), err: errw, now: time.Now}
	ctx := a.withSignals(context.Background())
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(checked)
	root.SetErr(errw)
	status := a.status(root.ExecuteContext(ctx))
	if status == exitOK && checked.err != nil {
		fmt.Fprintln(errw, "toposearch: the output is incomplete:", checked.err)
		status = exitFailed
	}
	return status
}

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
	ch := make(chan os.Signal, 2)
	signal.Notify(ch, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		s := signalStatus(<-ch)
		a.signal.Store(int32(s))
		if a.graceful.Load() {
			fmt.Fprintln(a.err, "\ntoposearch: stopping: finishing the running batch and saving; press ^C again to stop now")
			time.AfterFunc(grace, cancel)
		} else {
			cancel()
		}
		for asked := time.Now(); ; {
			if <-ch; time.Since(asked) > echo {
				os.Exit(s)
			}
		}
	}()
	return ctx
}

func signalStatus(s os.Signal) int {
	if s == os.Interrupt {
		return exitInterrupted
	}
	return exitTerminated
}

// root builds the command tree.
func (a *app) root() *cobra.Command {
	c := &cobra.Command{
		Use:   "toposearch",
		Short: "Find the network of an AI cluster or supercomputer",
		Long: `toposearch searches the published network topologies for the ones that fit your
parts, your building and your budget, verifies the best flit by flit, and
reports a Pareto front with bill of materials and cabling.

Start here:
  toposearch run                        the built-in example, with a report
  toposearch init study                 a commented study to change
  toposearch eval 'zcube(n=32,k=2)'     all metrics of one design`,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.PersistentFlags().BoolVar(&a.json, "json", false, "print JSON for machines (schemas: toposearch help json)")
	c.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "no progress on stderr")
	c.PersistentFlags().IntVar(&a.workers, "workers", 0, "goroutines (default: all cores); changes no result")
	c.PersistentFlags().Uint64Var(&a.seed, "seed", 0, "seed of everything random (default: the study's, or 1)")
	c.PersistentPreRunE = func(c *cobra.Command, _ []string) error {
		a.seedSet = c.Flags().Changed("seed")
		if a.workers < 0 || a.workers > 4096 {
			return usagef("--workers %d is out of range; give 1 to 4096, or 0 for all cores", a.workers)
		}
		return nil
	}
	c.AddCommand(a.commands()...)
	a.tellUsage(c)
	return c
}
