package run

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology"
)

// saturates is what a run adds to how a throughput was found where its simulation does not carry it, which it may not in windows as short as here.
var saturates = regexp.MustCompile(`; (NOT CONFIRMED: )?its simulation saturates [^"]*`)

// An incumbent is judged beside the front: as explain judges it and as Show evaluates it, a family by the best of its own front. An
// interrupted run gives the same bytes.
func TestIncumbents(t *testing.T) {
	racing.Figures(t)
	text := "[endpoints]\ncount = { min = 16, max = 24 }\nbandwidth = \"400 Gb/s\"\n[space]\nfamilies = [\"fattree\", \"torus\"]\n[space.fattree]\nk = [4, 6, 8]\nl = 2\n" +
		"[space.torus]\nk1 = [2, 4]\nk2 = [2, 3]\nk3 = 1\nk4 = 1\nk5 = 1\nk6 = 1\nt = [1, 2, 4]\n[verify]\nfinalists = 1\ntraffic = [\"uniform\"]\ncycles = 100\nloads = 2\n" +
		"[[objective]]\nmetric = \"cost\"\n[[objective]]\nmetric = \"latency\"\n[[incumbent]]\nname = \"mine\"\ndesign = \"dragonfly(p=2,a=4,h=1,g=3)\"\n[[incumbent]]\ndesign = \"torus\"\n[[incumbent]]\ndesign = \"zettafly4\"\n"
	st, faults := study.LoadFrom("study.toml", func(string) ([]byte, error) { return []byte(text), nil })
	searchtest.Must(t, faults.Err())
	d := create(t, st)
	out, journal, front := runIn(t, searchtest.RealModel(t, st), d, search.Options{})
	in := out.Front.Incumbents
	if len(in) != 3 || in[0].Name != "mine" || in[0].Design != "dragonfly(p=2,a=4,h=1,g=3)" || in[1].Family != "torus" || in[1].Chosen == "" {
		t.Fatalf("incumbents %+v", in)
	}
	for i := range in {
		x := &in[i]
		if x.Verdict == "" || x.Why == "" {
			t.Errorf("%s has no verdict", x.Asked)
		}
		if x.Verdict == NoDesign {
			continue
		}
		if x.Verified == nil || len(x.Verified.Saturation) == 0 {
			t.Errorf("%s was not simulated", x.Asked)
		}
		e, err := Explain(context.Background(), d.Path, strings.TrimSuffix(x.Asked, " "))
		if searchtest.Must(t, err); e.Design != x.Design || e.Chosen != x.Chosen {
			t.Errorf("%s is %s in the run (%s), %s in explain (%s)", x.Asked, x.Design, x.Chosen, e.Design, e.Chosen)
		}
		r, _, err := searchtest.RealModel(t, st).Show(context.Background(), named1(t, st, x.Design))
		searchtest.Must(t, err)
		got, _ := json.Marshal(r.Metrics)
		want, _ := json.Marshal(x.Metrics)
		if want = saturates.ReplaceAll(want, nil); string(got) != string(want) {
			t.Errorf("%s: metrics differ\n%s\n%s", x.Asked, got, want)
		}
	}
	// Designs on the front are shown as they stand there.
	p := searchtest.RealModel(t, st)
	for i := range out.Front.Front {
		r, _, err := p.Show(context.Background(), named1(t, st, out.Front.Front[i].Design))
		searchtest.Must(t, err)
		got, _ := json.Marshal(r.Metrics)
		want, _ := json.Marshal(out.Front.Front[i].Metrics)
		if want = saturates.ReplaceAll(want, nil); string(got) != string(want) {
			t.Errorf("%s is shown otherwise than on the front\n%s\n%s", r.Design, got, want)
		}
	}
	lines := strings.SplitAfter(journal, "\n")
	again := create(t, st)
	searchtest.Must(t, writeFile(again.Path, strings.Join(lines[:len(lines)-2], "")))
	_, j, f := runIn(t, searchtest.RealModel(t, st), again, search.Options{Workers: 1})
	if j != journal || f != front {
		t.Errorf("cut before the last simulation: journal equal %v, front equal %v", j == journal, f == front)
	}
}

func named1(t *testing.T, st *study.Study, name string) topology.Design {
	t.Helper()
	d, err := topology.ParseDesign(name, st.Known)
	searchtest.Must(t, err)
	return d
}

func writeFile(dir, journal string) error {
	return os.WriteFile(filepath.Join(dir, journalName), []byte(journal), 0o644)
}
