package reproduce

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"toposearch/multicast"
)

// multicastTable is the paper's worked example, its table of counts, and what a simulation measures.
func multicastTable(ctx context.Context, workers int, plan castPlan) (*Table, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	t := &Table{
		Source: "the paper on multicast in source-routed high-radix fat trees (TH-1A; MHWAR, DMFTAR), from a summary of it; curves by the simulator of package multicast",
		Notes: []string{
			"The paper gives the parts of the 256-bit head flit (48 bits header, 20 link layer, 188 payload) and 4 bits for each of up to 9 hops. The fields are ours: header = kind 4, hops 4, hops made 4, ports 9 x 4; payload of a create packet = creator 16, sequence 16, nine lists of a bit for each of 16 ports (port 0 first), 12 spare.",
			"The worked example's wiring is what its lists imply. It is not that of the TH-1A's modules: endpoints 280 to 292 hang on one switch, and 288 begins a module of 32.",
			"Simulated: one virtual channel, one FIFO queue at each input, copies granted by each output alone, whole packets of 8 flits in buffers of 64; a lone packet takes as long as in simcore/flit, which accepts as much of an overload to 3 % (256 bytes a packet, 5 cycles a switch). Multi-head packets have as many heads as fit a buffer, and are read to their last head before they are split. The wiring above the TH-1A's modules is ours (full bisection): the paper has only cards of 6 and 2 switches.",
			"unicast: the sender sends to each; unicast tree: along a binomial tree of members; table: the creator's routes (DMFTAR); rooted: tables, with trees that only go down from one switch. Last-member latencies: means over random groups with 95 % intervals; one message at a time.",
		},
	}
	for _, part := range []func(context.Context, *Table) error{castExample, castCounts} {
		if err := part(ctx, t); err != nil {
			return nil, err
		}
	}
	runs, err := plan.run(ctx, workers)
	if err != nil {
		return nil, err
	}
	castRows(t, runs)
	collectives, err := plan.collectives(ctx, workers)
	if err != nil {
		return nil, err
	}
	castCollectiveRows(t, collectives)
	if err := plan.jams(ctx, workers, t); err != nil {
		return nil, err
	}
	t.figures = castFigures(runs, collectives)
	return t, nil
}

// castExample puts the create packets beside those printed.
func castExample(_ context.Context, t *Table) error {
	x, err := multicast.NewExample()
	if err != nil {
		return err
	}
	g, err := x.Group()
	if err != nil {
		return err
	}
	row := Row{Name: "worked example: creator 211, members 17, 22, 26, 99, 107, 280, 284, 288, 292"}
	published := []string{
		"<2,31> {1,3,7} {0,1,f} {1,6,8,a}", "<2,3f> {1,3,7} {0,1,f} {3,5,b}", "<2,7e> {1,3,7} {c,e} {0,4,8,a,c}",
	}
	row.Cells = append(row.Cells, number("create_packets", float64(len(published)), float64(len(g.Creates)), 0, ""))
	for i, c := range g.Creates {
		words := createWords(c)
		cell := Cell{fmt.Sprint("create_packet_", i+1), nil, words, false, ""}
		if i < len(published) {
			cell.Published, cell.Agrees = published[i], published[i] == words
		}
		f, err := c.Flit(g.ID)
		if err != nil {
			return err
		}
		row.Cells = append(row.Cells, cell, extra(fmt.Sprint("flit_", i+1), fmt.Sprintf("%x", f[:]), "256 bits, in the layout of the notes"))
	}
	t.Rows = append(t.Rows, row)
	return nil
}

// createWords prints a create packet as the paper does: hops and ports, then the lists.
func createWords(c multicast.Create) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<%d,", len(c.Route))
	for _, p := range c.Route {
		fmt.Fprintf(&b, "%x", p)
	}
	b.WriteString(">")
	for _, l := range c.Lists {
		var ports []string
		for p := range multicast.MaxPorts {
			if l.Has(p) {
				ports = append(ports, fmt.Sprintf("%x", p))
			}
		}
		b.WriteString(" {" + strings.Join(ports, ",") + "}")
	}
	return b.String()
}

// castCounts simulates the counts of the paper's table.
func castCounts(_ context.Context, t *Table) error {
	x, err := multicast.NewExample()
	if err != nil {
		return err
	}
	g, err := x.Group()
	if err != nil {
		return err
	}
	const packets = 4
	count, err := counted(x.Fabric, x, g, multicast.Table, packets)
	if err != nil {
		return err
	}
	row := Row{Name: "counts: the worked example, N = 10 members, M = 4 packets each, m = 3"}
	row.Cells = tableCells(multicast.CountTable(10, packets, 3), count)
	t.Rows = append(t.Rows, row)

	tree, err := multicast.NewTree(castTree)
	if err != nil {
		return err
	}
	const perLeaf, leaves = 4, 8 // the creator alone on its leaf
	var others []int
	for e := 8; e < 8*(leaves+1); e++ {
		if e%8 < perLeaf {
			others = append(others, e)
		}
	}
	if g, err = multicast.NewGroup(tree.Fabric, tree, multicast.ID{}, others); err != nil {
		return err
	}
	n := len(g.Members)
	row = Row{Name: fmt.Sprintf("counts: N = %d members, M = %d packets each, m = %d, %s", n, packets, perLeaf, tree)}
	heads, err := counted(tree.Fabric, tree, g, multicast.MultiHead, packets)
	if err != nil {
		return err
	}
	all := multicast.CountMultiHeadAll(n, packets).Heads
	row.Cells = append(row.Cells,
		noted(number("multi-head: heads", multicast.CountMultiHead(n, packets).Heads, heads.Heads, 0, ""),
			"M (N-1)^2, as the paper has it, leaves one sender out"),
		extra("multi-head: M N (N-1)", all, fmt.Sprintf("the simulated count less this: %g", heads.Heads-all)))
	if count, err = counted(tree.Fabric, tree, g, multicast.Table, packets); err != nil {
		return err
	}
	row.Cells = append(row.Cells, tableCells(multicast.CountTable(n, packets, perLeaf), count)...)
	t.Rows = append(t.Rows, row)
	return nil
}

func tableCells(want, got multicast.Counts) []Cell {
	return []Cell{
		number("table: heads", want.Heads, got.Heads, 0, "M N"),
		number("table: create packets", want.Control, got.Control, 0, "(N-1)/m"),
		number("table: notifications", want.Notify, got.Notify, 0, "N-1"),
	}
}

// counted simulates packets from every member to all others and counts what endpoints send.
func counted(f *multicast.Fabric, r multicast.Routing, g *multicast.Group, m multicast.Method, packets int) (c multicast.Counts, err error) {
	s, err := multicast.NewSim(f, r, multicast.DefaultConfig())
	if err != nil {
		return c, err
	}
	if m == multicast.Table {
		s.Create(g)
		for range created {
			s.Step()
		}
	}
	if _, err := s.Exchange(m, g, packets); err != nil {
		return c, err
	}
	return s.Counts(), nil
}
