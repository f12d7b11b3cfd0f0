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
