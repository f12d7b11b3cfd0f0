package evaluator

import (
	"context"
	"fmt"
	"testing"
	"time"

	"toposearch/topology"
	"toposearch/topology/family"
)

func TestSmoke(t *testing.T) {
	e, err := New(Options{BandwidthGbps: 400})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"zcube(n=32,k=2)", "zcube(n=64,k=2)", "zcube(n=3,k=3)", "fattree(k=16,l=3)", "fattree(k=16,l=2,d=10)", "zettafly3(a=4,p=2,h=2)", "zettafly4(a=6,p=3,h=3)", "railonly(k=16)", "hpn(k=64)", "bcube(n=32,l=2)", "dragonfly(p=2,a=4,h=2)", "dragonfly(p=8,a=16,h=8)", "hyperx(s1=8,s2=8,t=8)", "fullmesh(d1=8,d2=8,d3=4,d4=4)", "hypercube(n=6)", "torus(k1=8,k2=8)", "slimfly(q=5)", "meshtree(k=8)", "multirail(k=16,l=2,r=2)", "roft(k=16)"} {
		d, err := topology.ParseDesign(s, family.All())
		if err != nil {
			fmt.Println(s, err)
			continue
		}
		t0 := time.Now()
		r, err := e.Evaluate(context.Background(), d, Request{Level: 2})
		fmt.Println(d, time.Since(t0), err)
		for _, k := range []Key{Endpoints, Bisection, UniformThroughput, MeanPathLinksFail, ShortestPaths, TUB, GraphDiameter, VCsMinimal, Latency} {
			if r.Have[k] {
				m := r.Metrics[k]
				fmt.Printf("  %-24s %12.6g [%g, %g] %s  -- %s\n", Keys[k].Name, m.Value, m.Lo, m.Hi, m.Unit, m.Method)
			} else {
				fmt.Printf("  %-24s absent: %s\n", Keys[k].Name, r.Absent[k])
			}
		}
	}
}
