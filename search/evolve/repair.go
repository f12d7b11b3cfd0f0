package evolve

import (
	"errors"
	"sort"

	"toposearch/search"
	"toposearch/topology"
)

// repairer moves tuples into the window of endpoints and inside the rules of their families.
// Tuples are indices into the domains of a space. It is for one goroutine.
type repairer struct {
	p    *search.Problem
	size topology.Size         // scratch
	own  [search.MaxParams]int // of values
}

// values gives the parameter values of a tuple, until the next call.
func (r *repairer) values(space int, at []int32) []int {
	v := r.own[:len(at)]
	for i, x := range at {
		v[i] = r.p.Spaces[space].Dims[i].At(int(x))
	}
	return v
}

// repair sets the derived parameter to the smallest value that reaches the endpoints asked for,
// and moves a parameter that breaks a rule of the family to the nearest value that does not. What
// it makes of a tuple does not depend on the derived parameter before. ok says that a network
// exists now.
func (r *repairer) repair(space int, at []int32) (ok bool) {
	sp := r.p.Spaces[space]
	if sp.Fam.Draws != nil {
		v := r.values(space, at)
		r.p.Mend(space, v)
		return r.take(space, at, v) && sp.Fam.Size(v, &r.size) == nil
	}
	r.derive(space, at)
	for range 3 {
		v := r.values(space, at)
		err := sp.Fam.Size(v, &r.size)
		if err == nil {
			return true
		}
		bad, ok := errors.AsType[*topology.Infeasible](err)
		if !ok {
			return false
		}
		i := sp.Fam.Param(bad.Param)
		if i < 0 {
			return false
		}
		k, _ := sp.Dims[i].Index(bad.Bound)
		k = min(k, sp.Dims[i].N-1)
		if k > 0 && bad.Bound < v[i] && sp.Dims[i].At(k) > bad.Bound {
			k-- // the nearest value of the domain on the allowed side
		}
		if int32(k) == at[i] {
			return false
		}
		at[i] = int32(k)
		if i != sp.Fam.Derived {
			r.derive(space, at)
		}
	}
	return false
}

// take writes values as a tuple; false if the space has no such values: nearest ones are there then.
func (r *repairer) take(space int, at []int32, v []int) bool {
	all := true
	for i, x := range v {
		d := &r.p.Spaces[space].Dims[i]
		k, ok := d.Index(x)
		at[i], all = int32(min(k, d.N-1)), all && ok
	}
	return all
}

// derive chooses the derived parameter: endpoints do not decrease in it. What follows from small
// changes of the others is near, and found by doubling steps before halving.
func (r *repairer) derive(space int, at []int32) {
	sp := r.p.Spaces[space]
	d := sp.Fam.Derived
	if d < 0 {
		return
	}
	v := r.values(space, at)
	n := sp.Dims[d].N
	enough := func(i int) bool {
		v[d] = sp.Dims[d].At(i)
		r.size.Reset(sp.Fam)
		sp.Fam.Count(v, &r.size)
		return r.size.Endpoints >= r.p.Min
	}
	lo, hi := 0, n // none below lo is enough, and all from hi on
	if start := int(at[d]); enough(start) {
		hi = start
		for step := 1; hi > 0; step *= 2 {
			if i := max(hi-step, 0); !enough(i) {
				lo = i + 1
				break
			} else {
				hi = i
			}
		}
	} else {
		lo = start + 1
		for step := 1; lo < n; step *= 2 {
			if i := min(lo+step, n) - 1; enough(i) {
				hi = i
				break
			} else {
				lo = i + 1
			}
		}
	}
	k := lo + sort.Search(hi-lo, func(i int) bool { return enough(lo + i) })
	at[d] = int32(min(k, n-1))
}
