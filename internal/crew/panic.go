package crew

import (
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"
)

// Panic is a panic as an error: a fault of the program. It is made where a goroutine of a crew, or a
// deferred Doing or Catch, meets a panic, and goes on up to whoever reports it.
type Panic struct {
	Value any      // what panic was called with
	Doing []string // what was being done, the innermost first
	Place string   // the innermost calls of this module, as "simcore/flit.(*Sim).Step cycle.go:12"
}

// Error is one line of what was being done and what went wrong, one of where, and the request to report it.
func (p *Panic) Error() string {
	while := ""
	if len(p.Doing) > 0 {
		d := slices.Clone(p.Doing)
		slices.Reverse(d)
		while = " while " + strings.Join(d, ", ")
	}
	return fmt.Sprintf("internal error%s: %v\nin %s\nthis is a fault of the program, not of its input: please report it with these lines, the command line and the output of \"toposearch version\"",
		while, p.Value, p.Place)
}

// Unwrap is the error that panic was called with, if it was one.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// Doing adds what a function does to a panic that passes through it. To be deferred; what is only called then.
func Doing(what func() string) {
	if v := recover(); v != nil {
		p := caught(v)
		p.Doing = append(p.Doing, what())
		panic(p)
	}
}

// Catch turns a panic into the *Panic that a function returns as its error. To be deferred.
func Catch(err *error) {
	if v := recover(); v != nil {
		*err = caught(v)
	}
}

// caught is a recovered value as a *Panic, of the calls that recover's function was deferred in.
func caught(v any) *Panic {
	if p, ok := v.(*Panic); ok {
		return p
	}
	return &Panic{Value: v, Place: place()}
}

const (
	module = "toposearch/"
	// shown calls tell one cause of the same message from another; deep finds them below those of the
	// libraries that a panic may come from.
	shown = 3
	deep  = 64
)

// place names the calls of this module below the panic that is being recovered from, the innermost first.
func place() string {
	pcs := make([]uintptr, deep)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	var calls []string
	below := false
	for more := true; more && len(calls) < shown; {
		var f runtime.Frame
		f, more = frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			below = true
		case below && strings.HasPrefix(f.Function, module):
			calls = append(calls, fmt.Sprintf("%s %s:%d", strings.TrimPrefix(f.Function, module), path.Base(f.File), f.Line))
		}
	}
	if len(calls) == 0 {
		return "an unknown place"
	}
	return strings.Join(calls, ", called by ")
}
