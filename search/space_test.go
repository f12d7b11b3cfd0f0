package search

import (
	"testing"

	"toposearch/study"
	"toposearch/topology"
	"toposearch/topology/family"
)

// TestTaperDomains: a search keeps tapers at 1:1, and of a range takes the ratios that divide a value of k: of 8 ports
// 4, 5 or 6 down, of 12 ports 6, 7, 8 or 9.
func TestTaperDomains(t *testing.T) {
	f, _ := family.ByName("fattree")
	k, taper2, taper3 := f.Param("k"), f.Param("taper2"), f.Param("taper3")
	fs := study.FamilySpace{Family: f, Domains: make([]study.Domain, len(f.Params))}
	fs.Domains[k] = study.Domain{Given: true, Min: 8, Max: 12, Values: []int{8, 12}}
	fs.Domains[taper2] = study.Domain{Given: true, Min: topology.RatioEven, Max: topology.RatioOf(3, 1)}
	sp, err := newSpace(fs)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range sp.Dims[taper2].N {
		got = append(got, f.Params[taper2].Format(sp.Dims[taper2].At(i)))
	}
	want := []string{"1:1", "7:5", "5:3", "2:1", "3:1"}
	if len(got) != len(want) {
		t.Fatalf("taper2 from 1:1 to 3:1 of 8 or 12 ports: %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("taper2 from 1:1 to 3:1 of 8 or 12 ports: %v, want %v", got, want)
		}
	}
	if d := &sp.Dims[taper3]; d.N != 1 || d.At(0) != topology.RatioEven {
		t.Errorf("taper3, of which the study says nothing, has %d values from %d on", d.N, d.At(0))
	}
}

// Seeds of random constructions, and spares, stay at their defaults unless a study opens them.
func TestDrawsStay(t *testing.T) {
	for _, f := range family.All() {
		sp, err := newSpace(study.FamilySpace{Family: f})
		if err != nil {
			t.Fatal(err)
		}
		for i := range f.Params {
			p := &f.Params[i]
			if draw := p.Name == "seed" || p.Name == "tries" || p.Name == "spare"; draw != p.Draw || draw && (sp.Dims[i].N != 1 || sp.Dims[i].At(0) != p.Default(nil)) {
				t.Errorf("%s: %s has %d values", f.Name, p.Name, sp.Dims[i].N)
			}
		}
	}
	f, _ := family.ByName("jellyfish")
	open := study.FamilySpace{Family: f, Domains: make([]study.Domain, len(f.Params))}
	for i := range f.Params {
		open.Domains[i] = study.Domain{Given: true, Min: f.Params[i].Min, Max: f.Params[i].Max}
	}
	sp, err := newSpace(open)
	if at := f.Param("seed"); err != nil || sp.Dims[at].N != 1<<30+1 {
		t.Errorf("seed = { min = 0, max = 2^30 } has %d values, %v", sp.Dims[at].N, err)
	}
}
