package evaluator

import (
	"fmt"
	"slices"
	"strings"

	"toposearch/routing"
	"toposearch/topology"
)

// Routings that have an analytic model; simcore/route simulates them, and others, under the same names.
const (
	RoutingNatural = "natural"
	RoutingMinimal = "minimal"
	RoutingValiant = "valiant"
	RoutingLASH    = routing.LASHName
	RoutingDFSSSP  = routing.DFSSSPName
	routingPAR     = "par"
)

// Alone lists the routings of shortest paths that options can ask for by themselves (Options.Routing), not as one of
// several algorithms.
func Alone() []string { return []string{RoutingMinimal, RoutingLASH, RoutingDFSSSP} }

// Algorithm is a routing that a study can buy, as the model sees it.
type Algorithm struct {
	Name string
	// Detours: packets may go by way of an intermediate, with VCs of its own for either leg; Always: all do. A routing
	// that chooses is taken to split every traffic as is best for it, the same part of every flow.
	Detours, Always bool
	Single          bool // a flow keeps to one of its paths, chosen by a hash
	Tables          bool // one shortest path for each pair, in a layer of its own VC
	InOrder         bool // packets of a flow cannot pass each other
	first           bool // the first hop has VCs of its own, too
}

// Algorithms lists the names that ParseAlgorithm knows, without additions.
func Algorithms() []string {
	return []string{RoutingNatural, RoutingValiant, "ugal_l", "ugal_g", routingPAR, RoutingLASH, RoutingDFSSSP}
}

// RoutingDeployed, alone in Options.Algorithms, stands for the routings with which a family's networks are run
// (topology.Family.Deployed).
const RoutingDeployed = "deployed"

// DeployedOf lists them.
func DeployedOf(f *topology.Family) []string {
	if len(f.Deployed) == 0 {
		return []string{RoutingNatural}
	}
	return f.Deployed
}

// RoutingsOf lists the names of those that designs of a family may take under the options.
func (o *Options) RoutingsOf(f *topology.Family) []string {
	switch {
	case len(o.Algorithms) == 0:
		a := o.asked()
		return []string{a.Name}
	case slices.Equal(o.Algorithms, []string{RoutingDeployed}):
		return DeployedOf(f)
	}
	return o.Algorithms
}

// divides tells whether sources can divide what they send over direct routes and detours: the VCs of both are there, and it is theirs to
// choose.
func (a *Algorithm) divides() bool { return a.Detours && !a.Always }

// mayDivide tells whether a design of a family may take a routing that divides.
func (o *Options) mayDivide(f *topology.Family) bool {
	return slices.ContainsFunc(o.RoutingsOf(f), func(name string) bool {
		a, err := ParseAlgorithm(name)
		return err == nil && a.divides()
	})
}

// ParseAlgorithm takes a name of simcore/route apart. An error says why there is no analytic model of the routing.
func ParseAlgorithm(name string) (Algorithm, error) {
	parts := strings.Split(name, "+")
	if !slices.Contains(Algorithms(), parts[0]) {
		why := ""
		if strings.HasPrefix(parts[0], "apr_") {
			why = ": which of its paths a packet takes is up to the queues, and no split of them is proven"
		}
		return Algorithm{}, fmt.Errorf("there is no analytic model of routing %s%s; there is one of %s", parts[0], why, strings.Join(Algorithms(), ", "))
	}
	tables := parts[0] == RoutingLASH || parts[0] == RoutingDFSSSP
	a := Algorithm{Name: name, Detours: parts[0] != RoutingNatural && !tables, Always: parts[0] == RoutingValiant, first: parts[0] == routingPAR,
		Tables: tables, InOrder: tables}
	for _, add := range parts[1:] {
		switch {
		case tables:
			return Algorithm{}, fmt.Errorf("%s has one path for each pair: nothing can be added to it, as in %s", parts[0], name)
		case add == "random", add == "switch", add == "endpoint":
		case add == "hash" && !a.Detours:
			a.Single, a.InOrder = true, true
		default:
			return Algorithm{}, fmt.Errorf("there is no analytic model of %q in routing %s", add, name)
		}
	}
	return a, nil
}

// LeastVCs is the fewest VCs with which a network can take the routing.
func (a *Algorithm) LeastVCs() int {
	switch {
	case a.first:
		return 3
	case a.Detours:
		return 2
	}
	return 1
}

// firstVCs is the number of VCs on which a rule lets a packet take its first hop.
func firstVCs(r topology.Rule) int {
	n := 1
	for _, s := range r.Steps {
		if s.From == 0 && !r.HopVCs {
			n = max(n, int(s.VC)+1)
		}
	}
	return n
}

// asked is the one routing that options without algorithms ask for.
func (o *Options) asked() Algorithm {
	a := Algorithm{Name: o.Routing, Always: o.Routing == RoutingValiant, Detours: o.Routing == RoutingValiant}
	def(&a.Name, RoutingNatural)
	return a
}
