package flit

import (
	"runtime"
	"testing"
	"time"

	"toposearch/simcore"
	"toposearch/topology"
)

// dozing sends anywhere, and takes its time where the upper half of the endpoints sends.
type dozing struct{ uniform }

func (d dozing) Dest(src topology.EndpointID, r *simcore.Rand) topology.EndpointID {
	if int(src) >= d.n/2 {
		time.Sleep(100 * time.Microsecond)
	}
	return d.uniform.Dest(src, r)
}

// A part that is late is not waited for by others that burn time: helpers leave, the caller sleeps, and the next Steps
// have fewer goroutines. Nothing of it shows in the result.
func TestLateParts(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	g := newGrid(t, 6, false)
	one := mustNew(t, g, uniform{36}, DefaultConfig())
	one.Reset(0.3, 7)
	many := mustNew(t, g, dozing{uniform{36}}, DefaultConfig())
	many.split(4)
	many.Reset(0.3, 7)
	late := 0
	for range 12 {
		one.Step(17)
		many.Step(17)
		same(t, "late", one, many)
		if many.team.late.Load() {
			late++
		}
	}
	if late == 0 || many.team.pace.crew == 4 {
		t.Errorf("%d of 12 Steps had to wait, and %d goroutines are left", late, many.team.pace.crew)
	}
}

// The pace falls by half at a time, for longer if it goes on, and comes back.
func TestPace(t *testing.T) {
	var p pace
	p.reset(8)
	steps := func(hops int64, late bool) int { p.note(hops, late); return p.crew }
	if a, b, c, d := steps(10, true), steps(10, true), steps(10, true), steps(10, true); a != 4 || b != 2 || c != 1 || d != 1 {
		t.Errorf("late four times: %d, %d, %d, %d goroutines", a, b, c, d)
	}
	if want := int64(8 * leastRest); p.rest != want {
		t.Errorf("rest of %d flit-hops, want %d", p.rest, want)
	}
	if got := steps(p.rest-1, false); got != 1 {
		t.Errorf("%d goroutines before the end of the rest", got)
	}
	if a, b, c := steps(1, false), steps(p.rest, false), steps(p.rest, false); a != 2 || b != 4 || c != 8 {
		t.Errorf("after rests %d, %d, %d", a, b, c)
	}
	for range 100 {
		steps(1, true)
	}
	if p.rest != mostRest {
		t.Errorf("late again and again: a rest of %d", p.rest)
	}
	if steps(calm*mostRest, false); p.crew != 2 {
		t.Errorf("%d goroutines after a long Step", p.crew)
	}
	if steps(1, true); p.rest != leastRest {
		t.Errorf("late after a long time: a rest of %d", p.rest)
	}
}
