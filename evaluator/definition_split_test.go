package evaluator

import (
	"math"
	"math/bits"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// TestSplits: the bisection of small designs of every family, with odd and even numbers of endpoints, some in
// servers, is the least over all balanced splits of their endpoints of what one half can send the other, by
// a largest flow for each split and direction.
func TestSplits(t *testing.T) {
	racing.Figures(t)
	most := int64(11)
	if testing.Short() {
		most = 8
	}
	odd, oneWay, servers := 0, 0, 0
	for _, f := range family.All() {
		rng := rngOf("splits " + f.Name)
		for i, d := range topotest.Sample(f, rng, few(12), most) {
			opt := Options{}
			if n := 2 + rng.IntN(3); i%3 == 1 {
				opt = Options{Scaleup: true, PerServer: n, BandwidthGbps: []float64{200, 400, 800}[rng.IntN(3)]}
			}
			w := compareSplits(t, d, opt)
			if w == nil {
				continue
			}
			odd += w.n % 2
			if w.net.Unidirectional {
				oneWay++
			}
			if w.server > 0 {
				servers++
			}
		}
	}
	for _, s := range []string{"clos(m=1,n=8,r=1)", "clos(m=2,n=9,r=1)", "clos(m=3,n=2,r=4)", "bus(n=7)", "bus(n=10)", "torus(k1=3,k2=3)", "crossbar(n=7)", "complete(n=3,t=3)"} {
		compareSplits(t, parse(t, s), Options{})
	}
	if odd < 5 || oneWay < 5 || servers < 3 {
		t.Errorf("compared only %d designs with an odd number of endpoints, %d one-way ones, %d with servers", odd, oneWay, servers)
	}
}

// compareSplits compares a design; it gives its twin, nil if there are no rates for it.
func compareSplits(t *testing.T, d topology.Design, opt Options) *twin {
	n, err := d.Build()
	if err != nil {
		t.Fatalf("%s: %v", d, err)
	}
	w, e, _ := twinUnder(t, d, n, opt)
	r := evaluate(t, e, d, Request{Keys: []metric.Key{metric.Bisection}})
	if r.Reject.Constraint == metric.RejectRate {
		return nil
	}
	c := check{T: t, e: e, d: d, w: w, r: r}
	if want, ok := w.bisection(); ok {
		c.is(metric.Bisection, want)
	} else if r.Have[metric.Bisection] {
		t.Errorf("%s: bisection %+v of what cannot be halved", d, r.Metrics[metric.Bisection])
	}
	return w
}

// bisection is the least flow that any half of the endpoints can send the other half at most, as a fraction of
// what the smaller half has bandwidth for, at most 1; false if all endpoints are in one server. Halves are as equal as whole servers
// allow.
func (w *twin) bisection() (float64, bool) {
	capacity := make([]float64, len(w.arcs))
	internal := w.server > 0 || w.net.LinkClasses[0].Name == topology.ClassInternal
	for i := range w.arcs {
		if a := &w.arcs[i]; a.links == 0 || internal && topology.IsScaleup(a.name) {
			capacity[i] = 1e9 // an endpoint and its embedded switch, or its server, stay together
		} else {
			capacity[i] = a.rate
		}
	}
	home := w.homes(capacity)
	smaller, least := 0, math.Inf(1)
	for half := uint(1); half < 1<<w.n-1; half++ {
		size := min(bits.OnesCount(half), w.n-bits.OnesCount(half))
		if size < smaller || w.splits(home, half) {
			continue
		}
		if size > smaller {
			smaller, least = size, math.Inf(1)
		}
		least = math.Min(least, w.send(capacity, half))
	}
	return math.Min(1, least/(float64(smaller)*w.bw)), smaller > 0
}

// homes numbers the endpoints' servers: what arcs that cannot be cut join.
func (w *twin) homes(capacity []float64) []int {
	home := make([]int, len(w.out))
	for v := range home {
		home[v] = v
	}
	for changed := true; changed; {
		changed = false
		for i := range w.arcs {
			if a := &w.arcs[i]; capacity[i] >= 1e9 && home[a.from] != home[a.to] {
				x := min(home[a.from], home[a.to])
				home[a.from], home[a.to], changed = x, x, true
			}
		}
	}
	return home[w.switches:]
}

// splits tells whether a half cuts a server in two.
func (w *twin) splits(home []int, half uint) bool {
	for e := range w.n {
		for o := range e {
			if home[e] == home[o] && half>>e&1 != half>>o&1 {
				return true
			}
		}
	}
	return false
}

// send is the largest flow from a half of the endpoints to the others (Edmonds and Karp).
func (w *twin) send(capacity []float64, half uint) (flow float64) {
	left, back := append([]float64(nil), capacity...), make([]float64, len(capacity))
	for {
		by := make([]int, len(w.out)) // arc by which a vertex was reached, +1, negative if backwards; 0: not
		var queue []int
		start := math.MaxInt
		for e := range w.n {
			if half>>e&1 == 1 {
				by[w.switches+e] = start
				queue = append(queue, w.switches+e)
			}
		}
		end := -1
		for len(queue) > 0 && end < 0 {
			v := queue[0]
			queue = queue[1:]
			if e := v - w.switches; e >= 0 && half>>e&1 == 0 {
				end = v
				break
			}
			for _, i := range w.out[v] {
				if to := w.arcs[i].to; left[i] > 1e-6 && by[to] == 0 {
					by[to] = i + 1
					queue = append(queue, to)
				}
			}
			for _, i := range w.in[v] {
				if from := w.arcs[i].from; back[i] > 1e-6 && by[from] == 0 {
					by[from] = -i - 1
					queue = append(queue, from)
				}
			}
		}
		if end < 0 {
			return flow
		}
		x := math.Inf(1)
		w.along(by, end, func(i int, forwards bool) {
			if forwards {
				x = math.Min(x, left[i])
			} else {
				x = math.Min(x, back[i])
			}
		})
		w.along(by, end, func(i int, forwards bool) {
			if !forwards {
				left[i], back[i] = left[i]+x, back[i]-x
			} else {
				left[i], back[i] = left[i]-x, back[i]+x
			}
		})
		flow += x
	}
}

// along goes back from a vertex over the arcs by which vertices were reached.
func (w *twin) along(by []int, v int, f func(arc int, forwards bool)) {
	for by[v] != math.MaxInt {
		if i := by[v]; i > 0 {
			f(i-1, true)
			v = w.arcs[i-1].from
		} else {
			f(-i-1, false)
			v = w.arcs[-i-1].to
		}
	}
}
