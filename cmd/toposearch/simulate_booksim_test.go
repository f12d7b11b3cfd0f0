package main

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simulate"
)

const booksimConfigs = "../../simcore/booksim/testdata/configs/"

// call runs a command line and gives its exit status and output.
func call(args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = execute(args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

// The mean of |a-b| over 8 x 8 is 63/24 = 2.625, so a packet in an 8 x 8 mesh passes 1 + 2*2.625 =
// 6.25 routers, and an empty network takes 3 + 4*6.25 + 5.25 = 33.25 cycles (BookSim2 measures
// 33.4 at load 0.041).
func TestSimulateBooksim(t *testing.T) {
	status, out, errs := call("simulate", "--json", "--booksim", booksimConfigs+"mesh8x8_dor_uniform.cfg", "injection_rate=0.041", "seed=3")
	if status != 0 {
		t.Fatalf("exit status %d: %s", status, errs)
	}
	var doc simulate.BookSimDocument
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	p := doc.Points[0]
	if doc.Schema != "toposearch.simulate/1" || p.Status != "ok" || p.Saturated || p.Deadlocked || p.WallS <= 0 {
		t.Errorf("document: %s", out)
	}
	if math.Abs(p.Hops.Mean-6.25) > 0.1 || math.Abs(p.Latency.Mean-33.4) > 0.5 || math.Abs(p.Accepted/0.041-1) > 0.05 {
		t.Errorf("hops %.3f, latency %.3f, accepted %.4f; want 6.25, 33.4, 0.041", p.Hops.Mean, p.Latency.Mean, p.Accepted)
	}
	if doc.Config["injection_rate"] != 0.041 || doc.Config["num_vcs"] != 4.0 || doc.Config["topology"] != "mesh" || doc.Config["seed"] != 3.0 {
		t.Errorf("config: %v", doc.Config)
	}
}

// A network file is looked for beside the configuration.
func TestSimulateBooksimText(t *testing.T) {
	status, out, errs := call("simulate", "--booksim", booksimConfigs+"anynet_mesh10_uniform.cfg", "injection_rate=0.1", "--seed", "2")
	if status != 0 || !strings.Contains(out, "16 nodes") || !strings.Contains(out, "seed 2") || !strings.Contains(out, "routers") {
		t.Errorf("exit status %d\n%s%s", status, out, errs)
	}
}

func TestSimulateBooksimFaults(t *testing.T) {
	cut := filepath.Join(t.TempDir(), "cut.cfg")
	if err := os.WriteFile(cut, []byte("topology = mesh;\nk=4; n=2;\n fool = 3;\nrouting_function = dor;\nnoq=1; k = "), 0o600); err != nil {
		t.Fatal(err)
	}
	good := booksimConfigs + "mesh8x8_dor_uniform.cfg"
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--booksim", cut}, []string{"cut.cfg:3:2: error: unknown key", "cut.cfg:5:5: error: noq = 1 is not supported", "cut.cfg:5:12: error: the value of k does not end"}},
		{[]string{"--booksim", good, "injecton_rate=0.1"}, []string{`did you mean "injection_rate"`}},
		{[]string{"--booksim", good, "mesh"}, []string{"not KEY=VALUE"}},
		{[]string{"--booksim", good, "--vcs", "2"}, []string{"write num_vcs=N"}},
		{[]string{"--booksim", "nowhere.cfg"}, []string{"cannot read"}},
		{[]string{}, []string{"usage: toposearch simulate DESIGN"}},
	} {
		status, _, errs := call(append([]string{"simulate"}, c.args...)...)
		for _, w := range c.want {
			if status != exitUsage || !strings.Contains(errs, w) {
				t.Errorf("%v: exit status %d, want 2 and %q in\n%s", c.args, status, w, errs)
			}
		}
	}
}

// What --bench counts agrees with itself and with the design; speeds are whatever they are.
func TestSimulateBench(t *testing.T) {
	racing.Figures(t)
	for _, args := range [][]string{
		{"hypercube(n=4)", "--load", "0.2", "--cycles", "1000"},
		{"zcube(n=4,k=2)", "--load", "0.2", "--cycles", "1000"}, // two ports each, whose rates are one load
		{"--booksim", booksimConfigs + "mesh8x8_dor_uniform.cfg", "injection_rate=0.2"},
	} {
		status, out, errs := call(append([]string{"simulate", "--bench", "--json"}, args...)...)
		var doc simulate.BenchDocument
		if err := json.Unmarshal([]byte(out), &doc); err != nil || status != 0 {
			t.Fatalf("%v: exit status %d, %v: %s", args, status, err, errs)
		}
		p := doc.Points[0]
		// A hypercube of 16 has 4 links and an endpoint at each switch, a mesh as the torus.
		switches, ports := 16, 80
		switch args[0] {
		case "--booksim":
			switches, ports = 64, 320
		case "zcube(n=4,k=2)":
			switches, ports = 8, 64
		}
		if doc.Switches != switches || doc.Ports != ports || math.Abs(p.Accepted-0.2) > 0.02 || p.BytesPerPort <= 0 {
			t.Errorf("%v: %s", args, out)
		}
		if math.Abs(p.NsPerFlitHop*p.FlitHopsPerS/1e9-1) > 1e-9 || math.Abs(p.SwitchCyclesPerS/p.CyclesPerS-float64(switches)) > 1e-6 {
			t.Errorf("%v: rates do not fit together: %s", args, out)
		}
	}
}

// The default is 4 VCs, and all of them are used: a full fat tree then accepts about what one
// switch of 4 VCs does (0.67 by BookSim2), not what one of 1 VC does (0.26).
func TestSimulateUsesAllVCs(t *testing.T) {
	accepted := func(args ...string) float64 {
		status, out, errs := call(append([]string{"simulate", "fattree(k=4,l=3)", "--packet", "1", "--load", "1", "--cycles", "1000", "--set", "internal_speedup=1", "--json"}, args...)...)
		var doc simulate.Document
		if err := json.Unmarshal([]byte(out), &doc); err != nil || status != 0 {
			t.Fatalf("exit status %d, %v: %s", status, err, errs)
		}
		return doc.Points[0].Accepted
	}
	byDefault, four, one := accepted(), accepted("--vcs", "4"), accepted("--vcs", "1")
	if byDefault != four || four < 0.6 || one > 0.35 {
		t.Errorf("accepted %.3f by default, %.3f with 4 VCs, %.3f with 1; want the same above 0.6, and below 0.35", byDefault, four, one)
	}
}
