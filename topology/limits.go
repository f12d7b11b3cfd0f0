package topology

import (
	"fmt"
	"math"
)

// MostNumbered is the largest size of a design in the whole program: so many endpoints, and so many switches,
// embedded ones included. Their IDs are int32, and closed forms that sum links over the routes of a source stay
// below 2^43, exact in floating point. What is larger is no network: Size refuses it.
const MostNumbered = math.MaxInt32

// numbered tells whether endpoints and switches can be numbered.
func (s *Size) numbered() bool {
	n := s.AllSwitches()
	return s.Endpoints >= 0 && n >= 0 && s.Endpoints <= MostNumbered && n <= MostNumbered
}

// wired tells whether the channels between switches can be numbered too, which counting and closed
// forms do not need.
func (s *Size) wired() error {
	var channels int64
	for c := range s.Family.LinkClasses {
		if s.Family.LinkClasses[c].Name == ClassNic && c == 0 {
			continue // the ports of endpoints are no channels
		}
		channels += 2 * s.Link[c]
	}
	if channels > math.MaxInt32 {
		return fmt.Errorf("%d channels between switches do not fit 31 bits: the network can be counted, not built; take a smaller one", channels)
	}
	return nil
}

// RuleSize is the rule that every family shares.
const RuleSize = "endpoints and switches fit 31 bits"

// tooLarge names a parameter that makes the design small enough to be numbered, and its largest
// value that does: the derived one if it can, else the first. Unlike the rest of Size it allocates.
func (f *Family) tooLarge(v []int, s *Size) error {
	try := append([]int(nil), v...)
	blame := func(i int) (int, bool) {
		defer func() { try[i] = v[i] }()
		return f.largest(try, i, s)
	}
	if len(f.Params) == 0 {
		return s.Fail("endpoints", int(s.Endpoints), RuleSize, MostNumbered)
	}
	first := max(f.Derived, 0)
	for n := range len(f.Params) + 1 {
		i := n - 1
		if n == 0 {
			i = first
		}
		if p := &f.Params[i]; p.Choices != nil || p.Divides != "" {
			continue
		}
		if x, ok := blame(i); ok {
			return s.Fail(f.Params[i].Name, v[i], RuleSize, x)
		}
	}
	err := s.Fail(f.Params[first].Name, v[first], RuleSize, f.Params[first].Min)
	s.bad.Others = true
	return err
}

// gap is how many neighbouring values of a parameter may be no network before a search for valid
// ones gives up: the largest gap between prime powers below 4096 is 34.
const gap = 64

// largest finds by bisection the largest value of parameter i below v[i] with which the design is
// valid and can be numbered. It changes v[i].
func (f *Family) largest(v []int, i int, s *Size) (int, bool) {
	best, lo, hi := 0, f.Params[i].Min, v[i]-1
	found := false
	for lo <= hi {
		mid := lo + (hi-lo)/2
		x, ok := mid, false
		for ; x >= f.Params[i].Min && x > mid-gap && !ok; x-- {
			v[i] = x
			s.Reset(f)
			if ok = f.Check == nil || f.Check(v, s) == nil; ok {
				f.Count(v, s)
				if !s.numbered() {
					break
				}
			}
		}
		if ok && s.numbered() {
			best, found, lo = v[i], true, mid+1
		} else {
			hi = mid - 1
		}
	}
	return best, found
}

// Unfinished is how a random construction says that it found no network within its tries. Wire has
// no error to return: it panics with one, and Build and the evaluator return it.
type Unfinished struct {
	Design string
	Tries  int
}

func (e *Unfinished) Error() string {
	return fmt.Sprintf("%s: no connected network in %d tries; take another seed, or a few switches or links more", e.Design, e.Tries)
}

// Finish turns a panic with an *Unfinished into an error; others go on. To be deferred.
func Finish(err *error) {
	switch e := recover().(type) {
	case nil:
	case *Unfinished:
		*err = e
	default:
		panic(e)
	}
}
