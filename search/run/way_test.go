package run

import (
	"context"
	"math"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/search/verify"
	"toposearch/study"
	"toposearch/topology/family/familytest"
)

// TestVerifiedRouting: [verify] routing is the one that is simulated, and the prediction beside it is of that routing.
//
// dragonfly(p=2,a=4,h=2), 72 endpoints in 9 groups of 8. Under uniform traffic a local channel carries 4 of 71 parts
// between its own switches, 2*2*8 on the way to the 2 global links of its end and as many on the way from those of its
// start: 68/71. Detours double that but for the endpoint itself, 2*71/72 times: 72/136 of any permutation is carried.
func TestVerifiedRouting(t *testing.T) {
	racing.Figures(t)
	d := familytest.Parse(t, "dragonfly(p=2,a=4,h=2)")
	st := searchtest.Pods(t, "dragonfly")
	p := searchtest.RealModel(t, st)
	for _, c := range []struct {
		asked, chosen, ran string
		traffic            string
		predicted, direct  float64
	}{
		{"", "", "natural", "uniform", 1, -1},
		{"", "valiant", "valiant", "worst", 72.0 / 136, 0},
		{"valiant", "natural", "valiant", "uniform", 72.0 / 136 * 71 / 70, 0}, // one of 71 others is on the same switch, and no detour leads there
		{"ugal_l", "", "ugal_l", "uniform", 1, 1},
		{"ugal_g", "", "ugal_g", "worst", 72.0 / 136, 0},
	} {
		p.Study.Verify = study.Verify{Finalists: 1, Cycles: 1000, Packet: 1, Loads: 2, Routing: c.asked}
		line, err := verify.Simulate(context.Background(), p, d, c.traffic, c.chosen)
		searchtest.Must(t, err)
		if line.Skipped != "" || line.Routing != c.ran || math.Abs(line.Predicted-c.predicted) > 1e-9 {
			t.Errorf("%q, chosen %q: %s under %s, predicted %v, want %s, %v; %s", c.asked, c.chosen, line.Routing, c.traffic, line.Predicted, c.ran, c.predicted, line.Skipped)
		}
		if got := line.Direct; (got == nil) != (c.direct < 0) || got != nil && math.Abs(*got-c.direct) > 1e-9 {
			t.Errorf("%s under %s: direct part %v, want %v", c.ran, c.traffic, got, c.direct)
		}
		if c.ran == "valiant" && (line.Above < 0.7*line.Predicted || line.Saturation > verify.SatAbove*line.Predicted || line.PredictedZ != 0) {
			t.Errorf("valiant under %s saturates between %v and %v, predicted %v", c.traffic, line.Saturation, line.Above, line.Predicted)
		}
	}
	// What the simulator cannot run says why.
	p.Study.Verify.Routing, p.Study.Verify.VCs = "valiant", 2
	line, err := verify.Simulate(context.Background(), p, d, "uniform", "")
	searchtest.Must(t, err)
	if !strings.Contains(line.Skipped, "needs 4 virtual channels") {
		t.Errorf("valiant over 2 VCs: %q", line.Skipped)
	}
}

// TestExpectedOfSplitRoutes: VCs and buffers let a load be expected where traffic is split over the routes of a rule, on its
// VCs, and of one path for each pair in a layer of its own; of escape channels nothing is said.
func TestExpectedOfSplitRoutes(t *testing.T) {
	racing.Figures(t)
	d := familytest.Parse(t, "torus(k1=4,k2=4)")
	p := searchtest.RealModel(t, searchtest.Pods(t, "torus"))
	for name, want := range map[string]bool{"natural": true, "minimal": true, "lash": true, "dfsssp": true, "adaptive_escape": false} {
		p.Study.Verify = study.Verify{Finalists: 1, Cycles: 500, Packet: 1, Loads: 1, Routing: name}
		line, err := verify.Simulate(context.Background(), p, d, "uniform", "")
		searchtest.Must(t, err)
		if line.Skipped != "" || line.Routing != name || (line.Expected > 0) != want || (line.Limit != "") != want {
			t.Errorf("%s: expected %g, limited by %q; %s", name, line.Expected, line.Limit, line.Skipped)
		}
	}
}

// TestVerifiedCutThrough: the cut-through model measures ns, with cables as bought: an idle packet takes what the
// evaluator's latency says.
func TestVerifiedCutThrough(t *testing.T) {
	racing.Figures(t)
	d := familytest.Parse(t, "hyperx(s1=4,t=2)")
	p := searchtest.RealModel(t, searchtest.Pods(t, "hyperx"))
	p.Study.Verify = study.Verify{Finalists: 1, Cycles: 20_000, Loads: 2, Model: study.CutThrough}
	line, err := verify.Simulate(context.Background(), p, d, "uniform", "")
	searchtest.Must(t, err)
	if line.Skipped != "" || line.Model != study.CutThrough || line.PredictedZ < 800 || math.Abs(line.ZeroLoad/line.PredictedZ-1) > 0.05 {
		t.Fatalf("an idle packet takes %v, predicted %v ns; %+v", line.ZeroLoad, line.PredictedZ, line)
	}
	v := &search.Verified{}
	verify.Compare(v, &verify.Result{Model: study.CutThrough, Saturation: 1, Predicted: 1, Certified: 1, ZeroLoad: 1500, PredictedZ: 900})
	if len(v.Notes) != 1 || !strings.Contains(v.Notes[0], "1500.0 ns") {
		t.Errorf("a slow packet: %q", v.Notes)
	}
	// A link carries what 2 endpoints send to 2 of the 7 others at most: 4/7 of its rate.
	if line.Predicted != 1 || line.Saturation < 0.8 {
		t.Errorf("saturates at %v, predicted %v", line.Saturation, line.Predicted)
	}
}

// TestChosenRoutingIsVerified: of the routings that a study names each design takes the best that fits, the front names
// it, the journal has it, and it is what is simulated.
func TestChosenRoutingIsVerified(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		vcs  int
		want string
	}{{4, "ugal_l"}, {3, "natural"}} {
		st := searchtest.Pods(t, "dragonfly")
		st.MinEndpoints, st.MaxEndpoints = 72, 72
		st.Options.Algorithms, st.Options.MaxVCs = []string{"ugal_l", "natural"}, c.vcs
		st.Verify = study.Verify{Finalists: 1, Traffic: []string{"uniform"}, Cycles: 500, Packet: 1, Loads: 1}
		p := searchtest.RealModel(t, st)
		d := familytest.Parse(t, "dragonfly(p=2,a=4,h=2)")
		e, err := p.Measure(context.Background(), d)
		searchtest.Must(t, err)
		if e.Routing != c.want {
			t.Errorf("%d VCs: the journal has %q, want %q", c.vcs, e.Routing, c.want)
		}
		out, _, _ := runIn(t, p, create(t, st), search.Options{Workers: 1})
		f := out.Front
		verified := 0
		for _, r := range f.Front {
			if r.Verified != nil {
				verified++
			}
			if r.Routing == "" || r.Verified != nil && r.Verified.Routing != r.Routing {
				t.Errorf("%d VCs: %s has routing %q, verified %+v", c.vcs, r.Design, r.Routing, r.Verified)
			}
		}
		if verified == 0 {
			t.Errorf("%d VCs: none of %d designs on the front was verified", c.vcs, len(f.Front))
		}
	}
}
