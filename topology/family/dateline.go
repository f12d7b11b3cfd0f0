package family

import "toposearch/topology"

// ringClasses are the link classes of a ring: those inside it and the one that closes it.
type ringClasses struct {
	inner []int
	wrap  int
	long  bool // four switches or more: routes of more than one hop, which can wait for each other in a circle
}

// ringOrder is dimension order over rings, with balanced datelines: a packet that has yet to cross the
// wrap-around link of a ring keeps to VC 0, one that has crossed it keeps to VC 1, and one that does not
// cross it takes either, as does a packet on that link. From VC 1 it does not come back to VC 0 in the ring.
// With a plain dateline (Dally, Seitz, IEEE Trans. Comput. 36(5), 1987) the latter had VC 0 only, so
// that half of the buffers were nearly empty; balancing them is due to Scott and Thorson (The Cray T3E
// Network, Hot Interconnects, 1996), there by a table of source and destination, here by what is free.
//
// Of several VCs of a class a packet on its first hop has only as many as uniform traffic that enters the channel needs (package route): that leaves dependencies out and adds none.
//
// VC 1 is free of cycles, since nobody takes the wrap-around link from VC 1 inside the ring; VC 0 is,
// since nobody goes on to VC 0 from the wrap-around link; and no way leads from VC 1 to VC 0.
//
// A long ring has three states: before (VC 0, or at its start), after (VC 1), and crossing, which is
// after for packets that were on VC 0 of the wrap-around link (routing.Router merges them into one hop of two VCs). A
// short one has a single state. The start is state 0: that of the first ring, in which no hop has been made.
func ringOrder(rings []ringClasses) topology.Rule {
	r := topology.Rule{Name: "dor"}
	add := func(from, class, to, vc int) {
		r.Steps = append(r.Steps, topology.Step{From: uint8(from), Kind: topology.Kind{Link: uint8(class)}, To: uint8(to), VC: uint8(vc)})
	}
	for _, g := range rings {
		before := r.States
		r.States++
		if !g.long {
			for from := range r.States {
				for _, class := range append([]int{g.wrap}, g.inner...) {
					add(from, class, before, 0)
				}
			}
			continue
		}
		crossing, after := before+1, before+2
		r.States += 2
		for from := range before + 1 { // from rings that come earlier, or within this one
			for _, class := range g.inner {
				add(from, class, before, 0)
				add(from, class, after, 1)
			}
			add(from, g.wrap, crossing, 0)
			add(from, g.wrap, after, 1)
		}
		for _, from := range []int{crossing, after} {
			for _, class := range g.inner {
				add(from, class, after, 1)
			}
		}
	}
	return r
}
