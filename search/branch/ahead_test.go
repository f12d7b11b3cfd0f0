package branch

import (
	"testing"

	"toposearch/search"
	"toposearch/search/searchtest"
)

// What is estimated to be ahead of an enumeration that stopped half way is what it then takes, within a factor of eight (it does not know how much better the front will be), and all is done in
// the end, and not before.
func TestAhead(t *testing.T) {
	st := searchtest.Small(t, 500, 600)
	p := searchtest.ProblemOf(t, st, &searchtest.SizeModel{})
	e := NewEnumeration(p, 1, nil)
	e.Steps = 1 << 8
	d := search.NewDriver(p, nil, search.Options{Workers: 1})
	type look struct{ visits, ahead float64 }
	var looks []look
	d.Opt.Progress = func(pr search.Progress) {
		if pr.Fraction < 0 || pr.Fraction > 1 || pr.Fraction == 1 && pr.Done < pr.Families || pr.Done > pr.Families {
			t.Errorf("%+v", pr)
		}
		looks = append(looks, look{float64(e.visits), e.Ahead(LiveWidth).Visits})
	}
	if _, err := d.Search(t.Context(), e, false); err != nil {
		t.Fatal(err)
	}
	if _, done := e.Progress(); done != 1 {
		t.Errorf("%g is done in the end", done)
	}
	if done, all := e.Families(); done != all || all != len(p.Spaces) {
		t.Errorf("%d of %d families are decided in the end, of %d", done, all, len(p.Spaces))
	}
	all := float64(e.visits)
	tried := 0
	for _, l := range looks {
		left := all - l.visits
		if left < all/4 || l.visits == 0 {
			continue
		}
		if tried++; l.ahead < left/8 || l.ahead > 8*left {
			t.Errorf("after %g of %g steps %g are estimated to be left", l.visits, all, l.ahead)
		}
	}
	if tried == 0 {
		t.Errorf("it was never looked at half way: %v", looks)
	}
}
