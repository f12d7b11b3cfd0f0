package family

import (
	"runtime"
	"testing"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// typical gives a valid design of a family, as large as a seeded search for about 10,000 endpoints
// finds it.
func typical(f *topology.Family) []int {
	rng := stream.New(1, "typical "+f.Name)
	v, best := make([]int, len(f.Params)), []int(nil)
	var s topology.Size
	most := int64(0)
	for range 20_000 {
		for i, p := range f.Params {
			v[i] = p.Min + rng.IntN(min(p.Max-p.Min+1, 1+rng.IntN(64)))
			if p.Default != nil && (p.Divides != "" || rng.IntN(2) == 0) {
				v[i] = p.Default(v)
			}
		}
		if f.Size(v, &s) == nil && s.Endpoints > most && s.Endpoints <= 10_000 {
			most, best = s.Endpoints, append([]int(nil), v...)
		}
	}
	return best
}

// BenchmarkEverySize counts a design of every family, and refuses one whose first parameter is off
// by one.
func BenchmarkEverySize(b *testing.B) {
	for _, f := range All() {
		v := typical(f)
		d := topology.Design{Family: f, V: v}
		b.Run("design="+d.String(), func(b *testing.B) {
			b.ReportAllocs()
			var s topology.Size
			for b.Loop() {
				if err := f.Size(v, &s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkRefused counts what breaks a rule about prime powers, far out of range too.
func BenchmarkRefused(b *testing.B) {
	for _, s := range []string{"slimfly(q=254,p=1)", "polarstar_iq(q=126,d=127,p=1)", "polarstar_paley(q=126,s=256,p=1)", "bundlefly(q=62,s=6,p=1)",
		"galaxyfly(q=4095,a=2,h=2,p=1)", "spectralfly(x=254,q=6,p=1)", "oft(k=512)"} {
		d := design(b, s)
		b.Run("design="+s, func(b *testing.B) {
			b.ReportAllocs()
			var out topology.Size
			for b.Loop() {
				if d.Family.Size(d.V, &out) == nil {
					b.Fatal("valid")
				}
			}
		})
	}
}

// BenchmarkMillion builds a million endpoints of five families, and 100,000 switches of degree 32.
// It reports the memory that the network keeps and the most that building it allocates.
func BenchmarkMillion(b *testing.B) {
	for _, s := range []string{"zettafly4(a=64,p=32,h=32)", "dragonflyplus(l=32,m=32,p=32,h=32)", "fattree(k=160,l=3)",
		"hyperx(s1=32,s2=32,s3=32,t=32)", "polarstar_iq(q=25,d=31,p=25)", "jellyfish(n=100000,r=32,p=16)", "torus(k1=316,k2=316)",
		"hyperx(s1=12,s2=92,s3=92,t=1)"} {
		d := design(b, s)
		var size topology.Size
		if err := d.Family.Size(d.V, &size); err != nil {
			b.Fatal(err)
		}
		b.Run("design="+s, func(b *testing.B) {
			b.ReportMetric(float64(size.Endpoints), "endpoints")
			b.ReportMetric(float64(size.AllSwitches()), "switches")
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			n := 0
			for b.Loop() {
				net, err := d.Build()
				if err != nil {
					b.Fatal(err)
				}
				n++
				runtime.KeepAlive(net)
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(n)/(1<<20), "MiB/op")
		})
	}
}
