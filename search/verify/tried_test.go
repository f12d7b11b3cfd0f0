package verify

import (
	"testing"

	"toposearch/evaluator"
	"toposearch/search"
	"toposearch/simcore/flit"
	"toposearch/study"
	"toposearch/topology/family/familytest"
)

// TestTries: what is simulated of other switches takes no more than what was simulated before, and keeps to what a switch may have, however long packets are.
func TestTries(t *testing.T) {
	for _, c := range []struct {
		packet, vcs, buffer int
		wider               bool
	}{
		{packet: 4, buffer: 11 * deeperBy, wider: true},
		{packet: 2100, buffer: flit.MaxBuffer, wider: true},
		{packet: 4, vcs: flit.MaxVCs, buffer: 11 * deeperBy},
	} {
		p := &search.Problem{Study: &study.Study{Options: evaluator.DefaultOptions(), Verify: study.Verify{Loads: 6, Packet: c.packet, VCs: c.vcs, Cycles: 500}}, Seed: 3}
		l, sim, err := prepare(t.Context(), p, familytest.Parse(t, "torus(k1=4,k2=4)"), "uniform", "")
		if err == nil {
			err = l.measure(t.Context(), sim, 6)
		}
		if err != nil {
			t.Fatal(err)
		}
		l.FlitHops = sim.Spent()
		before := l.FlitHops
		l.Saturation, l.Above, l.Expected = 0.8, 0.85, 1
		if err := l.try(t.Context(), p, sim); err != nil {
			t.Fatal(err)
		}
		x := l.Tried
		if x == nil || x.Buffer != c.buffer || x.AsIs <= 0 || x.Deeper <= 0 || x.Wider > 0 != c.wider {
			t.Errorf("%+v: %+v", c, x)
		}
		if took := l.FlitHops - before; took > before {
			t.Errorf("%+v: %d flit-hops after %d", c, took, before)
		}
	}
}
