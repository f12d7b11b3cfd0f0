package evaluator

import (
	"fmt"
	"slices"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Routings that have an analytic model; simcore/route simulates them, and others, under the same names.
const (
	RoutingNatural = "natural"
	RoutingMinimal = "minimal"
	RoutingValiant = "valiant"
	routingPAR     = "par"
)

// Algorithm is a routing that a study can buy, as the model sees it.
type Algorithm struct {
	Name string
	// Detours: packets may go by way of an intermediate, with VCs of its own for either leg; Always: all do. A routing
	// that chooses is taken to split every traffic as is best for it, the same part of every flow.
	Detours, Always bool
	Single          bool // a flow keeps to one of its paths, chosen by a hash
	InOrder         bool // packets of a flow cannot pass each other
	first           bool // the first hop has VCs of its own, too
}

// Algorithms lists the names that ParseAlgorithm knows, without additions.
func Algorithms() []string {
	return []string{RoutingNatural, RoutingValiant, "ugal_l", "ugal_g", routingPAR}
}

// ParseAlgorithm takes a name of simcore/route apart. An error says why there is no analytic model of the routing.
func ParseAlgorithm(name string) (Algorithm, error) {
	parts := strings.Split(name, "+")
	if !slices.Contains(Algorithms(), parts[0]) {
		return Algorithm{}, fmt.Errorf("there is no analytic model of routing %s; there is one of %s", parts[0], strings.Join(Algorithms(), ", "))
	}
	a := Algorithm{Name: name, Detours: parts[0] != RoutingNatural, Always: parts[0] == RoutingValiant, first: parts[0] == routingPAR}
	for _, add := range parts[1:] {
		switch {
		case add == "random", add == "switch", add == "endpoint":
		case add == "hash" && !a.Detours:
			a.Single, a.InOrder = true, true
		default:
			return Algorithm{}, fmt.Errorf("there is no analytic model of %q in routing %s", add, name)
		}
	}
	return a, nil
}

// vcs is what the routing needs of a switch, if the need of the natural routing is known.
func (a *Algorithm) vcs(w *work) (need int, known bool) {
	if !w.res.Have[metric.VCsMinimal] {
		return 0, false
	}
	if !a.Detours {
		return int(w.res.Metrics[metric.VCsMinimal].Value), true
	}
	need = int(w.res.Metrics[metric.VCsAdaptive].Value)
	if a.first {
		need += firstVCs(w.natural)
	}
	return need, true
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

// fits tells whether a design can take the routing: what is not known does not, where it is limited.
func (a *Algorithm) fits(w *work) bool {
	if most := w.e.opt.MaxVCs; most > 0 {
		if need, known := a.vcs(w); !known || need > most {
			return false
		}
	}
	if most := w.e.opt.MaxRouteHops; most > 0 {
		hops := w.res.Metrics[metric.MaxHops].Value
		if a.Detours {
			hops *= 2
		}
		return w.res.Have[metric.MaxHops] && hops <= float64(most)
	}
	return true
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

// allowed are the routings that a design can take: those that fit its VCs and source routes; if none does, the one that
// needs least.
func (w *work) allowed() []Algorithm {
	all := w.e.algorithms
	if len(all) == 0 {
		return []Algorithm{w.e.opt.asked()}
	}
	var out []Algorithm
	least := 0
	for i := range all {
		if all[i].fits(w) {
			out = append(out, all[i])
		}
		if all[least].Detours && !all[i].Detours || all[least].first && !all[i].first {
			least = i
		}
	}
	if out == nil {
		out = all[least : least+1]
	}
	return out
}

// routing is the one that throughput is of: the first of those that are allowed with the best uniform throughput, which
// detours that all packets make halve and others leave; or the one with the best worst_throughput, once that was asked
// for (runWorstRouted).
func (w *work) routing() *Algorithm {
	if w.chosen == nil {
		all := w.allowed()
		i := max(0, slices.IndexFunc(all, func(a Algorithm) bool { return !a.Always }))
		w.choose(all[i])
	}
	return w.chosen
}

func (w *work) choose(a Algorithm) {
	w.chosen, w.res.Routing = &a, a.Name
	if w.e.usesOwn() {
		w.res.Chosen = a.Name
	}
}

// usesOwn tells whether worst_throughput is of the routing that is chosen, not of the best possible one.
func (e *Evaluator) usesOwn() bool { return len(e.algorithms) > 0 }
