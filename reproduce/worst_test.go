package reproduce

import (
	"testing"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search/verify"
	"toposearch/topology"
)

// several tells whether endpoints have several ports and pass nothing on.
func several(t *testing.T, d topology.Design) bool {
	var s topology.Size
	if err := d.Family.Size(d.V, &s); err != nil {
		t.Fatal(err)
	}
	return s.EndpointPorts > 1 && d.Family.LinkClasses[0].Name != topology.ClassInternal
}

// No permutation is carried less than worst_throughput says of any traffic, exact or not; the one that is simulated as the worst is carried no
// less than what bounds it from above, and hardly more: what eval says and what is simulated are the same.
func TestWorstOfEvalAndSimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("looks for the worst traffic of a design of each family")
	}
	milder, compared, exact := 0, 0, 0
	for _, d := range sampleDesigns(predictionSeed, 2*predictionFast) {
		p := predictionProblem(d)
		n, _, err := verify.Network(p, d)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{evaluator.RoutingNatural, "ugal_l", evaluator.RoutingValiant} {
			opt := p.Study.Options
			opt.Algorithms = []string{name}
			e, err := evaluator.New(opt)
			if err != nil {
				t.Fatal(err)
			}
			res, err := e.Evaluate(t.Context(), d, evaluator.Request{Level: 1, Keys: []metric.Key{metric.WorstThroughput}})
			if err != nil {
				t.Fatal(err)
			}
			if !res.Have[metric.WorstThroughput] {
				continue
			}
			m := res.Metrics[metric.WorstThroughput]
			w, err := verify.NewWay(t.Context(), n, name, p.Study.Options.Natural(d))
			if err != nil {
				t.Fatal(err)
			}
			line := verify.Result{Traffic: "worst"}
			if _, err := verify.Predict(t.Context(), n, w, "worst", &line); err != nil {
				t.Fatal(err)
			}
			compared++
			if m.Lo == m.Hi {
				exact++
			}
			if line.Predicted < min(1, m.Lo)*(1-1e-6) {
				t.Errorf("%s %s: a permutation is carried at %v, and worst_throughput is at least %v: %s", d, name, line.Predicted, m.Lo, m.Method)
			}
			// Of endpoints with several ports worst_throughput counts no detours that they pass on.
			if line.Predicted < min(1, m.Hi)*(1-1e-6) && (!w.Detours || !several(t, d)) {
				t.Errorf("%s %s: a permutation is carried at %v, and worst_throughput is said to be up to %v: %s", d, name, line.Predicted, m.Hi, m.Method)
			}
			if line.Predicted > min(1, m.Hi)*1.05 {
				milder++
				t.Logf("%s %s: the permutation is carried at %v, worst_throughput at most %v", d, name, line.Predicted, m.Hi)
			}
		}
	}
	if compared < 4*predictionFast || exact*2 < compared || milder*10 > compared {
		t.Errorf("of %d permutations, where %d figures are exact, %d are carried much more than the worst traffic", compared, exact, milder)
	}
}
