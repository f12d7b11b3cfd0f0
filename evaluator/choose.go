package evaluator

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Which of the routings that a study names a design takes. Without names it is the one of the options.

// vcs is what the routing needs of a switch, if that is known.
func (a *Algorithm) vcs(w *work) (need int, known bool) {
	if a.Tables {
		t := w.named[a.Name]
		return t.layers, t.why == ""
	}
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

// leastVCs is vcs or, where that is not known, the fewest that any network needs; many where there are no tables.
func (a *Algorithm) leastVCs(w *work) int {
	need, known := a.vcs(w)
	switch {
	case a.Tables && w.named[a.Name].why != "":
		return math.MaxInt
	case known:
		return need
	}
	return a.LeastVCs()
}

// unfit says why a design cannot take the routing, "" if it can: what is not known does not fit, where it is limited.
func (a *Algorithm) unfit(w *work) string {
	if t := w.named[a.Name]; a.Tables && t.why != "" {
		return fmt.Sprintf("there are no tables of %s: %s", a.Name, t.why)
	}
	if most := w.e.opt.MaxVCs; most > 0 {
		switch need, known := a.vcs(w); {
		case !known:
			k := metric.VCsMinimal
			if a.Detours && w.res.Have[k] {
				k = metric.VCsAdaptive
			}
			return fmt.Sprintf("%s: how many virtual channels it needs is not known (%s), and there are %d", a.Name, w.res.Absent[k], most)
		case need > most:
			return fmt.Sprintf("%s needs %d virtual channels, and there are %d", a.Name, need, most)
		}
	}
	if most := w.e.opt.MaxRouteHops; most > 0 && !a.Tables { // whose packets name no route
		hops := w.res.Metrics[metric.MaxHops].Value
		if a.Detours {
			hops *= 2
		}
		switch {
		case !w.res.Have[metric.MaxHops]:
			return fmt.Sprintf("%s: how many hops its routes have is not known (%s), and a source route names %d", a.Name, w.res.Absent[metric.MaxHops], most)
		case hops > float64(most):
			return fmt.Sprintf("routes of %s have up to %g hops, and a source route names %d", a.Name, hops, most)
		}
	}
	return ""
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
// needs least. What it finds first stands, whatever is known of VCs later.
func (w *work) allowed() []Algorithm {
	if w.able != nil {
		return w.able
	}
	all := w.algorithms
	if len(all) == 0 {
		w.able = []Algorithm{w.e.opt.asked()}
		return w.able
	}
	least := 0
	w.unfit = make([]string, len(all))
	for i := range all {
		if w.unfit[i] = all[i].unfit(w); w.unfit[i] == "" {
			w.able = append(w.able, all[i])
		}
		if all[i].leastVCs(w) < all[least].leastVCs(w) {
			least = i
		}
	}
	if w.able == nil {
		w.able = all[least : least+1]
	}
	return w.able
}

// unfitText says which routings the design cannot take, and why.
func (w *work) unfitText() string {
	if w.req.Level < 1 && len(w.algorithms) == 1 { // nothing decides, so that VCs were not asked for
		return ""
	}
	return strings.Join(slices.DeleteFunc(slices.Clone(w.unfit), func(why string) bool { return why == "" }), "; ")
}

// routing is the one that throughput is of: the first of those that are allowed with the best uniform throughput, which
// detours that all packets make halve and others leave; or the one with the best worst_throughput, once that was asked
// for (runWorstRouted).
func (w *work) routing() *Algorithm {
	if w.chosen == nil {
		all := w.allowed()
		best := 0
		for i := range all {
			if w.uniform(&all[i]) > w.uniform(&all[best])*(1+same) {
				best = i
			}
		}
		w.choose(all[best])
	}
	return w.chosen
}

// uniform is the uniform throughput of a routing, or where that of direct routes is not known what it would be if that
// were 1.
func (w *work) uniform(a *Algorithm) float64 {
	x := w.limit.Throughput
	switch {
	case !w.limit.Limited:
		x = 1
	case a.Tables:
		return w.named[a.Name].limit.Throughput
	case a.Single && w.hashes != nil:
		return x * w.hashes.part
	}
	times, ok := w.phases(a)
	if !ok { // at most
		times = 2
	}
	return x / times
}

func (w *work) choose(a Algorithm) {
	w.chosen, w.res.Routing = &a, a.Name
	if len(w.algorithms) > 0 && w.settled() {
		w.res.Chosen = a.Name
	}
}

// mayDetour tells whether a routing that is named makes detours, so that their VCs decide whether it is taken.
func (w *work) mayDetour() bool {
	return slices.ContainsFunc(w.algorithms, func(a Algorithm) bool { return a.Detours })
}

// maySingle tells whether a routing that the design can take keeps flows on one path.
func (w *work) maySingle() bool {
	return slices.ContainsFunc(w.allowed(), func(a Algorithm) bool { return a.Single })
}

// namesSingle is the same of all that are named, before it is known what the design can take.
func (w *work) namesSingle() bool {
	return slices.ContainsFunc(w.algorithms, func(a Algorithm) bool { return a.Single })
}

// mayTable is the same of tables.
func (w *work) mayTable() bool {
	return slices.ContainsFunc(w.algorithms, func(a Algorithm) bool { return a.Tables })
}

// settled tells whether the choice is known: VCs and hops are not at level 0, unless a metric by name is of it.
func (w *work) settled() bool { return w.decides || len(w.algorithms) < 2 }

// unsettle leaves out what would be of the first routing that is named, where another may be chosen from level 1 on.
func (w *work) unsettle() {
	const why = "which routing the design takes is known from level 1 on"
	r := w.res
	r.Routing, r.Bottleneck, r.LaneThroughput = "", "", 0
	if r.Have[metric.UniformThroughput] {
		r.Have[metric.UniformThroughput] = false
		w.absent(metric.UniformThroughput, why)
	}
	if len(w.req.Keys) == 0 {
		r.Notes = append(r.Notes, why)
	}
}

// usesOwn tells whether worst_throughput is of the routing that is chosen or asked for alone, not of the best possible one.
func (e *Evaluator) usesOwn() bool {
	return len(e.algorithms) > 0 || e.deployed || slices.Contains(Alone(), e.opt.Routing)
}
