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
	for _, s := range []string{"zcube(n=64,k=2)", "fattree(k=64,l=3)", "zettafly4(a=64,p=32,h=32)", "railonly(k=32)", "hpn(k=256,up=60,segments=15,core=8)", "bcube(n=32,l=2)", "dragonfly(p=8,a=16,h=8)"} {
		d, err := topology.ParseDesign(s, family.All())
		if err != nil {
			fmt.Println(s, err)
			continue
		}
		var r *Result
		for range 3 {
			t0 := time.Now()
			r, err = e.Evaluate(context.Background(), d, Request{Level: 1})
			fmt.Println(d, time.Since(t0), err)
		}
		for k := range NumKeys {
			if r.Have[k] {
				m := r.Metrics[k]
				fmt.Printf("  %-24s %12.6g [%g, %g] %s  -- %s\n", Keys[k].Name, m.Value, m.Lo, m.Hi, m.Unit, m.Method)
			} else {
				fmt.Printf("  %-24s absent: %s\n", Keys[k].Name, r.Absent[k])
			}
		}
		fmt.Println(r.Bottleneck, r.Notes)
		if r.Plan != nil {
			fmt.Println(r.Plan.Floor.Racks, r.Plan.Floor.Rows, r.Plan.Floor.PerRow)
			for _, c := range r.Plan.Classes {
				fmt.Println("  ", c.Link, c.Gbps, c.Medium, c.StockM, c.Count, c.MaxM)
			}
			for _, c := range r.Plan.BOM {
				fmt.Println("  ", c.Part.PartNo, c.Quantity, c.Total, c.UsedIn)
			}
		}
	}
}
