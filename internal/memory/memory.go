// Package memory says how much memory this process may use, so that what is too large for it is
// refused before it is taken: the runtime answers an allocation that fails with a fatal error that no
// program can catch, and the kernel with a kill.
package memory

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"
	"sync"

	"toposearch/internal/unit"
)

// limit is found once: a limit that changed while a run goes on would make its results depend on when
// they were computed.
var limit = sync.OnceValues(func() (int64, string) {
	if n := debug.SetMemoryLimit(-1); n < math.MaxInt64 { // a negative argument only asks
		return n, "GOMEMLIMIT"
	}
	return system(os.DirFS("/"), addressSpace())
})

// Limit is the memory that this process may use, bytes, and what limits it, in words: GOMEMLIMIT where
// the environment sets it, else the least of the machine's physical memory, the control groups (v1 and
// v2) of the process and its address space (ulimit -v). Where none of these can be read it is
// math.MaxInt64. It is the same for the whole life of the process, whatever others use of the machine.
func Limit() (bytes int64, source string) { return limit() }

// Error is a need of more memory than Limit.
type Error struct {
	What   string  // a simulation of fattree(k=64,l=5)
	Bytes  float64 // predicted
	Limit  int64   // bytes
	Source string  // of the limit, as Limit says it
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s needs about %s of memory, and this process may use %s (%s)",
		e.What, unit.KindBytes.Format(round(e.Bytes)), unit.KindBytes.Format(round(float64(e.Limit))), e.Source)
}

// Require returns an *Error if what needs more bytes than Limit. The need is predicted, so it may be
// beyond any integer.
func Require(what string, bytes float64) error {
	if n, source := Limit(); !(bytes <= float64(n)) {
		return &Error{What: what, Bytes: bytes, Limit: n, Source: source}
	}
	return nil
}

// round keeps three digits: what is predicted is not known to the byte.
func round(x float64) float64 {
	if x <= 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	scale := math.Pow(10, math.Floor(math.Log10(x))-2)
	return math.Round(x/scale) * scale
}
