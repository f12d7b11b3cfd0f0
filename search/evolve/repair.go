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
	for range max(3, len(at)) { // one move a parameter
		v := r.values(space, at)
		err := sp.Fam.Size(v, &r.size)
		if err == nil {
			if d := sp.Fam.Derived; d >= 0 && r.size.Endpoints < r.p.Min {
				r.lift(space, at)
			}
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

// derive chooses the derived parameter: endpoints do not decrease in it.
func (r *repairer) derive(space int, at []int32) {
	if d := r.p.Spaces[space].Fam.Derived; d >= 0 {
		r.reach(space, at, d)
	}
}

// lift makes a network that rules keep below the endpoints asked for, as those of a network of a single stage keep pods at 1, reach them by
// the first other number that can; where a rule then bounds that number by another, as ports bound the endpoints of a switch, the other is raised as far
// as it has to be. It leaves a tuple for which there is no such way as it is.
func (r *repairer) lift(space int, at []int32) {
	sp := r.p.Spaces[space]
	was := [search.MaxParams]int32{}
	copy(was[:], at)
	for i := range at {
		if !adjustable(sp, i) {
			continue
		}
		r.reach(space, at, i)
		if r.inside(space, at) && (r.exists(space, at) || r.raise(space, at, i)) {
			if r.derive(space, at); r.exists(space, at) {
				return
			}
		}
		copy(at, was[:])
	}
}

// adjustable tells whether a parameter is one that may be moved to reach a size: no choice, no ratio, not the derived one.
func adjustable(sp *search.Space, i int) bool {
	p := &sp.Fam.Params[i]
	return i != sp.Fam.Derived && p.Choices == nil && p.Divides == "" && sp.Dims[i].N > 1
}

// exists tells whether a tuple is a network with the endpoints asked for.
func (r *repairer) exists(space int, at []int32) bool {
	return r.p.Spaces[space].Fam.Size(r.values(space, at), &r.size) == nil && r.size.Endpoints >= r.p.Min
}

// raiseTries is how many values one behind the other are tried: numbers of ports are even, or multiples of a few.
const raiseTries = 4

// raise gives a number other than i the smallest value that makes a network of the size, if larger ones do, too.
func (r *repairer) raise(space int, at []int32, i int) bool {
	sp := r.p.Spaces[space]
	for j := range at {
		if j == i || !adjustable(sp, j) {
			continue
		}
		was := at[j]
		left := sp.Dims[j].N - int(was)
		found := -1 // by try
		try := func(k int) bool {
			for end := min(k+raiseTries, left); k < end; k++ {
				if at[j] = was + int32(k); r.exists(space, at) {
					found = k
					return true
				}
			}
			return false
		}
		if k := sort.Search(left, try); k < left && try(k) {
			at[j] = was + int32(found)
			return true
		}
		at[j] = was
	}
	return false
}

// exchange changes the derived parameter by steps and gives another one the smallest value that then reaches the endpoints asked for: what
// multiplies to a size is divided otherwise. Moves of one parameter alone lead there only through sizes far above it. ok says that the
// other one has changed, and that the value below would not do: endpoints do increase in it.
func (r *repairer) exchange(space int, at []int32, other int, steps int32) (ok bool) {
	sp := r.p.Spaces[space]
	d := sp.Fam.Derived
	was := at[other]
	if at[d] += steps; at[d] < 0 || int(at[d]) >= sp.Dims[d].N {
		return false
	}
	r.reach(space, at, other)
	return at[other] != was && at[other] > 0 && r.inside(space, at)
}

// inside tells whether the endpoints of a tuple are those asked for.
func (r *repairer) inside(space int, at []int32) bool {
	n := r.endpoints(space, at)
	return n >= r.p.Min && n <= r.p.Max
}

// endpoints are those of a tuple, by its counts.
func (r *repairer) endpoints(space int, at []int32) int64 {
	sp := r.p.Spaces[space]
	r.size.Reset(sp.Fam)
	sp.Fam.Count(r.values(space, at), &r.size)
	return r.size.Endpoints
}

// reach gives parameter d, in which endpoints do not decrease, the smallest value that reaches those asked for, or the largest. What
// follows from small changes of the others is near, and found by doubling steps before halving.
func (r *repairer) reach(space int, at []int32, d int) {
	sp := r.p.Spaces[space]
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
