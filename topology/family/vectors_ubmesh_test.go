package family

import (
	"errors"
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
