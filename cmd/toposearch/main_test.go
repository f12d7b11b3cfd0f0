package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/reproduce"
)

// command runs one command line and returns exit status, stdout and stderr.
func command(t *testing.T, args ...string) (int, string, string) {
	t.Helper()
	var out, errw bytes.Buffer
	status := execute(args, strings.NewReader(""), &out, &errw)
	return status, out.String(), errw.String()
}

// decode runs a command that must succeed and print JSON of a schema.
func decode(t *testing.T, schema string, v any, args ...string) {
	t.Helper()
	status, out, errw := command(t, append(args, "--json")...)
	if status != 0 {
		t.Fatalf("%v: exit %d: %s", args, status, errw)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal([]byte(out), &head); err != nil {
		t.Fatalf("%v: %v\n%s", args, err, out)
	}
	if head.Schema != schema {
		t.Errorf("%v: schema %q, want %q", args, head.Schema, schema)
	}
	if v != nil {
		if err := json.Unmarshal([]byte(out), v); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
	}
}

// Wrong input ends with status 2 and a message that names the word and the remedy.
func TestUsage(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		args string
		want string
	}{
		{"evl", `did you mean "eval"`},
		{"eval", "usage: toposearch eval DESIGN..."},
		{"eval dragonflly(p=4)", `did you mean "dragonfly"?`},
		{"eval dragonfly(p=4,a=8,h=4,g=40)", "nearest g is 33"},
		{"eval zcube(n=4)", "needs parameter k"},
		{"eval zcube(n=4,k=2) --metrics cots", `did you mean "cost"?`},
		{"eval zcube(n=4,k=2) --bandwidth 400GB", "write a bandwidth"},
		{"eval zcube(n=4,k=2) --level 9", "levels of eval"},
		{"eval zcube(n=4,k=2) --workers -1", "--workers"},
		{"eval file:missing.json", "missing.json"},
		{"families zcub", `did you mean "zcube"?`},
		{"check missing.toml", "missing.toml"},
		{"run missing.toml", "missing.toml"},
		{"show missing-run", "missing-run"},
		{"simulate zcube(n=4,k=2) --load 2", "above 0 and at most 1"},
		{"simulate dragonfly(p=2,a=4,h=2) --vcs 1", "2 virtual channels"},
		{"reproduce survey-table4", `did you mean "survey-table3"?`},
	} {
		status, out, errw := command(t, strings.Fields(c.args)...)
		if status != exitUsage || !strings.Contains(errw, c.want) || out != "" && !strings.Contains(c.args, "run") {
			t.Errorf("%s: exit %d, stdout %q, stderr %q; want exit 2 and %q", c.args, status, out, errw, c.want)
		}
	}
}

// zcube(64,2) at 400 Gb/s has radix 128 of 200 Gb/s on 64 physical ports (DESIGN.md section 5);
// its mean path is (2*2*63 + 3*63^2)/(64^2-1) links (ATOP Table 3: 2.96923).
func TestEvalJSON(t *testing.T) {
	racing.Figures(t)
	var doc evalDoc
	decode(t, "toposearch.eval/1", &doc, "eval", "zcube(k=2, n=64)", "fattree(k=4,l=3)", "--bandwidth", "400 Gb/s")
	if len(doc.Designs) != 2 || doc.Designs[0].Design != "zcube(n=64,k=2)" {
		t.Fatalf("designs %+v", doc.Designs)
	}
	m := doc.Designs[0].Metrics
	for key, want := range map[string]float64{"endpoints": 4096, "switches": 128, "radix": 128, "physical_ports": 64,
		"endpoint_ports": 2, "switch_links": 4096, "endpoint_links": 8192, "max_hops": 1, "graph_diameter": 2, "vcs_minimal": 1} {
		if got, ok := m[key]; !ok || got.Value != want || got.Lo != want || got.Hi != want || got.Method == "" {
			t.Errorf("%s = %+v, want exactly %g with a method", key, got, want)
		}
	}
	if got, want := m["mean_path_links"].Value, (2*2*63+3*63*63.0)/(64*64-1); got-want > 1e-12 || want-got > 1e-12 {
		t.Errorf("mean_path_links = %.9f, want %.9f", got, want)
	}
	for _, key := range []string{"goodput", "tco", "allreduce_time", "alltoall_time", "step_time"} {
		if doc.Designs[0].Absent[key] == "" {
			t.Errorf("%s is not absent with a reason", key)
		}
	}
}

func TestSimulateJSON(t *testing.T) {
	var doc struct {
		Design string
		Points []struct {
			Offered, Accepted float64
			Latency           struct{ Mean, P50, P99, Max float64 }
			Hops              struct{ Mean float64 }
			Saturated         bool
			Cycles            int64
			FlitHops          int64 `json:"flit_hops"`
		}
	}
	decode(t, "toposearch.simulate/1", &doc, "simulate", "hyperx(s1=4,s2=4,t=2)", "--load", "0.1,0.3", "--cycles", "2000", "--warmup", "500")
	// 32 endpoints on 16 switches: 1 of 31 others on the own switch, 12 one hop away, 18 two.
	want := (6*2.0 + 9*2*2) / 31
	for i, load := range []float64{0.1, 0.3} {
		p := doc.Points[i]
		if p.Offered != load || p.Accepted < 0.93*load || p.Accepted > 1.07*load || p.Saturated {
			t.Errorf("load %g: %+v", load, p)
		}
		if p.Hops.Mean < want*0.97 || p.Hops.Mean > want*1.03 {
			t.Errorf("load %g: mean hops %g, want about %g", load, p.Hops.Mean, want)
		}
	}
	if doc.Points[0].Latency.Mean >= doc.Points[1].Latency.Mean {
		t.Errorf("latency falls with load: %+v", doc.Points)
	}
}

func TestListings(t *testing.T) {
	decode(t, "toposearch.families/1", nil, "families")
	decode(t, "toposearch.families/1", nil, "families", "dragonfly")
	decode(t, "toposearch.reproduce/1", nil, "reproduce")
	decode(t, "toposearch.version/1", nil, "version")
	_, tables, _ := command(t, "reproduce")
	for _, x := range reproduce.Tables() { // a blank behind the longest name, too
		if !strings.Contains("\n"+tables, "\n"+x.Name+" ") {
			t.Errorf("reproduce does not list %s by itself:\n%s", x.Name, tables)
		}
	}
	for _, topic := range []string{"json", "exit-codes"} {
		if status, out, _ := command(t, topic); status != 0 || out == "" {
			t.Errorf("%s: exit %d, %q", topic, status, out)
		}
	}
	for _, c := range (&app{}).commands() {
		if c.Example == "" && c.RunE != nil {
			t.Errorf("%s has no example", c.Name())
		}
	}
}

// small is a study that takes a second: two families, no simulation.
const small = `name = "small"
constraints = ["site.toml"]
[endpoints]
count = { min = 60, max = 72 }
bandwidth = "400 Gb/s"
[space]
families = ["zcube", "fattree"]
[space.zcube]
k = 2
[space.fattree]
k = [16, 32]
[[objective]]
metric = "cost"
[[objective]]
metric = "latency"
[verify]
finalists = 0
`

// writeStudy writes the small study and its site file into a new folder and changes into it.
func writeStudy(t *testing.T, site string) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"study.toml": small, "site.toml": site} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The path of a user: plan, run, status, show, explain, report in every format, resume.
func TestRunToReport(t *testing.T) {
	writeStudy(t, "[switch]\nports = { max = 32 }\n")
	decode(t, "toposearch.plan/1", nil, "plan", "study.toml")
	var front struct {
		Complete bool
		Front    []struct{ Design string }
	}
	decode(t, "toposearch.run/1", nil, "run", "study.toml", "--out", "r", "--quiet")
	decode(t, "toposearch.front/1", &front, "show", "r")
	if !front.Complete || len(front.Front) == 0 {
		t.Fatalf("front %+v", front)
	}
	decode(t, "toposearch.status/1", nil, "status", "r")
	decode(t, "toposearch.explain/1", nil, "explain", "r", front.Front[0].Design)
	for _, format := range []string{"text", "json", "csv"} {
		if status, out, errw := command(t, "report", "r", "--format", format); status != 0 || !strings.Contains(out, front.Front[0].Design) {
			t.Errorf("report --format %s: exit %d, %d bytes, %s", format, status, len(out), errw)
		}
	}
	decode(t, "toposearch.report/1", nil, "report", "r")
	decode(t, "toposearch.plots/1", nil, "report", "r", "--plots")
	status, out, errw := command(t, "report", "r", "--plots", "figures", "--plot-format", "svg")
	if found, _ := filepath.Glob("figures/front-*.svg"); status != 0 || len(found) == 0 || !strings.Contains(out, found[0]) {
		t.Errorf("report --plots figures: exit %d, %v, %q, %s", status, found, out, errw)
	}
	for _, name := range []string{"report.html", "front.json", "journal.jsonl", "manifest.json", "checkpoint.json", "plots/progress.pdf"} {
		if st, err := os.Stat(filepath.Join("r", name)); err != nil || st.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	if status, out, _ := command(t, "resume", "r"); status != 0 || !strings.Contains(out, "finished already") {
		t.Errorf("resume of a finished run: exit %d, %q", status, out)
	}
	if status, _, errw := command(t, "run", "study.toml", "--out", "r"); status != exitUsage {
		t.Errorf("run into a full directory: exit %d, %s", status, errw)
	}
}

// Nothing is feasible: exit 3, and report, plan and check name the limit with its file and line.
func TestNoFeasible(t *testing.T) {
	writeStudy(t, "[procurement]\ncost = { max = \"1 kUSD\" }\n")
	status, out, _ := command(t, "run", "study.toml", "--out", "r", "--quiet")
	if status != exitNoFeasible {
		t.Errorf("exit %d, want 3: %s", status, out)
	}
	status, text, errw := command(t, "report", "r", "--format", "text")
	if status != 0 || !strings.Contains(text, "site.toml:2") {
		t.Errorf("report: exit %d %s, it does not name site.toml:2:\n%s", status, errw, text)
	}
	if status, _, errw := command(t, "report", "r", "--plots"); status != exitUsage || !strings.Contains(errw, "nothing to plot") {
		t.Errorf("figures of an empty front: exit %d, %s", status, errw)
	}
	if status, text, errw := command(t, "plan", "study.toml"); status != 0 || !strings.Contains(text, "No design can satisfy this study") || !strings.Contains(text, "site.toml:2") {
		t.Errorf("plan: exit %d %s, it does not name the limit that excludes all:\n%s", status, errw, text)
	}
	if status, _, errw := command(t, "check", "study.toml"); status != 0 || !strings.Contains(errw, "site.toml:2:16: warning: No design can satisfy this study") {
		t.Errorf("check: exit %d, it does not name the limit that excludes all:\n%s", status, errw)
	}
}

// A batch is read as a whole: what is wrong with any of its studies is told, and none runs. A study that fails later does not stop the next one.
func TestBatch(t *testing.T) {
	writeStudy(t, "[procurement]\ncost = { max = \"1 kUSD\" }\n")
	text, err := os.ReadFile("study.toml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"wrong.toml": "nmae = 1\n" + string(text), "first.toml": string(text)} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	status, out, errw := command(t, "run", "study.toml", "wrong.toml", "missing.toml", "--out", "batch", "--quiet")
	if status != exitUsage || !strings.Contains(out, "study.toml: not started") || strings.Count(out, "wrong input") != 2 ||
		!strings.Contains(errw, "nmae") || !strings.Contains(errw, "missing.toml") {
		t.Errorf("a batch with errors: exit %d, %s\n%s", status, out, errw)
	}
	if _, err := os.Stat("batch"); !os.IsNotExist(err) {
		t.Errorf("a batch with errors was begun: %v", err)
	}
	if err := os.MkdirAll(filepath.Join("batch", "first", "kept"), 0o755); err != nil {
		t.Fatal(err)
	}
	if status, out, _ := command(t, "run", "first.toml", "study.toml", "--out", "batch", "--quiet"); status != exitUsage ||
		!strings.Contains(out, "first.toml") || !strings.Contains(out, "study.toml") {
		t.Errorf("a batch: exit %d, %s", status, out)
	}
	if _, err := os.Stat(filepath.Join("batch", "study", "front.json")); err != nil {
		t.Errorf("the second study of the batch did not run: %v", err)
	}
}

func TestInit(t *testing.T) {
	t.Chdir(t.TempDir())
	if status, _, errw := command(t, "init", "pod"); status != 0 {
		t.Fatalf("init: exit %d, %s", status, errw)
	}
	decode(t, "toposearch.check/1", nil, "check", "pod/study.toml")
	if status, _, _ := command(t, "init", "pod"); status != exitUsage {
		t.Error("init wrote over files that were there")
	}
	if err := os.WriteFile("pod/site.toml", []byte("[routing]\nvirtual_chanels = 4\n[building]\npower = \"2 MB\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, _, errw := command(t, "check", "pod/study.toml")
	for _, want := range []string{"site.toml:2:1", "virtual_chanels", "site.toml:4:", "2 MB"} {
		if status != exitUsage || !strings.Contains(errw, want) {
			t.Errorf("check: exit %d, %q does not hold %q", status, errw, want)
		}
	}
}
