package selftest

import (
	"reflect"
	"testing"

	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/family"
)

// TestFamilies: no check fails.
func TestFamilies(t *testing.T) {
	opt := Options{Families: family.All(), Seed: 2, Designs: 2000, Networks: 92} // two networks of each family; the command draws others, and more
	if testing.Short() {
		opt.Designs, opt.Networks = 460, 46
	}
	if racing.On {
		opt.Designs, opt.Networks = 92, 2
	}
	r, err := Run(t.Context(), opt)
	if err != nil {
		t.Fatal(err)
	}
	if r.None > opt.Designs/100 || r.Designs+r.Networks+r.None != opt.Designs+opt.Networks {
		t.Errorf("%d designs, %d networks, none for %d numbers", r.Designs, r.Networks, r.None)
	}
	for i, n := range r.Checks {
		if n == 0 && Check(i) != Rejection && !racing.On { // few are rejected by bounds
			t.Errorf("no check of %s was made", Check(i))
		}
	}
	for _, f := range r.Failures {
		t.Errorf("%d %s: %s: %s", f.Number, f.Design, f.Check, f.Words)
	}
}

// TestWorkers: any number of workers, and a part of the numbers, find the same.
func TestWorkers(t *testing.T) {
	run := func(workers, first, count int) *Report {
		r, err := Run(t.Context(), Options{Families: wrong(t), Seed: 3, Networks: count, First: first, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one := run(1, 0, 96*networks.batch)
	if three := run(3, 0, 96*networks.batch); !reflect.DeepEqual(one, three) {
		t.Errorf("one worker: %+v\nthree: %+v", one, three)
	}
	if one.Failed == 0 {
		t.Fatal("wrong figures are not found")
	}
	last := one.Failures[len(one.Failures)-1]
	if again := run(1, last.Number, 1); len(again.Failures) == 0 || again.Failures[len(again.Failures)-1] != last {
		t.Errorf("%+v again is %+v", last, again.Failures)
	}
}

// wrong is a family whose closed form counts too few links of a path.
func wrong(t *testing.T) []*topology.Family {
	f, ok := family.ByName("crossbar")
	if !ok {
		t.Fatal("no crossbar")
	}
	bad := *f
	bad.Paths = func(v []int, p *topology.Paths) bool { p.Add(1, [topology.MaxClasses]int16{1}); return true }
	bad.Brief, bad.Distances = nil, nil
	return []*topology.Family{&bad}
}
