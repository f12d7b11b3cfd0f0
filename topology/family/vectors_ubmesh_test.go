package family

import (
	"errors"
	"slices"
	"testing"

	"toposearch/topology"
)

// TestUBMeshLanes holds the published budget: a rack of 64 NPUs and 48 LRSs; 4 x 4 racks are a pod of
// 1,024 NPUs with 48 pairs of 128 lanes; 8 pods are 8,192 NPUs below 64 HRSs of 512 lanes; every
// LRS has 72 lanes. Per NPU 72 lanes leave it, half of 16 go to other racks' pairs (6 counted once
// per pair), 4 to an HRS: the 72:6:4 of the paper's table of cables.
func TestUBMeshLanes(t *testing.T) {
	d := design(t, "ubmesh(z=4,w=4,pods=8)")
	var s topology.Size
	if err := d.Family.Size(d.V, &s); err != nil {
		t.Fatal(err)
	}
	if s.Endpoints != 8192 || s.Switch[ubLRS].Count+s.Switch[ubHub].Count != 128*48 || s.Switch[ubHRS].Count != 64 || s.EndpointLanes != 72 {
		t.Errorf("%s: %d NPUs, %d and %d low-radix, %d high-radix switches", d, s.Endpoints, s.Switch[ubLRS].Count, s.Switch[ubHub].Count, s.Switch[ubHRS].Count)
	}
	lanes := func(class int) int64 {
		var n int64
		for c := range d.Family.LinkClasses {
			n += int64(s.Switch[class].Ports[c]) * int64(s.Lanes[c])
		}
		return n
	}
	// The NPU's internal link is not one of its lanes.
	if got := lanes(ubNPU) - 1; got != 72 {
		t.Errorf("%s: an NPU uses %d lanes, want 72", d, got)
	}
	if got := lanes(ubLRS); got != 72 {
		t.Errorf("%s: an LRS uses %d lanes, want 72", d, got)
	}
	if got := lanes(ubHRS); got != 512 {
		t.Errorf("%s: an HRS uses %d lanes, want 512", d, got)
	}
	pairs := (s.Link[ubZ] + s.Link[ubW]) * int64(s.Lanes[ubZ])
	if want := int64(8 * 48 * 128); pairs != want {
		t.Errorf("%s: %d lanes between racks, want %d", d, pairs, want)
	}
	if got := s.Link[ubHRSLink] * int64(s.Lanes[ubHRSLink]); got != 128*256 || got != 4*s.Endpoints || pairs != 6*s.Endpoints {
		t.Errorf("%s: %d lanes to HRSs, %d between racks, want 4 and 6 an NPU", d, got, pairs)
	}
}

// TestUBMeshRacks holds the switches of the four kinds of rack, every one of which uses all its
// lanes: 48, 36 and 72 LRSs, or 8 HRSs, beside which the paper has 16 LRSs for CPUs.
func TestUBMeshRacks(t *testing.T) {
	for _, c := range []struct {
		design         string
		switches, npu  int64 // of a rack; lanes of an NPU
		lanes, outward int64 // of a switch
	}{
		{"ubmesh(z=4,w=4,pods=8)", 48, 72, 72, 32},
		{"ubmesh(z=4,w=4,pods=8,rack=1dfma)", 36, 28 + 16, 72, 32},
		{"ubmesh(z=4,w=4,pods=8,rack=1dfmb)", 8, 28 + 32, 512, 256},
		{"ubmesh(z=4,w=4,pods=8,lz=72,lw=72,rack=clos)", 72, 72, 72, 8},
		// With a spare half of the 8 lanes to hubs are left, and 2 lead to it: 64 of its 72.
		{"ubmesh(z=4,w=4,pods=8,spare=1)", 48, 72, 70, 32},
		{"ubmesh(z=4,w=4,pods=8,rack=1dfma,spare=1)", 36, 28 + 16, 70, 32},
	} {
		d := design(t, c.design)
		var s topology.Size
		if err := d.Family.Size(d.V, &s); err != nil {
			t.Fatal(err)
		}
		if got := (s.Switch[ubLRS].Count + s.Switch[ubHub].Count) / 128; got != c.switches || int64(s.EndpointLanes) != c.npu {
			t.Errorf("%s: %d switches a rack, %d lanes an NPU, want %d and %d", d, got, s.EndpointLanes, c.switches, c.npu)
		}
		var lanes, outward int64
		for i := range d.Family.LinkClasses {
			n := int64(s.Switch[ubLRS].Ports[i]) * int64(s.Lanes[i])
			lanes += n
			if i == ubZ || i == ubW || i == ubHRSLink {
				outward += n
			}
		}
		if lanes != c.lanes || outward != c.outward {
			t.Errorf("%s: a switch of a rack uses %d lanes, %d outwards, want %d and %d", d, lanes, outward, c.lanes, c.outward)
		}
	}
}

// TestUBMeshRules: what exceeds the lanes of an NPU, a rack or an HRS is refused with the nearest
// value that does not.
func TestUBMeshRules(t *testing.T) {
	for _, c := range []struct {
		design, param string
		bound         int
	}{
		{"ubmesh(z=1,w=1,ly=6)", "ly", 4},
		{"ubmesh(z=8,w=4)", "w", 2},
		{"ubmesh(z=4,w=4,lz=100)", "lz", 96},
		{"ubmesh(z=4,w=4,pods=64)", "pods", 32},
		{"ubmesh(x=8,y=2,z=1,w=1)", "x", 2},
		{"ubmesh(z=1,w=1,rack=clos,x=12)", "x", 8},
		{"ubmesh(z=2,w=1,rack=clos)", "lz", 72},
		{"ubmesh(z=1,w=1,rack=1dfmb,lx=10)", "lx", 9},
		{"ubmesh(z=1,w=1,rack=clos,spare=1)", "spare", 0},
		{"ubmesh(z=1,w=1,rack=1dfmb,spare=1)", "spare", 0},
	} {
		d := design(t, c.design)
		var s topology.Size
		var bad *topology.Infeasible
		if err := d.Family.Size(d.V, &s); !errors.As(err, &bad) || bad.Param != c.param || bad.Bound != c.bound {
			t.Errorf("%s: %v, want %s nearest %d", d, err, c.param, c.bound)
			continue
		}
		d.V[d.Family.Param(c.param)] = c.bound
		if err := d.Family.Size(d.V, &s); err != nil {
			t.Errorf("%s: the nearest value is refused too: %v", d, err)
		}
	}
}

// TestSpareStandsIn: the spare of a rack takes the place of the first NPU of it that has failed, not of a second, nor of one
// of another rack, and not if it has failed itself.
func TestSpareStandsIn(t *testing.T) {
	d := design(t, "ubmesh(x=2,y=2,z=2,w=1,lz=8,spare=1)")
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	npu := topology.SwitchID(2 * (8 + 16)) // behind the LRSs and hubs of two racks
	spare := npu + 8
	if got := n.SwitchName(spare + 1); got != "spare[1]" || n.Switches() != int(spare)+2 {
		t.Fatalf("switch %d of %d is %s", spare+1, n.Switches(), got)
	}
	for _, c := range []struct {
		failed []topology.SwitchID
		moved  []topology.Moved
	}{
		{[]topology.SwitchID{npu + 1}, []topology.Moved{{Endpoint: 1, From: npu + 1, To: spare}}},
		{[]topology.SwitchID{npu + 3, npu + 1, npu + 6}, []topology.Moved{{Endpoint: 1, From: npu + 1, To: spare}, {Endpoint: 6, From: npu + 6, To: spare + 1}}},
		{[]topology.SwitchID{npu, spare}, nil},
		{[]topology.SwitchID{0}, nil},
	} {
		left, moved, err := n.WithSpares(&topology.Failures{Switches: c.failed})
		if err != nil || !slices.Equal(moved, c.moved) {
			t.Errorf("without %v: %v, %v, want %v", c.failed, moved, err, c.moved)
			continue
		}
		for e := range topology.EndpointID(8) {
			want := []topology.SwitchID{npu + topology.SwitchID(e)}
			if slices.Contains(c.failed, want[0]) {
				want = nil
			}
			for _, m := range moved {
				if m.Endpoint == e {
					want = []topology.SwitchID{m.To}
				}
			}
			if _, _, ports := left.Group(left.GroupOf(e)); !slices.Equal(ports, want) {
				t.Errorf("without %v: endpoint %d hangs on %v, want %v", c.failed, e, ports, want)
			}
		}
	}
}
