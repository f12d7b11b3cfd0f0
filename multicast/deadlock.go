package multicast

import (
	"fmt"
	"math/bits"
	"strings"
)

// Dependencies is the channel-dependency graph of routes and groups: a channel waits for another if a
// packet, or a copy that a switch makes of it, can come by the one and go on by the other. Without a cycle
// there is no deadlock, whatever a packet waits for at once: the channels can be put in an order, and of
// all packets that wait, what is in the buffer of the last channel in it waits for nothing (Dally, Seitz, IEEE
// Trans. Comput. 36(5), 1987, who need no single successor). It holds for asynchronous copies and buffers of
// whole packets. With a cycle a deadlock is possible; the simulator shows whether it comes.
type Dependencies struct {
	f     *Fabric
	after []Ports // by channel, which is the index of the port that it leaves by: the ports by which its packets leave the next switch
}

// NewDependencies makes an empty graph.
func NewDependencies(f *Fabric) *Dependencies {
	return &Dependencies{f, make([]Ports, len(f.to))}
}

// AddRoute adds a route from an endpoint.
func (d *Dependencies) AddRoute(src int, route []uint8) {
	at := d.f.at[src].Switch
	for i, port := range route[:len(route)-1] {
		t := Tie{at, port}
		d.after[d.f.index(t)] |= 1 << route[i+1]
		at = d.f.peer(t).Switch
	}
}

// AddPairs adds the routes of all pairs of endpoints.
func (d *Dependencies) AddPairs(r Routing) {
	var route []uint8
	for src := range d.f.Endpoints() {
		for dst := range d.f.Endpoints() {
			if src != dst {
				route = r.Route(route[:0], src, dst)
				d.AddRoute(src, route)
			}
		}
	}
}

// AddGroup adds what packets of a group do that any member may send: what comes by a port of a list goes out
// by all others.
func (d *Dependencies) AddGroup(g *Group) {
	for _, l := range g.Lists {
		for rest := l.Ports; rest != 0; rest &= rest - 1 {
			in := Tie{l.Switch, uint8(bits.TrailingZeros64(uint64(rest)))}
			if p := d.f.peer(in); p.Switch >= 0 {
				d.after[d.f.index(p.Tie)] |= l.Ports &^ (1 << in.Port)
			}
		}
	}
}

// each calls yield for the channels that a channel waits for; ports of endpoints are none.
func (d *Dependencies) each(c int32, yield func(int32)) {
	p := d.f.to[c]
	for rest := d.after[c]; rest != 0; rest &= rest - 1 {
		next := d.f.start[p.Switch] + int32(bits.TrailingZeros64(uint64(rest)))
		if d.f.to[next].Switch >= 0 {
			yield(next)
		}
	}
}

// Cycle is a cycle of channels, each by the port that it leaves by, of which each waits for the next and the last
// for the first; nil if there is none. It is as short as any through its first channel.
func (d *Dependencies) Cycle() []Tie {
	in := make([]int32, len(d.after))
	for c := range d.after {
		d.each(int32(c), func(next int32) { in[next]++ })
	}
	var ready []int32
	for c, n := range in {
		if n == 0 {
			ready = append(ready, int32(c))
		}
	}
	for len(ready) > 0 {
		c := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		d.each(c, func(next int32) {
			if in[next]--; in[next] == 0 {
				ready = append(ready, next)
			}
		})
	}
	// What is left lies on cycles or behind them.
	for c, n := range in {
		if n == 0 {
			continue
		}
		if loop := d.loop(int32(c)); loop != nil {
			return loop
		}
	}
	return nil
}

// loop is a shortest cycle through a channel, nil if there is none.
func (d *Dependencies) loop(c int32) []Tie {
	from := map[int32]int32{}
	queue := []int32{c}
	for k := 0; k < len(queue); k++ {
		d.each(queue[k], func(next int32) {
			if _, seen := from[next]; !seen {
				from[next] = queue[k]
				queue = append(queue, next)
			}
		})
		if last, closed := from[c]; closed {
			loop := []Tie{d.f.tie(last)}
			for last != c {
				last = from[last]
				loop = append(loop, d.f.tie(last))
			}
			for i, j := 0, len(loop)-1; i < j; i, j = i+1, j-1 {
				loop[i], loop[j] = loop[j], loop[i]
			}
			return loop
		}
	}
	return nil
}

// Words describes a cycle.
func (d *Dependencies) Words(cycle []Tie) string {
	if cycle == nil {
		return "no cycle"
	}
	var parts []string
	for _, t := range cycle {
		parts = append(parts, fmt.Sprintf("switch %d port %d to %d", t.Switch, t.Port, d.f.peer(t).Switch))
	}
	return strings.Join(parts, ", ")
}
