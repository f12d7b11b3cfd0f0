// Command toposearch finds network topologies for AI clusters and supercomputers: see
// README.md, or run it without arguments.
package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"runtime/debug"
	"time"

	"toposearch/internal/memory"
)

func main() {
	prepareRuntime()
	os.Exit(execute(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// execute runs one command line and returns the exit status.
func execute(args []string, in io.Reader, out, errw io.Writer) int {
	checked := &checkedWriter{w: out}
	shown, errShown := &shownWriter{w: checked}, &shownWriter{w: errw}
	a := &app{in: in, out: shown, terminal: isTerminal(out), err: errShown, now: time.Now}
	ctx := a.withSignals(context.Background())
	root := a.root()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(shown)
	root.SetErr(errShown)
	status := a.status(a.prompt(ctx, func() error { return root.ExecuteContext(ctx) }))
	shown.flush()
	errShown.flush()
	if status == exitOK && checked.err != nil {
		fmt.Fprintln(errw, "toposearch: the output is incomplete:", checked.err)
		status = exitFailed
	}
	return status
}

// collectAt is the part of the memory that the process may use above which the runtime collects garbage
// more often rather than grow: the rest is for stacks and for what others use of a machine.
const collectAt = 0.9

// collectGrown is by how many per cent of what is in use memory may grow before garbage is collected, unless GOGC says it: searches leave much of
// it, and with Go's 100 a fifth of their processor time goes to collecting it. In use are a few hundred megabytes, and the limit above holds.
const collectGrown = 200

// prepareRuntime sets how the Go runtime behaves near its end. Fatal errors of the runtime (memory that the
// system refuses, a stack without end, data that two goroutines write at a time) cannot be caught. They
// would end the program with status 2, which says that the input is wrong: as an abort, with SIGABRT,
// they are told from it; without the core file, as large as the memory in use, that an abort may leave.
func prepareRuntime() {
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // not set by GOMEMLIMIT
		if limit, _ := memory.Limit(); limit < math.MaxInt64 {
			debug.SetMemoryLimit(int64(collectAt * float64(limit)))
		}
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectGrown)
	}
	debug.SetTraceback("crash")
	noCoreFile()
}
