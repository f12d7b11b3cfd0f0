package reproduce

import (
	"context"
	"fmt"

	"toposearch/internal/crew"
	"toposearch/internal/stream"
	"toposearch/multicast"
)

// castCollective is what collectives of groups of one size take by one method, in cycles, means over groups.
type castCollective struct {
	series                       castSeries
	members                      int
	barrier, broadcast, exchange float64 // exchange is 0 if there are too many members
}

// collectives simulates barriers, broadcasts and exchanges on an idle tree, with the messages of a method.
func (p *castPlan) collectives(ctx context.Context, workers int) ([]*castCollective, error) {
	net, err := castTreeNetwork("tree", castTree)
	if err != nil {
		return nil, err
	}
	var out []*castCollective
	for _, members := range p.sizes {
		for _, s := range net.series {
			out = append(out, &castCollective{series: s, members: members})
		}
	}
	g, ctx := crew.WithContext(ctx, workers)
	for _, c := range out {
		g.Go(func() error {
			for k := range p.groups {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := c.add(net, k, float64(p.groups)); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return out, g.Wait()
}

// add simulates the k-th of a number of groups.
func (c *castCollective) add(net *castNetwork, k int, groups float64) error {
	members := stream.New(castSeed, "reproduce multicast collective", uint64(k)).Perm(net.fabric.Endpoints())[:c.members]
	id := multicast.ID{Creator: members[0], Sequence: k}
	g, err := multicast.NewGroup(net.fabric, net.routes, id, members[1:])
	if c.series.rooted {
		g, err = multicast.NewRooted(net.fabric, net.routes, id, members[1:])
	}
	if err != nil {
		return err
	}
	s, err := multicast.NewSim(net.fabric, net.routes, multicast.DefaultConfig())
	if err != nil {
		return err
	}
	s.Create(g)
	for range created {
		s.Step()
	}
	m := c.series.method
	if err := sum(&c.barrier, groups)(s.Barrier(m, g)); err != nil {
		return err
	}
	if err := sum(&c.broadcast, groups)(s.Broadcast(m, g, members[0], castPackets)); err != nil {
		return err
	}
	if c.members > castExchange {
		return nil
	}
	return sum(&c.exchange, groups)(s.Exchange(m, g, 1))
}

// sum adds a share of what a collective took.
func sum(to *float64, groups float64) func(int64, error) error {
	return func(cycles int64, err error) error {
		*to += float64(cycles) / groups
		return err
	}
}

// castCollectiveRows adds them, a row for each number of members.
func castCollectiveRows(t *Table, all []*castCollective) {
	var row *Row
	for _, c := range all {
		name := fmt.Sprintf("collectives of %d members, idle tree, cycles", c.members)
		if row == nil || row.Name != name {
			t.Rows = append(t.Rows, Row{Name: name})
			row = &t.Rows[len(t.Rows)-1]
		}
		row.Cells = append(row.Cells,
			extra(c.series.name+": barrier", round(c.barrier, 1), ""),
			extra("  broadcast", round(c.broadcast, 1), fmt.Sprintf("%d packets of 8 flits", castPackets)))
		if c.exchange > 0 {
			row.Cells = append(row.Cells, extra("  exchange", round(c.exchange, 1), "a packet from every member to all others"))
		}
	}
}

// castJams are the groups that send at once, and whether there is a background of unicast packets.
var castJams = []struct {
	groups int
	load   float64
}{{1, 0}, {1, 0.1}, {2, 0}, {4, 0}, {8, 0}, {16, 0}, {16, 0.1}}

const (
	jamMembers  = 8
	jamMessages = 20 // of each member: several times what the buffers on its way hold
)

// jams looks for deadlocks of groups on a tree of 64 endpoints.
func (p *castPlan) jams(ctx context.Context, workers int, t *Table) error {
	net, err := castTreeNetwork("tree", []multicast.Level{{Down: 4, Up: 4, Parallel: 1}, {Down: 4, Up: 4, Parallel: 1}, {Down: 4}})
	if err != nil {
		return err
	}
	type jam struct {
		cycle []multicast.Tie
		stuck bool
	}
	runs := make([]jam, len(castJams)*2*p.jamDraws)
	g, ctx := crew.WithContext(ctx, workers)
	for i := range runs {
		g.Go(func() (err error) {
			c := castJams[i/2/p.jamDraws]
			x := multicast.Jam{
				Fabric: net.fabric, Routing: net.routes, Groups: c.groups, Members: jamMembers, Messages: jamMessages, Config: multicast.DefaultConfig(),
			}
			x.Config.Load = c.load
			if i/p.jamDraws%2 == 1 {
				x.Order = net.routes
			}
			runs[i].cycle, runs[i].stuck, err = x.Run(ctx, uint64(i%p.jamDraws))
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	shown := ""
	for k, c := range castJams {
		row := Row{Name: fmt.Sprintf("deadlock: %d groups of %d members, all send %d messages at once, background %g, %s", c.groups, jamMembers, jamMessages, c.load, net.name)}
		for kind, name := range []string{"table", "table, rooted"} {
			cycles, stuck := 0, 0
			for _, r := range runs[(2*k+kind)*p.jamDraws:][:p.jamDraws] {
				if r.cycle != nil {
					cycles++
					if words := multicast.NewDependencies(net.fabric).Words(r.cycle); shown == "" {
						shown = words
					}
				}
				if r.stuck {
					stuck++
				}
			}
			of := fmt.Sprintf("of %d draws", p.jamDraws)
			row.Cells = append(row.Cells, extra(name+": cyclic", cycles, of+" have a cycle of dependencies"), extra("  deadlocked", stuck, of+" stop in the simulation"))
		}
		t.Rows = append(t.Rows, row)
	}
	if shown != "" {
		t.Notes = append(t.Notes, "Deadlock: trees made of a creator's routes (DMFTAR) carry packets of other members down to the creator's switches and up again. One such group alone has no cycle of dependencies; several have (the first found: "+
			shown+"), and buffers of whole packets with asynchronous copies do not prevent it: the simulation then stops. Two virtual channels would do (one towards the creator, one away from it: each of the two ways goes up, then down), or trees that hang on one top switch (rooted), which never go up after down; these have no cycle, with unicast packets beside them either.")
	}
	return nil
}
