package branch

import (
	"math"
	"slices"
	"testing"

	"toposearch/search"
	"toposearch/search/searchtest"
)

// Of looks that tell 1 and 100 the mean is 10, from which each is off tenfold, of which as large a part passes as of both together: 5 of 101. Of one that is three times as wide it is
// nine tenths, and the first of three looks is not counted. Few looks are off by a factor that is given, at least; one that went into all boxes is right.
func TestMeanOfLooks(t *testing.T) {
	looks := []look{{width: 9, ahead: 1e9}, {width: 1, ahead: 1, pass: 1}, {width: 1, ahead: 100, pass: 4}}
	if ahead, pass, off := mean(looks); math.Abs(ahead-10) > 1e-9 || math.Abs(pass-50.0/101) > 1e-9 || math.Abs(off-10) > 1e-9 {
		t.Errorf("%g are left, of which %v pass, and looks are off by %g", ahead, pass, off)
	}
	looks[2].width = 3
	if ahead, _, _ := mean(looks); math.Abs(ahead-math.Pow(100, 0.9)) > 1e-9 {
		t.Errorf("%g are left, where a wide look tells 100 and a narrow one 1", ahead)
	}
	if ahead, _, off := mean(looks[:1]); math.Abs(ahead-1e9) > 1 || off != offFew {
		t.Errorf("%g are left by one look, which is off by %g", ahead, off)
	}
	looks[2].whole = true
	if ahead, pass, off := mean(looks); ahead != 100 || pass != 4 || off != 1 {
		t.Errorf("%g are left and %g pass, off by %g, where one look went into all", ahead, pass, off)
	}
}

// What is ahead of a space whose limit it exceeds is cut to what that leaves, as much of its judgements as of its evaluations; what fits stays.
func TestAheadWithinLimits(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 500, 600), &searchtest.SizeModel{})
	e := NewEnumeration(p, 1, nil)
	w := Work{BySpace: make([]float64, len(p.Spaces)), Evaluations: make([]float64, len(p.Spaces)), Looked: 7, Off: slices.Repeat([]float64{8}, len(p.Spaces))}
	w.BySpace[0], w.Evaluations[0], w.BySpace[1] = 1000, 10, 1000
	e.Limit[0], e.spent[0] = 100+(1000*VisitNs+10*e.Each[0])/4, 100
	e.Limit[1] = 1000*VisitNs + 1
	got, abandoned := e.Within(w)
	if !abandoned[0] || abandoned[1] || got.BySpace[0] != 250 || got.Evaluations[0] != 2.5 || got.BySpace[1] != 1000 || got.Visits != 1250 || got.Looked != 7 || got.Off[0] != 2 || got.Off[1] != 8 {
		t.Errorf("%+v, abandoned %v", got, abandoned)
	}
}

// An enumeration that has evaluated nothing learns from probes what designs turn out to be, of each space at most as many as are wanted; a second search asks for nothing, and
// nothing is open that was not before.
func TestProbe(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 500, 600), &searchtest.SizeModel{})
	e := NewEnumeration(p, 1, nil)
	open := e.open.len()
	probe := e.Probe()
	d := search.NewDriver(p, nil, search.Options{Workers: 1})
	asked := int64(0)
	for k := range 2 {
		if _, err := d.Search(t.Context(), probe, false); err != nil {
			t.Fatal(err)
		}
		if k == 0 {
			asked = d.Prog.Evaluated
		}
	}
	learnt := int64(0)
	for i, o := range e.outcomes {
		if learnt += o.evaluated; o.evaluated > probes {
			t.Errorf("%s: %d probes", p.Spaces[i].Fam.Name, o.evaluated)
		}
	}
	if learnt == 0 || learnt != asked || d.Prog.Evaluated != asked || e.open.len() != open || e.visits != 0 {
		t.Errorf("learnt from %d of %d; %d boxes open, were %d", learnt, asked, e.open.len(), open)
	}
}
