package simulate

import (
	"context"
	"fmt"

	"toposearch/routing"
	"toposearch/simcore/route"
	"toposearch/topology"
)

// Failed says what of a network does not work, by name.
type Failed struct {
	Links       []string     `json:"links"` // between switches, and of endpoints
	Switches    []string     `json:"switches"`
	Moved       []string     `json:"moved,omitempty"`       // endpoints that a spare stands in for, "endpoint[5] to spare[0]"
	Unreachable *routing.Gap `json:"unreachable,omitempty"` // pairs that nothing connects; nil: none
	// Shortest: the routing follows all shortest paths, with a VC for each hop but by ofar, as routes of the family's rule cannot avoid what failed.
	Shortest bool `json:"by_shortest_paths,omitempty"`
	// Around are pairs of endpoints that go by way of an intermediate always: routes of the family's rule between them cannot avoid what failed.
	Around int64 `json:"pairs_by_intermediates,omitempty"`
}

// Degrade gives the network that is left, and the names of what failed and of what spares stand in for.
func Degrade(n *topology.Network, f *topology.Failures) (*topology.Network, *Failed, error) {
	left, moved, err := n.WithSpares(f)
	if err != nil {
		return nil, nil, err
	}
	out := &Failed{Moved: movedNames(n, moved)}
	out.Switches, out.Links = partNames(n, f)
	return left, out, nil
}

// movedNames says which endpoints spares stand in for.
func movedNames(n *topology.Network, moved []topology.Moved) []string {
	var out []string
	for _, m := range moved {
		out = append(out, fmt.Sprintf("endpoint[%d] to %s", m.Endpoint, n.SwitchName(m.To)))
	}
	return out
}

// partNames names what fails.
func partNames(n *topology.Network, f *topology.Failures) (switches, links []string) {
	switches, links = []string{}, []string{}
	for _, s := range f.Switches {
		switches = append(switches, n.SwitchName(s))
	}
	for _, c := range f.Links {
		links = append(links, n.SwitchName(n.From(c))+"-"+n.SwitchName(n.To(c)))
	}
	for _, p := range f.Ports {
		links = append(links, fmt.Sprintf("endpoint[%d]-%s", p.Endpoint, n.SwitchName(p.Switch)))
	}
	return switches, links
}

// namesOf names what fails in one list, switches first.
func namesOf(n *topology.Network, f *topology.Failures) []string {
	switches, links := partNames(n, f)
	return append(switches, links...)
}

// UnfitError says that a routing cannot be used on what is left of a network. Others are routings that can.
type UnfitError struct {
	Why    string
	Others []Alternative
}

// Alternative is a routing with the VCs that it needs.
type Alternative struct {
	Routing string
	VCs     int
}

func (e *UnfitError) Error() string { return e.Why }

// CheckRouting refuses, with an UnfitError, a routing that leaves pairs without a route though the network
// that is left connects them, or that can deadlock there, and notes the pairs that nothing connects. opt
// is what the routing was made with.
func (f *Failed) CheckRouting(ctx context.Context, n *topology.Network, r *route.Native, opt route.Options) error {
	// Routes round failures are longer than those for which a rule's VCs were chosen.
	proof, err := r.CheckDeadlock(ctx)
	if err != nil {
		return err
	}
	if !proof.Acyclic {
		return &UnfitError{fmt.Sprintf("routing %s can deadlock on what is left of the network", r.Name()), alternatives(ctx, n, opt)}
	}
	f.Shortest, f.Around = r.Rerouted(), r.Around()
	gap := r.Unreachable()
	if gap.Pairs == 0 && gap.NoPort == 0 {
		return nil
	}
	lost := routing.Disconnected(n)
	if gap.Pairs > lost.Pairs && !n.Unidirectional {
		connected := "all of them"
		if lost.Pairs > 0 {
			connected = fmt.Sprintf("all but %d", lost.Pairs)
		}
		return &UnfitError{fmt.Sprintf("routing %s cannot avoid what has failed: %d pairs of endpoints have no route, the first from endpoint %d to %d, though links that work connect %s",
			r.Name(), gap.Pairs, gap.From, gap.To, connected), alternatives(ctx, n, opt)}
	}
	f.Unreachable = &gap
	return nil
}

// alternatives are the routings that need no rule of the family, where they exist.
func alternatives(ctx context.Context, n *topology.Network, opt route.Options) []Alternative {
	var out []Alternative
	opt.VCs = 0
	for _, name := range []string{"minimal", "updown"} {
		if r, err := route.ByName(ctx, name, n, opt); err == nil {
			out = append(out, Alternative{name, r.VCs()})
		}
	}
	return out
}
