package reproduce

import (
	"context"
	"math"
	"testing"

	"toposearch/topology"
)

// By hand: 72 lanes in the rack, 6 between racks, 4 and 1 over optics are 83; 64 HRSs for 8192*64/256 + 8192*64/512 = 3072;
// 4 lanes over optics for 64. A 2-D full mesh of 8 x 8 carries 8/63 of what an NPU sends on a link of 4 lanes:
// 31.5 lanes.
func TestUBMeshCounts(t *testing.T) {
	_, s, err := sized(superPod)
	if err != nil {
		t.Fatal(err)
	}
	cell := func(r Row, column string) float64 {
		for _, c := range r.Cells {
			if c.Column == column {
				return c.Computed.(float64)
			}
		}
		t.Fatalf("%s: no %s", r.Name, column)
		return 0
	}
	for i, want := range []float64{72. / 83, 6. / 83, 4. / 83, 1. / 83} {
		if got := ubCables(s).Cells[i]; math.Abs(got.Computed.(float64)-100*want) > 1e-9 || !got.Agrees {
			t.Errorf("cables: %+v, want %g", got, 100*want)
		}
	}
	saved := ubSavings(s)
	if got := cell(saved, "hrs_percent"); math.Abs(got-100*(1-64./3072)) > 1e-9 {
		t.Errorf("HRSs saved: %g %%", got)
	}
	if got := cell(saved, "modules_percent"); got != 93.8 {
		t.Errorf("modules saved: %g %%, want 93.75, rounded", got)
	}
	rows, err := ubFigures(context.Background(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for column, want := range map[string]float64{"uniform_lanes_2dfm": 31.5, "uniform_lanes_clos": 72} {
		if got := cell(rows[0], column); got != want {
			t.Errorf("%s: %g, want %g", column, got, want)
		}
	}
}

// The ports that an instruction of a source route has to name.
func TestMostPorts(t *testing.T) {
	_, n, _, err := ubRouter("ubmesh(z=2,w=2)")
	if err != nil {
		t.Fatal(err)
	}
	// An LRS: 8 NPUs, 4 hubs, 2 racks; an NPU: 7 + 7 + 4.
	if got := mostPorts(n); got != 18 {
		t.Errorf("%d ports, want 18", got)
	}
	var s topology.SwitchID
	if got := len(n.Neighbors(s)); got != 8+4+2 {
		t.Errorf("LRS: %d links, want 14", got)
	}
}
