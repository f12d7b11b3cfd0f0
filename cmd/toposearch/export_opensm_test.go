package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
		{"ring(n=5) --format ibnetdiscover --bandwidth 123Gb/s", "another --bandwidth"},
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
