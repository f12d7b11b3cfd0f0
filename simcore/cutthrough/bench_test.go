package cutthrough_test

import (
	"runtime"
	"syscall"
	"testing"

	"toposearch/simcore/cutthrough"
)

// cpuNs is the processor time of this process, so that other work on the machine counts less.
func cpuNs() int64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return r.Utime.Nano() + r.Stime.Nano()
}

// BenchmarkWindow runs windows under uniform traffic and reports processor time per packet and
// switch, and the memory of the state per endpoint, without network, routing and traffic.
func BenchmarkWindow(b *testing.B) {
	for _, c := range []struct {
		name, design string
		load         float64
		change       func(*cutthrough.Config)
	}{
		{"dragonfly1056/load=0.1", "dragonfly(p=4,a=8,h=4)", 0.1, nil},
		{"dragonfly1056/load=0.5", "dragonfly(p=4,a=8,h=4)", 0.5, nil},
		{"dragonfly1056/load=0.5/pfc", "dragonfly(p=4,a=8,h=4)", 0.5, func(c *cutthrough.Config) { c.FlowControl = "pfc" }},
		{"dragonfly1056/load=0.9/output", "dragonfly(p=4,a=8,h=4)", 0.9, func(c *cutthrough.Config) { c.Queueing = "output" }},
		{"dragonfly16512/load=0.5", "dragonfly(p=8,a=16,h=8)", 0.5, nil},
		{"fattree65536/load=0.3", "fattree(k=64,l=3)", 0.3, nil},
	} {
		b.Run(c.name, func(b *testing.B) {
			n, r, t := parts(b, c.design, "natural", "uniform", 0)
			x := config(n)
			if c.change != nil {
				c.change(&x)
			}
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			s, err := cutthrough.New(n, r, t, x)
			if err != nil {
				b.Fatal(err)
			}
			s.Reset(c.load, 1)
			s.Steps(50)
			runtime.GC()
			runtime.ReadMemStats(&after)
			hops := s.Hops()
			b.ResetTimer()
			begun := cpuNs()
			s.Steps(b.N)
			b.ReportMetric(float64(cpuNs()-begun)/float64(s.Hops()-hops), "cpu-ns/packet-hop")
			b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/float64(n.Endpoints()), "B/endpoint")
			runtime.KeepAlive(r)
		})
	}
}
