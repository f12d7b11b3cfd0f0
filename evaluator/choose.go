package evaluator

import (
	"fmt"
	"slices"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Which of the routings that a study names a design takes. Without names it is the one of the options.

// vcs is what the routing needs of a switch, if that is known.
func (a *Algorithm) vcs(w *work) (need int, known bool) {
	if !w.res.Have[metric.VCsMinimal] {
		return 0, false
	}
	if !a.Detours {
		return int(w.res.Metrics[metric.VCsMinimal].Value), true
	}
	if !w.res.Have[metric.VCsAdaptive] {
		return 0, false
	}
	need = int(w.res.Metrics[metric.VCsAdaptive].Value)
	if a.first {
		need += firstVCs(w.natural)
	}
	return need, true
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

// algorithmsOf are those that a design of a family can take; none: what Options.Routing asks for.
func (e *Evaluator) algorithmsOf(f *topology.Family) []Algorithm {
	if !e.deployed {
		return e.algorithms
	}
	var out []Algorithm
	for _, name := range DeployedOf(f) {
		a, err := ParseAlgorithm(name)
		if err != nil {
			panic(fmt.Sprintf("evaluator: family %s: %v", f.Name, err))
		}
		out = append(out, a)
	}
	return out
}

// allowed are the routings that a design can take: those that fit its VCs and source routes; if none does, the one that
// needs least.
func (w *work) allowed() []Algorithm {
	all := w.e.algorithmsOf(w.d.Family)
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

// mayDetour tells whether a routing that is named makes detours, so that their VCs decide whether it is taken.
func (w *work) mayDetour() bool {
	return slices.ContainsFunc(w.e.algorithmsOf(w.d.Family), func(a Algorithm) bool { return a.Detours })
}

// usesOwn tells whether worst_throughput is of the routing that is chosen, not of the best possible one.
func (e *Evaluator) usesOwn() bool { return len(e.algorithms) > 0 || e.deployed }
