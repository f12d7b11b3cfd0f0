package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"toposearch/simcore"
	"toposearch/simcore/flit"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/simulate"
	"toposearch/topology/family/familytest"
)

// A saturation load is told as an interval as far as it is known: no load that was not decided makes it 1 or 0.
func TestPrintSaturation(t *testing.T) {
	for _, x := range []struct {
		s    simcore.Saturation
		want string
	}{
		{simcore.Saturation{Load: 1}, "saturation load 1: all"},
		{simcore.Saturation{Interrupted: true}, "saturation load between 0 and 1: none of the 0 loads tried is known to be accepted"},
		{simcore.Saturation{Undecided: 3, Points: make([]simcore.Point, 3)}, "more --max-cycles would tell"},
		{simcore.Saturation{Above: 0.25}, "saturation load below 0.2500"},
		{simcore.Saturation{Load: 0.5, Above: 0.51}, "saturation load 0.5000 (accepted to 97 %); 0.5100 is not (bracket within 2 %"},
		{simcore.Saturation{Load: 0.5, Above: 0.8, Undecided: 1}, "0.8000 is not (not found within 2 %"},
		{simcore.Saturation{Above: 0.25, Interrupted: true}, "interrupted: the answer lies between 0 and 0.25"},
		{simcore.Saturation{Load: 0.5, Interrupted: true}, "saturation load 0.5000 (accepted to 97 %) (not found within 2 %, 0 loads tried) the search was interrupted: the answer lies between 0.5 and 1"},
	} {
		x.s.Tolerance = 0.02
		var out bytes.Buffer
		printSaturation(&out, &x.s)
		if got := strings.Join(strings.Fields(out.String()), " "); !strings.Contains(got, x.want) || x.s.Load < 1 && strings.Contains(got, "saturation load 1") {
			t.Errorf("%+v: %q", x.s, got)
		}
	}
}

// A search that ends in its first load has a result, too, which says that it was interrupted and nothing is known.
func TestSaturationInterrupted(t *testing.T) {
	d, n := familytest.Build(t, "ring(n=6)")
	ctx, cancel := context.WithCancel(t.Context())
	r, err := route.ByName(ctx, "natural", n, route.Options{Natural: d.Family.Natural(d.V), Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	tr, err := traffic.ByName("uniform", traffic.Options{Network: n, Context: ctx})
	if err != nil {
		t.Fatal(err)
	}
	cfg := flit.SwitchConfig()
	cfg.VCs = max(cfg.VCs, r.VCs())
	sim, err := flit.New(n, r, tr, cfg)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	s, err := (&simulate.Runner{}).Saturation(ctx, sim)
	if err == nil || s == nil || !s.Interrupted || s.Load != 0 || s.High() != 1 || s.Points == nil {
		t.Errorf("%+v, %v", s, err)
	}
}
