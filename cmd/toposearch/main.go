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
