package simcore_test

import (
	"testing"

	"toposearch/simcore"
	"toposearch/topology"
	"toposearch/topology/family/familytest"
)

// TestCountsOfSize: closed forms count what the network has.
func TestCountsOfSize(t *testing.T) {
	for _, name := range []string{"fattree(k=8,l=3)", "dragonfly(p=2,a=4,h=2)", "torus(k1=4,k2=4,t=2)", "bcube(n=4,l=3)", "dcell(n=4,l=1)",
		"omega(k=2,n=4)", "zcube(n=4,k=2)", "ubmesh(z=2,w=2)", "hammingmesh(a=2,b=2,x=4,y=4,k=16)", "fullmesh(d1=4,d2=4)", "crossbar(n=4)", "railonly(k=8,g=4)", "multirail(k=8,l=2,r=4,f=2)"} {
		d, n := familytest.Build(t, name)
		var s topology.Size
		if err := d.Family.Size(d.V, &s); err != nil {
			t.Fatal(err)
		}
		if got, want := simcore.CountsOfSize(&s), simcore.CountsOf(n); got != want {
			t.Errorf("%s: %+v by closed forms, %+v in the network", name, got, want)
		}
	}
}
