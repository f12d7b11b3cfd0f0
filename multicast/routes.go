package multicast

import (
	"fmt"

	"toposearch/routing"
	"toposearch/topology"
)

// UpDown are up*/down* routes of a network whose endpoints have one port, and the order of its
// switches behind them (routing.UpDown). Of several shortest legal ways a route takes a fixed one, so that
// sources and destinations spread over them.
type UpDown struct {
	f      *Fabric
	r      *routing.Router
	set    []int32          // by endpoint
	fields []*routing.Field // by set
}

// NewUpDown makes them; the fabric is the network's. It is an error if two endpoints are not connected.
// Memory: 4 bytes for each pair of a switch and a switch with endpoints.
func NewUpDown(n *topology.Network) (*Fabric, *UpDown, error) {
	f, err := FromNetwork(n)
	if err != nil {
		return nil, nil, err
	}
	r, err := routing.UpDown(n)
	if err != nil {
		return nil, nil, err
	}
	u := &UpDown{f: f, r: r, set: make([]int32, n.Endpoints()), fields: make([]*routing.Field, len(r.Sets))}
	for e := range u.set {
		u.set[e] = r.SetOf[n.GroupOf(topology.EndpointID(e))]
	}
	for s := range r.Sets {
		u.fields[s] = r.Field(s)
		for e := range u.set {
			if u.fields[s].Dist[u.node(f.at[e].Switch, 0)] == routing.Unreachable {
				return nil, nil, fmt.Errorf("multicast: %s: endpoint %d has no way to all others", n.Design, e)
			}
		}
	}
	return f, u, nil
}

func (u *UpDown) node(s int32, state uint8) int { return int(s)*u.r.States() + int(state) }

// Route appends the ports of the route.
func (u *UpDown) Route(buf []uint8, src, dst int) []uint8 {
	at, state := u.f.at[src].Switch, uint8(0)
	var next [MaxPorts * 2]routing.Hop // a hop for each port and state
	for at != u.f.at[dst].Switch {
		hops := u.r.Next(u.fields[u.set[dst]], topology.SwitchID(at), state, next[:0])
		h := hops[(src+dst)%len(hops)]
		first, _ := u.r.Net.Out(topology.SwitchID(at))
		buf = append(buf, uint8(h.Channel-first))
		at, state = int32(u.r.Net.To(h.Channel)), h.State
	}
	return append(buf, u.f.at[dst].Port)
}

// Up reports whether a port leads to a switch that comes earlier in the order.
func (u *UpDown) Up(t Tie) bool {
	first, end := u.r.Net.Out(topology.SwitchID(t.Switch))
	c := first + topology.ChannelID(t.Port)
	const up = 0 // as routing.UpDown numbers the two kinds of channel
	return c < end && u.r.KindOf(c) == up
}
