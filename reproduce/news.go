package reproduce

import (
	"context"
	"fmt"
	"math"

	"toposearch/topology"
)

// The NEWS pattern of Hennessy and Patterson, Appendix F: an array of 8 x 8 elements, one on each
// of 64 nodes, sends a packet from each element to its northern, then to its eastern neighbour; those
// on the edge that have none send none.
const newsSide = 8

// newsRow is a network of the example; gray maps rows and columns by Gray code, so that
// neighbours of the array are neighbours of a cube.
type newsRow struct {
	name, design string
	time         float64 // units as printed
	bandwidth    float64 // packets per unit as printed
	gray, stages bool
	note         string // what differs
}

func hpNews(context.Context) (*Table, error) {
	t := &Table{
		Source: "J. L. Hennessy, D. A. Patterson, Computer Architecture, Appendix F, section F.4: NEWS communication of 64 nodes",
		Notes: []string{
			"Time: packets move one hop a unit over shortest routes, a channel carries one packet a unit, and the eastward phase begins when the northward one has ended. Hops are links, in the fat tree switches, as in the book.",
			"Effective bandwidth: the least of what 64 nodes inject, of what the pattern sends in a phase, and of bisection / gamma, gamma being the fraction of packets that pass from one half of the nodes to the other.",
		},
	}
	for _, r := range []newsRow{
		{"bus", "bus(n=64)", 112, 1, false, false, ""},
		{"ring", "ring(n=64)", 9, 22.4, false, false, "the book counts 10 packets across the bisection, 2/(10/112) = 22.4; where halves are whole rows, 8 northward ones cross and no eastward one, 2/(8/112) = 28"},
		{"2D mesh", "mesh(k1=8,k2=8)", 2, 56, false, false, ""},
		{"2D torus", "torus(k1=8,k2=8)", 2, 56, false, false, ""},
		{"hypercube", "hypercube(n=6)", 2, 56, true, false, ""},
		{"fully connected", "complete(n=64)", 2, 56, false, false, ""},
		{"fat tree of 8-port switches", "kntree(k=4,n=3)", 8, 56, false, true, ""},
	} {
		row, err := r.row()
		if err != nil {
			return nil, err
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

// phase gives the packets of one direction as pairs of nodes.
func (r *newsRow) phase(dr, dc int) (packets [][2]int) {
	code := func(x int) int {
		if r.gray {
			return x ^ x>>1
		}
		return x
	}
	node := func(row, column int) int { return code(row)*newsSide + code(column) }
	for i := range newsSide {
		for j := range newsSide {
			if a, b := i+dr, j+dc; a >= 0 && b < newsSide {
				packets = append(packets, [2]int{node(i, j), node(a, b)})
			}
		}
	}
	return packets
}

func (r *newsRow) row() (Row, error) {
	d, s, err := sized(r.design)
	if err != nil {
		return Row{}, err
	}
	n, err := d.Build()
	if err != nil {
		return Row{}, err
	}
	bisection, err := middleCut(r.design)
	if err != nil {
		return Row{}, err
	}
	time, packets, across := 0, 0, 0
	least := 0
	for _, step := range [][2]int{{-1, 0}, {0, 1}} {
		sent := r.phase(step[0], step[1])
		units, longest, err := deliver(n, sent)
		if err != nil {
			return Row{}, err
		}
		if n.Unidirectional { // the ways to the bus and from it take no time
			units, longest = units-2, longest-2
		}
		if r.stages {
			units, longest = units+1, longest+1
		}
		time, least, packets = time+units, least+longest, packets+len(sent)
		for _, p := range sent {
			if (p[0] < n.Endpoints()/2) != (p[1] < n.Endpoints()/2) || n.Unidirectional {
				across++ // every packet passes a bus
			}
		}
	}
	why := "no packet waits for another"
	if time > least {
		why = fmt.Sprintf("the longest routes alone take %d: packets wait for one another", least)
	}
	bw := math.Min(float64(s.Endpoints), float64(packets)/2)
	bw = math.Min(bw, float64(bisection)*float64(packets)/float64(across))
	row := Row{r.name, []Cell{number("packets", 112, float64(packets), 0, ""), number("time_units", r.time, float64(time), 0, why)}}
	text := fmt.Sprintf("%d of %d packets cross a bisection of %d links", across, packets, bisection)
	row.Cells = append(row.Cells, noted(number("effective_bandwidth", r.bandwidth, round(bw, 4), 1, text), r.note))
	return row, nil
}

// deliver moves all packets at once over shortest routes, one packet a unit and channel, and gives
// the units it took and the hops of the longest route. Where a packet may choose, it begins with the
// digit of its destination that belongs to the hop: in a fat tree, roots by destination, which keeps
// shifts apart.
func deliver(n *topology.Network, packets [][2]int) (units, longest int, err error) {
	at, to := make([]topology.SwitchID, len(packets)), make([][]int, len(packets))
	hops := make([]int, len(packets))
	for i, p := range packets {
		_, _, from := n.Group(n.GroupOf(topology.EndpointID(p[0])))
		_, _, end := n.Group(n.GroupOf(topology.EndpointID(p[1])))
		at[i] = from[0]
		to[i] = distancesTo(n, end[len(end)-1])
		if longest = max(longest, to[i][at[i]]); to[i][at[i]] < 0 {
			return 0, 0, fmt.Errorf("%s: node %d does not reach node %d", n.Design, p[0], p[1])
		}
	}
	busy := make([]int, n.Channels()) // the unit in which a channel was last used
	for left := len(packets); left > 0; {
		units++
		left = 0
		for i, p := range packets {
			dist := to[i]
			if dist[at[i]] == 0 {
				continue
			}
			left++
			var ways []topology.ChannelID
			for c, end := n.Out(at[i]); c < end; c++ {
				if dist[n.To(c)] == dist[at[i]]-1 {
					ways = append(ways, c)
				}
			}
			first := p[1]
			for range hops[i] {
				first /= len(ways)
			}
			for k := range ways {
				if c := ways[(first+k)%len(ways)]; busy[c] < units {
					busy[c], at[i] = units, n.To(c)
					hops[i]++
					break
				}
			}
			if dist[at[i]] == 0 {
				left--
			}
		}
	}
	return units, longest, nil
}

// distancesTo is the number of channels from each switch to one, -1 where there is no way.
func distancesTo(n *topology.Network, end topology.SwitchID) []int {
	into := make([][]topology.SwitchID, n.Switches())
	for s := range topology.SwitchID(n.Switches()) {
		for _, t := range n.Neighbors(s) {
			into[t] = append(into[t], s)
		}
	}
	dist := make([]int, n.Switches())
	for s := range dist {
		dist[s] = -1
	}
	dist[end] = 0
	for queue := []topology.SwitchID{end}; len(queue) > 0; queue = queue[1:] {
		for _, s := range into[queue[0]] {
			if dist[s] < 0 {
				dist[s] = dist[queue[0]] + 1
				queue = append(queue, s)
			}
		}
	}
	return dist
}
