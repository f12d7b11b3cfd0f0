package evaluator

import (
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// table_entries: a switch that forwards by destination address alone (a linear forwarding table of
// InfiniBand, exact-match host routes of Ethernet) needs an entry for every address that packets may
// have when they come to it: one for each port of an endpoint, since each port has an address of its
// own. Planes that no switch joins know only their own ports. Endpoints that relay address the next
// endpoint on the way, so that a switch knows the ports that it reaches over switches alone.
// Prefixes and groups of routes, which need fewer entries, are not assumed; nor are the switches' own
// addresses counted.
const tableText = "one entry for each endpoint port that the switch reaches over switches alone, no prefixes; of the switch that needs most"

var tableGroup = group{keys: []metric.Key{metric.TableEntries}, methods: []method{
	{name: "no switch", level: 0, applies: func(w *work) string {
		if w.size.Switches() > 0 {
			return "there are switches"
		}
		return ""
	}, run: func(w *work) error { // absent, it would fail a limit that nothing can miss
		w.exact(metric.TableEntries, 0, "there is no switch that is not embedded, and no table")
		return nil
	}},
	{name: "ports of each connected set of switches", level: 2, cost: func(w *work) float64 {
		sum := 4 * float64(w.size.AllSwitches())
		for c := range w.d.Family.LinkClasses {
			sum += 10 * float64(w.size.Link[c])
		}
		return sum
	}, wires: true, bytes: func(w *work) float64 {
		_, bytes := w.d.WireTakes()
		return bytes + 21*float64(w.size.AllSwitches())
	}, run: runTables},
}}

func runTables(w *work) error {
	w.exact(metric.TableEntries, float64(w.tableEntries()), tableText)
	return nil
}

// tableEntries joins switches over their links and adds up the endpoint ports of each set.
func (w *work) tableEntries() (most int64) {
	f := w.d.Family
	k := w.size.AllSwitches()
	root, ports, embedded := make([]int32, k), make([]int64, k), make([]bool, k)
	at := int64(0)
	for i := range f.SwitchClasses {
		for range w.size.Switch[i].Count {
			root[at], embedded[at] = int32(at), f.SwitchClasses[i].Embedded
			at++
		}
	}
	find := func(s topology.SwitchID) int32 {
		i := int32(s)
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	if f.Wire != nil {
		f.Wire(w.d.V, func(_ int, a, b topology.SwitchID) {
			switch {
			case !embedded[a] && !embedded[b]:
				if x, y := find(a), find(b); x != y {
					root[max(x, y)] = min(x, y)
				}
			case embedded[a] && !embedded[b]:
				// In networks of channels a terminal has two: it is known by the one that leads to it.
				if !f.Unidirectional {
					ports[b]++
				}
			case embedded[b] && !embedded[a]:
				ports[a]++
			}
		})
	}
	if f.LinkClasses[0].Name != topology.ClassInternal {
		f.Attach(w.d.V, func(n int, to []topology.SwitchID) {
			for _, s := range to {
				ports[s] += int64(n)
			}
		})
	}
	sum := make([]int64, k)
	for s, n := range ports {
		r := find(topology.SwitchID(s))
		sum[r] += n
		most = max(most, sum[r])
	}
	return most
}
