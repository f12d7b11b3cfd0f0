package branch

import (
	"math/big"
	"strings"
	"testing"

	"toposearch/search"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology/family"
)

// opened is a study of a full mesh of 3 dimensions at most, the third of d3 endpoints, with so many links per pair in it and in those
// that are not there.
func opened(t *testing.T, d3, least, most int) *search.Problem {
	st := searchtest.Small(t, 64, 70)
	f, _ := family.ByName("fullmesh")
	sp := study.FamilySpace{Family: f}
	for i := range f.Params {
		d := study.Domain{Min: 1, Max: 1, Given: true}
		switch {
		case i < 2:
			d.Min, d.Max = f.Params[i].Min, 64
		case i == 2:
			d.Max = d3
		case i < 5:
		case i < 7:
			d.Max = 2
		default:
			d.Min, d.Max = least, most
		}
		sp.Domains = append(sp.Domains, d)
	}
	st.Space = []study.FamilySpace{sp}
	return searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
}

// Links in dimensions of one endpoint, of which there are none, are counted and not searched: with them open a search takes as many
// steps, but one where they are left to one.
func TestIdleParametersTakeNoSteps(t *testing.T) {
	fixed, open := Count(opened(t, 1, 1, 1), 0, 1e6), Count(opened(t, 1, 1, 64), 0, 1e6)
	if fixed.Designs == 0 || open.Designs != fixed.Designs || open.Visits > 2*fixed.Visits || open.Stopped {
		t.Errorf("with links of dimensions of one endpoint open: %+v, with one link: %+v", open, fixed)
	}
}

// Where such links are narrowed to others than the canonical one, designs are found all the same, and once.
func TestIdleNarrowedIsBruteForce(t *testing.T) {
	for _, x := range []struct{ d3, least int }{{1, 1}, {1, 2}, {4, 1}, {4, 2}} {
		p := opened(t, x.d3, x.least, 3)
		want, _ := searchtest.BruteForce(t, p)
		got, _, e := EnumerateNames(t, p)
		if strings.Join(got, " ") != strings.Join(want, " ") || len(want) == 0 {
			t.Errorf("%+v: enumeration found %v, brute force %v", x, got, want)
		}
		sum := new(big.Int)
		for _, n := range e.Tally[0].Tuples(p.Spaces[0]) {
			sum.Add(sum, n)
		}
		if sum.Cmp(p.Spaces[0].Size) != 0 {
			t.Errorf("%+v: %d tuples are accounted for, the space holds %d", x, sum, p.Spaces[0].Size)
		}
	}
}
