package bound

import (
	"testing"

	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// Bounds from the floor plan hold for designs that fill a hall, and are close where every switch is
// known to be linked evenly: racks in part of a row, folded rows, planes and rails among them. Where mean lengths
// are known as laid only, latency gives away what is bought beyond them: 21 m are bought as 30.
func TestPlanIsCloseAtScale(t *testing.T) {
	for _, c := range []struct {
		design          string
		cost, latencyLo float64 // the least part of the exact figure that a bound should reach
	}{
		{"multirail(k=210,l=2,r=1,pods=86,d=194)", 0.97, 0.99},
		{"multirail(k=490,l=2,r=2,f=2,pods=76,d=465)", 0.97, 0.99},
		{"multirail(k=392,l=2,r=2,f=2,pods=94,d=382)", 0.97, 0.99},
		{"multirail(k=254,l=2,r=3,planes=3,pods=110,d=149)", 0.9, 0.9},
		{"multirail(k=358,l=2,r=15,planes=5,pods=256,d=192)", 0.9, 0.85},
		{"multirail(k=64,l=3,r=1,pods=17)", 0.8, 0.7},
		{"dragonflyplus(l=138,m=1,p=60,h=104,g=2)", 0.999999, 0.999999},
		{"dragonflyplus(l=46,m=7,p=121,h=74,g=3)", 0.999999, 0.999999},
		{"dragonflyplus(l=51,m=2,p=14,h=72,g=23)", 0.999999, 0.999999},
		{"dragonflyplus(l=104,m=1,p=31,h=104,g=21)", 0.999999, 0.999999},
		{"dragonflyplus(l=8,m=40,p=64,h=30,g=33)", 0.85, 0.91},
		{"dragonflyplus(l=16,m=96,p=27,h=16,g=38)", 0.67, 0.89},
		{"dragonflyplus(l=61,m=41,p=16,h=65,g=18)", 0.83, 0.9},
		{"dragonflyplus(l=8,m=40,p=5,h=100,g=420)", 0.66, 0.88},
		{"zettafly3(a=4,p=128,h=3,s=2,c=16)", 0.9, 0.8},
		{"zettafly4(a=64,p=32,h=32,s=9,c=2)", 0.9, 0.8},
		{"fullmesh(d1=16,d2=8,d3=8,d4=4,d5=4,b2=2,b3=2,b4=3,b5=3)", 0.3, 0.8},
	} {
		d := familytest.Parse(t, c.design)
		for _, servers := range []int{4, 2} {
			m := newModel(t, floor.Site{RackServers: servers}, market.Options{BandwidthGbps: 400})
			var s topology.Size
			var l Ladder
			var iv metric.Intervals
			if err := d.Family.Size(d.V, &s); err != nil {
				t.Fatal(err)
			}
			if m.Enclose(One(d.V, &s), &l, &iv); iv.Reject.Constraint == "" {
				l.Climb(&iv)
			}
			if iv.Reject.Constraint != "" {
				t.Fatalf("%s: %+v", c.design, iv.Reject)
			}
			cost, latency := iv.At[metric.Cost].Lo, iv.At[metric.Latency].Lo
			if l.Climb(&iv); iv.Reject.Constraint != "" {
				t.Fatalf("%s: %+v", c.design, iv.Reject)
			}
			check := func(what string, got, exact, least float64) {
				if !(got <= exact*(1+1e-12) && got >= least*exact) {
					t.Errorf("%s, %d servers a rack: %s is bounded by %g, exactly %g: %.4f of it, want %g to 1",
						c.design, servers, what, got, exact, got/exact, least)
				}
			}
			check("cost", cost, iv.At[metric.Cost].Hi, c.cost)
			check("latency", latency, iv.At[metric.Latency].Hi, c.latencyLo)
		}
	}
}

// BenchmarkFloorPlan: some 10 us for designs of 16k endpoints.
func BenchmarkFloorPlan(b *testing.B) {
	m := newModel(b, floor.Site{}, market.Options{BandwidthGbps: 400})
	for _, name := range []string{"multirail(k=210,l=2,r=1,pods=86,d=194)", "multirail(k=64,l=3,r=1,pods=17)", "zettafly3(a=1,p=55,h=8,s=3,c=100)",
		"zettafly3(a=4,p=32,h=8,s=3,c=43)", "multirail(k=434,l=3,r=2,planes=2,pods=20,d=260)", "dragonflyplus(l=51,m=2,p=14,h=72,g=23)", "dragonflyplus(l=8,m=40,p=64,h=30,g=33)"} {
		b.Run(name, func(b *testing.B) {
			d := parse(b, name)
			var s topology.Size
			if err := d.Family.Size(d.V, &s); err != nil {
				b.Fatal(err)
			}
			l := &Ladder{}
			var iv, placed metric.Intervals
			m.Enclose(One(d.V, &s), l, &iv)
			for b.Loop() {
				placed = iv
				l.left = len(l.steps)
				l.Climb(&placed)
			}
		})
	}
}

// BenchmarkShape: what a shape takes that is laid the first time.
func BenchmarkShape(b *testing.B) {
	m := newModel(b, floor.Site{}, market.Options{BandwidthGbps: 400})
	for _, name := range []string{"hyperx(s1=16,s2=8,s3=8,t=64)", "hyperx(s1=32,s2=32,t=64)", "hyperx(s1=16,s2=16,s3=16,t=16)"} {
		b.Run(name, func(b *testing.B) {
			d := parse(b, name)
			var values topology.Values
			for i, x := range d.V {
				values[i] = int32(x)
			}
			for b.Loop() {
				if m.shapes.lay(d.Family, &values) == nil {
					b.Fatal("not laid")
				}
			}
		})
	}
}
