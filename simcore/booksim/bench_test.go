package booksim

import (
	"syscall"
	"testing"
)

// The configurations of BookSim2's speed table (reference/simcore.md 3) and its nanoseconds per
// flit-hop on one core of an AMD EPYC guest.
var speedRows = []struct {
	name, text string
	booksimNs  float64
}{
	{"torus8x8/load=0.01", "topology=torus;k=8;routing_function=dim_order;injection_rate=0.01;", 6288},
	{"torus8x8/load=0.1", "topology=torus;k=8;routing_function=dim_order;injection_rate=0.1;", 2593},
	{"torus8x8/load=0.4", "topology=torus;k=8;routing_function=dim_order;injection_rate=0.4;", 1880},
	{"mesh16x16/load=0.2", "topology=mesh;k=16;routing_function=dor;injection_rate=0.2;", 2584},
	{"fattree512/load=0.5", "topology=fattree;k=8;n=3;routing_function=nca;injection_rate=0.5;", 6507},
	{"flatfly256/load=0.5", "topology=flatfly;k=8;n=2;c=4;x=8;y=8;xr=2;yr=2;routing_function=ran_min;injection_rate=0.5;", 3212},
	{"dragonfly1056_min/load=0.5", "topology=dragonflynew;k=4;n=1;routing_function=min;num_vcs=2;vc_buf_size=256;packet_size=4;injection_rate=0.5;", 5394},
	{"dragonfly1056_ugal_bad/load=0.3", "topology=dragonflynew;k=4;n=1;routing_function=ugal;num_vcs=3;vc_buf_size=256;packet_size=4;traffic=bad_dragon;injection_rate=0.3;", 6144},
	{"torus32x32/load=0.1", "topology=torus;k=32;routing_function=dim_order;injection_rate=0.1;", 6874},
	{"dragonfly5256_min/load=0.3", "topology=dragonflynew;k=6;n=1;routing_function=min;num_vcs=2;vc_buf_size=256;packet_size=4;injection_rate=0.3;", 7002},
	{"dragonfly16512_min/load=0.2", "topology=dragonflynew;k=8;n=1;routing_function=min;num_vcs=2;vc_buf_size=256;packet_size=4;injection_rate=0.2;", 9587},
	// Out of cache, beyond the table: 16,384 routers, 82,000 ports.
	{"torus128x128/load=0.01", "topology=torus;k=128;routing_function=dim_order;injection_rate=0.01;", 0},
}

const speedBase = "num_vcs=4;vc_buf_size=8;vc_allocator=separable_input_first;sw_allocator=separable_input_first;" +
	"injection_rate_uses_flits=1;traffic=uniform;seed=1;"

// cpuNs is the processor time of this process: other work on the machine counts less than in a
// time by the clock.
func cpuNs() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}

func BenchmarkSpeed(b *testing.B) {
	for _, row := range speedRows {
		b.Run(row.name, func(b *testing.B) {
			r, diags := Parse("speed", speedBase+row.text, nil)
			if r == nil {
				b.Fatal(diags)
			}
			s := r.Sim()
			s.Reset(r.load, 1)
			s.Step(1000)
			h := s.Counts().FlitHops
			b.ReportAllocs()
			b.ResetTimer()
			start := cpuNs()
			s.Step(b.N)
			ns := float64(cpuNs()-start) / float64(s.Counts().FlitHops-h)
			b.ReportMetric(ns, "cpu-ns/flit-hop")
			if row.booksimNs > 0 {
				b.ReportMetric(row.booksimNs/ns, "x-BookSim2")
			}
		})
	}
}
