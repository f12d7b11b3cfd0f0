package evaluator

import (
	"math"
	"slices"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/routing"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// exactWorst are designs whose closed forms are exactly the heaviest matchings, of families that are drawn too small or seldom in one pod.
var exactWorst = map[string][]string{
	"tpuocs": {"tpuocs(x=1,y=1,z=1)", "tpuocs(x=1,y=1,z=2)"},
	"ubmesh": {
		"ubmesh(x=2,y=2,z=2,w=2,lz=8,lw=8)", "ubmesh(x=2,y=4,z=2,w=2,lx=12,ly=12,lz=16,lw=16)", "ubmesh(x=2,y=4,z=2,w=1,lx=12,ly=12,lz=16)", "ubmesh(x=2,y=2,z=3,w=2,lz=8,lw=8)", "ubmesh(x=2,y=2,z=1,w=1)",
		"ubmesh(x=4,y=2,z=2,w=2,lz=16,lw=16,rack=1dfma)", "ubmesh(x=2,y=2,z=2,w=3,lz=8,lw=8,rack=1dfma)", "ubmesh(x=4,y=2,z=3,w=1,lz=16,rack=1dfma)", "ubmesh(x=4,y=2,z=1,w=1,rack=1dfma)",
		"ubmesh(x=3,y=2,z=2,w=2,rack=1dfmb)", "ubmesh(x=2,y=4,z=2,w=1,rack=1dfmb)", "ubmesh(x=2,y=2,z=2,w=2,lz=72,lw=72,rack=clos)", "ubmesh(x=3,y=2,z=2,w=1,lz=72,rack=clos)",
	},
}

// TestWorstLoads: on small networks of every family that has them, closed forms of what the worst traffic loads a class of
// channels with hold what the heaviest matching does, and are held by what bounds it; where both ends are the same they
// are what bounds it, but where that is loose.
func TestWorstLoads(t *testing.T) {
	racing.Figures(t)
	exact, loose := 0, 0
	for _, f := range family.All() {
		if f.Worst == nil {
			continue
		}
		designs := topotest.Sample(f, rngOf("worst loads "+f.Name), few(10), 48)
		drawn := len(designs)
		for _, text := range exactWorst[f.Name] {
			designs = append(designs, parse(t, text))
		}
		for i, d := range designs {
			n, err := d.Build()
			if err != nil {
				t.Fatal(err)
			}
			var w = &work{d: d}
			if !f.Worst(d.V, &w.worst) || n.Switches() < 2 {
				continue
			}
			r, err := routing.New(n, newEvaluator(t, Options{}).opt.Natural(d))
			if err != nil {
				t.Fatal(err)
			}
			for c := range n.LinkClasses {
				if n.LinkClasses[c].Name == "internal" || w.worst.Bound[c] == 0 {
					continue
				}
				only := func(link int) float64 {
					if link == c {
						return 1
					}
					return 1e9
				}
				wc, err := r.WorstCase(t.Context(), only, false, nil)
				if err != nil {
					t.Fatalf("%s: %v", d, err)
				}
				l, err := r.FlowLoads(t.Context(), wc.Worst, routing.LoadOptions{Workers: 1})
				if err != nil {
					t.Fatal(err)
				}
				heaviest, bound := slices.Max(l.Relative(n, only)), slices.Max(wc.Bound)
				lo, hi := w.worst.Found[c], w.worst.Bound[c]
				if heaviest > hi*(1+1e-3) || lo > bound*(1+1e-9) || lo > hi {
					t.Errorf("%s, %s: closed form [%g, %g], found %g, bound %g", d, n.LinkClasses[c].Name, lo, hi, heaviest, bound)
				}
				if lo == hi && math.Abs(heaviest-hi) < 1e-3*hi {
					exact++
				} else if loose++; i >= drawn {
					t.Errorf("%s, %s: closed form [%g, %g], found %g", d, n.LinkClasses[c].Name, lo, hi, heaviest)
				}
			}
		}
	}
	if exact < 4*loose || exact < 4*few(10) {
		t.Errorf("%d classes of channels as found, %d not", exact, loose)
	}
}

// TestClosedWorst: on small networks of all families the closed form of worst_throughput and what a search proves have
// something in common, whichever routing it is of.
func TestClosedWorst(t *testing.T) {
	racing.Figures(t)
	compared := 0
	for _, f := range family.All() {
		rng, most := rngOf("closed worst "+f.Name), int64(32)
		if f.Name == "tpuocs" {
			most = 64
		}
		for i, d := range topotest.Sample(f, rng, few(6), most) {
			opt := Options{Workers: 1, ByWorst: true}
			if i%3 > 0 {
				opt.Algorithms = [][]string{{RoutingDeployed}, {RoutingNatural}, {RoutingValiant, RoutingNatural}}[i%3]
			}
			closed := evaluate(t, newEvaluator(t, opt), d, Request{Level: 1})
			if !closed.Have[metric.WorstThroughput] {
				continue
			}
			m := closed.Metrics[metric.WorstThroughput]
			opt.built = true // no closed forms
			r := evaluate(t, newEvaluator(t, opt), d, Request{Keys: []metric.Key{metric.WorstThroughput}})
			if !r.Have[metric.WorstThroughput] || r.Routing != closed.Routing { // the search may prefer another
				continue
			}
			searched := r.Metrics[metric.WorstThroughput]
			compared++
			if m.Lo > searched.Hi*(1+1e-4) || searched.Lo > m.Hi*(1+1e-4) {
				t.Errorf("%s, %v: closed [%g, %g], searched [%g, %g]: %s", d, opt.Algorithms, m.Lo, m.Hi, searched.Lo, searched.Hi, m.Method)
			}
		}
	}
	t.Logf("compared %d designs", compared)
	if compared < few(40) {
		t.Errorf("compared %d designs", compared)
	}
}

// TestLevelOneInASecond: what takes longer by its model is left to level 2, with that as the reason.
func TestLevelOneInASecond(t *testing.T) {
	for design, k := range map[string]metric.Key{"dln(n=56130,y=169,p=1)": metric.Cost, "dcell(n=31,l=2)": metric.MeanHops} {
		r := evaluate(t, newEvaluator(t, Options{Workers: 1}), parse(t, design), Request{Level: 1})
		if why := r.Absent[k]; !strings.Contains(why, "ask for level 2") {
			t.Errorf("%s: %s: %v, absent %q", design, metric.Keys[k].Name, r.Metrics[k], why)
		}
	}
}
