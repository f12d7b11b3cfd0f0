package family

import (
	"slices"
	"strings"
	"testing"

	"toposearch/topology"
)

// FuzzParseDesign: what is read as a design is one of a known family, has a name that is read as the same
// design, which is its own name, and a size that the family counts or refuses; a refusal quotes the text, so
// that no control character of it reaches a terminal.
func FuzzParseDesign(f *testing.F) {
	for _, s := range []string{"dragonfly(p=4,a=8,h=4)", " torus ( k1=6, k2=5,k3=4,t=8 ) ", "ubmesh(z=2,w=2,rack=1dfma)", "bus(n=64", "bus(n=99999999999999999999)",
		"fattree(k=-1,l=0)", "dragonfly(p=2,a=2,h=2,arrangement=circulant)", "bus(n=1,n=2)", "\x1b[31m(n=1)", "bcube(n=34,l=6,)", "dragonflyplus(l=1,m=1,g=1,h=1,p=2)"} {
		f.Add(s)
	}
	all := All()
	for _, g := range all {
		v := make([]string, 0, len(g.Params))
		for _, p := range g.Params {
			v = append(v, p.Name+"="+p.Format(p.Min))
		}
		f.Add(g.Name + "(" + strings.Join(v, ",") + ")")
	}
	f.Fuzz(func(t *testing.T, s string) {
		d, err := topology.ParseDesign(s, all)
		if err != nil {
			for line := range strings.SplitSeq(err.Error(), "\n") {
				if strings.ContainsAny(line, "\x1b\r\x00\x07") {
					t.Errorf("%q: the error is not printable: %q", s, line)
				}
			}
			return
		}
		name := d.String()
		back, err := topology.ParseDesign(name, all)
		if err != nil || back.Family != d.Family || !slices.Equal(back.V, d.V) || back.String() != name {
			t.Errorf("%q = %q, which is read as %q, %v", s, name, back, err)
		}
		var size topology.Size
		if d.Family.Size(d.V, &size) == nil && (size.Endpoints < 0 || size.AllSwitches() < 0) {
			t.Errorf("%s has %d endpoints, %d switches", d, size.Endpoints, size.AllSwitches())
		}
	})
}
