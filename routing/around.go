package routing

import "context"

// Around is uniform traffic over the routes of a rule, as flows between sets, where the rule misses pairs of sets since something has failed: these go by way of another set, each as likely from
// which the rule leads on (as package route draws it).
type Around struct {
	Missed  int    // pairs of sets
	Direct  []Flow // all other pairs go directly
	Detours []Flow // all others make detours, by way of any set that joins them, each as likely; directly if that is their own or their destination's (Router.Valiant)
}

// Around gives that traffic; nil where endpoints have several ports, of which each leg would take one by how it came, where there are too many sets (mostSetPairs), or where nothing joins a pair. Its cost is a
// search for each set, and for each pair the sets that its source does not reach.
func (r *Router) Around(ctx context.Context) (*Around, error) {
	n := len(r.Sets)
	if SeveralPorts(r.Net) || n*n > mostSetPairs || n < 3 {
		return nil, nil
	}
	a := &around{sets: n, reaches: make([]bool, n*n), from: make([][]int32, n), to: make([][]int32, n)}
	s := newSearch(r)
	for dst := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f := s.run(dst)
		for src := range n {
			_, d := r.Inject(f, src, nil)
			if a.reaches[src*n+dst] = d != Unreachable; d == Unreachable {
				a.from[src], a.to[dst] = append(a.from[src], int32(dst)), append(a.to[dst], int32(src))
			}
		}
	}
	others := float64(r.Net.Endpoints() - 1)
	direct, detours, all := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
	missed, missing := make([]float64, n*n), 0
	for src := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for dst := range n {
			at := src*n + dst
			rate := float64(r.Sets[src].Endpoints) * float64(r.Sets[dst].Endpoints) / others
			switch joined := float64(a.joined(src, dst)); {
			case src == dst:
			case a.reaches[at]:
				direct[at] = rate
				detours[at] = 2 * rate / (joined + 2)
				all[at] = rate / (joined + 2)
			case joined == 0:
				return nil, nil
			default:
				missing++
				missed[at], all[at] = rate/joined, rate/joined
			}
		}
	}
	if missing > 0 {
		a.legs(missed, direct)
	}
	a.legs(all, detours)
	return &Around{Missed: missing, Direct: a.flows(direct), Detours: a.flows(detours)}, nil
}

// around is what Around works with: which set reaches which, [src*sets+dst], and the sets that each does not reach, and is not reached from.
type around struct {
	sets     int
	reaches  []bool
	from, to [][]int32
}

// joined counts the other sets by way of which a pair can go: of all those that its source does not reach are none, nor those that do not reach its destination.
func (a *around) joined(src, dst int) int {
	n := a.sets - 2 - len(a.from[src]) - len(a.to[dst])
	for _, mid := range a.from[src] {
		if int(mid) == dst {
			n++ // not among the others
		} else if !a.reaches[int(mid)*a.sets+dst] {
			n++ // counted twice
		}
	}
	if !a.reaches[src*a.sets+dst] {
		n++ // src is not among the others either
	}
	return n
}

// legs adds to flows those of both legs of detours, of which each pair sends as much by way of each set that joins it.
func (a *around) legs(by, flows []float64) {
	n := a.sets
	out, in := make([]float64, n), make([]float64, n)
	for i, x := range by {
		out[i/n] += x
		in[i%n] += x
	}
	for x := range n { // from x to an intermediate y, and from the intermediate x to y
		for y := range n {
			if x == y || !a.reaches[x*n+y] {
				continue
			}
			first, second := out[x]-by[x*n+y], in[y]-by[x*n+y]
			for _, dst := range a.from[y] {
				first -= by[x*n+int(dst)]
			}
			for _, src := range a.to[x] {
				second -= by[int(src)*n+y]
			}
			flows[x*n+y] += max(0, first) + max(0, second)
		}
	}
}

// flows are those that are more than nothing.
func (a *around) flows(rates []float64) (out []Flow) {
	for i, x := range rates {
		if x > 0 {
			out = append(out, Flow{i / a.sets, i % a.sets, x})
		}
	}
	return out
}
