package compare

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
)

// ran runs the example of README.md without simulations, and a text behind its study.
func ran(t *testing.T, behind string) string {
	t.Helper()
	st, faults := study.LoadFrom("../docs/example/study.toml", func(name string) ([]byte, error) {
		b, err := os.ReadFile(name)
		if strings.HasSuffix(name, "study.toml") {
			b = append([]byte(strings.Replace(string(b), "finalists = 3", "finalists = 0", 1)), behind...)
		}
		return b, err
	})
	if err := faults.Err(); err != nil {
		t.Fatal(err)
	}
	dir, err := run.Create(st, t.TempDir(), "", run.Origin{Program: "test", Started: time.Unix(0, 0).UTC()})
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if _, err := run.Run(context.Background(), st, dir, search.Options{}); err != nil {
		t.Fatal(err)
	}
	return dir.Path
}

func ofRuns(t *testing.T, a, b string) *Runs {
	t.Helper()
	x, err := OfRuns(context.Background(), a, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range x.Moved {
		for _, c := range m.Changes {
			if sum := c.Model + c.Prices + c.Inputs; c.Undivided || math.Abs(sum-(c.After-c.Before)) > 1e-9*math.Abs(c.After) {
				t.Errorf("%s: %+v does not add up", m.Design, c)
			}
		}
	}
	return x
}

// Under dearer modules and less power every change of a cost is the prices', what goes goes for the limit, and what comes was dominated; the same
// backwards. Of a run of an older model what its figures differ by beyond prices and inputs is the model's.
func TestRuns(t *testing.T) {
	first := ran(t, "")
	second := ran(t, "[what_if.limits]\nbuilding.power = \"710 kW\"\n[what_if.prices]\nT400-DR4 = \"+25 %\"\n")
	if x := ofRuns(t, first, first); len(x.Inputs)+len(x.Came)+len(x.Gone)+len(x.Moved) > 0 || x.Same != 6 {
		t.Errorf("a run beside itself: %+v", x)
	}
	x := ofRuns(t, first, second)
	what := map[string]int{}
	for _, c := range x.Inputs {
		what[c.What]++
	}
	if what[InputPrices] != 1 || what[InputLimits] != 1 || len(what) != 2 {
		t.Errorf("inputs that differ: %+v", x.Inputs)
	}
	if len(x.Moved) != 3 || x.Same != 0 || len(x.Gone) != 3 || len(x.Came) != 1 {
		t.Fatalf("%d moved, %d the same, %d gone, %d came", len(x.Moved), x.Same, len(x.Gone), len(x.Came))
	}
	for _, m := range x.Moved {
		if c := m.Changes[0]; len(m.Changes) != 1 || c.Key != "cost" || c.Model != 0 || c.Inputs != 0 || c.Prices <= 0 {
			t.Errorf("%s: %+v", m.Design, m.Changes)
		}
	}
	// 292 modules of 612 EUR are 153 EUR dearer each.
	if c := x.Moved[0].Changes[0]; x.Moved[0].Design != "hyperx(s1=13,k1=2,t=40)" || c.Prices != 292*153 {
		t.Errorf("%s: prices %v", x.Moved[0].Design, c.Prices)
	}
	for _, g := range x.Gone {
		if g.Verdict != run.Rejected || g.Cause != InputLimits || !strings.Contains(g.Why, "building.power") {
			t.Errorf("gone: %+v", g)
		}
	}
	if c := x.Came[0]; c.Verdict != run.Dominated || !strings.Contains(c.Cause, InputLimits) {
		t.Errorf("came: %+v", c)
	}
	back := ofRuns(t, second, first)
	if len(back.Came) != 3 || len(back.Gone) != 1 || back.Moved[0].Changes[0].Prices != -292*153 {
		t.Errorf("backwards: %+v", back)
	}

	// The second run as though an older model had found its costs 1000 EUR dearer.
	f, err := run.ReadFront(second)
	if err != nil {
		t.Fatal(err)
	}
	for i := range f.Front {
		m := f.Front[i].Metrics["cost"]
		m.Value, m.Lo, m.Hi = m.Value+1000, m.Lo+1000, m.Hi+1000
		f.Front[i].Metrics["cost"] = m
	}
	m, err := run.ReadManifest(second)
	if err != nil {
		t.Fatal(err)
	}
	m.Evaluator = "13"
	for name, v := range map[string]any{"front.json": f, "manifest.json": m} {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(second, name), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	old := ofRuns(t, second, first)
	if old.Inputs[0].What != InputModel || old.Moved[0].Changes[0].Model != -1000 || old.Moved[0].Changes[0].Prices != -292*153 {
		t.Errorf("of an older model: %+v, %+v", old.Inputs[0], old.Moved[0])
	}
	if g := old.Came[0]; g.Cause != InputModel || !strings.Contains(g.Why, "evaluator 13") {
		t.Errorf("came from an older model: %+v", g)
	}
}
