package evaluator

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// TestWorstOfAll: what is stated of the worst case of small designs of every family, some of them in servers, encloses
// the least that any permutation of their endpoints gets, each by a linear program of its own, and is mostly close
// from above.
func TestWorstOfAll(t *testing.T) {
	racing.Figures(t)
	most := int64(5)
	if testing.Short() {
		most = 4
	}
	compared, close := 0, 0
	check := func(d topology.Design, opt Options) {
		n, err := d.Build()
		if err != nil {
			t.Fatalf("%s: %v", d, err)
		}
		w, e, _ := twinUnder(t, d, n, opt)
		// One program of 50 arcs and 20 vertices takes as long as all the others.
		if n.Unidirectional || len(w.arcs) > 70 || len(w.arcs)*(w.switches+w.n) > 700 {
			return
		}
		r := evaluate(t, e, d, Request{Keys: []metric.Key{metric.WorstThroughput}})
		m := r.Metrics[metric.WorstThroughput]
		if !r.Have[metric.WorstThroughput] {
			return
		}
		want, all := w.worst(t)
		if !all {
			return
		}
		if math.IsInf(want, 1) { // no permutation crosses a link between switches: the endpoints' own ports
			want = 1
		}
		compared++
		if c, ok := counted(t, e, d, nil); ok && (c.Lo > want*(1+1e-6) || c.Hi < want*(1-1e-6)) {
			t.Errorf("%s: counted [%.9g, %.9g], the worst permutation gets %.9g (%s)", d, c.Lo, c.Hi, want, c.Method)
		}
		if m.Lo > want*(1+1e-6) || m.Hi < want*(1-1e-6) || m.Lo <= 0 || m.Value != m.Lo {
			t.Errorf("%s: worst throughput %g in [%.9g, %.9g], the worst permutation gets %.9g (%s)", d, m.Value, m.Lo, m.Hi, want, m.Method)
		}
		if m.Hi <= want*1.01 {
			close++
		}
	}
	for _, f := range family.All() {
		rng := rngOf("worst of all " + f.Name)
		for i, d := range topotest.Sample(f, rng, few(4), most) {
			opt := Options{}
			if i%3 == 2 {
				opt = Options{Scaleup: true, PerServer: 2}
			}
			check(d, opt)
		}
	}
	for _, s := range []string{"ring(n=5)", "complete(n=4)", "hypercube(n=2)", "mesh(k1=4)"} {
		check(parse(t, s), Options{})
	}
	if compared < 15 || close < compared*9/10 {
		t.Errorf("%d designs were compared, the worst of %d found", compared, close)
	}
	t.Logf("%d designs were compared, the worst of %d found", compared, close)
}

// worst is the least throughput of any permutation of the endpoints; false if some program was not solved.
func (w *twin) worst(t *testing.T) (float64, bool) {
	to := make([]int, w.n)
	for e := range to {
		to[e] = e
	}
	at := make([]int, w.n) // where its routes begin: at its switch if its own link does not count
	for e := range at {
		if at[e] = w.switches + e; len(w.out[at[e]]) == 1 {
			at[e] = w.arcs[w.out[at[e]][0]].to
		}
	}
	best, all := math.Inf(1), true
	seen := map[string]bool{}
	var permute func(k int)
	permute = func(k int) {
		if k < w.n {
			for i := k; i < w.n; i++ {
				to[k], to[i] = to[i], to[k]
				permute(k + 1)
				to[k], to[i] = to[i], to[k]
			}
			return
		}
		demand := map[[2]int]float64{}
		var pairs [][2]int
		idle := map[int]bool{}
		for e, d := range to {
			if p := [2]int{at[e], at[d]}; p[0] != p[1] {
				demand[p]++
				pairs = append(pairs, p)
			} else {
				idle[p[0]] = true
			}
		}
		if len(idle) > 1 {
			return // where two exchange destinations that take nothing, another permutation asks for this and more
		}
		text := func() string {
			slices.SortFunc(pairs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
			return fmt.Sprint(pairs)
		}
		key := text()
		if seen[key] || len(pairs) == 0 {
			return
		}
		seen[key] = true
		for i, p := range pairs {
			pairs[i] = [2]int{p[1], p[0]}
		}
		seen[text()] = true // the inverse: its flow runs back along links that are the same both ways
		x, err := w.carried(demand)
		if err != nil {
			t.Logf("%s: %v", w.net.Design, err)
			all = false
			return
		}
		best = math.Min(best, x)
	}
	permute(0)
	return best, all
}

// carried is the largest multiple of a demand between vertices that can be routed: a linear program over the
// flow of each source on each arc, the spare capacity of each arc, and the multiple.
func (w *twin) carried(demand map[[2]int]float64) (float64, error) {
	var arcs []*twinArc
	stop := func(v, source int) bool { return v >= w.switches && v != source } // endpoints do not forward
	for i := range w.arcs {
		if a := &w.arcs[i]; a.links == 0 || w.counted(a) {
			arcs = append(arcs, a)
		}
	}
	var sources []int
	touched := map[int]bool{}
	for p := range demand {
		if !slices.Contains(sources, p[0]) {
			sources = append(sources, p[0])
		}
	}
	slices.Sort(sources)
	for _, a := range arcs {
		touched[a.from], touched[a.to] = true, true
	}
	columns := len(sources)*len(arcs) + len(arcs) + 1
	var rows []float64
	var right []float64
	var basis []int // of no flow: by source the arcs of a tree, and all capacity is spare
	row := func(b float64) []float64 {
		rows, right = append(rows, make([]float64, columns)...), append(right, b)
		return rows[len(rows)-columns:]
	}
	for i, s := range sources {
		reached := map[int]bool{s: true}
		for more := true; more; {
			more = false
			for k, a := range arcs {
				if reached[a.from] && !reached[a.to] && !stop(a.from, s) {
					reached[a.to], more = true, true
					basis = append(basis, i*len(arcs)+k)
				}
			}
		}
		for v := range w.switches + w.n {
			if v == s || !touched[v] {
				continue // what the others take determines the source
			}
			r := row(0)
			for k, a := range arcs {
				switch {
				case a.to == v && !stop(a.from, s):
					r[i*len(arcs)+k] = 1
				case a.from == v && !stop(v, s):
					r[i*len(arcs)+k] = -1
				}
			}
			r[columns-1] = -demand[[2]int{s, v}]
		}
	}
	for k, a := range arcs {
		c := a.rate / w.bw
		if a.links == 0 {
			c = 100 // inside an endpoint
		}
		r := row(c)
		for i := range sources {
			r[i*len(arcs)+k] = 1
		}
		r[len(sources)*len(arcs)+k] = 1
		basis = append(basis, len(sources)*len(arcs)+k)
	}
	if len(basis) != len(right) {
		return 0, fmt.Errorf("%d of %d vertices are reached", len(basis), len(right))
	}
	goal := make([]float64, columns)
	goal[columns-1] = -1
	x, _, err := lp.Simplex(goal, mat.NewDense(len(right), columns, rows), right, 1e-10, basis)
	return -x, err
}
