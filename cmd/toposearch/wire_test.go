package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestWire: what wire prints of a network is what eval measures of its file, and wrong input says what would do.
func TestWire(t *testing.T) {
	file := filepath.Join(t.TempDir(), "net.csv")
	code, out, errs := command(t, "wire", "--hosts", "60", "--radix", "6", "--effort", "50ms", "--out", file, "--json")
	var doc wireDoc
	if err := json.Unmarshal([]byte(out), &doc); code != 0 || err != nil {
		t.Fatalf("status %d: %s%s", code, out, errs)
	}
	code, out, errs = command(t, "eval", "file:"+file, "--metrics", "mean_path_links,max_path_links")
	if code != 0 {
		t.Fatalf("status %d: %s", code, errs)
	}
	for name, want := range map[string]float64{"mean_path_links": doc.Mean, "max_path_links": float64(doc.Diameter)} {
		m := regexp.MustCompile(name + ` +([0-9.]+)`).FindStringSubmatch(out)
		if m == nil {
			t.Fatalf("no %s in %s", name, out)
		}
		if got, _ := strconv.ParseFloat(m[1], 64); math.Abs(got/want-1) > 5e-4 { // four digits are printed
			t.Errorf("%s: eval has %g, wire %g", name, got, want)
		}
	}
	for args, want := range map[string]string{
		"":                                     "neither a degree nor a radix",
		"--switches 16 --degree 3 --format x":  "there are csv and edges",
		"--switches 9 --degree 4 --symmetry 2": "2 turns do not divide the 9 switches",
	} {
		if code, out, errs := command(t, append([]string{"wire"}, strings.Fields(args)...)...); code != 2 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %q, %q, want %q", args, code, out, errs, want)
		}
	}
}
