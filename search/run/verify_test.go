package run

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/searchtest"
	"toposearch/search/verify"
	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// smallPods is a study with a few designs of three families.
func smallPods(t *testing.T) *study.Study {
	t.Helper()
	st := searchtest.Pods(t, "zcube", "fullmesh", "fattree")
	st.MinEndpoints, st.MaxEndpoints = 16, 18
	// Wide full meshes have many channels for their endpoints: most of the time would be theirs.
	for _, prm := range st.Space[1].Family.Params {
		most := 4
		if prm.Name[0] == 'b' { // parallel links
			most = 1
		}
		st.Space[1].Domains = append(st.Space[1].Domains, study.Domain{Given: true, Min: prm.Min, Max: min(prm.Max, most)})
	}
	return st
}

// The whole path with the real evaluator and the simulator: a complete front of several families,
// finalists of each simulated, measured values near the predicted ones; and cut between or inside
// simulations it resumes to the same bytes without repeating them.
func TestVerified(t *testing.T) {
	st := smallPods(t)
	p := searchtest.RealModel(t, st)
	d := create(t, st)
	out, journal, front := runIn(t, p, d, search.Options{Workers: 2})
	if out.Status != search.Done || !out.Front.Complete {
		t.Fatalf("status %d (%s), complete %v", out.Status, out.Reason, out.Front.Complete)
	}
	checkFinalists(t, out.Front)
	for i := range out.Front.Front {
		v := out.Front.Front[i].Verified
		if v == nil {
			continue
		}
		name := out.Front.Front[i].Design
		for _, tr := range st.Verify.Traffic {
			// What fills the busiest channel bounds nothing while 97 % of all need not cross it.
			sat, pred, most := v.Saturation[tr], v.Predicted[tr], v.Predicted["certified."+tr]
			if sat < pred*verify.SatBelow || sat > most*verify.SatAbove || v.LatencyHalfLoad[tr] < v.ZeroLoadLatency[tr] || len(v.Curves[tr]) < 3 {
				t.Errorf("%s under %s: saturation %g (predicted %g, at most %g), latency %g then %g cycles, %d points: %v",
					name, tr, sat, pred, most, v.ZeroLoadLatency[tr], v.LatencyHalfLoad[tr], len(v.Curves[tr]), v.Notes)
			}
		}
		if v.Contradicts {
			t.Errorf("%s: simulation contradicts the model: %v", name, v.Notes)
		}
		t.Logf("%s: saturation %v, predicted %v, idle %v: %v", name, v.Saturation, v.Predicted, v.ZeroLoadLatency, v.Notes)
	}
	if testing.Short() {
		return
	}
	// A damaged journal is mended without repeating the simulations that are whole.
	searchtest.Must(t, os.WriteFile(filepath.Join(d.Path, journalName), []byte(strings.Replace(journal, `"traffic":"worst"`, `"traffic":"wurst"`, 1)), 0o644))
	_, j, f := runIn(t, p, d, search.Options{})
	if j != journal || f != front {
		t.Errorf("a simulation was damaged: journal equal %v, front equal %v", j == journal, f == front)
	}
	head, err := newJournalHead(st)
	searchtest.Must(t, err)
	known, err := loadReuse(nil, d.Path, head, func(string) {})
	searchtest.Must(t, err)
	if n := strings.Count(journal, verify.NoteHead); n < 3 || len(known.sims) != n-1 {
		t.Errorf("%d of %d simulations are known, one was damaged", len(known.sims), n)
	}
	lines := strings.SplitAfter(journal, "\n")
	cut := strings.Join(lines[:len(lines)-2], "") + `{"sim":{"des`
	searchtest.Must(t, os.WriteFile(filepath.Join(d.Path, "journal.jsonl"), []byte(cut), 0o644))
	searchtest.Must(t, os.Remove(filepath.Join(d.Path, "checkpoint.json")))
	_, j, f = runIn(t, p, d, search.Options{Workers: 1})
	if j != journal || f != front {
		t.Errorf("cut in a simulation: journal equal %v, front equal %v", j == journal, f == front)
	}
}

// A budget of time ends simulations, too: those under way are left out and named, a replay leaves out the same, and who resumes the run without a
// budget gets what one without a budget would have had.
func TestTimeBudgetOfSimulations(t *testing.T) {
	racing.Figures(t)
	st := smallPods(t)
	st.Verify.Cycles, st.Verify.Loads = 300, 2
	_, _, whole := runIn(t, searchtest.RealModel(t, st), create(t, st), search.Options{Workers: 2})
	st.Search.Time = time.Hour
	p := searchtest.RealModel(t, st)
	d := create(t, st)
	over, end := false, context.CancelFunc(nil)
	opt := search.Options{Workers: 1, Elapsed: func() time.Duration {
		if over {
			return time.Hour
		}
		return 0
	}, Within: func(ctx context.Context, left time.Duration) (context.Context, context.CancelFunc) {
		ctx, end = context.WithCancel(ctx)
		if left <= 0 {
			end()
		}
		return ctx, end
	}, Progress: func(p search.Progress) {
		if p.Phase == search.PhaseVerify && p.Simulated == 1 {
			over = true
			end()
		}
	}}
	out, journal, front := runIn(t, p, d, opt)
	if n := strings.Count(journal, verify.NoteHead); n != len(st.Verify.Traffic) || !out.Front.Complete || len(out.Front.Unsimulated) < 2 {
		t.Fatalf("%d simulations, complete %v, left out %v: want one finalist and the others named", n, out.Front.Complete, out.Front.Unsimulated)
	}
	late := search.Options{Elapsed: func() time.Duration { return 2 * time.Hour }, Within: opt.Within}
	lines := strings.SplitAfter(journal, "\n")
	for name, text := range map[string]string{"as it was": journal, "the last line lost": strings.Join(lines[:len(lines)-2], "")} {
		searchtest.Must(t, os.WriteFile(filepath.Join(d.Path, journalName), []byte(text), 0o644))
		searchtest.Must(t, os.Remove(filepath.Join(d.Path, frontName)))
		if _, j, f := runIn(t, p, d, late); j != journal || f != front {
			t.Errorf("%s: journal equal %v, front equal %v", name, j == journal, f == front)
		}
	}
	if s, err := ReadStatus(d.Path); err != nil || s.Unsimulated != len(out.Front.Unsimulated) || s.State != StateFinished {
		t.Errorf("status %+v, %v", s, err)
	}
	late.Unbounded = true
	out, journal, front = runIn(t, p, d, late)
	if front != whole || len(out.Front.Unsimulated) > 0 {
		t.Errorf("simulated later, the front is not that of a run without a budget; left out: %v", out.Front.Unsimulated)
	}
	late.Unbounded = false
	searchtest.Must(t, os.Remove(filepath.Join(d.Path, frontName)))
	if _, j, f := runIn(t, p, d, late); j != journal || f != front {
		t.Errorf("replayed: journal equal %v, front equal %v", j == journal, f == front)
	}
}

// checkFinalists wants every family of the front among the finalists.
func checkFinalists(t *testing.T, f *search.Front) {
	t.Helper()
	on, verified := map[string]bool{}, map[string]bool{}
	n := 0
	for i := range f.Front {
		r := &f.Front[i]
		on[r.Family] = true
		if (r.Verified != nil) != r.Finalist {
			t.Errorf("%s: finalist %v, verified %v", r.Design, r.Finalist, r.Verified != nil)
		}
		if r.Finalist {
			verified[r.Family] = true
			n++
		}
	}
	if len(on) < 2 || len(verified) != len(on) || n < 3 {
		t.Errorf("%d finalists of families %v, the front has %v", n, verified, on)
	}
}

// What compare says of measurements near to and far from predictions.
func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name                string
		l                   verify.Result
		agrees, contradicts bool
	}{
		{"near", verify.Result{Saturation: .9, Predicted: 1, Certified: 1, Exact: true, ZeroLoad: 30, PredictedZ: 28}, true, false},
		{"short", verify.Result{Saturation: .5, Predicted: 1, Certified: 1, Exact: true, ZeroLoad: 30, PredictedZ: 28}, false, false},
		{"short of a bound", verify.Result{Saturation: .5, Predicted: 1, Certified: 1, ZeroLoad: 30, PredictedZ: 28}, true, false},
		{"above", verify.Result{Cycles: 2000, Saturation: .9, Predicted: .8, Certified: .8, Exact: true, ZeroLoad: 30, PredictedZ: 28}, false, true},
		{"few channels full", verify.Result{Cycles: 2000, Saturation: .9, Predicted: .5, Certified: 1, Exact: true, ZeroLoad: 30, PredictedZ: 28}, true, false},
		{"above in a short run, whose backlog shows it", verify.Result{Cycles: 200, Saturation: .9, Predicted: .7, Certified: .7, Exact: true, ZeroLoad: 30, PredictedZ: 28}, false, true},
		{"too fast, of few packets", verify.Result{Cycles: 200, Saturation: .9, Predicted: .9, Certified: .9, Exact: true, ZeroLoad: 20, PredictedZ: 28}, false, false},
		{"too fast", verify.Result{Cycles: 2000, Saturation: .9, Predicted: .9, Certified: .9, Exact: true, ZeroLoad: 20, PredictedZ: 28}, false, true},
		{"too fast by less than three standard errors", verify.Result{Cycles: 2000, Saturation: .9, Predicted: .9, Certified: .9, Exact: true, ZeroLoad: 20, ZeroErr: 2.5, PredictedZ: 28}, true, false},
		{"slow", verify.Result{Saturation: .9, Predicted: .9, Certified: .9, Exact: true, ZeroLoad: 60, PredictedZ: 28}, false, false},
		{"deadlock", verify.Result{Saturation: .9, Predicted: .9, Certified: .9, Exact: true, ZeroLoad: 30, PredictedZ: 28, Deadlocked: true}, false, true},
	} {
		v := &search.Verified{Agrees: true}
		verify.Compare(v, &c.l)
		noted := !c.agrees || c.l.Saturation > c.l.Predicted
		if v.Agrees != c.agrees || v.Contradicts != c.contradicts || (len(v.Notes) > 0) != noted {
			t.Errorf("%s: agrees %v, contradicts %v, notes %v", c.name, v.Agrees, v.Contradicts, v.Notes)
		}
	}
}

// TestIdlePrediction: in a nearly idle network a packet takes as long as predicted, also where the links
// of endpoints are slower than others, as in an HPN whose uplinks have twice the rate of its ports: there
// a flit takes two cycles, and the last of four comes three later than over fast links. In a UB-Mesh the
// slow links come first, and the switches behind them make some of that good.
func TestIdlePrediction(t *testing.T) {
	racing.Figures(t)
	p := searchtest.RealModel(t, searchtest.Pods(t, "hpn"))
	for _, name := range []string{"hpn(k=16,g=2,segments=4)", "fattree(k=4,l=3)", "bcube(n=4,l=2)", "ubmesh(x=2,y=2,z=2,w=2)"} {
		d := familytest.Parse(t, name)
		n, err := d.Build()
		searchtest.Must(t, err)
		line := &verify.Result{Cycles: 200000, Traffic: "worst"}
		way, err := verify.NewWay(t.Context(), n, "natural", d.Family.Natural(d.V))
		searchtest.Must(t, err)
		_, err = verify.Predict(context.Background(), n, way, "worst", line)
		searchtest.Must(t, err)
		sim, err := verify.Simulation(context.Background(), p, d, n, way, "worst", line)
		searchtest.Must(t, err)
		pt, err := sim.Run(context.Background(), 0.001)
		searchtest.Must(t, err)
		off := 3 * pt.Latency.StdErr // flows are not equally long, and send by chance
		if off > 0.05*line.PredictedZ || pt.Latency.Mean < 0.99*line.PredictedZ-off || pt.Latency.Mean > 1.015*line.PredictedZ+off {
			t.Errorf("%s: %.2f cycles in an idle network, predicted %.2f +- %.2f", name, pt.Latency.Mean, line.PredictedZ, off)
		}
	}
}

// A network that needs more VCs than there are, or is too large, is named and not simulated.
func TestNotSimulated(t *testing.T) {
	st := searchtest.Pods(t, "torus")
	st.Options.MaxVCs = 1
	p := searchtest.RealModel(t, st)
	for _, c := range []struct {
		name string
		vcs  int
		want string
	}{{"torus(k1=8,k2=8)", 1, "virtual channels"}, {"torus(k1=64,k2=64,k3=32)", 4, "endpoints are more"}} {
		d := familytest.Parse(t, c.name)
		p.Study.Options.MaxVCs = c.vcs
		line, err := verify.Simulate(context.Background(), p, d, "uniform", "")
		searchtest.Must(t, err)
		if !strings.Contains(line.Skipped, c.want) {
			t.Errorf("%s with %d VCs: %q, want it to say %q", c.name, c.vcs, line.Skipped, c.want)
		}
		if v := verify.Combine(p, []*verify.Result{line}, nil); v.Agrees || len(v.Notes) == 0 {
			t.Errorf("%s: agrees %v without a simulation, notes %v", c.name, v.Agrees, v.Notes)
		}
	}
}

// Level 0 and boxes enclose what the real evaluator finds, or pruning would lose designs.
func TestBoundsEnclose(t *testing.T) {
	racing.Figures(t)
	st := searchtest.Pods(t, "zcube", "zettafly3", "dragonflyplus", "fullmesh", "fattree", "multirail", "hyperx", "roft")
	p := searchtest.RealModel(t, st)
	n := 0
	for sp := range p.Spaces {
		for k := range 8 {
			s, ok := branch.Sample(p, sp, uint64(k))
			if !ok {
				continue
			}
			e, err := p.Measure(context.Background(), p.Design(sp, s.V))
			searchtest.Must(t, err)
			if e.Reject.Constraint != "" {
				continue
			}
			n++
			v := make(objectives.Vector, len(p.Objectives))
			objectives.Fill(v, p.Objectives, &e.Values)
			for i := range v {
				if v[i] < s.Best[i] {
					t.Errorf("%s: %s is %g, level 0 says at best %g", p.Name(s.Candidate), p.Objectives[i].Name(), v[i], s.Best[i])
				}
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d designs looked at", n)
	}
}

// Enumeration under the real evaluator is brute force under the real evaluator, with limits that
// cut.
func TestRealEnumerationIsBruteForce(t *testing.T) {
	racing.Figures(t)
	st := searchtest.Pods(t, "zcube", "fattree", "hyperx", "dragonflyplus")
	for i := range st.Space {
		fs := &st.Space[i]
		for _, prm := range fs.Family.Params {
			hi := map[string]int{"zcube": 40, "fattree": 16, "hyperx": 5, "dragonflyplus": 7}[fs.Family.Name]
			if prm.Name[0] == 'k' && fs.Family.Name == "hyperx" {
				hi = 2
			}
			lo := prm.Min
			switch prm.Name { // of the tapers one has any ratio up to 3:1
			case "taper2":
				hi = topology.RatioOf(3, 1)
			case "taper3", "taper4", "taper5":
				lo, hi = topology.RatioEven, topology.RatioEven
			}
			fs.Domains = append(fs.Domains, study.Domain{Given: true, Min: lo, Max: min(prm.Max, hi)})
		}
	}
	st.Constraints = &constraints.Set{Limits: []constraints.Limit{searchtest.LimitOn(metric.PhysicalPorts, true, 20), searchtest.LimitOn(metric.Cost, true, 300_000)}}
	p := searchtest.RealModel(t, st)
	want, _ := searchtest.BruteForce(t, p)
	got, d := enumerated(t, p)
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("enumeration found %v, brute force %v", got, want)
	}
	if len(want) < 3 {
		t.Errorf("a front of %d designs tests little", len(want))
	}
	t.Logf("front %d, %d evaluations", len(want), d.Prog.Evaluated)
}

// front.json has the members that DESIGN.md section 7 names.
func TestFrontSchema(t *testing.T) {
	st := studyOf(t, study.Enumerate)
	_, _, text := runIn(t, searchtest.ProblemOf(t, st, &searchtest.SizeModel{}), create(t, st), search.Options{})
	var f struct {
		Schema, Study string
		Complete      *bool
		Counts        struct {
			Enumerated, Evaluated, Feasible *int64
			Rejected                        map[string]int64
		}
		Objectives []string
		Front      []struct {
			Design, Family string
			Params         map[string]any
			Metrics        map[string]metric.Figure
			Objectives     map[string]float64
		}
	}
	searchtest.Must(t, json.Unmarshal([]byte(text), &f))
	if f.Schema != search.FrontSchema || f.Complete == nil || f.Counts.Enumerated == nil || len(f.Counts.Rejected) < 3 || len(f.Objectives) != 3 {
		t.Errorf("front.json: %+v", f)
	}
	for _, r := range f.Front {
		if r.Design == "" || len(r.Params) == 0 || len(r.Objectives) != 3 || r.Metrics["cost"].Unit != "USD" {
			t.Errorf("front.json: %+v", r)
		}
	}
}
