package evaluator

import (
	"math"
	"testing"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/cluster"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology/family"
	"toposearch/topology/topotest"
)

// TestBuildingPowerByHand: 9 groups of one server of 8 endpoints each; four of them fill a rack, so that
// there are three sections, of which two stand in the first of two buildings: 64 endpoints there
// and 8 in the other, not 36 in each.
func TestBuildingPowerByHand(t *testing.T) {
	racing.Figures(t)
	d := parse(t, "dragonfly(p=2,a=4,h=2)")
	for buildings, want := range map[int]float64{1: 72e3, 2: 64e3, 3: 32e3, 100: 32e3} {
		e := newEvaluator(t, Options{BandwidthGbps: 400, Site: floor.Site{Buildings: buildings, EndpointAllInW: 1000}})
		if got := value(t, evaluate(t, e, d, Request{Level: 1}), metric.BuildingPower); got != want {
			t.Errorf("%d buildings: building_power = %g W, want %g", buildings, got, want)
		}
	}
	// Not all in: the switches that stand there, and modules by the share of endpoints.
	site := floor.Site{Buildings: 2, EndpointPowerW: 1000, PUE: 1.5}
	e := newEvaluator(t, Options{BandwidthGbps: 400, Site: site})
	r := evaluate(t, e, d, Request{Level: 1})
	switchW := r.Plan.Switches[0].Part.PowerW
	rest := value(t, r, metric.Power) - 36*switchW
	want := (64e3 + 32*switchW + rest*64/72) * 1.5
	if got := value(t, r, metric.BuildingPower); math.Abs(got-want) > 1e-6 {
		t.Errorf("2 buildings: building_power = %.9g W, want %.9g", got, want)
	}
}

// TestBuildingSpares: spare endpoints draw what others do, as they do in tco, in every building, and bounds of boxes know it.
func TestBuildingSpares(t *testing.T) {
	racing.Figures(t)
	d := parse(t, "dragonfly(p=2,a=4,h=2)") // 72 endpoints: 9 groups of 8 and of 10, the last of two
	for _, c := range []struct {
		group, spares, buildings int
		want                     float64
	}{{8, 1, 1, 81e3}, {10, 2, 1, 88e3}, {8, 1, 2, 72e3}, {0, 0, 1, 72e3}} {
		o := Options{BandwidthGbps: 400, Site: floor.Site{Buildings: c.buildings, EndpointAllInW: 1000}, Cluster: cluster.Options{Group: c.group, Spares: c.spares}}
		e := newEvaluator(t, o)
		if got := value(t, evaluate(t, e, d, Request{Level: 1}), metric.BuildingPower); got != c.want {
			t.Errorf("%+v: building_power = %g W", c, got)
		}
		o.Site.EndpointAllInW, o.Site.EndpointPowerW, o.Site.PUE = 0, 500, 1.5
		e = newEvaluator(t, o)
		r := evaluate(t, e, d, Request{Level: 1})
		got := value(t, r, metric.BuildingPower)
		if want := (value(t, r, metric.Power) + 0.5*c.want) * 1.5; c.buildings == 1 && math.Abs(got-want) > 1e-6 {
			t.Errorf("%+v: building_power = %.9g W, want %.9g", c, got, want)
		}
		var l bound.Ladder
		var at metric.Intervals
		e.Enclose(bound.One(d.V, &r.Size), &l, &at)
		if x := at.At[metric.BuildingPower]; got < x.Lo || got > x.Hi || c.buildings == 1 && x.Lo < 0.99*(0.5*c.want*1.5) {
			t.Errorf("%+v: %.9g W, enclosed by %.9g to %.9g", c, got, x.Lo, x.Hi)
		}
	}
}

// TestBuildingLoads: what stands in each building, rack by rack, and nothing twice.
func TestBuildingLoads(t *testing.T) {
	racing.Figures(t)
	for _, f := range family.All() {
		if f.Place == nil || f.Unidirectional {
			continue
		}
		rng := rngOf("buildings " + f.Name)
		e := newEvaluator(t, Options{BandwidthGbps: 400, Site: floor.Site{Buildings: 3, EndpointPowerW: 700}})
		for _, d := range topotest.Sample(f, rng, few(2), 300) {
			r := evaluate(t, e, d, Request{Level: 1})
			if r.Plan == nil || !r.Have[metric.BuildingPower] {
				continue
			}
			endpoints, watts := make([]float64, 3), make([]float64, 3)
			err := e.EachRack(d, func(rack floor.Rack) bool {
				for _, b := range rack.Boxes {
					if b.Switch >= 0 && b.Part != nil && !b.Shared {
						watts[rack.Building] += b.Part.PowerW
					} else if b.Switch < 0 {
						endpoints[rack.Building] += float64(b.End - b.First)
					}
				}
				return true
			})
			if err != nil {
				t.Fatal(err)
			}
			switches := watts[0] + watts[1] + watts[2]
			n := float64(r.Size.Endpoints)
			most := 0.0
			for b := range endpoints {
				most = max(most, watts[b]+(value(t, r, metric.Power)-switches)*endpoints[b]/n+700*endpoints[b]*(1+float64(r.Size.Spares())/n))
			}
			if got := r.Metrics[metric.BuildingPower].Value; math.Abs(got-most) > 1e-6*most {
				t.Errorf("%s: building_power = %.9g W, rack by rack %.9g", d, got, most)
			}
		}
	}
}
