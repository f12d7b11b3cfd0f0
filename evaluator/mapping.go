package evaluator

import (
	"fmt"

	"toposearch/internal/stream"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/placed"
)

// remap searches the best places for the ranks of a step on the first of n's endpoints: of all orders of the kinds of parallelism, on the endpoints by their numbers and with groups of tp whole on switches, one of which
// groups are exchanged.
func (w *work) remap(n *placed.Network, s workload.System, best *timed) error {
	x := best.x
	best.hi = nil
	try := func(at []topology.EndpointID, name string) error {
		on := n.On(at)
		step, err := x.TimeOn(s, on.Fabric(w.ctx))
		if err == nil && (best.hi == nil || step.Total < best.hi.Total*(1-leastGain)) {
			best.hi, best.on, best.mapping = step, on, name
		}
		return err
	}
	lists, names := [][]topology.EndpointID{n.Endpoint}, []string{""}
	if whole, ok := n.WholeOnSwitches(x.TP, x.Ranks()); ok {
		lists, names = append(lists, whole), append(names, ", groups of tp whole on switches")
	}
	tried := 0
	for i, list := range lists {
		for _, o := range placed.Orders(x.Parallelism) {
			if err := try(o.Place(x.Parallelism, list), fmt.Sprintf("ranks of %s next to each other%s", o, names[i])); err != nil {
				return err
			}
			tried++
		}
	}
	rng, exchanged, order := stream.New(1, "mapping"), 0, best.mapping
	for range swaps(x.Ranks()) {
		before := best.hi
		if err := try(placed.Swap(best.on.Endpoint, x.TP, rng), order); err != nil {
			return err
		}
		if best.hi != before {
			exchanged++
		}
	}
	best.mapping = fmt.Sprintf("%s, the best of %d orders, and %d groups exchanged, ", order, tried, exchanged)
	return nil
}

// swaps is how many exchanges of groups are tried: as many as take about a second, each a step of so many ranks, at most 64.
func swaps(ranks int) int { return max(0, min(64, (1<<18)/max(ranks, 1))) }
