package evaluator

import (
	"bytes"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/bound"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/netfile"
	"toposearch/topology/topotest"
)

// only64 is a site on which all switches have 64 ports.
func only64() floor.Site {
	return floor.Site{Limits: market.Limits{SwitchModels: []string{"SW-64x400"}, NoBreakout: true}}
}

// TestSharedBoxes: at 1,024 accelerators Hx2 has 64 lines of 32 ports, two in a switch of 64 (HammingMesh, SC 2022,
// table of costs); HyperX 32 x 32 has 64 of 64 ports, each a switch. Lines of 12 ports stand five in a switch.
func TestSharedBoxes(t *testing.T) {
	e := newEvaluator(t, Options{BandwidthGbps: 1600, Site: only64()})
	for design, want := range map[string]int64{"hammingmesh(a=2,b=2,x=16,y=16,k=64)": 32, "hammingmesh(a=1,b=1,x=32,y=32,k=64)": 64,
		"hammingmesh(a=3,b=5,x=6,y=6,k=64)": 6 + 4} {
		r := evaluate(t, e, parse(t, design), Request{Level: 1})
		switches := 0.0
		for _, l := range r.Plan.BOM {
			if l.Part.Kind == catalog.KindSwitch {
				if switches += float64(l.Quantity); l.Quantity != want {
					t.Errorf("%s: %d boxes are bought, want %d", design, l.Quantity, want)
				}
			}
		}
		if said := strings.Contains(strings.Join(r.Notes, "\n"), "share boxes"); said != (float64(r.Size.Switches()) > switches) {
			t.Errorf("%s: %d switches in %g boxes, notes %q", design, r.Size.Switches(), switches, r.Notes)
		}
	}
}

// TestSharedBoxesEverywhere: schedule, racks, sockets, bill, a network file and the bounds know that boxes are shared.
func TestSharedBoxesEverywhere(t *testing.T) {
	racing.Figures(t)
	f, _ := family.ByName("hammingmesh")
	shared := 0
	for i, site := range []floor.Site{only64(), {Limits: only64().Limits, RackSwitches: 2, EndpointPowerW: 500}, {Limits: only64().Limits, Buildings: 2}} {
		e := newEvaluator(t, Options{BandwidthGbps: 1600, Site: site})
		for _, d := range topotest.Sample(f, stream.New(uint64(i), "shared boxes"), few(40), 1500) {
			r := evaluate(t, e, d, Request{Level: 1})
			if r.Plan == nil {
				continue
			}
			if strings.Contains(strings.Join(r.Notes, "\n"), "share boxes") {
				shared++
			}
			checkShared(t, e, d, r)
			var l bound.Ladder
			var one, box metric.Intervals
			e.Enclose(bound.One(d.V, &r.Size), &l, &one)
			for l.Next() != nil {
				l.Climb(&one)
			}
			hi := append([]int(nil), d.V...)
			hi[2], hi[3], hi[4] = hi[2]+2, hi[3]+1, hi[4]+2
			var bl, bh topology.Size
			f.SizeBounds(d.V, hi, &bl, &bh)
			e.Enclose(bound.Between(&bl, &bh, nil), &l, &box)
			for k := range metric.Key(metric.Count) {
				m := r.Metrics[k]
				for _, iv := range []*metric.Intervals{&one, &box} {
					if r.Have[k] && iv.Have[k] && (m.Value < iv.At[k].Lo || m.Value > iv.At[k].Hi) {
						t.Errorf("%s: %s = %g is outside [%g, %g]", d, metric.Keys[k].Name, m.Value, iv.At[k].Lo, iv.At[k].Hi)
					}
				}
			}
		}
	}
	if shared < few(30) {
		t.Errorf("boxes are shared in %d designs: too few to tell", shared)
	}
}

func checkShared(t *testing.T, e *Evaluator, d topology.Design, r *Result) {
	t.Helper()
	var cables []floor.Cable
	if err := e.EachCable(d, func(c floor.Cable) bool { cables = append(cables, c); return true }); err != nil {
		t.Fatal(err)
	}
	checkSchedule(t, r, cables)
	checkSockets(t, r, cables)
	checkRacks(t, e, r, cables)
	type plug struct {
		rack, pos int
		at        floor.Socket
	}
	used, boxes, bought := map[plug]bool{}, int64(0), int64(0)
	for _, c := range cables {
		if p := (plug{c.ToRack, c.ToPos, c.To}); c.ToSwitch >= 0 && used[p] {
			t.Errorf("%s: cable %d ends in a socket that has a cable: %+v", d, c.ID, p)
		} else {
			used[p] = true
		}
	}
	if err := e.EachRack(d, func(k floor.Rack) bool {
		for _, b := range k.Boxes {
			if b.Switch >= 0 && !b.Shared {
				boxes++
			}
		}
		return true
	}); err != nil {
		t.Fatal(err)
	}
	for _, l := range r.Plan.BOM {
		if l.Part.Kind == catalog.KindSwitch {
			bought += l.Quantity
		}
	}
	if boxes != bought {
		t.Errorf("%s: %d boxes stand in racks, %d are bought", d, boxes, bought)
	}
	n, err := d.Build()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := netfile.Write(&b, n, netfile.OptionsOf(d)); err != nil {
		t.Fatal(err)
	}
	read, _ := netfile.Parse("n.json", b.Bytes())
	if got := evaluate(t, e, topology.Design{Family: read.Family}, Request{Level: 1}); got.Metrics[metric.Cost].Value != r.Metrics[metric.Cost].Value {
		t.Errorf("%s: %v, read from a file %v", d, r.Metrics[metric.Cost], got.Metrics[metric.Cost])
	}
}
