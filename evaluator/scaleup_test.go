package evaluator

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/topology"
	"toposearch/topology/family"
)

// scaleupEval evaluates a design by name with scale-up parts counted.
func scaleupEval(t *testing.T, name string, site floor.Site, parts ...catalog.Part) *Result {
	t.Helper()
	list := *catalog.Builtin()
	for _, p := range parts {
		p.Priced, p.Approved, p.Currency = true, true, "USD"
		list.Parts = append(list.Parts[:len(list.Parts):len(list.Parts)], p)
	}
	e, err := New(Options{Catalog: &list, BandwidthGbps: 400, CountScaleup: true, Site: site})
	if err != nil {
		t.Fatal(err)
	}
	d, err := topology.ParseDesign(name, family.All())
	if err != nil {
		t.Fatal(err)
	}
	if d.String() != name {
		t.Errorf("%s reads as %s", name, d)
	}
	r, err := e.Evaluate(context.Background(), d, Request{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var (
	su64   = catalog.Part{PartNo: "SU64", Kind: catalog.KindScaleupSwitch, RateGbps: 200, Ports: 64, PowerW: 120, UnitPrice: 3000_00}
	su144  = catalog.Part{PartNo: "SU144", Kind: catalog.KindScaleupSwitch, RateGbps: 400, Ports: 144, PowerW: 420, UnitPrice: 12500_00}
	inRack = catalog.Part{PartNo: "C2", Kind: catalog.KindScaleupCable, RateGbps: 400, LengthM: 2, UnitPrice: 30_00, PowerW: 0.5}
	beside = catalog.Part{PartNo: "C3", Kind: catalog.KindScaleupCable, RateGbps: 400, LengthM: 3, UnitPrice: 50_00}
)

// What scale-up adds to cost and power of 128 endpoints with 3.6 Tb/s each, by hand; a cable draws 0.5 W at each end.
func TestScaleupParts(t *testing.T) {
	racing.Figures(t)
	const base = "fattree(k=16,l=2"
	plain := scaleupEval(t, base+")", floor.Site{})
	for _, x := range []struct {
		scaleup     string
		site        floor.Site
		cost, watts float64
	}{
		{"none", floor.Site{}, 0, 0},
		// 4 links of 900 Gb/s, each 5 ports of 200 Gb/s: a switch has 40 of 64 in use. 16 domains of 4 switches and 8 x 4 x 5 cables.
		{"8x4", floor.Site{}, 16 * (4*3000 + 160*30), 16 * (4*120 + 160*2*.5)},
		// 32 x 5 ports are too many for either switch of 200 Gb/s; 32 x 3 of 400 are 96 of 144. 4 domains of 4, 384 cables each.
		{"32x4", floor.Site{}, 4 * (4*12500 + 384*30), 4 * (4*420 + 384*2*.5)},
		// A rack holds 4 servers of 8: a domain of 64 is in two, side by side, 1.1 x (0.6 + 2) = 2.86 m. 64 x 1 port at 200 Gb/s on each of 18.
		{"64x18", floor.Site{}, 2 * (18*3000 + 64*18*50), 2 * 18 * 120},
		// In racks of 8 servers it is in one.
		{"64x18", floor.Site{RackServers: 8}, 2 * (18*3000 + 64*18*30), 2 * (18*120 + 64*18*2*.5)},
		// 28 links of 3600 Gb/s, 9 cables of 400 each.
		{"8mesh", floor.Site{}, 16 * 28 * 9 * 30, 16 * 28 * 9 * 2 * .5},
		// Boxes of 8 endpoints on 4 leaves each, 8 leaves in all, and 8 spines; a leaf has 900 Gb/s to each spine. At 200 Gb/s a leaf
		// takes 8 x 5 + 8 x 5 of 64 ports, too many; at 400 Gb/s 8 x 3 + 8 x 3, a spine 8 x 3. 8 domains of 16 switches.
		{"16x4x8x8", floor.Site{}, 8 * (16*12500 + (16*4*3+8*8*3)*30), 8 * (16*420 + (16*4*3+8*8*3)*2*.5)},
	} {
		r := scaleupEval(t, base+",scaleup="+x.scaleup+")", x.site, su64, su144, inRack, beside)
		other := plain
		if x.site.RackServers > 0 {
			other = scaleupEval(t, base+")", x.site)
		}
		for k, want := range map[metric.Key]float64{metric.Cost: x.cost, metric.Power: x.watts} {
			if got := r.Metrics[k].Value - other.Metrics[k].Value; !r.Have[k] || math.Abs(got-want) > 1e-6*max(want, 1) {
				t.Errorf("%s: %s is %g more than without, want %g (%s)", x.scaleup, metric.Keys[k].Name, got, want, r.Absent[k])
			}
		}
	}
}

// Failures that are said to stop a job add up to those in all: those of scale-up parts, too.
func TestScaleupFailsInWords(t *testing.T) {
	r := scaleupEval(t, "fattree(k=16,l=2,scaleup=8x4)", floor.Site{}, su64, inRack)
	text := r.Metrics[metric.MTBF].Method
	text = text[strings.Index(text, "all endpoints: ")+len("all endpoints: "):]
	parts, rest, _ := strings.Cut(text, ";")
	sum, all := 0.0, 0.0
	for _, part := range strings.Split(parts, ", ") {
		if x, err := strconv.ParseFloat(part[strings.LastIndex(part, " ")+1:], 64); err == nil {
			sum += x
		}
	}
	if _, err := fmt.Sscanf(rest[strings.LastIndex(rest, ";")+1:], "%g in all", &all); err != nil || math.Abs(sum-all) > 0.001*all {
		t.Errorf("%g failures in all, %g by parts: %s", all, sum, text)
	}
}

// What the price list does not have is named, and is no cost of 0; what a rack feeds includes scale-up switches.
func TestScaleupLacks(t *testing.T) {
	racing.Figures(t)
	for _, x := range []struct {
		scaleup, want string
		parts         []catalog.Part
	}{
		{"8x4", "kind scaleup_switch", []catalog.Part{inRack}},
		{"8x4", "kind scaleup_cable", []catalog.Part{su64}},
		{"64x4", "the price list has 144 ports of 400 Gb/s at most", []catalog.Part{su64, su144, inRack}},
		{"64x18", "scale-up cables of 2.86 m", []catalog.Part{su64, inRack}},
	} {
		r := scaleupEval(t, "fattree(k=16,l=2,scaleup="+x.scaleup+")", floor.Site{}, x.parts...)
		for _, k := range []metric.Key{metric.Cost, metric.Power} {
			if why := r.Absent[k]; r.Have[k] || !strings.Contains(why, x.want) {
				t.Errorf("%s: %s is absent because %q, want %q", x.scaleup, metric.Keys[k].Name, why, x.want)
			}
		}
	}
	// A rack feeds 4 servers of 8 x 1 kW with their leaves and 1 kW more, but not with 4 scale-up switches of 120 W to a server,
	// 1.92 kW, too: 16 servers, 3 in a rack.
	leaf := scaleupEval(t, "fattree(k=16,l=2)", floor.Site{}).Plan.Switches[0].Part.PowerW
	site := floor.Site{RackPowerW: 33_000 + 4*leaf, EndpointPowerW: 1000}
	for scaleup, want := range map[string]float64{"none": 4, "8x4": 6} {
		r := scaleupEval(t, "fattree(k=16,l=2,scaleup="+scaleup+")", site, su64, inRack)
		ends := 0.0
		for _, kind := range r.Plan.Floor.Kind {
			if kind == floor.RackEndpoints || kind == floor.RackBoth {
				ends++
			}
		}
		if ends != want {
			t.Errorf("%s: endpoints stand in %g racks, want %g (%+v)", scaleup, ends, want, r.Plan.Floor)
		}
	}
}
