package netfile

import "toposearch/topology"

// mostOrderWork bounds the steps that finding an order of a file's channels takes: a fraction of a
// second. Larger networks keep a VC per hop.
const mostOrderWork = 3e8

// oneVCMinimal tells whether all shortest routes of a network together have no cycle of channels that
// wait for each other, as in a tree, so that one VC is enough. False also if the network is too large to
// find out.
func oneVCMinimal(n *topology.Network) bool {
	if n.Unidirectional {
		return false
	}
	o := waits{n: n, at: make([]int, n.Channels()+1), dist: make([]int32, n.Switches()), used: make([]bool, n.Switches())}
	o.start, o.to = n.Adjacency()
	for c, v := range o.to {
		o.at[c+1] = o.at[c] + int(o.start[v+1]-o.start[v])
	}
	if steps := float64(n.Groups()) * float64(o.at[len(o.to)]+n.Switches()+n.Groups()); steps > mostOrderWork {
		return false
	}
	o.on = make([]bool, o.at[len(o.to)])
	for g := range n.Groups() {
		o.toward(g)
	}
	return o.ordered()
}

// waits collects which channel can wait for which. on[at[c]+i] says that a packet on channel c can go
// on over the i-th channel of the switch to which it leads.
type waits struct {
	n     *topology.Network
	start []int32
	to    []topology.SwitchID
	at    []int
	on    []bool

	dist  []int32 // from the destination, -1 unreachable
	used  []bool  // on a route to it
	queue []topology.SwitchID
}

// toward adds the routes to the endpoints of a group.
func (o *waits) toward(g int) {
	_, _, ports := o.n.Group(g)
	for i := range o.dist {
		o.dist[i], o.used[i] = -1, false
	}
	o.queue = o.queue[:0]
	for _, s := range ports {
		if o.dist[s] < 0 {
			o.dist[s] = 0
			o.queue = append(o.queue, s)
		}
	}
	for i := 0; i < len(o.queue); i++ {
		v := o.queue[i]
		for _, u := range o.n.Neighbors(v) {
			if o.dist[u] < 0 {
				o.dist[u] = o.dist[v] + 1
				o.queue = append(o.queue, u)
			}
		}
	}
	for h := range o.n.Groups() {
		o.depart(h)
	}
	for i := len(o.queue) - 1; i >= 0; i-- { // farthest first: whoever is before a switch is known
		if u := o.queue[i]; o.used[u] && o.dist[u] > 0 {
			o.cross(u)
		}
	}
}

// depart marks where routes of a group begin: at those of its ports that are nearest.
func (o *waits) depart(g int) {
	_, _, ports := o.n.Group(g)
	least := int32(-1)
	for _, s := range ports {
		if d := o.dist[s]; d >= 0 && (least < 0 || d < least) {
			least = d
		}
	}
	for _, s := range ports {
		if least >= 0 && o.dist[s] == least {
			o.used[s] = true
		}
	}
}

// cross adds the channels by which routes leave a switch, and what is waited for behind each.
func (o *waits) cross(u topology.SwitchID) {
	for c := o.start[u]; c < o.start[u+1]; c++ {
		v := o.to[c]
		if o.dist[v] != o.dist[u]-1 {
			continue
		}
		o.used[v] = true
		for i := o.start[v]; i < o.start[v+1]; i++ {
			if o.dist[v] > 0 && o.dist[o.to[i]] == o.dist[v]-1 {
				o.on[o.at[c]+int(i-o.start[v])] = true
			}
		}
	}
}

// ordered takes away channels that nothing waits for until none is left, or a cycle.
func (o *waits) ordered() bool {
	before := make([]int32, len(o.to))
	each := func(c int, f func(next int32)) {
		first := o.start[o.to[c]]
		for i, on := range o.on[o.at[c]:o.at[c+1]] {
			if on {
				f(first + int32(i))
			}
		}
	}
	for c := range o.to {
		each(c, func(next int32) { before[next]++ })
	}
	var free []int32
	for c, k := range before {
		if k == 0 {
			free = append(free, int32(c))
		}
	}
	for i := 0; i < len(free); i++ {
		each(int(free[i]), func(next int32) {
			if before[next]--; before[next] == 0 {
				free = append(free, next)
			}
		})
	}
	return len(free) == len(o.to)
}
