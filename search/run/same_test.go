package run_test

import (
	"strings"
	"testing"

	"toposearch/search"
	"toposearch/search/run"
	"toposearch/study"
)

// TestSameNetworks: a network with the same figures under two names is one point, whose other name stands in its record; designs that only have
// the same counts stay apart.
func TestSameNetworks(t *testing.T) {
	const text = `
name = "same"
[endpoints]
count = 64
bandwidth = "400 Gb/s"
[space]
families = ["zcube", "zcube_rect"]
[space.zcube]
k = 2
[space.zcube_rect]
m = [4, 8]
[[objective]]
metric = "mean_path_links"
[[objective]]
metric = "uniform_throughput"
[verify]
finalists = 0
`
	st, faults := study.LoadFrom("study.toml", func(string) ([]byte, error) { return []byte(text), nil })
	if st == nil {
		t.Fatal(faults.Err())
	}
	dir, err := run.Create(st, t.TempDir(), "", run.Origin{Program: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	out, err := run.Run(t.Context(), st, dir, search.Options{})
	if err != nil {
		t.Fatal(err)
	}
	twin := out.Front.Find("zcube_rect(n=64,m=8)")
	if twin == nil || twin.SameAs != "zcube(n=8,k=2)" {
		t.Errorf("zcube_rect(n=64,m=8): %+v", twin)
	}
	for _, name := range []string{"zcube(n=8,k=2)", "zcube_rect(n=64,m=8)"} { // counted as by the run: it says "2 designs on the complete front"
		x, err := run.Explain(t.Context(), dir.Path, name)
		if err != nil {
			t.Fatal(err)
		}
		if n := out.Front.Points(); n != 1 || !x.OnFront || !strings.Contains(x.Why, "no other design is on the front") {
			t.Errorf("%s: %s, of %d points", name, x.Why, n)
		}
	}
	for _, r := range out.Front.Front {
		if r.SameAs != "" && r.Design != "zcube_rect(n=64,m=8)" {
			t.Errorf("%s is the same as %s", r.Design, r.SameAs)
		}
	}
}

// TestSameWithScaleup: networks whose switches and cables alone are the same graph are others where scale-up domains join their endpoints otherwise: none
// and servers, and servers of neighbours in a tree and of one endpoint on each rail.
func TestSameWithScaleup(t *testing.T) {
	for _, c := range []struct{ scaleup, space string }{
		{"[false, true]", `families = ["kntree"]
kntree = { n = 1 }`},
		{"true", `families = ["fattree", "roft"]
fattree = { k = 16, l = 3 }
roft = { k = 16, g = [1, 8] }`},
	} {
		text := `
name = "scaleup"
[endpoints]
count = 128
bandwidth = "400 Gb/s"
scaleup = ` + c.scaleup + `
[space]
` + c.space + `
[[objective]]
metric = "switches"
[[objective]]
metric = "switch_links"
[cost]
scaleup = false
[verify]
finalists = 0
`
		st, faults := study.LoadFrom("study.toml", func(string) ([]byte, error) { return []byte(text), nil })
		if st == nil {
			t.Fatal(faults.Err())
		}
		dir, err := run.Create(st, t.TempDir(), "", run.Origin{Program: "test"})
		if err != nil {
			t.Fatal(err)
		}
		defer dir.Close()
		out, err := run.Run(t.Context(), st, dir, search.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(out.Front.Front) < 2 {
			t.Errorf("%s: %d designs on the front", c.space, len(out.Front.Front))
		}
		for _, r := range out.Front.Front {
			if same := strings.HasPrefix(r.Design, "roft(k=16,g=1,"); (r.SameAs != "") != same || r.SameNetwork != "" {
				t.Errorf("%s: the same as %q, the same network as %q", r.Design, r.SameAs, r.SameNetwork)
			}
		}
	}
}
