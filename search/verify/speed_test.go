package verify_test

import (
	"flag"
	"fmt"
	"syscall"
	"testing"
	"time"

	"toposearch/study"
	"toposearch/topology/family/familytest"
)

var speed = flag.Bool("speed", false, "print what simulations are estimated to take beside what they take")

// processor is the time that the process has used on all cores.
func processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestSpeed prints the table that the constants of cost.go are fitted by. Run it with -speed.
func TestSpeed(t *testing.T) {
	if !*speed {
		t.Skip("measures for minutes: -speed")
	}
	for _, name := range []string{"torus(k1=8,k2=8)", "fattree(k=16,l=2)", "dragonfly(p=2,a=4,h=2)", "dragonfly(p=4,a=8,h=4)", "slimfly(q=5)", "zcube(n=16,k=2)", "hyperx(s1=8,s2=8,t=8)", "fattree(k=32,l=2)"} {
		for _, model := range []string{"", study.CutThrough} {
			for _, routing := range []string{"", "valiant", "ugal_l", "par"} {
				v := study.Verify{Loads: 4, Cycles: 1000, Packet: 4, Routing: routing, Model: model}
				if model != "" {
					v.Cycles = 20_000
				}
				if routing != "" && familytest.Parse(t, name).Family.Name == "fattree" {
					continue
				}
				for _, traffic := range []string{"uniform", "worst"} {
					cost := estimateNamed(t, name, traffic, v)
					begun := processor()
					l := simulateNamed(t, name, traffic, v)
					took := (processor() - begun).Seconds()
					fmt.Printf("SPEED %-24s %-12s %-8s %-8s %9.3g flit-hops estimated %9.3g; %6.2f s estimated %6.2f, %5.0f ns a flit-hop %s\n", name, model, routing, traffic,
						float64(l.FlitHops), cost.FlitHops, took, cost.Seconds, took*1e9/float64(max(l.FlitHops, 1)), l.Skipped)
				}
			}
		}
	}
}
