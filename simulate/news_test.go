package simulate

import (
	"testing"

	"toposearch/routing"
	"toposearch/simcore/cutthrough"
	"toposearch/simcore/route"
	"toposearch/topology"
	"toposearch/topology/family"
)

// By hand, 4 x 4 NPUs in dimension order, links of 100 Gb/s (20.48 ns a notice) and cables of 10 ns: over a link of the first dimension
// only the NPU before it sends, 10 us after it has seen the failure. One of the second is used by the row of the NPU
// before it: that NPU, and three a link away, of which the last gets the third copy, after 10,000 + 3 x 20.48 + 30.48, and
// reads it for 10,000. Hop by hop these are told after one reading of the NPU and its six copies but one, at most five.
func TestNewsNs(t *testing.T) {
	d, err := topology.ParseDesign("fullmesh(d1=4,d2=4)", family.All())
	if err != nil {
		t.Fatal(err)
	}
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := routing.New(n, d.Family.Natural(d.V))
	if err != nil {
		t.Fatal(err)
	}
	c := cutthrough.Config{SwitchNs: 400, RelayNs: 1000}
	for range n.LinkClasses {
		c.ClassGbps, c.ClassCableNs = append(c.ClassGbps, 100), append(c.ClassCableNs, 10)
	}
	news := func(to topology.SwitchID, how News) int64 {
		first, end := n.Out(0)
		for ch := first; ch < end; ch++ {
			if n.To(ch) == to {
				x := &Outages{Outages: route.Outages{List: []route.Outage{{Failures: topology.Failures{Links: []topology.ChannelID{ch}}}}}}
				return x.NewsNs(r, &c, how)
			}
		}
		t.Fatalf("no link from 0 to %d", to)
		return 0
	}
	if got := news(1, DirectNews); got != 10_000 {
		t.Errorf("first dimension: %d ns, want 10000", got)
	}
	if got, want := news(4, DirectNews), int64(20_092); got != want { // 20,000 + 61.44 + 30.48 = 20,091.92
		t.Errorf("second dimension: %d ns, want %d", got, want)
	}
	if got := news(4, HopByHopNews); got < 20_051 || got > 20_000+5*21+31 {
		t.Errorf("second dimension, hop by hop: %d ns", got)
	}
}
