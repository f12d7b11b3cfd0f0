package main

import (
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
)

// export writes the files, or says what is wrong and writes none.
func TestExport(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ring")
	code, out, errs := command(t, "export", "ring(n=5)", "--routing", "dfsssp", "--out", dir)
	if code != 0 || !strings.Contains(out, "2 service levels, no cycle") {
		t.Fatalf("status %d: %s%s", code, out, errs)
	}
	for _, name := range []string{"fabric.net", "guid2lid", "lfts", "paths.sl", "opensm.conf"} {
		if s, err := os.Stat(filepath.Join(dir, name)); err != nil || s.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct{ args, want string }{
		{"ring(n=5) --out x --routing natural", "lash and dfsssp have"}, {"ring(n=5)", "--out is missing"}, {"ring(n=5) --format netbox", "--out is missing"},
		{"ring(n=5) --out x --format dott", "anynet, astra-sim"}, {"zcube(n=4,k=2) --out x", "2 ports"}, {"zcube(n=4,k=2) --out x --format anynet", "2 ports"},
		{"bus(n=4) --out x --format netbox", "one way"}, {"ring(n=5) --format csv --bandwidth 0Gb/s", "above 0"}, {"ring(n=5) --format htsim --hop 2s", "--hop"},
		{"ring(n=5) --format ibnetdiscover --bandwidth 1000Gb/s", "another --bandwidth"},
	} {
		code, out, errs := command(t, append([]string{"export"}, strings.Fields(c.args)...)...)
		if code != 2 || out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%s: status %d, %q, %q, want %q", c.args, code, out, errs, c.want)
		}
	}
	if _, err := os.Stat("x"); err == nil {
		t.Error("a refused export left a folder")
	}
}

// Every format goes to stdout or a file; what file: reads is the same network by hops and bisection.
func TestExportFormats(t *testing.T) {
	dir := t.TempDir()
	if code, out, errs := command(t, "export", "torus(k1=4,k2=3)", "--picture", "graph"); code != 0 || !strings.HasPrefix(out, "<svg") {
		t.Errorf("--picture alone: status %d, %.40q, %s", code, out, errs)
	}
	if code, _, errs := command(t, "export", "torus(k1=4,k2=3)", "--picture", "graph", "--format", "dot"); code != 2 || !strings.Contains(errs, "--format svg") {
		t.Errorf("--picture of dot: status %d, %s", code, errs)
	}
	want := ""
	for _, x := range []struct{ format, name string }{
		{"network", "n.json"}, {"csv", "n.csv"}, {"graphml", "n.graphml"}, {"ibnetdiscover", "n.net"}, {"netbox", "cables.csv"},
		{"dot", ""}, {"node-link", ""}, {"metis", ""}, {"edges", ""}, {"anynet", ""}, {"simai", ""}, {"astra-sim", ""}, {"containerlab", ""},
	} {
		args := []string{"export", "torus(k1=4,k2=3)", "--format", x.format, "--bandwidth", "200Gb/s"}
		if x.name == "" {
			if code, out, errs := command(t, args...); code != 0 || out == "" || errs != "" {
				t.Errorf("%s: status %d, %q", x.format, code, errs)
			}
			continue
		}
		out := filepath.Join(dir, x.name)
		if x.format == "netbox" {
			out = dir
		}
		if code, text, errs := command(t, append(args, "--out", out)...); code != 0 || !strings.Contains(text, "200 Gb/s") {
			t.Fatalf("%s: status %d, %q %q", x.format, code, text, errs)
		}
		code, text, errs := command(t, "eval", "file:"+filepath.Join(dir, x.name), "--metrics", "mean_hops,max_hops,graph_diameter,bisection")
		if code != 0 {
			t.Fatalf("%s: status %d: %s", x.format, code, errs)
		}
		_, text, _ = strings.Cut(text, "\n")
		text = regexp.MustCompile(`(?m)^ +.*\n`).ReplaceAllString(text, "")                 // methods
		text = strings.Replace(text, "bottleneck: link links", "bottleneck: dim1 links", 1) // formats without classes
		if want == "" {
			want = text
		}
		if text != want {
			t.Errorf("%s is read as\n%s\nwant\n%s", x.format, text, want)
		}
	}
}

// Links are written with the rates that eval has of them: those on sale, of which UB-Mesh's lanes and the shares of several ports are rounded up, under a
// study and without one. What is read again carries as much.
func TestExportRates(t *testing.T) {
	dir := t.TempDir()
	study := filepath.Join(dir, "study.toml")
	text := "name = \"t\"\n[endpoints]\ncount = { min = 16, max = 512 }\nbandwidth = \"1600 Gb/s\"\n[space]\nfamilies = [\"ubmesh\", \"zcube\"]\n[[objective]]\nmetric = \"cost\"\n"
	if err := os.WriteFile(study, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		design string
		flags  []string
		rates  map[string]float64
		limits bool // the network is what limits uniform traffic, whatever endpoints inject
	}{
		// 1600 Gb/s over 72 lanes: 4 lanes are 88.9 Gb/s, which boards have as they are and cables of 100 Gb/s carry.
		{"ubmesh(z=2,w=2)", []string{"--study", study}, map[string]float64{"internal": 1600, "nic": 100, "hub": 100, "x": 88.889, "y": 100, "z": 100, "w": 100}, true},
		{"zcube(n=8,k=3)", []string{"--bandwidth", "400Gb/s"}, map[string]float64{"nic": 200, "level1": 200, "level2": 200}, false}, // thirds of it
		{"dragonfly(p=2,a=4,h=2)", []string{"--bandwidth", "300Gb/s"}, map[string]float64{"nic": 400, "local": 400, "global": 400}, false},
		{"jellyfish(n=20,r=4,p=4)", []string{"--bandwidth", "300Gb/s"}, map[string]float64{"nic": 400, "link": 400}, true},
		{"hyperx(s1=4,s2=4,t=4)", nil, map[string]float64{"nic": 400, "dim1": 400, "dim2": 400}, false},
	} {
		var written struct {
			LinkGbps map[string]float64 `json:"link_gbps"`
		}
		out := filepath.Join(dir, "n.json")
		decode(t, "toposearch.export/1", &written, append([]string{"export", c.design, "--format", "node-link", "--out", out}, c.flags...)...)
		var graph struct {
			Links []struct {
				Class string
				Gbps  float64
			}
		}
		data, err := os.ReadFile(out)
		if err == nil {
			err = json.Unmarshal(data, &graph)
		}
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]float64{}
		for _, l := range graph.Links {
			got[l.Class] = l.Gbps
		}
		for class, gbps := range written.LinkGbps {
			if math.Abs(gbps-got[class]) > 1e-3 { // written to Mb/s
				t.Errorf("%s: link_gbps of %s is %g, written %g", c.design, class, gbps, got[class])
			}
		}
		if !maps.Equal(got, c.rates) {
			t.Errorf("%s: rates %v, want %v", c.design, got, c.rates)
		}
		carries := func(args ...string) float64 {
			var ev struct {
				Designs []struct{ Metrics map[string]metric.Figure }
			}
			decode(t, "toposearch.eval/1", &ev, append([]string{"eval", "--metrics", "effective_bandwidth"}, args...)...)
			return ev.Designs[0].Metrics["effective_bandwidth"].Value
		}
		if !c.limits {
			continue
		}
		want := carries(append([]string{c.design}, c.flags...)...)
		for _, format := range []string{"graphml", "network"} {
			out := filepath.Join(dir, "again."+format)
			if code, _, errs := command(t, append([]string{"export", c.design, "--format", format, "--out", out}, c.flags...)...); code != 0 {
				t.Fatal(errs)
			}
			if x := carries("file:" + out); math.Abs(x/want-1) > 1e-6 {
				t.Errorf("%s as %s carries %g Gb/s, want %g", c.design, format, x, want)
			}
		}
	}
}
