package evaluator

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/routing"
	"toposearch/topology"
	"toposearch/topology/netfile"
)

// TestFileVCs: of a network read from a file nothing is known, but all its shortest routes can be looked
// at: a tree needs one VC and not one for each of its hops. Whether one is enough is what the general
// dependency check says, which shares no code with the file's own.
func TestFileVCs(t *testing.T) {
	racing.Figures(t)
	ctx := context.Background()
	type net struct {
		name string
		data []byte
	}
	var nets []net
	for _, name := range []string{"fattree(k=6,l=3,pods=4)", "zcube(n=4,k=2)", "zcube(n=3,k=3)", "torus(k1=5,k2=3)", "torus(k1=3,k2=2)",
		"hypercube(n=3)", "meshtree(k=4)", "multirail(k=8,l=2,r=2,f=2)", "polarfly(q=3,p=2)", "bcube(n=3,l=2)", "crossbar(n=5)", "dcell(n=2,l=1)"} {
		n, err := parse(t, name).Build()
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := netfile.Write(&b, n, netfile.Options{}); err != nil {
			t.Fatal(err)
		}
		nets = append(nets, net{name + ".json", b.Bytes()})
	}
	for seed := range uint64(30) { // trees with a few links more
		nets = append(nets, net{fmt.Sprintf("random%d.csv", seed), randomEdges(rand.New(rand.NewPCG(seed, 1)))})
	}
	one, many := 0, 0
	for _, x := range nets {
		f, list := netfile.Parse(x.name, x.data)
		if f == nil {
			t.Fatalf("%s: %v", x.name, list)
		}
		d := topology.Design{Family: f.Family}
		n, err := d.Build()
		if err != nil {
			t.Fatal(err)
		}
		rule := topology.Minimal()
		rule.HopVCs = false
		rep, err := routing.CheckDeadlock(ctx, n, rule, 1)
		if err != nil || !rep.Proven {
			t.Fatalf("%s: %v, %+v", x.name, err, rep)
		}
		res, err := newEvaluator(t, Options{}).Evaluate(ctx, d, Request{Keys: []metric.Key{metric.VCsMinimal, metric.MaxHops}})
		if err != nil {
			t.Fatal(err)
		}
		got, have := res.Metrics[metric.VCsMinimal].Value, res.Have[metric.VCsMinimal]
		if !have || (got == 1) != (rep.Acyclic || res.Metrics[metric.MaxHops].Value <= 1) {
			t.Errorf("%s: %v VCs (%s), acyclic on one: %v", x.name, got, res.Absent[metric.VCsMinimal], rep.Acyclic)
		}
		if rep.Acyclic {
			one++
		} else {
			many++
		}
	}
	if one < 10 || many < 10 {
		t.Errorf("%d networks without and %d with a cycle: too few of one sort to tell", one, many)
	}
}

// randomEdges is a random tree of switches with some links more, a few endpoints on some, as an edge list.
func randomEdges(rng *rand.Rand) []byte {
	var b strings.Builder
	b.WriteString("a,b\n")
	n := 5 + rng.IntN(8)
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "sw%d,sw%d\n", i, rng.IntN(i))
	}
	for range rng.IntN(4) {
		if i, j := rng.IntN(n), rng.IntN(n); i != j {
			fmt.Fprintf(&b, "sw%d,sw%d\n", i, j)
		}
	}
	for e := range 4 + rng.IntN(8) {
		fmt.Fprintf(&b, "gpu%d,sw%d\n", e, rng.IntN(n))
	}
	return []byte(b.String())
}
