package evaluator

import (
	"fmt"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/placed"
)

// mapped is a network with the ranks of a step on it, and the time that the step takes there.
type mapped struct {
	on   *placed.Network
	step *workload.StepTime
	name string // in words, with a comma behind it; "" for the order of numbers
}

// mapped places the ranks of a step on the first of n's endpoints as the workload says. The search for the best takes all orders of the
// kinds of parallelism, on the endpoints by their numbers and with groups of tp whole on switches, and then exchanges groups.
func (w *work) mapped(n *placed.Network, s workload.System, x *workload.Training) (best mapped, err error) {
	t := w.e.opt.Training
	try := func(at []topology.EndpointID, name string) error {
		on := n.On(at)
		step, err := x.TimeOn(s, on.Fabric(w.ctx))
		if err == nil && (best.step == nil || step.Total < best.step.Total*(1-leastGain)) {
			best = mapped{on, step, name}
		}
		return err
	}
	if t.Mapping != MappingBest {
		name, o := "", t.order()
		if o != nil {
			name = "ranks of " + o.String() + " next to each other, "
		}
		err := try(o.Place(x.Parallelism, n.Endpoint), name)
		return best, err
	}
	lists, names := [][]topology.EndpointID{n.Endpoint}, []string{""}
	if whole, ok := n.WholeOnSwitches(x.TP, x.Ranks()); ok {
		lists, names = append(lists, whole), append(names, ", groups of tp whole on switches")
	}
	tried := 0
	for i, list := range lists {
		for _, o := range placed.Orders(x.Parallelism) {
			if err := try(o.Place(x.Parallelism, list), fmt.Sprintf("ranks of %s next to each other%s", o, names[i])); err != nil {
				return best, err
			}
			tried++
		}
	}
	rng, exchanged, order := stream.New(1, "mapping"), 0, best.name
	for range swaps(x.Ranks()) {
		before := best.step
		if err := try(placed.Swap(best.on.Endpoint, x.TP, rng), order); err != nil {
			return best, err
		}
		if best.step != before {
			exchanged++
		}
	}
	best.name = fmt.Sprintf("%s, the best of %d orders, and %d groups exchanged, ", order, tried, exchanged)
	return best, nil
}

// leastGain is what a mapping has to be better by than one that was tried before it: more than rounding.
const leastGain = 1e-9

// swaps is how many exchanges of groups are tried: as many as take about a second, each a step of so many ranks, at most 64.
func swaps(ranks int) int { return max(0, min(64, (1<<18)/max(ranks, 1))) }
