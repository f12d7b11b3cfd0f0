package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simulate"
)

// Closed loops from the command line, with their bound.
func TestSimulateWorkload(t *testing.T) {
	for _, args := range []string{"alltoall --message 4", "ring --message 8", "barrier --message 8 --rounds 3 --traffic worst", "window=4 --sizes 1,6 --weights 2,1 --cycles 1000"} {
		var d simulate.LoopDocument
		decode(t, "toposearch.simulate-workload/1", &d, append([]string{"simulate", "dragonfly(p=2,a=4,h=2)", "-q", "--workload"}, strings.Fields(args)...)...)
		if d.Efficiency <= 0 || d.Efficiency > 1 || d.IdealBy == "" || d.Accepted <= 0 || d.Completed != (d.Workload.Kind != "window") {
			t.Errorf("%s: %+v", args, d.LoopResult)
		}
		if d.Workload.Kind == "barrier" && (d.Round == nil || d.Workload.Rounds != 3 || d.Packets != 3*72*2) {
			t.Errorf("%s: rounds %+v, %d packets", args, d.Round, d.Packets)
		}
	}
	status, out, errw := command(t, "simulate", "dragonfly(p=2,a=4,h=2)", "-q", "--workload", "ring", "--message", "4", "--detail")
	if status != 0 || !strings.Contains(out, "completed in") || !strings.Contains(out, "bound") || !strings.Contains(out, "worst link") {
		t.Errorf("exit %d: %s%s", status, out, errw)
	}
}

// Closed loops of the cut-through model, in us and bytes.
func TestSimulateCutWorkload(t *testing.T) {
	args := []string{"simulate", "dragonfly(p=2,a=4,h=2)", "-q", "--model", "cut_through", "--workload"}
	for _, words := range []string{"alltoall --message 4kB", "ring --message 5000", "barrier --message 8kB --rounds 3 --traffic worst", "window=4 --packet-bytes 64:1,4096:1 --cycles 5000"} {
		var d simulate.CutLoopDocument
		decode(t, simulate.WorkloadSchema, &d, append(args, strings.Fields(words)...)...)
		if d.Efficiency <= 0 || d.Efficiency > 1 || d.IdealBy == "" || d.Accepted <= 0 || d.Completed != (d.Workload.Kind != "window") || d.Config["model"] != modelCut {
			t.Errorf("%s: %+v", words, d.LoopResult)
		}
		if k := d.Workload.Kind; k == "barrier" && (d.Round == nil || d.Workload.Message != 8000 || d.Packets != 3*72*2) || k != "window" && math.Abs(d.CompletionUs*1000-float64(d.Completion)) > 1 {
			t.Errorf("%s: rounds %+v, %d packets, %g us", words, d.Round, d.Packets, d.CompletionUs)
		}
	}
	heat := filepath.Join(t.TempDir(), "l.csv")
	status, out, errw := command(t, append(args, "ring", "--message", "4kB", "--detail", "--series", "50000", "--heatmap", heat)...)
	for _, want := range []string{"completed in", " us, by the messages one after another", "worst link", "time series", "messages of 4 kB"} {
		if _, err := os.Stat(heat); status != 0 || err != nil || !strings.Contains(out, want) {
			t.Errorf("exit %d (%v), no %q: %s%s", status, err, want, out, errw)
		}
	}
	for _, c := range [][]string{{"ring", "--message", "4kB", "--sizes", "1,2"}, {"ring", "--message", "x"}, {"ring", "--message", "0"}, {"ring"}, {"ring", "--message", "4kB", "--max-completion", "-5"}} {
		if status, out, errw := command(t, append(args, c...)...); status != exitUsage || out != "" || !strings.Contains(errw, "--") {
			t.Errorf("%v: exit %d, %s%s", c, status, out, errw)
		}
	}
}

// Every bad setting at once, by the name it was given under, before anything is simulated.
func TestSimulateFaults(t *testing.T) {
	racing.Figures(t)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	perm := file("perm.csv", "source,destination\n0,1\n1,2\n0,3\n2,2\n3,99\n4,2\n")
	cut := file("cut.cfg", "// a mesh\ntopology = mesh;\nk = 8;\nn = 2;\nrouting_function = dim_or")
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"dragonflly(p=2)", "--load", "2,x", "--vcs", "99", "--packet", "0", "--cycles", "0", "--warmup", "z", "--precision", "3", "--workload", "rng", "--weights", "1", "--set", "foo=1", "--heatmap", "a.png", "--link-latency", "0", "--series", "-1"},
			[]string{`did you mean "dragonfly"?`, `--load "2"`, `--load "x"`, "--vcs = 99 is not in 1..32", "--packet = 0", "--cycles = 0", `--warmup "z"`, `--precision "3"`,
				`did you mean "ring"?`, "--weights needs --sizes", `no setting "foo"`, ".svg or .csv", "--link-latency = 0", "--series = -1"}},
		{[]string{"dragonfly(p=2,a=4,h=2)", "--vcs", "0"}, []string{"--vcs = 0 is not in 1..32"}},
		{[]string{"dragonfly(p=2,a=4,h=2)", "--routing", "natrual", "--traffic", "bitrev"}, []string{`did you mean "natural"?`, "72 endpoints; the pattern needs a power of 2"}},
		{[]string{"dragonfly(p=2,a=4,h=2)", "--traffic", "transpose"}, []string{"power of 4"}},
		{[]string{"dragonfly(p=2,a=4,h=2)", "--traffic", "file:" + perm}, []string{"perm.csv:4", "source 0 has a destination already, on line 2", "perm.csv:5", "endpoint 2 sends to itself", `destination "99" is not an endpoint; they are 0 to 71`, "destination 2 has a source already"}},
		{[]string{"dragonfly(p=2,a=4,h=2)", "--workload", "barrier"}, []string{"needs --message"}},
		{[]string{"dragonfly(p=2,a=4,h=2)", "--workload", "alltoall=3", "--sizes", "1,2", "--rounds", "4", "--saturation"}, []string{"takes no number", "needs --message", "--sizes does not go", "--rounds belongs", "--saturation does not go"}},
		{[]string{"dragonfly(p=2,a=4,h=2)", "--workload", "window=0"}, []string{"--workload window = 0 is not in 1..4096"}},
		{[]string{"dragonfly(p=2,a=4,h=2)", "--message", "3"}, []string{"belong to a --workload"}},
		{[]string{"dragonfly(p=2,a=4,h=2)", "--sizes", "1,0", "--weights", "1"}, []string{"2 --sizes and 1 --weights", "--sizes [1] = 0"}},
		{[]string{"dragonfly(p=2,a=4,h=2)", "--workload", "ring", "--message", "4", "--fail", "switch[0]", "--routing", "minimal"}, []string{"have no path"}},
		{[]string{"--booksim", cut}, []string{"cut.cfg:5:"}},
		{[]string{"--booksim", cut, "--workload", "ring"}, []string{"--workload does not go with --booksim"}},
	} {
		status, out, errw := command(t, append([]string{"simulate", "-q"}, c.args...)...)
		if status != exitUsage || out != "" {
			t.Errorf("%v: exit %d, stdout %q", c.args, status, out)
		}
		for _, w := range c.want {
			if !strings.Contains(errw, w) {
				t.Errorf("%v: no %q in\n%s", c.args, w, errw)
			}
		}
	}
}

// Mixed packets are told: sizes, weights and their mean, on the page and in the settings.
func TestSizesAreTold(t *testing.T) {
	args := []string{"simulate", "ring(n=4)", "--load", "0.1", "--cycles", "500", "--sizes", "1,8", "--weights", "3,1"}
	_, out, _ := call(args...)
	if !strings.Contains(out, "packets of 1, 8 flits") {
		t.Errorf("%s", out)
	}
	_, out, _ = call(append(args, "--json")...)
	var doc simulate.Document
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	if c := doc.Config; fmt.Sprint(c["sizes"]) != "[1 8]" || fmt.Sprint(c["weights"]) != "[3 1]" || c["packet_flits"] != 2.75 {
		t.Errorf("sizes %v, weights %v, packet_flits %v", c["sizes"], c["weights"], c["packet_flits"])
	}
}
