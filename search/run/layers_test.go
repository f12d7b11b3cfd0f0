package run

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/search/verify"
	"toposearch/study"
)

// A search at two fidelities simulates what the front by stand-ins excludes, too; every objective of every point says which level vouches for it,
// and figures are those of that level. The same bytes with one worker or two, and after a crash in the midst of the simulations.
func TestTwoFidelities(t *testing.T) {
	if testing.Short() {
		t.Skip("simulates")
	}
	st := simStudy(t)
	st.Space = append(st.Space, searchtest.Pods(t, "hyperx").Space...)
	st.Constraints = &constraints.Set{}
	st.Verify.Fidelity, st.Verify.Simulations = study.FidelitySearch, 12
	dir := create(t, st)
	out, journal, front := runIn(t, searchtest.RealModel(t, st), dir, search.Options{Workers: 2})
	cp, err := readCheckpoint(dir.Path)
	searchtest.Must(t, err)
	if e := estimateOf(t, searchtest.RealModel(t, st)); e.Evaluations != cp.Progress.Evaluated { // layers included
		t.Errorf("a plan tells %d evaluations, of which there are %d", e.Evaluations, cp.Progress.Evaluated)
	}
	s := out.Front.Simulated
	if s == nil || s.Fidelity == nil || s.Fidelity.Simulations > 12 || s.Fidelity.Simulations < 4 || s.Measured == 0 || len(out.Front.Front) < 2 || out.Front.Complete {
		t.Fatalf("status %d (%s), %+v", out.Status, out.Reason, s)
	}
	if n := strings.Count(journal, verify.NoteHead); n < s.Measured || n > 12 {
		t.Errorf("%d simulations in the journal, %d designs measured; uniform traffic is simulated once", n, s.Measured)
	}
	families := map[string]bool{}
	for _, c := range s.Fidelity.Corrections {
		families[c.Family] = true
		if c.Metric != "sim_saturation" || c.StandIn != "uniform_throughput" || c.Family != "" && (c.Ratio.Lo > c.Ratio.Value || c.Ratio.Hi < c.Ratio.Value) {
			t.Errorf("correction %+v", c)
		}
	}
	if !families[""] || !families["zcube"] || !families["hyperx"] {
		t.Errorf("corrections of %v", families)
	}
	for _, r := range out.Front.Front {
		m := r.Metrics["sim_saturation"]
		switch level := r.Vouched["sim_saturation"]; {
		case r.Vouched["cost"] != search.VouchModel || r.Objectives["cost"] != r.Metrics["cost"].Value:
			t.Errorf("%s: cost is %s", r.Design, r.Vouched["cost"])
		case level == search.VouchSimulated && r.Verified.Saturation["uniform"] == r.Objectives["sim_saturation"] && m.Value == r.Objectives["sim_saturation"]:
		case level == search.VouchCorrected && r.Verified == nil && m.Lo < m.Hi && strings.Contains(m.Method, "not simulated"):
		default:
			t.Errorf("%s: sim_saturation is %q: %g, %+v", r.Design, level, r.Objectives["sim_saturation"], m)
		}
		if r.Metrics[metric.Keys[metric.UniformThroughput].Name].Value == 0 {
			t.Errorf("%s: the analytic throughput is not shown beside it", r.Design)
		}
	}
	if _, j, again := runIn(t, searchtest.RealModel(t, st), create(t, st), search.Options{Workers: 1}); j != journal || again != front {
		t.Errorf("one worker: journal equal %v, front equal %v", j == journal, again == front)
	}
	lines := strings.SplitAfter(journal, "\n")
	cut := strings.Join(lines[:len(lines)-4], "") + `{"sim":{"des`
	searchtest.Must(t, os.WriteFile(filepath.Join(dir.Path, "journal.jsonl"), []byte(cut), 0o644))
	searchtest.Must(t, os.Remove(filepath.Join(dir.Path, "checkpoint.json")))
	if _, j, again := runIn(t, searchtest.RealModel(t, st), dir, search.Options{Workers: 1}); j != journal || again != front {
		t.Errorf("after a crash: journal equal %v, front equal %v", j == journal, again == front)
	}
}
