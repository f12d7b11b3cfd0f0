package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"toposearch/internal/racing"
)

// TestEvalStudy: eval takes the workload of a study, and other flags change what the study says. A ring of eight at
// 400 Gb/s reduces 1 GB in 14 steps of 5 us and 1.75 GB; at 200 Gb/s the bytes take twice as long.
func TestEvalStudy(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.toml")
	text := `name = "w"
[endpoints]
count = 8
bandwidth = "400 Gb/s"
[space]
families = ["ring"]
[[objective]]
metric = "cost"
[workload]
model = "gpt3-22b"
sequence = 2048
batch = 8
accelerator = { flops = "312 Tflop/s", memory = "80 GB" }
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		more  []string
		bytes float64
	}{{nil, 50e9}, {[]string{"--bandwidth", "200 Gb/s"}, 25e9}} {
		var doc evalDoc
		decode(t, "toposearch.eval/1", &doc, append([]string{"eval", "ring(n=8)", "--study", path, "--metrics", "allreduce_time,step_time"}, c.more...)...)
		m := doc.Designs[0].Metrics
		if got, want := m["allreduce_time"].Value, 14*5e-6+1.75e9/c.bytes; math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%v: allreduce_time = %g, want %g", c.more, got, want)
		}
		if s := m["step_time"]; s.Lo <= 0 || s.Lo > s.Value {
			t.Errorf("%v: step_time = %+v, %s", c.more, s, doc.Designs[0].Absent["step_time"])
		}
	}
}

// TestStepEverywhere: a step, its parts, its algorithms and its mapping, and the times of collectives are the same figures of a design in front.json, in
// the report as JSON and CSV, in eval with the study, and in explain.
func TestStepEverywhere(t *testing.T) {
	racing.Figures(t)
	dir := t.TempDir()
	study, run := filepath.Join(dir, "w.toml"), filepath.Join(dir, "run")
	text := `name = "w"
[endpoints]
count = { min = 32, max = 36 }
bandwidth = "400 Gb/s"
[space]
families = ["fattree", "torus", "fullmesh", "dragonfly"]
[[objective]]
metric = "cost"
[[objective]]
metric = "step_time"
[verify]
finalists = 0
[workload]
model = "gpt3-22b"
sequence = 2048
batch = 32
accelerator = { flops = "312 Tflop/s", memory = "80 GB" }
parallelism = { tp = 4, pp = 2, dp = 4 }
mapping = "tp, pp, dp"
`
	if err := os.WriteFile(study, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, "run", study, "--out", run); status != 0 {
		t.Fatalf("exit %d: %s", status, errs)
	}
	var front struct {
		Front []struct {
			Design  string
			Metrics map[string]any
		}
	}
	data, err := os.ReadFile(filepath.Join(run, "front.json"))
	if err == nil {
		err = json.Unmarshal(data, &front)
	}
	if err != nil || len(front.Front) < 2 {
		t.Fatalf("%v, a front of %d", err, len(front.Front))
	}
	names := []string{"step_time", "allreduce_time", "alltoall_time"}
	_, again, _ := command(t, "report", run, "--format", "json")
	_, table, _ := command(t, "report", run, "--format", "csv")
	page := pageOf(t, filepath.Join(run, "report.html"))
	for _, d := range front.Front[:2] {
		_, eval, _ := command(t, "eval", d.Design, "--study", study, "--metrics", strings.Join(names, ","), "--json")
		var why struct{ Objectives map[string]float64 }
		decode(t, "toposearch.explain/1", &why, "explain", run, d.Design)
		for _, name := range names {
			want, err := json.Marshal(d.Metrics[name])
			if err != nil || d.Metrics[name] == nil {
				t.Fatalf("%s has no %s: %v", d.Design, name, err)
			}
			page.same(t, d.Design, name, d.Metrics[name].(map[string]any))
			for from, out := range map[string]string{"report": again, "eval": eval} {
				if got := figureOf(t, out, d.Design, name); got != string(want) {
					t.Errorf("%s of %s in %s:\n%s\nin front.json:\n%s", name, d.Design, from, got, want)
				}
			}
		}
		method := d.Metrics["step_time"].(map[string]any)["method"].(string)
		if !strings.Contains(method, "ranks of tp, pp, dp, cp next to each other") || !strings.Contains(method, "dp reduce-scatter") {
			t.Errorf("the mapping or a part is not named: %s", method)
		}
		value := d.Metrics["step_time"].(map[string]any)["value"].(float64)
		if cell, err := json.Marshal(value); err != nil || !strings.Contains(table, string(cell)) || why.Objectives["step_time"] != value {
			t.Errorf("%s: a step takes %s, by explain %v, and by the table:\n%s", d.Design, cell, why.Objectives, table)
		}
	}
}

// reportPage is what the HTML page of a run shows, by axis and design.
type reportPage struct {
	Names, Methods []string
	Axes           []struct {
		Key       string
		V, Lo, Hi []float64
		Method    []int
	}
}

// pageOf reads the data of a page.
func pageOf(t *testing.T, path string) (p reportPage) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := bytes.Cut(text, []byte(`<script type="application/json" id="data">`))
	text, _, ends := bytes.Cut(text, []byte("</script>"))
	if err := json.Unmarshal(text, &p); err != nil || !ok || !ends {
		t.Fatalf("%s: %v", path, err)
	}
	return p
}

// same compares a figure of a design with that of front.json, of which the page has nine digits.
func (p *reportPage) same(t *testing.T, design, name string, want map[string]any) {
	t.Helper()
	i := slices.Index(p.Names, design)
	for _, a := range p.Axes {
		if a.Key != name || i < 0 {
			continue
		}
		for part, got := range map[string][]float64{"value": a.V, "lo": a.Lo, "hi": a.Hi} {
			x, bounded := want[part].(float64)
			switch {
			case len(got) == 0 || !bounded: // exact
			case math.Abs(got[i]/x-1) > 1e-8:
				t.Errorf("%s of %s on the page: %s %v, in front.json %v", name, design, part, got[i], x)
			}
		}
		if len(a.V) == 0 || p.Methods[a.Method[i]] != want["method"] {
			t.Errorf("%s of %s on the page by another method than %v", name, design, want["method"])
		}
		return
	}
	t.Errorf("the page has no %s of %s: %v", name, design, p.Names)
}

// figureOf is the figure of a metric of a design in a document, as JSON: the first object under its name inside one that names the design.
func figureOf(t *testing.T, text, design, name string) (figure string) {
	t.Helper()
	var doc any
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatalf("%v: %.300s", err, text)
	}
	var walk func(x any, inside bool) bool
	walk = func(x any, inside bool) bool {
		switch v := x.(type) {
		case map[string]any:
			inside = inside || v["design"] == design
			if f, ok := v[name].(map[string]any); ok && inside && f["value"] != nil {
				b, err := json.Marshal(f)
				figure = string(b)
				return err == nil
			}
			for _, y := range v {
				if walk(y, inside) {
					return true
				}
			}
		case []any:
			for _, y := range v {
				if walk(y, inside) {
					return true
				}
			}
		}
		return false
	}
	walk(doc, false)
	return figure
}
