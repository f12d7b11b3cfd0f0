package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"toposearch/search"
	"toposearch/search/run"
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
	exitDiffer      = 8
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

// usagef is usage of a formatted message.
func usagef(format string, a ...any) error { return usage(fmt.Errorf(format, a...)) }

// joinUsage joins what is wrong with the command line into one finding with a line for each.
func joinUsage(errs ...error) error {
	var lines []string
	for _, err := range errs {
		if errors.Is(err, context.Canceled) {
			return err
		}
		var e *exitError
		if errors.As(err, &e) && e.err != nil {
			err = e.err
		}
		if err != nil {
			lines = append(lines, err.Error())
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return usagef("%s", strings.Join(lines, "\n"))
}

// badRun gives an error of a run directory its exit status: it may be in use, or none at all.
func badRun(err error) error {
	switch {
	case errors.Is(err, run.ErrInUse), errors.Is(err, search.ErrInputsChanged), errors.Is(err, run.ErrVersion):
		return &exitError{exitInUse, err}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, run.ErrNoRun):
		return usage(err)
	}
	return err
}
