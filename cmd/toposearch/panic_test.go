package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"testing"
)

// broken panics when it is written to.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("the writer is broken") }

// TestPanicIsAnError: a panic anywhere below a command is a message that asks for a report, with exit
// status 1, and no stack.
func TestPanicIsAnError(t *testing.T) {
	var errs bytes.Buffer
	status := execute([]string{"families"}, strings.NewReader(""), broken{}, &errs)
	text := errs.String()
	if status != exitFailed || !strings.Contains(text, "the writer is broken") || !strings.Contains(text, "please report it") || strings.Contains(text, "goroutine") {
		t.Errorf("exit status %d:\n%s", status, text)
	}
}

const fatalHere = "TOPOSEARCH_TEST_FATAL"

// TestFatalErrorIsNotUsage: what the Go runtime cannot go on from ends the program by an abort, not with
// the status of a wrong input.
func TestFatalErrorIsNotUsage(t *testing.T) {
	if os.Getenv(fatalHere) != "" {
		prepareRuntime()
		debug.SetMaxStack(1 << 16)
		t.Log(overflow(0))
	}
	c := exec.Command(os.Args[0], "-test.run=^TestFatalErrorIsNotUsage$")
	c.Env = append(os.Environ(), fatalHere+"=1")
	out, err := c.CombinedOutput()
	var e *exec.ExitError
	if !errors.As(err, &e) || e.ExitCode() == exitUsage || !strings.Contains(string(out), "stack") {
		t.Errorf("%v\n%s", err, out[:min(len(out), 500)])
	}
	if !strings.Contains(err.Error(), "abort") {
		t.Errorf("%v, want an abort", err)
	}
}

func overflow(n int) int {
	if n < 0 {
		return 0
	}
	return overflow(n+1) + n
}
