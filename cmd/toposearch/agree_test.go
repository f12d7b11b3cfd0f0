package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/run"
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

// What a run with a step of training knows answers under other limits; under other prices it does not, and what-if and --reuse say why.
func TestWhatIfOfSteps(t *testing.T) {
	racing.Figures(t)
	t.Chdir(t.TempDir())
	const text = `name = "t"
[endpoints]
count = 64
bandwidth = "400 Gb/s"
[space]
families = ["fattree"]
[space.fattree]
k = [16, 32, 64]
l = 2
[[objective]]
metric = "cost"
[[objective]]
metric = "step_time"
[[objective]]
metric = "bisection"
[workload]
model = "gpt3-22b"
sequence = 2048
batch = 256
accelerator = { flops = "989 Tflop/s", memory = "80 GB", efficiency = 0.5, memory_bandwidth = "3.35 TB/s" }
parallelism = { tp = 8, pp = 4, dp = 2 }
[verify]
finalists = 0
`
	if err := os.WriteFile("study.toml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, out, errw := command(t, "run", "study.toml", "--out", "r", "--quiet"); status != 0 {
		t.Fatalf("exit %d: %s%s", status, out, errw)
	}
	var limit, price struct {
		Answered, Repriced, Evaluated int64
		Anew                          string
	}
	decode(t, "toposearch.whatif/1", &limit, "what-if", "r", "--limit", "cost<=10MUSD")
	if limit.Answered == 0 || limit.Evaluated > 0 || limit.Anew != "" {
		t.Errorf("another limit: %+v", limit)
	}
	const why = "step_time depends on how long cables are as they are bought"
	decode(t, "toposearch.whatif/1", &price, "what-if", "r", "--price", "cable=+25%")
	if price.Answered+price.Repriced > 0 || price.Evaluated == 0 || !strings.HasPrefix(price.Anew, why) {
		t.Errorf("other prices: %+v", price)
	}
	if err := os.WriteFile("study.toml", []byte(text+"[latency]\nswitch = \"300 ns\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, errw := command(t, "run", "study.toml", "--out", "again", "--reuse", "r"); status != 0 || !strings.Contains(strings.Join(strings.Fields(errw), " "), why) {
		t.Errorf("--reuse: exit %d: %s", status, errw)
	}
}

// TestWhatIfCountsNetworks: what-if counts a network under several names once, as the run and show do, and says its other names.
func TestWhatIfCountsNetworks(t *testing.T) {
	racing.Figures(t)
	t.Chdir(t.TempDir())
	const text = `name = "t"
[endpoints]
count = 16
bandwidth = "400 Gb/s"
[space]
families = ["complete", "hyperx"]
[space.hyperx]
s2 = 1
s3 = 1
s4 = 1
k1 = [1, 2]
[[objective]]
metric = "cost"
[[objective]]
metric = "uniform_throughput"
enough = "none"
[verify]
finalists = 0
`
	if err := os.WriteFile("study.toml", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, out, errw := command(t, "run", "study.toml", "--out", "r", "--quiet"); status != 0 {
		t.Fatalf("exit %d: %s%s", status, out, errw)
	}
	var front search.Front
	decode(t, "toposearch.front/1", &front, "show", "r")
	names, points := len(front.Front), front.Points()
	if points == names {
		t.Fatalf("%d designs, none under several names", points)
	}
	for _, limit := range []string{"cost<=10MUSD", "cost<=100kUSD"} {
		var w run.WhatIf
		decode(t, run.WhatIfSchema, &w, "what-if", "r", "--limit", limit)
		stay, came, gone := w.Points()
		if len(w.Front)+len(w.Gone) != names || stay+gone != points || came != 0 {
			t.Errorf("%s: %d stay, %d came, %d go of %d in %d names: %+v", limit, stay, came, gone, points, names, w)
		}
		_, out, _ := command(t, "what-if", "r", "--limit", limit)
		if want := fmt.Sprintf("%d design", stay); !strings.Contains(out, want) || !strings.Contains(out, "also hyperx(") {
			t.Errorf("%s: no %q, or no other name in\n%s", limit, want, out)
		}
	}
}

// TestSaidLimitAdmits: the limits at which explain and the report say that a design is admitted admit it as they are printed, rounded to the side that does.
func TestSaidLimitAdmits(t *testing.T) {
	racing.Figures(t)
	t.Chdir(t.TempDir())
	const text = `name = "t"
constraints = ["site.toml"]
[endpoints]
count = 10
bandwidth = "400 Gb/s"
[space]
families = ["complete"]
[space.complete]
n = 5
[[objective]]
metric = "cost"
[verify]
finalists = 0
`
	const site = "[limits]\nlatency = { max = \"600 ns\" }\n"
	for name, s := range map[string]string{"study.toml": text, "site.toml": site} {
		if err := os.WriteFile(name, []byte(s), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if status, out, errw := command(t, "run", "study.toml", "--out", "r", "--quiet"); status != 3 {
		t.Fatalf("exit %d: %s%s", status, out, errw)
	}
	const design = "complete(n=5,t=2)" // 866.36444... ns
	var x run.Explanation
	decode(t, "toposearch.explain/1", &x, "explain", "r", design)
	if len(x.Admit) != 1 {
		t.Fatalf("%+v", x)
	}
	_, said, _ := strings.Cut(x.Admit[0], ") at ")
	said, _, _ = strings.Cut(said, " instead")
	_, page, _ := command(t, "report", "r", "--format", "text")
	_, reported, _ := strings.Cut(page, "limits.latency from 600 ns to ")
	reported, _, _ = strings.Cut(reported, " ns")
	reported += " ns"
	for _, limit := range []string{said, reported} {
		if !strings.HasPrefix(limit, "866.") {
			t.Errorf("%q is no limit", limit)
		}
		var w run.WhatIf
		decode(t, run.WhatIfSchema, &w, "what-if", "r", "--limit", "latency<="+strings.ReplaceAll(limit, ",", ""))
		if len(w.Front) == 0 {
			t.Errorf("%q, as explain or the report has it, admits nothing", limit)
		}
	}
}
