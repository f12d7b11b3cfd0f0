package main

import (
	"os"
	"strings"
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

// A budget below one generation is wrong input wherever a study is to be searched, with its place; nothing is written. With as many evaluations as there
// are designs the same study runs.
func TestGenerationRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	const text = `name = "t"
[endpoints]
count = { min = 64, max = 176 }
bandwidth = "400 Gb/s"
[space]
families = ["hypercube"]
[space.hypercube]
n = 4
t = [4, 5, 6]
[[objective]]
metric = "latency"
[search]
strategy = "nsga2"
budget = { evaluations = %s }
[verify]
finalists = 0
`
	write := func(evaluations string) {
		if err := os.WriteFile("study.toml", []byte(strings.Replace(text, "%s", evaluations, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("2")
	for _, args := range [][]string{{"check", "study.toml"}, {"plan", "study.toml"}, {"run", "study.toml", "--out", "r"}, {"run", "study.toml", "study.toml", "--out", "r"}} {
		status, out, errw := command(t, args...)
		if status != exitUsage || !strings.Contains(errw, "study.toml:14:26: error: 2 evaluations are fewer than the 3 designs that there are") || !strings.Contains(errw, "write evaluations = 3 or more") {
			t.Errorf("%q: exit %d\n%s%s", args, status, out, errw)
		}
	}
	if _, err := os.Stat("r"); err == nil {
		t.Error("there is a run directory")
	}
	write("3")
	if status, out, errw := command(t, "run", "study.toml", "--out", "r", "--quiet"); status != 0 {
		t.Errorf("as many as there are: exit %d\n%s%s", status, out, errw)
	}
}
