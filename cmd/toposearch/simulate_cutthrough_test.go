package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"toposearch/internal/racing"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/simulate"
)

// The cut-through model has the flit model's keys and units beside them: us are thousandths of
// cycles, Gb/s the load times the bandwidth; rates and cables come from the floor plan, or from flags.
func TestSimulateCutThrough(t *testing.T) {
	racing.Figures(t)
	var doc simulate.CutDocument
	args := []string{"simulate", "dragonfly(p=2,a=4,h=2)", "--model", "cut_through", "--load", "0.2,0.5", "--cycles", "20000", "--warmup", "5000"}
	decode(t, "toposearch.simulate/1", &doc, append(args, "--saturation")...)
	if len(doc.Points) != 2 || doc.Config["model"] != "cut_through" || doc.Config["cycles"] != 20000.0 || doc.Config["bandwidth_gbps"] != 400.0 || math.Abs(doc.Config["zero_load_us"].(float64)-1.452) > 0.1 {
		t.Fatalf("%d points, config %v", len(doc.Points), doc.Config)
	}
	for _, p := range doc.Points {
		if p.Saturated || p.Dropped != 0 || p.Packets == 0 || p.Latency.Mean < 1451 || p.PacketHops == 0 || p.Detail == nil || len(p.Detail.Links) != 4 || p.Warmup.Rule != "fixed" || p.Stop != "window" ||
			math.Abs(p.LatencyUs.Mean*1000-p.Latency.Mean) > 1e-6 || math.Abs(p.AcceptedGbps-400*p.Accepted) > 1e-6 || math.Abs(p.Accepted-p.Offered) > 0.05 {
			t.Errorf("point %+v", p)
		}
	}
	if s := doc.Saturation; s == nil || s.Load < 0.8 || s.LoadGbps != 400*s.Load {
		t.Errorf("saturation %+v", s)
	}
	// 100 m of local cable add 500 ns to each of 1.2 local hops, 100 ns of switch 3.3 times as much.
	var far simulate.CutDocument
	decode(t, "toposearch.simulate/1", &far, append(args, "--cables", "local=100m", "--bandwidth", "800 Gb/s", "--switch-latency", "500ns")...)
	if far.Points[0].Latency.Mean < doc.Points[0].Latency.Mean+850 || far.Points[0].Latency.Mean > doc.Points[0].Latency.Mean+1100 || far.Config["bandwidth_gbps"] != 800.0 || far.Config["switch_ns"] != 500.0 {
		t.Errorf("with 100 m of cable %+v, config %v", far.Points[0].LatencyUs, far.Config)
	}
	status, out, errw := command(t, append(args, "--flow-control", "pfc", "--queueing", "output", "--ecn-threshold", "8kB", "--buffer", "16 MB", "--bench")...)
	if status != 0 || !strings.Contains(strings.Join(strings.Fields(out), " "), "pfc, output queues, buffers of 16 MB") || !strings.Contains(out, "packet-hops in") {
		t.Errorf("exit %d: %s%s", status, out, errw)
	}
}

// The cut-through model measures inside the network what the flit model does, under the same keys, and
// shows it on the same pages, in us and bytes.
func TestSimulateCutThroughDetail(t *testing.T) {
	heat := filepath.Join(t.TempDir(), "links.csv")
	args := []string{"simulate", "dragonfly(p=2,a=4,h=2)", "--model", "cut_through", "--load", "0.2,0.4", "--cycles", "10000", "--series", "5000", "--precision", "4%", "--heatmap", heat, "-q"}
	var doc simulate.Document // of the flit model
	decode(t, "toposearch.simulate/1", &doc, args...)
	for _, p := range doc.Points {
		sum := 0.0
		for _, w := range p.Detail.Waits {
			sum += w.Cycles
		}
		b := p.Detail.Buffers[0]
		if math.Abs(sum-p.Latency.Mean) > 1e-6 || p.Stop != "precision" || p.Warmup.Rule != "mser5" || p.Measured < 10_000 || len(p.Series) < 5 || p.Detail.Worst == nil ||
			b.MeanBytes != 256*b.Mean || b.Class != "switch" || p.Fairness.Sent.Jain < 0.9 || p.Latency.CI95 > 0.04*p.Latency.Mean {
			t.Errorf("point %+v, detail %+v", p, p.Detail)
		}
	}
	if csv, err := os.ReadFile(heat); err != nil || strings.Count(string(csv), "\n") != 1+2*36*5 {
		t.Errorf("heat map: %v, %.200s", err, csv)
	}
	status, out, errw := command(t, append(args, "--detail")...)
	for _, want := range []string{"by MSER-5", "worst link: ", "link and crossbar", " us ", "kB of", "time series", "measured", "cells inside"} {
		if status != 0 || !strings.Contains(out, want) {
			t.Errorf("exit %d, no %q in %s%s", status, want, out, errw)
		}
	}
}

// A page of the cut-through model has 80 columns; numbers have as many decimals as fit, and an interval
// that nobody can tell is a dash.
func TestCutThroughPage(t *testing.T) {
	_, out, _ := command(t, "simulate", "dragonfly(p=2,a=4,h=2)", "--model", "cut_through", "--load", "0.2,1", "--cycles", "3000", "--warmup", "3000", "-q", "--packet-bytes", "64:3,4096:1")
	for _, line := range strings.Split(out, "\n") {
		if len(line) > 80 {
			t.Errorf("%d columns: %s", len(line), line)
		}
	}
	for x, want := range map[float64]string{0.0124: "0.012", 12.3456: "12.346", 123.456: "123.46", 99999.94: "100000", 1234567: "1234567"} {
		if got := sixDigits(x); got != want {
			t.Errorf("%g is %s, want %s", x, got, want)
		}
	}
	if got := strings.Fields(microCells(&cutthrough.Point{})); len(got) != 7 || got[0] != "-" {
		t.Errorf("no packet: %q", got)
	}
	p := &cutthrough.Point{LatencyUs: cutthrough.Micros{Mean: 1.5}}
	p.Packets = 3
	if got := strings.Fields(microCells(p)); got[0] != "1.500" || got[1] != "-" {
		t.Errorf("three packets: %q", got)
	}
}

// What is wrong with a request is said with names, values and remedies, all at once.
func TestSimulateCutThroughWrong(t *testing.T) {
	racing.Figures(t)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"--model", "cut"}, []string{`--model "cut"`, "cut_through"}},
		{[]string{"--mtu", "1500"}, []string{"--mtu is for --model cut_through"}},
		{[]string{"--model", "cut_through", "--packet", "2", "--set", "x=5"}, []string{"--packet is for --model flit", "--set is for --model flit"}},
		{[]string{"--model", "cut_through", "--buffer", "8 flits", "--switch-latency", "fast"}, []string{"--buffer", "--switch-latency"}},
		{[]string{"--model", "cut_through", "--buffer", "4kB"}, []string{"--buffer = 4000", "are needed"}},
		{[]string{"--model", "cut_through", "--buffer", "100kB", "--flow-control", "pfc"}, []string{"--buffer = 100000 is too small for lossless PFC", "or --flow-control credit"}},
		{[]string{"--model", "cut_through", "--flow-control", "xon", "--queueing", "fifo"}, []string{`--flow-control = "xon"`, `--queueing = "fifo"`}},
		{[]string{"--model", "cut_through", "--cycles", "0", "--series", "-1", "--precision", "2", "--tolerance", "x", "--mtu", "70000", "--cell", "0", "--crossbar-speedup", "0", "--heatmap", "a.png"},
			[]string{"--cycles = 0", "--series = -1", `--precision "2"`, `--tolerance "x"`, "--mtu = 70000", "--cell = 0", "--crossbar-speedup = 0", ".svg or .csv"}},
		{[]string{"--model", "cut_through", "--bandwidth", "0 Gb/s", "--mtu", "70000"}, []string{`--bandwidth: "0 Gb/s": it must be above 0`, "--mtu = 70000"}},
		{[]string{"--bandwidth", "fast", "--mtu", "1500"}, []string{"--bandwidth: ", "--mtu is for --model cut_through"}},
		{[]string{"--model", "cut_through", "--max-cycles", "10"}, []string{"--max-cycles bounds a run with --precision"}},
		{[]string{"--model", "cut_through", "--precision", "1%", "--cycles", "20000", "--max-cycles", "100"}, []string{"--max-cycles = 100 is below"}},
		{[]string{"--model", "cut_through", "--packet-bytes", "9000:1"}, []string{"--packet-bytes [0] = 9000"}},
		{[]string{"--model", "cut_through", "--cables", "locl=3m"}, []string{`--cables "locl=3m"`, "local=5m"}},
		{[]string{"--model", "cut_through", "--packet-bytes", "64"}, []string{`--packet-bytes "64"`}},
		{[]string{"--model", "cut_through", "--warmup", "300"}, []string{"--warmup 300", "lone packets take up to"}},
		{[]string{"--buffer", "64MB"}, []string{`--buffer "64MB"`, "cut_through"}},
	} {
		status, out, errw := command(t, append([]string{"simulate", "dragonfly(p=2,a=4,h=2)"}, c.args...)...)
		if status != 2 || out != "" {
			t.Errorf("%v: exit %d, %s%s", c.args, status, out, errw)
		}
		for _, w := range c.want {
			if !strings.Contains(errw, w) {
				t.Errorf("%v: %q is not in %s", c.args, w, errw)
			}
		}
	}
}

// Whatever is written as cable lengths and packet sizes is read or refused with its text, and what is
// read is in range.
func FuzzCutThroughFlags(f *testing.F) {
	for _, s := range [][2]string{{"nic=3m,local=5m", "64:3"}, {"global=1km", "4096:1"}, {"=", ":"}, {"nic=-1m", "0:0"}, {"local=1e300m", "70000:1"}, {"nic=NaN m", "1:99999999999999999999"}} {
		f.Add(s[0], s[1])
	}
	d, err := (&app{}).parseDesigns([]string{"dragonfly(p=2,a=4,h=2)"})
	if err != nil {
		f.Fatal(err)
	}
	n, err := d[0].Build()
	if err != nil {
		f.Fatal(err)
	}
	planned := cutthrough.DefaultConfig()
	if _, err := simulate.Wire(f.Context(), d[0], n, 0, &planned); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, cables, size string) {
		var flags simFlags
		c := &cobra.Command{}
		c.Flags().Int("cycles", 0, "")
		flags.cut.declare(c.Flags())
		flags.warmup, flags.cut.cables, flags.cut.sizes = "auto", cables, []string{size}
		cfg, err := flags.cutConfig()
		if err == nil && (len(cfg.Sizes) != 1 || cfg.Sizes[0] < 1 || cfg.Sizes[0] > cfg.MTUBytes || cfg.Weights[0] < 1) {
			t.Errorf("%q is read as %v, weights %v", size, cfg.Sizes, cfg.Weights)
		}
		cfg = planned
		cfg.ClassCableNs = slices.Clone(planned.ClassCableNs)
		if flags.cut.lengths(n, 5, &cfg) != nil {
			return
		}
		tr, err := traffic.ByName("uniform", traffic.Options{Network: n})
		if err != nil {
			t.Fatal(err)
		}
		r, err := route.ByName(t.Context(), "minimal", n, route.Options{})
		if err != nil {
			t.Fatal(err)
		}
		cfg.BufferBytes = 1 << 30
		if _, err := cutthrough.New(n, r, tr, cfg); err == nil {
			for i, ns := range cfg.ClassCableNs {
				if !(ns >= 0 && ns < 1e7+1) {
					t.Errorf("%q: cable of class %d is %g ns long", cables, i, ns)
				}
			}
		}
	})
}
