package branch

import (
	"context"
	"slices"
	"testing"

	"toposearch/objectives"
	"toposearch/search"
	"toposearch/search/searchtest"
)

// Wherever an enumeration ends, what is left may hold all that its front lacks: no design of the exact front is better than each of the
// front and the corners of what is open, the part proved is at most the part found, and every tuple is accounted for
// where nothing is left.
func TestProofHoldsWhatIsLacking(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 250, 300), &searchtest.SizeModel{})
	exact := search.NewDriver(p, nil, search.Options{})
	if _, err := exact.Search(context.Background(), NewEnumeration(p, 2, nil), false); err != nil {
		t.Fatal(err)
	}
	var want []objectives.Vector
	for _, m := range exact.Front.Ordered() {
		want = append(want, m.Vector)
	}
	partial, certified := 0, false
	for _, c := range []struct {
		evaluations int64
		limit       float64
	}{{5, 0}, {10, 0}, {20, 0}, {60, 0}, {1 << 40, 1}} {
		d := search.NewDriver(p, nil, search.Options{})
		d.Left = c.evaluations
		e := NewEnumeration(p, 2, nil)
		if c.limit > 0 {
			e.Limit[1], e.Limit[3] = c.limit, c.limit
		}
		if _, err := d.Search(context.Background(), e, false); err != nil {
			t.Fatal(err)
		}
		for _, proven := range []bool{false, true} {
			if proven {
				searchtest.Must(t, e.Prove(context.Background(), &d.Front, d.Became, nil))
			} else if e.untold {
				continue // what was asked last is in nobody's hands until then
			}
			var front []objectives.Vector
			for _, m := range d.Front.Ordered() {
				front = append(front, m.Vector)
			}
			left, open, within := e.Left(&d.Front)
			corners := slices.Concat(left...)
			proved, ref := objectives.Proved(front, corners)
			found := objectives.Hypervolume(front, ref) / objectives.Hypervolume(want, ref)
			t.Logf("%+v, proof %v: %v open, %.4f proved, %.4f found", c, proven, open, proved, found)
			if proved > found+1e-9 {
				t.Errorf("%+v: %v is proved and %v found", c, proved, found)
			}
			if proved < 1 {
				partial++
			}
			for _, v := range want {
				if !reached(front, v) && !reached(corners, v) {
					t.Errorf("%+v, proof %v: nothing open can hold %v", c, proven, v)
				}
				if x := d.Front.Tree.Within(v, p.Objectives); x > within {
					t.Errorf("%+v, proof %v: no design of the front is within %v of %v, but %v", c, proven, within, v, x)
				}
				certified = certified || within > 0 && within < 1
			}
		}
	}
	if !certified {
		t.Error("no front is said to be complete within less than 1")
	}
	if partial < 3 {
		t.Errorf("%d proofs leave something open: too few to compare", partial)
	}
}

// reached tells whether one of some vectors is nowhere worse than v.
func reached(by []objectives.Vector, v objectives.Vector) bool {
	for _, w := range by {
		worse := false
		for i := range v {
			worse = worse || w[i] > v[i]
		}
		if !worse {
			return true
		}
	}
	return false
}

// A proof goes on as long as it is told to, asked before each of its batches, and may stop before the first: what it leaves open is open.
func TestProveAsFarAsTold(t *testing.T) {
	p := searchtest.ProblemOf(t, searchtest.Small(t, 500, 600), &searchtest.SizeModel{})
	left := func(most int) (open int64, asked int) {
		d := search.NewDriver(p, nil, search.Options{})
		e := NewEnumeration(p, 1, nil)
		searchtest.Must(t, e.Prove(t.Context(), &d.Front, d.Became, func() bool {
			asked++
			return asked <= most
		}))
		_, n, _ := e.Left(&d.Front)
		for _, x := range n {
			open += x
		}
		if e.Effort() > int64(most)*2*TimedBatch {
			t.Errorf("%d batches took %d steps", most, e.Effort())
		}
		return open, asked
	}
	if open, asked := left(0); open != int64(len(p.Spaces)) || asked != 1 {
		t.Errorf("without a batch %d boxes are open, of %d families; asked %d times", open, len(p.Spaces), asked)
	}
	if open, asked := left(1); open <= int64(len(p.Spaces)) || asked != 2 {
		t.Errorf("after a batch %d boxes are open; asked %d times", open, asked)
	}
}
