package bound

import (
	"slices"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/topology/family/familytest"
	"toposearch/topology/topotest"
)

// tuples are designs of every family as a search meets them: as published, and odd: fewer groups or
// pods than can be, tapers, parallel links, values that divide nothing.
var tuples = []string{
	"zcube(n=64,k=2)", "zcube(n=7,k=4)",
	"zcube_partial(n=16)",
	"zcube_rect(n=48,m=16)", "zcube_rect(n=60,m=12)",
	"zettafly3(a=16,p=16,h=16)", "zettafly3(a=12,p=5,h=8,s=3,c=6)",
	"zettafly4(a=64,p=32,h=32)", "zettafly4(a=12,p=5,h=8,s=3)",
	"dragonfly(p=16,a=32,h=16)", "dragonfly(p=4,a=8,h=4,g=32)", "dragonfly(p=16,a=32,h=16,g=65)", "dragonfly(p=16,a=32,h=16,g=300)",
	"dragonfly(p=5,a=9,h=7,g=41,arrangement=circulant)", "dragonfly(p=5,a=9,h=7,g=41,arrangement=absolute)", "dragonfly(p=5,a=9,h=7,g=41,arrangement=relative)",
	"dragonfly(p=5,a=10,h=7,arrangement=circulant)", "dragonfly(p=5,a=9,h=7,arrangement=absolute)", "dragonfly(p=3,a=1,h=20,g=5)",
	"dragonflyplus(l=16,m=16,p=16,h=8)", "dragonflyplus(l=16,m=16,p=16,h=16,g=64)", "dragonflyplus(l=9,m=7,p=5,h=6,g=23)", "dragonflyplus(l=16,m=4,p=16,h=12,g=7)",
	"fullmesh(d1=16,d2=16,d3=4)", "fullmesh(d1=8,d2=8,d3=4,d4=3,d5=2,b1=1,b2=2,b3=3,b4=1,b5=2)", "fullmesh(d1=128,d2=128)",
	"hyperx(s1=8,s2=8,s3=8,t=8)", "hyperx(s1=7,s2=6,s3=5,s4=3,k1=2,k2=3,t=9)",
	"flattenedbutterfly(k=8,n=5)",
	"torus(k1=16,k2=16,k3=16)", "torus(k1=9,k2=7,k3=5,k4=4,k5=3,k6=2,t=3)",
	"mesh(k1=16,k2=16,k3=16)", "mesh(k1=9,k2=7,k3=5,k4=4,k5=3,k6=2,t=3)",
	"hypercube(n=12,t=4)", "ring(n=100,t=3)", "complete(n=64,t=32)", "crossbar(n=64)",
	"mlfm(h=16)", "oft(k=17)", "slimfly(q=19,p=15)", "slimfly(q=64,p=48)", "polarfly(q=31,p=16)", "polarfly(q=64,p=33)",
	"polarstar_iq(q=11,d=7,p=8)", "polarstar_paley(q=11,s=13,p=8)", "bundlefly(q=9,s=13,p=8)", "spectralfly(x=11,q=7,p=6)",
	"dcell(n=8,l=2)", "galaxyfly(q=5,a=7,h=3,p=4)", "jellyfish(n=500,r=24,p=12,seed=1)", "dln(n=256,x=2,y=2,p=4,seed=1)", "skywalk(rows=8,cols=8,m=8,l=4,s=4,d=4,p=4)",
	"multirail(k=64,l=2,r=4)", "multirail(k=128,l=3,r=8,planes=2,pods=20)", "multirail(k=64,l=2,r=4,f=4,pods=32)", "multirail(k=64,l=3,r=8,planes=2,pods=9,d=40)",
	"fattree(k=64,l=3)", "fattree(k=64,l=3,pods=37,d=40)", "fattree(k=48,l=2,pods=31)", "fattree(k=128,l=4,pods=3)",
	"roft(k=64)", "roft(k=64,g=4,pods=7)", "railonly(k=64)", "railonly(k=64,g=8,leaves=9)",
	"hpn(k=256,segments=15,up=60,core=8)", "hpn(k=128,segments=3,groups=4,core=4)",
	"bcube(n=16,l=2)", "meshtree(k=16)", "kntree(k=16,n=3)", "th1a(n=3)",
	"omega(k=4,n=5)", "butterfly(k=4,n=5)", "benes(n=8)", "clos(m=16,n=8,r=16)", "bus(n=16)",
	"tpuocs(x=4,y=4,z=4)", "tpuocs(x=2,y=2,z=4,twist=long)",
	"hammingmesh(a=2,b=2,x=16,y=16,k=64)", "hammingmesh(a=4,b=3,x=40,y=7,k=16)",
	"ubmesh(z=4,w=4)", "ubmesh(z=4,w=4,pods=8)",
}

// Counting a tuple, its intervals and those of a box allocate nothing, for every family: of tuples as
// published and odd, and drawn at random; also where no adapter is fast enough.
func TestTupleAllocatesNothing(t *testing.T) {
	breaks := *catalog.Builtin() // of which as many decide which part is the cheapest
	breaks.Parts = slices.Clone(breaks.Parts)
	for i := range breaks.Parts {
		if p := &breaks.Parts[i]; p.Priced {
			p.PriceBreaks = []catalog.PriceBreak{{From: 4 + i%11*i, Price: p.UnitPrice * catalog.Money(60+i%40) / 100}}
		}
	}
	ms := []*Model{newModel(t, floor.Site{}, market.Options{BandwidthGbps: 400}),
		newModel(t, floor.Site{}, market.Options{BandwidthGbps: 6400, CountNICs: true}),
		newModel(t, floor.Site{}, market.Options{BandwidthGbps: 400, Catalog: &breaks})}
	named := map[string]bool{}
	check := func(d topology.Design) {
		named[d.Family.Name] = true
		l := &Ladder{}
		var s topology.Size
		var iv metric.Intervals
		var per topology.PerEndpoint
		for i, m := range ms {
			tuple := func() {
				if err := d.Family.Size(d.V, &s); err != nil {
					t.Fatalf("%s: %v", d, err)
				}
				m.Enclose(One(d.V, &s), l, &iv)
			}
			tuple() // the first may fill what is kept
			if n := testing.AllocsPerRun(20, tuple); n != 0 {
				t.Errorf("%s, model %d: %g allocations a tuple", d, i, n)
			}
			if n := testing.AllocsPerRun(20, func() {
				d.Family.BoundPerEndpoint(d.V, d.V, s.Endpoints, s.Endpoints, &per)
				m.Enclose(Between(&s, &s, &per), l, &iv)
			}); n != 0 {
				t.Errorf("%s, model %d: %g allocations a box", d, i, n)
			}
		}
	}
	for _, name := range tuples {
		check(parse(t, name))
	}
	for _, f := range family.All() {
		if !named[f.Name] {
			t.Errorf("%s: no tuple is named", f.Name)
		}
		for _, d := range topotest.Sample(f, stream.New(3, "alloc"), 3, 20000) {
			check(d)
		}
	}
}

// BenchmarkTuple is what a search pays for a tuple that no bound of a box excludes: its size and the
// enclosure by closed forms. Under 1 us, no allocation.
func BenchmarkTuple(b *testing.B) {
	m := newModel(b, floor.Site{}, market.Options{BandwidthGbps: 400})
	for _, name := range tuples {
		d := familytest.Parse(b, name)
		b.Run("design="+d.String(), func(b *testing.B) {
			var s topology.Size
			l := &Ladder{}
			var iv metric.Intervals
			b.ReportAllocs()
			for b.Loop() {
				if err := d.Family.Size(d.V, &s); err != nil {
					b.Fatal(err)
				}
				m.Enclose(One(d.V, &s), l, &iv)
			}
		})
	}
}

// BenchmarkEnclose: under 1 us, no allocation.
func BenchmarkEnclose(b *testing.B) {
	m := newModel(b, floor.Site{}, market.Options{BandwidthGbps: 400})
	for _, name := range []string{"zcube(n=64,k=2)", "zettafly4(a=64,p=32,h=32)", "fattree(k=64,l=3)", "dragonflyplus(l=16,m=16,p=16,h=8)", "hpn(k=256,segments=15,up=60,core=8)", "multirail(k=64,l=2,r=4)"} {
		b.Run(name, func(b *testing.B) {
			d := parse(b, name)
			var s topology.Size
			if err := d.Family.Size(d.V, &s); err != nil {
				b.Fatal(err)
			}
			l := &Ladder{}
			var iv metric.Intervals
			b.ReportAllocs()
			for b.Loop() {
				m.Enclose(One(d.V, &s), l, &iv)
			}
		})
	}
	b.Run("box", func(b *testing.B) {
		d := parse(b, "fattree(k=64,l=3)")
		var lo, hi topology.Size
		d.Family.SizeBounds([]int{32, 3, 8, 16}, []int{64, 3, 64, 40}, &lo, &hi)
		var iv metric.Intervals
		l := &Ladder{}
		b.ReportAllocs()
		for b.Loop() {
			m.Enclose(Between(&lo, &hi, nil), l, &iv)
		}
	})
}
