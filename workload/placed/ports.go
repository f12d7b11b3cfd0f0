package placed

import "toposearch/routing"

// mostAtPorts bounds the messages of a pattern that are followed to the ports of their endpoints, some 0.1 s. Of more, as in an all-to-all among
// thousands, every endpoint sends to all parts of the network, and the mean over those that share their switches tells what a port carries.
const mostAtPorts = 1 << 22

// portLoads are the loads on the links of endpoints that share several switches with others. Loads of the router are by sets of such endpoints, in their
// mean, where one that sends all by one of its ports is hidden behind others that send by other ports.
type portLoads struct {
	tracer  *routing.Tracer
	sets    []int32 // by rank
	several []bool  // by set: its endpoints have several switches in common
	ends    map[[2]int32]portShares
	out, in [][]float64 // by rank, then by port: on a link of it
}

// portShares are the parts of a flow on a link of each port of its two ends.
type portShares struct{ out, in []float64 }

// portLoads is nil where there are no such endpoints, or where distances are not known at once.
func (n *Network) portLoads(messages int) *portLoads {
	if n.Tracer == nil || n.Detours != nil || n.Around != nil || messages > mostAtPorts {
		return nil
	}
	if n.several == nil {
		n.several = make([]bool, len(n.Router.Sets))
		for i := range n.several {
			n.several[i] = n.Router.Sets[i].Shares()
			n.anySeveral = n.anySeveral || n.several[i]
		}
	}
	if !n.anySeveral {
		return nil
	}
	if n.beside == nil {
		n.beside, n.ends = n.Tracer.Beside(), map[[2]int32]portShares{}
	}
	ranks := len(n.Endpoint)
	return &portLoads{n.beside, n.hangs(), n.several, n.ends, make([][]float64, ranks), make([][]float64, ranks)}
}

// message adds one.
func (p *portLoads) message(from, to int, share float64) {
	src, dst := p.sets[from], p.sets[to]
	if !p.several[src] && !p.several[dst] {
		return
	}
	pair := [2]int32{src, dst}
	x, ok := p.ends[pair]
	if !ok {
		x.out, x.in = p.tracer.Ends(int(src), int(dst))
		p.ends[pair] = x
	}
	addPorts(&p.out[from], x.out, share)
	addPorts(&p.in[to], x.in, share)
}

func addPorts(sum *[]float64, parts []float64, share float64) {
	if *sum == nil {
		*sum = make([]float64, len(parts))
	}
	for i, x := range parts {
		(*sum)[i] += share * x
	}
}

// most is the load of the busiest link.
func (p *portLoads) most() (most float64) {
	for rank, set := range p.sets {
		if !p.several[set] {
			continue
		}
		for _, x := range p.out[rank] {
			most = max(most, x)
		}
		for _, x := range p.in[rank] {
			most = max(most, x)
		}
	}
	return most
}
