package verify

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"toposearch/internal/racing"
	"toposearch/routing"
	"toposearch/search"
	"toposearch/study"
	"toposearch/topology/family"
)

// Flows of a workload that meet no full channel are not held back, and sources that see channels divert what others do not need: of slimfly(q=5,p=2) a channel is full at 0.5
// and 97 % are accepted to 0.6, of an all-to-all on a dragonfly ugal_l carries half as much again as an ideal split that is the same for all flows.
func TestExpectedOfWorkload(t *testing.T) {
	if testing.Short() || racing.On {
		t.Skip("simulates small designs to saturation")
	}
	for _, c := range []struct {
		model, parallelism, design, routing string
	}{
		{"llama2-70b", "tp = 8, pp = 2, dp = 4", "slimfly(q=5,p=2)", "natural"},
		{"moe-10t", "tp = 1, pp = 1, dp = 32, ep = 32", "dragonfly(p=2,a=4,h=2,g=8)", "ugal_l"},
	} {
		path := filepath.Join(t.TempDir(), "study.toml")
		text := "name = \"w\"\n[endpoints]\ncount = { min = 16, max = 128 }\nbandwidth = \"400 Gb/s\"\nper_server = 1\n[space]\nfamilies = [\"slimfly\", \"dragonfly\"]\n[[objective]]\nmetric = \"cost\"\n" +
			"[workload]\nmodel = \"" + c.model + "\"\nsequence = 4096\nbatch = 256\nparallelism = { " + c.parallelism + " }\naccelerator = { flops = \"989 Tflop/s\", memory = \"8 TB\", efficiency = 0.5 }\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		st, list := study.Load(path, family.All()...)
		if st == nil {
			t.Fatal(list)
		}
		st.Verify = study.Verify{Traffic: []string{study.Workload}, Cycles: 2500, Packet: 4, Loads: 2}
		l, err := Simulate(t.Context(), &search.Problem{Study: st, Seed: 1}, parsed(t, c.design), study.Workload, c.routing)
		if err != nil || l.Skipped != "" {
			t.Fatalf("%s: %v %s", c.design, err, l.Skipped)
		}
		if near := math.Min(math.Max(l.Expected, l.Saturation), l.Above); math.Abs(near/l.Expected-1) > 0.1 || l.Expected < 1.1*l.Predicted {
			t.Errorf("%s, %s (%s): saturates in [%.4f, %.4f], expected %.4f, a channel is full at %.4f", c.design, c.routing, l.Workload, l.Saturation, l.Above, l.Expected, l.Predicted)
		}
	}
}

// An endpoint to which others send more than it takes is what no fluid on channels knows of.
func TestCrowds(t *testing.T) {
	l := Result{pairs: []routing.Pair{{Src: 0, Dst: 2, Rate: 0.5}, {Src: 1, Dst: 2, Rate: 0.5}, {Src: 2, Dst: 0, Rate: 1}}}
	if l.crowds() {
		t.Error("as much as it takes is too much")
	}
	if l.pairs[0].Rate = 0.51; !l.crowds() {
		t.Error("more than it takes is not")
	}
}
