package routing

import (
	"math"
	"slices"
	"testing"

	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

func naturalRouter(t *testing.T, text string) *Router {
	t.Helper()
	d, n := familytest.Build(t, text)
	r, err := New(n, d.Family.Natural(d.V))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// By hand, 4 x 3 NPUs under dimension order. The channel 0 to 1 in the first dimension is used by NPU 0 alone, one in the second
// dimension from 0 to 4 by all four of row 0. Without the link 0-4 the others of row 0 are 1 hop from
// NPU 0. Flooding: 1 hop, 2 readings; copies to 4 neighbours (5 less the dead link), three of them of row 0.
func TestNotifyByHand(t *testing.T) {
	r := naturalRouter(t, "fullmesh(d1=4,d2=3)")
	channel := func(a, b topology.SwitchID) topology.ChannelID {
		first, end := r.Net.Out(a)
		for c := first; c < end; c++ {
			if r.Net.To(c) == b {
				return c
			}
		}
		t.Fatalf("no channel from %d to %d", a, b)
		return 0
	}
	if s, hops := r.Affected(channel(0, 1)); !slices.Equal(s, []topology.SwitchID{0}) || hops[0] != 0 {
		t.Errorf("0 to 1: used by %v at %v", s, hops)
	}
	c := channel(0, 4)
	if s, hops := r.Affected(c); !slices.Equal(s, []topology.SwitchID{0, 1, 2, 3}) || !slices.Equal(hops, []int{0, 1, 1, 1}) {
		t.Errorf("0 to 4: used by %v at %v", s, hops)
	}
	times := NotifyTimes{LinkNs: 10, ForwardNs: 100, ProcessNs: 1000, SendNs: 1}
	flood, direct := r.NotifyHopByHop(c, times), r.NotifyDirect(c, times)
	// The third copy leaves after 3 ns where the formula has the first.
	if flood.Sources != 4 || flood.FormulaNs != 2011 || flood.MeasuredNs != 2013 {
		t.Errorf("hop by hop: %+v", flood)
	}
	// 12 NPUs send 5 copies each, but the two ends of the dead link 4.
	if flood.Messages != 12*5-2 {
		t.Errorf("hop by hop: %d messages", flood.Messages)
	}
	if direct.Messages != 3 || direct.FormulaNs != 2013 || direct.MeasuredNs != 2013 {
		t.Errorf("direct: %+v", direct)
	}
}

// What is measured is never less than the formula, and direct news comes sooner where sources are several hops away.
func TestNotifyBounds(t *testing.T) {
	times := NotifyTimes{LinkNs: 50, ForwardNs: 300, ProcessNs: 10000, SendNs: 20}
	for _, text := range []string{"fullmesh(d1=4,d2=4,d3=3)", "ubmesh(x=2,y=4,z=2,w=2,pods=2,lx=12,ly=12,lz=16,lw=16)"} {
		r := naturalRouter(t, text)
		seen := map[int]bool{}
		for c := range topology.ChannelID(r.Net.Channels()) {
			k := r.KindOf(c)
			if seen[k] {
				continue
			}
			seen[k] = true
			flood, direct := r.NotifyHopByHop(c, times), r.NotifyDirect(c, times)
			if flood.Sources != direct.Sources || flood.MeasuredNs < flood.FormulaNs-1e-6 || direct.MeasuredNs < direct.FormulaNs-1e-6 {
				t.Errorf("%s, %s: hop by hop %+v, direct %+v", text, KindName(r.Net, r.Kinds[k]), flood, direct)
			}
			if flood.FormulaNs > 3*times.ProcessNs && direct.MeasuredNs >= flood.MeasuredNs || math.IsNaN(flood.MeasuredNs) {
				t.Errorf("%s, %s: direct news takes %g ns, hop by hop %g", text, KindName(r.Net, r.Kinds[k]), direct.MeasuredNs, flood.MeasuredNs)
			}
		}
	}
}

// Tables by hand. 4 x 3 NPUs in dimension order: where the first digit differs it decides, else the second.
// A rack's NPU with other racks: the same for NPUs of the rack; to other racks the board first, then any of the four
// uplinks. An LRS with both dimensions of racks: z, then w, then the NPU of the board. (A segment of two values needs
// no table: own or other.)
func TestSegmentTable(t *testing.T) {
	r := naturalRouter(t, "fullmesh(d1=4,d2=3)")
	if got := SegmentTable(r, 0, 0, []int{4, 3}, []int{0, 0}); got.Segments != 7 || got.Flat != 12 || !slices.Equal(got.Indices, []uint32{1, 2}) {
		t.Errorf("4 x 3: %+v", got)
	}
	r = naturalRouter(t, "ubmesh(x=3,y=4,z=3,w=3,lx=12,ly=12,lz=16,lw=16)")
	npu := topology.SwitchID(r.Net.Switches() - 108)
	if got := SegmentTable(r, npu, 0, []int{3, 4, 3, 3}, []int{0, 0, 0, 0}); got.Segments != 7 || got.Flat != 108 || !slices.Equal(got.Indices, []uint32{1, 2}) {
		t.Errorf("NPU: %+v", got)
	}
	if got := SegmentTable(r, 0, 3, []int{3, 4, 3, 3}, []int{0, 0, 0, 0}); got.Segments != 3+3+3 || !slices.Equal(got.Indices, []uint32{1, 4, 8}) {
		t.Errorf("LRS: %+v", got)
	}
}

// The header takes 12 hops, 6 of them source-routed, over 256 ports: 64 - 4 - 12 bits for 6 instructions are 8 each.
func TestHeaderFits(t *testing.T) {
	for _, c := range []struct {
		hops, source, ports int
		want                bool
	}{{6, 6, 72, true}, {7, 7, 72, false}, {12, 6, 256, true}, {13, 1, 72, false}, {5, 1, 257, false}, {5, 0, 512, true}} {
		if got := HeaderFits(c.hops, c.source, c.ports); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
