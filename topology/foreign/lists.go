package foreign

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"

	"toposearch/topology"
	"toposearch/topology/netfile"
)

// CSV writes the edge list that netfile reads, one cable a row.
func (f *Fabric) CSV(out io.Writer) error {
	if err := f.bothWays("csv"); err != nil {
		return err
	}
	w := bufio.NewWriter(out)
	fmt.Fprintln(w, "a,a_port,b,b_port,gbps,medium,class,a_class,a_kind,b_class,b_kind")
	err := f.cables(func(c cable) error {
		a, b := f.end(c.a), f.end(c.b)
		_, err := fmt.Fprintf(w, "%s,%d,%s,%d,%s,%s,%s,%s,%s,%s,%s\n", f.name(c.a), c.portA, f.name(c.b), c.portB, f.gbps(c.class), f.medium(c.class), f.linkClass(c.class),
			a.Class, a.Kind, b.Class, b.Kind)
		return err
	})
	return first(err, w.Flush())
}

// Anynet writes BookSim2's topology anynet: routers and nodes, links of a cycle each way. BookSim2 merges parallel links without a
// word and has no rates.
func (f *Fabric) Anynet(out io.Writer) error {
	if err := first(f.bothWays("anynet"), f.onePort("anynet"), f.single("anynet", "which BookSim2 merges into one"), f.oneRate("anynet")); err != nil {
		return err
	}
	hosts := make([][]topology.EndpointID, f.switches())
	for g := range f.n.Groups() {
		from, end, ports := f.n.Group(g)
		for e := from; e < end; e++ {
			hosts[ports[0]] = append(hosts[ports[0]], e)
		}
	}
	w := bufio.NewWriter(out)
	for s := range f.switches() {
		fmt.Fprintf(w, "router %d", s)
		for _, e := range hosts[s] {
			fmt.Fprintf(w, " node %d", e)
		}
		for _, t := range f.n.Neighbors(topology.SwitchID(s)) {
			fmt.Fprintf(w, " router %d", t)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}

// Edges writes a list of edges as Graph Golf's competition has them: pairs of switches by number. How many endpoints each switch has
// stands in a comment; they have to be equally many.
func (f *Fabric) Edges(out io.Writer) error {
	if err := first(f.bothWays("edges"), f.onePort("edges"), f.single("edges", "and the format's graphs are simple"), f.oneRate("edges")); err != nil {
		return err
	}
	each := f.n.Endpoints() / max(f.switches(), 1)
	for s := range f.switches() {
		links := len(f.n.Neighbors(topology.SwitchID(s)))
		if have := f.ports[s] - links; have != each || each == 0 {
			return f.refusal("edges", "switch %s has %d endpoints of %d on %d switches, and the format has none: each switch needs as many; csv and graphml have endpoints",
				f.names[s], have, f.n.Endpoints(), f.switches())
		}
		if links == 0 {
			return f.refusal("edges", "switch %s has no links, and the format only vertices that have", f.names[s])
		}
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s %d", netfile.EndpointsEach, each)
	if f.class(0).Embedded { // and so are all: each has an endpoint
		fmt.Fprint(w, netfile.EachKind, f.end(0).Kind)
	}
	fmt.Fprintln(w)
	err := f.cables(func(c cable) error {
		if f.isEndpoint(c.a) {
			return nil
		}
		_, err := fmt.Fprintln(w, c.a, c.b)
		return err
	})
	return first(err, w.Flush())
}

// METIS writes a graph for gpmetis: vertices are switches and behind them endpoints with several ports, in their order. An endpoint with
// one port is a weight of 1 of its switch, so that no part leaves it alone; one that is a vertex weighs 1, so that parts have equally
// many endpoints. An edge weighs its rate in shares, parallel links together. Names are lost.
func (f *Fabric) METIS(out io.Writer) error {
	if err := f.bothWays("metis"); err != nil {
		return err
	}
	type arc struct {
		to    int
		lanes int64
	}
	vertex := make([]int, f.devices()) // of a device; -1: a weight
	weight := make([]int, f.switches(), f.devices())
	for s := range f.switches() {
		vertex[s] = s
	}
	for g := range f.n.Groups() {
		from, end, ports := f.n.Group(g)
		for e := from; e < end; e++ {
			if d := f.switches() + int(e); len(ports) == 1 {
				vertex[d] = -1
				weight[ports[0]]++
			} else {
				vertex[d] = len(weight)
				weight = append(weight, 1)
			}
		}
	}
	at := make([][]arc, len(weight))
	var share [topology.MaxClasses]int64
	for c := range f.n.LinkClasses {
		share[c] = f.share(c)
	}
	_ = f.cables(func(c cable) error { // no error of its own
		if a, b, lanes := vertex[c.a], vertex[c.b], share[c.class]; a >= 0 {
			at[a], at[b] = append(at[a], arc{b, lanes}), append(at[b], arc{a, lanes})
		}
		return nil
	})
	edges := 0
	for v, list := range at {
		slices.SortFunc(list, func(a, b arc) int { return cmp.Compare(a.to, b.to) })
		merged := list[:0]
		for _, x := range list {
			if k := len(merged); k > 0 && merged[k-1].to == x.to {
				merged[k-1].lanes += x.lanes
			} else {
				merged = append(merged, x)
			}
		}
		at[v] = merged
		edges += len(merged)
	}
	if edges == 0 {
		return f.refusal("metis", "nothing is left of it to divide: one switch, or none that is linked to another")
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%d %d 011\n", len(at), edges/2)
	for v, list := range at {
		fmt.Fprint(w, weight[v])
		for _, x := range list {
			fmt.Fprintf(w, " %d %d", x.to+1, x.lanes)
		}
		fmt.Fprintln(w)
	}
	return w.Flush()
}
