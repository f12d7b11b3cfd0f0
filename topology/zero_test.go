package topology_test

import (
	"fmt"
	"testing"

	"toposearch/topology"
)

// TestZeroValues: what nobody has filled prints, counts nothing and builds nothing, without a panic.
func TestZeroValues(t *testing.T) {
	var (
		d topology.Design
		s topology.Size
		n topology.Network
		b topology.Builder
		p topology.Paths
		f topology.Family
	)
	if got := d.String(); got != "no design" {
		t.Errorf("the zero Design prints %q", got)
	}
	if got := (topology.Design{Family: &topology.Family{Name: "ring", Params: make([]topology.Param, 2)}}).String(); got != "ring[]" {
		t.Errorf("a design without its values prints %q", got)
	}
	if d.Dims() != nil || len(d.Params()) != 0 {
		t.Error("the zero Design has dimensions or parameters")
	}
	if _, err := d.Build(); err == nil {
		t.Error("the zero Design builds")
	}
	if s.Switches()+s.EmbeddedSwitches()+s.AllSwitches()+s.EndpointLinks()+s.SwitchLinks()+int64(s.Radix()) != 0 {
		t.Errorf("the zero Size counts: %+v", s)
	}
	s.Reset(nil)
	if n.Switches()+n.Endpoints()+n.Channels()+n.Groups() != 0 || len(n.Cables())+len(n.Boxes())+len(n.Parts()) != 0 {
		t.Error("the zero Network is not empty")
	}
	if dist, err := n.Distances(t.Context(), topology.DistanceOptions{}); err != nil || dist.Unreachable != 0 {
		t.Errorf("distances of the zero Network: %+v, %v", dist, err)
	}
	if k, connected, err := n.Diameter(t.Context(), nil, 1); k != 0 || !connected || err != nil {
		t.Errorf("diameter of the zero Network: %d, %v, %v", k, connected, err)
	}
	if m, err := n.Without(&topology.Failures{}); err != nil || m.Switches() != 0 {
		t.Errorf("the zero Network without nothing: %v, %v", m, err)
	}
	if _, err := topology.WithServers(&n, 2); err == nil {
		t.Error("the zero Network has servers")
	}
	b.Switch(0, 1)
	b.Endpoints(2, []topology.SwitchID{0})
	if m, err := b.Build("one switch"); err != nil || m.Endpoints() != 2 {
		t.Errorf("the zero Builder: %v, %v", m, err)
	}
	p.Reset()
	p.Sum(&f)
	for _, x := range []any{d, s, n, p, topology.Placement{}, topology.Rule{}, topology.Domain{}, topology.Param{}, topology.PerEndpoint{},
		&topology.Infeasible{}, &topology.Unfinished{}, topology.Symmetry{}, topology.Distances{}, topology.Economics{}} {
		if fmt.Sprint(x) == "" {
			t.Errorf("%T prints nothing", x)
		}
	}
	f.BoundPerEndpoint(nil, nil, 1, 1, new(topology.PerEndpoint))
	if f.Param("k") >= 0 {
		t.Error("the zero Family has parameters")
	}
}
