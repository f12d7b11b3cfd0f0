package evaluator

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/topology"
	"toposearch/topology/family"
)

// sweepMostNs is what no design may take at levels 0 to 1, metrics asked for by name included, beside making its network once; comparedMostNs
// with worst_throughput, as studies ask for it, for which a million endpoints are counted.
const (
	sweepMostNs    = 1e9
	comparedMostNs = 1.6e9
)

// sweepSizes are the numbers of endpoints of the designs of a sweep; the last of families whose designs claim symmetry.
var sweepSizes = []float64{1000, 4000, 16_000, 64_000, 262_144, 1_000_000}

// sweepDesigns are of each family the designs drawn that are nearest to the sizes of a sweep, several for each.
func sweepDesigns(f *topology.Family, draws uint64) (out []topology.Design) {
	for seed := range draws {
		sizes := sweepSizes
		if f.Orbits == nil {
			sizes = sizes[:5]
		}
		for _, d := range nearest(f, rand.New(rand.NewPCG(seed, 2)), sizes) {
			if !slices.ContainsFunc(out, func(o topology.Design) bool { return slices.Equal(o.V, d.V) }) {
				out = append(out, d)
			}
		}
	}
	return out
}

// quickKeys are the metrics of levels 0 and 1.
func quickKeys() (keys []metric.Key) {
	for k := range metric.Count {
		if later[k] == "" && metric.Keys[k].Level <= 1 {
			keys = append(keys, k)
		}
	}
	return keys
}

// No design is modelled to take more than a second at levels 0 and 1, whatever is asked for of them by name, beside making its network:
// skywalk draws its links for up to 1.6 s. Networks of more than ten million channels do not keep to it (galaxyfly, dln). With -models what the
// slowest take is measured, too.
func TestNoDesignTakesLong(t *testing.T) {
	draws := uint64(1)
	if testing.Short() && !*modelsFlag {
		t.Skip("draws designs of all families")
	}
	if *modelsFlag {
		draws = 4
	}
	e := newEvaluator(t, Options{BandwidthGbps: 400, MaxVCs: 8})
	compared := newEvaluator(t, Options{BandwidthGbps: 400, MaxVCs: 8, Algorithms: []string{RoutingDeployed}, ByWorst: true, EncloseWorst: true})
	for _, f := range family.All() {
		if *modelsFamily != "" && f.Name != *modelsFamily {
			continue
		}
		for _, d := range sweepDesigns(f, draws) {
			sweep(t, e, d, sweepMostNs, quickKeys())
			sweep(t, compared, d, comparedMostNs, []metric.Key{metric.WorstThroughput})
		}
	}
}

// sweep asks for the metrics of level 1 of a design, and for some by name.
func sweep(t *testing.T, e *Evaluator, d topology.Design, mostNs float64, keys []metric.Key) {
	sum, worst, measured, most := BaseNs, Step{}, 0.0, Step{}
	req := Request{Level: 1, Keys: keys, Trace: func(s Step, run func() error) error {
		if sum += s.Ns; s.Ns > worst.Ns {
			worst = s
		}
		if s.Ns > modelledMostNs && !*modelsFlag || s.Ns > *modelsMost*1e9 {
			return ErrSkipped
		}
		c := cpu()
		err := run()
		took := float64(cpu() - c)
		if measured += took; took > most.Ns {
			most = Step{Metric: s.Metric, Method: s.Method, Ns: took}
		}
		return err
	}}
	r, err := e.Evaluate(context.Background(), d, req)
	if err != nil {
		t.Fatal(err)
	}
	if *modelsFlag && math.Max(sum, measured) > 3e8 {
		fmt.Fprintf(os.Stdout, "SWEEP\t%d\t%s\t%d\t%.3g\t%.3g\t%s\t%s\t%.3g\t%s\t%s\t%.3g\n", len(keys), d, r.Size.Endpoints, sum/1e9, measured/1e9,
			metric.Keys[worst.Metric].Name, worst.Method, worst.Ns/1e9, metric.Keys[most.Metric].Name, most.Method, most.Ns/1e9)
	}
	wire, _ := d.WireTakes()
	w := &work{e: e, d: d, size: &r.Size}
	if w.channels() > 1e7 { // named in the comment of the test
		return
	}
	if sum-wire-w.buildNs() > mostNs { // the network is made once
		t.Errorf("%s, %d endpoints: modelled to take %s at level 1, of which %s (%s) %s", d, r.Size.Endpoints, seconds(sum), metric.Keys[worst.Metric].Name, worst.Method, seconds(worst.Ns))
	}
}
