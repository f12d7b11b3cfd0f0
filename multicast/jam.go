package multicast

import (
	"context"
	"fmt"

	"toposearch/internal/stream"
)

// Jam lets random groups send as much as they can at once and looks whether they stop each other.
type Jam struct {
	Fabric  *Fabric
	Routing Routing
	Order   Order // as in Experiment
	Groups  int
	Members int // of each group
	// Messages of every member to its group, all of them at the start.
	Messages int
	Config   Config
}

// mostRoutes is the number of endpoints up to which the routes of all pairs are added to the dependencies of a jam
// with a background.
const mostRoutes = 1024

// Run jams groups drawn with a seed: a cycle in the dependencies of their trees (and of unicast routes, if
// there is a background), nil if there is none, and whether the simulation came to a deadlock.
func (j *Jam) Run(ctx context.Context, seed uint64) (cycle []Tie, stuck bool, err error) {
	cfg := j.Config
	cfg.Seed = seed
	s, err := NewSim(j.Fabric, j.Routing, cfg)
	if err != nil {
		return nil, false, err
	}
	d := NewDependencies(j.Fabric)
	n := j.Fabric.Endpoints()
	if j.Members < 2 || j.Members > n {
		return nil, false, fmt.Errorf("multicast: groups of %d members in %s, which has %d endpoints", j.Members, j.Fabric.Name, n)
	}
	if cfg.Load > 0 && n > mostRoutes {
		return nil, false, fmt.Errorf("multicast: %s has %d endpoints: the routes of all pairs are checked up to %d", j.Fabric.Name, n, mostRoutes)
	}
	var groups []*Group
	for k := range j.Groups {
		members := stream.New(seed, "multicast jam", uint64(k)).Perm(n)[:j.Members]
		x := Experiment{Fabric: j.Fabric, Routing: j.Routing, Order: j.Order}
		g, err := x.tree(ID{members[0], k}, members[1:])
		if err != nil {
			return nil, false, err
		}
		groups = append(groups, g)
		d.AddGroup(g)
		s.Create(g)
	}
	if cfg.Load > 0 {
		d.AddPairs(j.Routing)
	}
	for s.Count.Notified < int64(j.Groups*(j.Members-1)) {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		s.Step()
	}
	for range j.Messages {
		for _, g := range groups {
			for _, m := range g.Members {
				if _, err := s.Send(Table, g, m, cfg.Flits, nil); err != nil {
					return nil, false, err
				}
			}
		}
	}
	// Every flit of every message through one port would take no longer.
	most := int64(j.Messages) * int64(j.Groups*j.Members*j.Members) * int64(cfg.Flits+cfg.RouteCycles)
	if !s.Run(deadlockCycles+2*most) && !s.Stuck() {
		return nil, false, fmt.Errorf("multicast: %d groups of %d members in %s neither finished nor stopped", j.Groups, j.Members, j.Fabric.Name)
	}
	return d.Cycle(), s.Stuck(), nil
}
