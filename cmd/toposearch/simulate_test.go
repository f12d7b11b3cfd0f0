package main

import (
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/simcore"
	"toposearch/simulate"
)

// What a simulation measured inside the network comes out as JSON, text, SVG and CSV.
func TestSimulateDetail(t *testing.T) {
	racing.Figures(t)
	dir := t.TempDir()
	heat := filepath.Join(dir, "links.csv")
	args := []string{"simulate", "dragonfly(p=2,a=4,h=2)", "--load", "0.2,0.4", "--cycles", "1000", "--warmup", "500", "--series", "500", "--heatmap", heat}
	var doc simulate.Document
	decode(t, "toposearch.simulate/1", &doc, args...)
	p := doc.Points[1]
	if p.Detail == nil || p.Detail.Worst == nil || len(p.Detail.Links) != 4 || len(p.Series) < 3 || p.Fairness.Sent.Jain < 0.9 {
		t.Fatalf("detail %+v, %d samples", p.Detail, len(p.Series))
	}
	sum := 0.0
	for _, w := range p.Detail.Waits {
		sum += w.Cycles
	}
	if math.Abs(sum-p.Latency.Mean) > 1e-6 {
		t.Errorf("waits add up to %g of %g", sum, p.Latency.Mean)
	}
	f, err := os.Open(heat)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// 36 switches of degree 5, two loads, a head.
	if rows, err := csv.NewReader(f).ReadAll(); err != nil || len(rows) != 1+2*36*5 {
		t.Errorf("%d rows (%v)", len(rows), err)
	}
	args[len(args)-1] = filepath.Join(dir, "links.svg")
	status, out, errw := command(t, append(args, "--detail")...)
	if status != 0 || !strings.Contains(out, "worst link: ") || !strings.Contains(out, "credit stall") && !strings.Contains(out, "vc allocation") || !strings.Contains(out, "measured") {
		t.Errorf("exit %d: %s%s", status, out, errw)
	}
	if svg, err := os.ReadFile(args[len(args)-1]); err != nil || !strings.Contains(string(svg), "offered load 0.4") {
		t.Errorf("svg: %v", err)
	}
}

// Precision, warm-up and the tolerance of the saturation search are obeyed and reported.
func TestSimulateStatistics(t *testing.T) {
	racing.Figures(t)
	var doc simulate.Document
	decode(t, "toposearch.simulate/1", &doc, "simulate", "dragonfly(p=2,a=4,h=2)", "--load", "0.3", "--cycles", "1000", "--precision", "2%", "--saturation", "--tolerance", "10%")
	p := doc.Points[0]
	if p.Stop != "precision" || p.Latency.CI95 <= 0 || p.AcceptedCI95 > 0.02*p.Accepted || p.Warmup.Rule != "mser5" || !p.Warmup.Settled || p.Latency.P999 < p.Latency.P99 {
		t.Errorf("point %+v", p.Point)
	}
	s := doc.Saturation
	if s == nil || s.Tolerance != 0.1 || s.Undecided == 0 && s.Above-s.Load > 0.1*s.Above || s.Load < 0.7 || s.Load > 0.95 || s.High() < 0.88 {
		t.Errorf("saturation %+v", s)
	}
}

// The shares that flags take.
func TestParseShare(t *testing.T) {
	for text, want := range map[string]float64{"1%": 0.01, " 0.5 %": 0.005, "0.25": 0.25} {
		if got, err := parseShare("x", text); err != nil || math.Abs(got-want) > 1e-15 {
			t.Errorf("%q: %g, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "0", "100%", "-1%", "x", "NaN", "1 percent"} {
		if _, err := parseShare("precision", text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
}

// eval simulates where a simulated metric is asked for by name.
func TestEvalSimulated(t *testing.T) {
	racing.Figures(t)
	var doc evalDoc
	decode(t, "toposearch.eval/1", &doc, "eval", "ring(n=6)", "--metrics", "sim_saturation,mean_hops")
	m := doc.Designs[0].Metrics["sim_saturation"]
	// A ring of 6 has 12 channels for 6 endpoints with 9/5 hops: at most 12/(6*9/5) = 1.11, so 1 is possible.
	if m.Value < 0.5 || m.Value > 1 || m.Lo > m.Value || m.Hi < m.Value || !strings.Contains(m.Method, "flit-level") {
		t.Errorf("%+v, absent %v", m, doc.Designs[0].Absent)
	}
	if why := doc.Designs[0].Absent["sim_latency_half_load"]; why != "" && !strings.Contains(why, "by name") {
		t.Errorf("not asked for: %q", why)
	}
}

// What no packet tells is a dash, not a zero.
func TestLatencyCells(t *testing.T) {
	if got := strings.Fields(latencyCells(&simcore.Point{})); len(got) != 8 || got[0] != "-" {
		t.Errorf("no packet: %q", got)
	}
	p := &simcore.Point{Packets: 3, Latency: simcore.Latency{Mean: 12.25, P999: 40}}
	if got := strings.Fields(latencyCells(p)); len(got) != 8 || got[0] != "12.25" || got[5] != "40" {
		t.Errorf("three packets: %q", got)
	}
}

// The table fits into 80 columns, and says below it what is special about which row.
func TestPointsFit80Columns(t *testing.T) {
	racing.Figures(t)
	_, out, errs := call("simulate", "torus(k1=4,k2=4)", "--load", "0.1,0.9,1", "--cycles", "1000", "--packet", "1", "--saturation", "--fail-links", "2", "--routing", "minimal", "--set", "internal_speedup=1")
	marked := 0
	for line := range strings.Lines(out) {
		if line = strings.TrimRight(line, "\n"); len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
		if strings.HasPrefix(line, "0.9000") || strings.HasPrefix(line, "1.0000") {
			if strings.HasSuffix(line, "a") {
				marked++
			}
		}
	}
	if marked != 2 || strings.Count(out, "lower bounds") != 1 {
		t.Errorf("%s%s", out, errs)
	}
	var n footnotes
	if a, b, c := n.mark("x"), n.mark("y"), n.mark("x"); a != "a" || b != "b" || c != "a" || n.mark("") != "" || len(n) != 2 {
		t.Errorf("marks %s %s %s of %q", a, b, c, n)
	}
}
