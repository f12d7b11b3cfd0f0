// Command toposearch finds network topologies for AI clusters and supercomputers: see
// README.md, or run it without arguments.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"
)

func main() {
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
