package main

import (
	"os"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
)

// How often failures stop a job is one figure, exact where that takes little, whoever tells it: the front of a run, its designs in full, an evaluation
// as the study asks for it, and one by name.
func TestUptimeAgrees(t *testing.T) {
	racing.Figures(t)
	t.Chdir(t.TempDir())
	const text = `name = "t"
[endpoints]
count = 72
bandwidth = "400 Gb/s"
[space]
families = ["dragonfly"]
[space.dragonfly]
p = 2
a = 4
h = 2
arrangement = "palmtree"
[[objective]]
metric = "cost"
[[objective]]
metric = "uniform_throughput"
[availability]
checkpoint = "60 s"
[verify]
finalists = 0
`
	if err := os.WriteFile("study.toml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, errw := command(t, "run", "study.toml", "--out", "run", "--quiet"); status != 0 {
		t.Fatalf("exit %d: %s", status, errw)
	}
	type point struct {
		Design  string
		Metrics map[string]metric.Figure
	}
	var front struct{ Front []point }
	decode(t, "toposearch.front/1", &front, "show", "run")
	if len(front.Front) != 1 {
		t.Fatalf("%+v", front)
	}
	p := front.Front[0]
	if x := p.Metrics["mtbf"]; x.Lo != x.Hi || x.Value == 0 {
		t.Errorf("mtbf of the front %+v, want it exact: links of this network part nothing", x)
	}
	for _, args := range [][]string{{"eval", p.Design, "--study", "study.toml"}, {"eval", p.Design, "--study", "study.toml", "--metrics", "mtbf,availability,goodput"}} {
		var ev struct{ Designs []point }
		decode(t, "toposearch.eval/1", &ev, args...)
		for _, name := range []string{"mtbf", "availability", "goodput"} {
			if x, y := ev.Designs[0].Metrics[name], p.Metrics[name]; x != y || x.Value == 0 {
				t.Errorf("%q: %s %+v, on the front %+v", args, name, x, y)
			}
		}
	}
}
