package verify

import (
	"context"
	"math"
	"strings"
	"testing"

	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

func problem(model string) *search.Problem {
	return &search.Problem{Study: &study.Study{Options: evaluator.Options{}, Verify: study.Verify{Model: model, Traffic: []string{"uniform"}, Cycles: 4000, Packet: 4, Loads: 2}}, Seed: 1}
}

func parsed(t *testing.T, text string) topology.Design {
	t.Helper()
	d, err := topology.ParseDesign(text, family.All())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A source that sees the buffers behind its links carries by ugal_l what the best split does of a worst permutation, however deep they are: with its own
// queues alone it carried 0.4 of it on both.
func TestDetoursInDeepBuffers(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates small designs to saturation")
	}
	for _, text := range []string{"polarstar_iq(q=2,d=3,p=2)", "dragonfly(p=2,a=4,h=2)"} {
		p := problem(study.CutThrough)
		p.Study.Verify.Cycles = 100000 // ns: 1,200 packets of an endpoint
		l, err := Simulate(context.Background(), p, parsed(t, text), "worst", "ugal_l")
		if err != nil || l.Skipped != "" {
			t.Fatalf("%s: %v %s", text, err, l.Skipped)
		}
		if near := math.Min(math.Max(l.Predicted, l.Saturation), l.Above); math.Abs(near/l.Predicted-1) > 0.1 || l.Alone > l.Predicted/2 {
			t.Errorf("%s: saturates in [%.4f, %.4f], the best split carries %.4f, direct routes %.4f", text, l.Saturation, l.Above, l.Predicted, l.Alone)
		}
	}
}

// What is expected of tables with layers, of all paths where direct ones carry as much as the best split, and of switches that cut through, is met; where more is to
// be gained by splits by queues bounds are met, and the reason stands in the notes.
func TestExpectedOfRoutings(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates small designs to saturation")
	}
	for _, c := range []struct {
		text, routing, model, note, traffic string
	}{
		{"torus(k1=4,k2=4)", "lash", "", "", "uniform"}, {"dragonfly(p=2,a=4,h=2)", "dfsssp", "", "", "uniform"}, {"dragonfly(p=2,a=4,h=2)", "dfsssp", study.CutThrough, "", "uniform"},
		{"fattree(k=4,l=2)", "", study.CutThrough, "", "uniform"},
		{"torus(k1=4,k2=4)", "adaptive_escape", "", "escape channels hold their few VCs", "uniform"}, {"fullmesh(d1=3,d2=3)", "apr_detour", "", "", "uniform"},
		{"zcube_partial(n=4)", "apr_detour", "", "what of the best split they reach is not modelled", "uniform"},
		{"fattree(k=8,l=2)", "natural+hash", "", "", "worst"}, {"fattree(k=4,l=3)", "natural+hash", study.CutThrough, "", "uniform"},
		{"hyperx(s1=4,t=2)", "valiant", study.CutThrough, "", "worst"}, {"dragonfly(p=1,a=4,h=1,g=3)", "par", study.CutThrough, "", "worst"}, {"slimfly(q=3,p=2)", "ugal_g", "", "", "worst"},
		{"dragonflyplus(l=2,m=2,p=2,h=2)", "par", "", "", "worst"}, {"dragonflyplus(l=3,m=1,p=7,h=2)", "ugal_l", "", "", "worst"}, {"dragonfly(p=2,a=4,h=2)", "lash", "", "", "worst"},
		{"torus(k1=5,k2=5)", "valiant", "", "", "uniform"}, {"torus(k1=5,t=4)", "", "", "", "uniform"}, {"hypercube(n=1,t=4)", "valiant", "", "", "uniform"},
		{"torus(k1=6)", "valiant", "", "", "uniform"}, {"zcube(n=4,k=2)", "valiant", "", "", "worst"}, {"zcube(n=3,k=3)", "valiant", "", "", "worst"}, // endpoints of several ports
		{"zcube_rect(n=6,m=1)", "dfsssp", "", "", "uniform"}, {"zcube(n=4,k=2)", "lash", "", "", "worst"},
		{"ring(n=16)", "ugal_l", "", "", "uniform"}, {"ring(n=16)", "lash", "", "", "worst"}, {"butterfly(k=6,n=2)", "ugal_l", "", "", "worst"},
		{"meshtree(k=4)", "ugal_l", "", "", "worst"}, {"zcube(n=4,k=2)", "ugal_l", "", "", "worst"}, {"zcube(n=3,k=3)", "ugal_l", "", "", "worst"}, {"butterfly(k=3,n=2)", "ugal_g", "", "", "worst"}, // no detour is possible there
		{"torus(k1=4,k2=4)", "ugal_l", "", "", "worst"}, {"hyperx(s1=4,s2=3,t=3)", "ugal_g", "", "", "worst"}, {"bcube(n=6,l=2)", "par", "", "", "worst"}, {"oft(k=4)", "ugal_l", study.CutThrough, "", "uniform"},
		{"hyperx(s1=3,s2=3,s3=3,t=3)", "par", "", "", "worst"}, {"hyperx(s1=4,s2=4,s3=4,t=2)", "ugal_l", "", "", "worst"}, {"dragonflyplus(l=4,m=3,p=3,h=3)", "par", "", "", "worst"}, // what VCs and buffers leave of the best split; what second switches decide
	} {
		l, err := Simulate(context.Background(), problem(c.model), parsed(t, c.text), c.traffic, c.routing)
		if err != nil || l.Skipped != "" {
			t.Fatalf("%s %s: %v %s", c.text, c.routing, err, l.Skipped)
		}
		if c.note != "" {
			if l.Expected != 0 || !strings.Contains(strings.Join(l.Notes, "\n"), c.note) {
				t.Errorf("%s %s: expected %g, notes %v", c.text, c.routing, l.Expected, l.Notes)
			}
			if l.Saturation > l.Certified*SatAbove || l.Above < l.Least*Near || (l.Least > 0) != strings.HasPrefix(c.routing, "apr_") {
				t.Errorf("%s %s: saturates in [%.4f, %.4f], bounded by %.4f and %.4f", c.text, c.routing, l.Saturation, l.Above, l.Least, l.Certified)
			}
			continue
		}
		off := 0.1
		if c.text == "meshtree(k=4)" { // a known miss, not explained: an eighth too much is expected
			off = 0.15
		}
		if near := math.Min(math.Max(l.Expected, l.Saturation), l.Above); l.Expected <= 0 || math.Abs(near/l.Expected-1) > off || l.Limit == "" {
			t.Errorf("%s %s %s: saturates in [%.4f, %.4f], expected %.4f (%s)", c.text, c.routing, c.model, l.Saturation, l.Above, l.Expected, l.Limit)
		}
	}
}

// All-path routing is predicted by the best split over its paths: of a permutation on 4 x 4 NPUs more than twice what dimension order
// carries, 1/6, and at most what 6 links carry for two hops each.
func TestPredictAllPaths(t *testing.T) {
	d := parsed(t, "fullmesh(d1=4,d2=4)")
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, name := range []string{"natural", "apr_shortest", "apr_detour"} {
		w, err := NewWay(context.Background(), n, name, d.Family.Natural(d.V))
		if err != nil {
			t.Fatal(err)
		}
		l := &Result{Traffic: "worst"}
		if _, err := Predict(context.Background(), n, w, "worst", l); err != nil {
			t.Fatal(err)
		}
		got[name] = l.Predicted
	}
	if math.Abs(got["natural"]-1./6) > 1e-9 || got["apr_shortest"] < 1./6*0.99 || got["apr_detour"] < 2*got["natural"]*0.99 || got["apr_detour"] < got["apr_shortest"]*0.99 || got["apr_detour"] > 0.5 {
		t.Errorf("predicted %v", got)
	}
}
