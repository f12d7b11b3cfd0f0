package reproduce

import (
	"testing"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search/verify"
)

// No permutation is carried less than worst_throughput says of any traffic, and the one that is simulated as the worst hardly more than what
// bounds it from above: what eval says and what is simulated are the same.
func TestWorstOfEvalAndSimulation(t *testing.T) {
	if testing.Short() {
		t.Skip("looks for the worst traffic of a design of each family")
	}
	milder, compared := 0, 0
	for _, d := range sampleDesigns(predictionSeed, predictionFast) {
		p := predictionProblem(d)
		n, _, err := verify.Network(p, d)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{evaluator.RoutingNatural, "ugal_l"} {
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
			if line.Predicted < min(1, m.Lo)*(1-1e-6) {
				t.Errorf("%s %s: a permutation is carried at %v, and worst_throughput is at least %v: %s", d, name, line.Predicted, m.Lo, m.Method)
			}
			if line.Predicted > min(1, m.Hi)*1.05 {
				milder++
				t.Logf("%s %s: the permutation is carried at %v, worst_throughput at most %v", d, name, line.Predicted, m.Hi)
			}
		}
	}
	if compared < predictionFast || milder*10 > compared {
		t.Errorf("of %d permutations %d are carried much more than the worst traffic", compared, milder)
	}
}
