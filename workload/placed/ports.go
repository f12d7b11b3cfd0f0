package placed

import "toposearch/routing"

// mostAtPorts bounds the messages of a pattern that are followed to the ports of their endpoints, some 0.1 s. Of more, as in an all-to-all among
// thousands, every endpoint sends to all parts of the network, and the mean over those that share their switches tells what a port carries.
const mostAtPorts = 1 << 22

// sharedPorts are the sets of a router whose endpoints share several switches, and how flows between sets are spread over ports.
type sharedPorts struct {
	several []bool          // by set
	tracer  *routing.Tracer // of single flows; nil: there is no such set
	ends    map[[2]int32]portShares
}

// portShares are the parts of a flow on a link of each port of its two ends.
type portShares struct{ out, in []float64 }

// newSharedPorts finds them.
func newSharedPorts(r *routing.Router, t *routing.Tracer) *sharedPorts {
	p := &sharedPorts{several: make([]bool, len(r.Sets))}
	any := false
	for i := range r.Sets {
		p.several[i] = r.Sets[i].Shares()
		any = any || p.several[i]
	}
	if any {
		p.tracer, p.ends = t.Beside(), map[[2]int32]portShares{}
	}
	return p
}

// portLoads are the loads on the links of endpoints that share several switches with others. Loads of the router are by sets of such endpoints, in their
// mean, where one that sends all by one of its ports is hidden behind others that send by other ports.
type portLoads struct {
	*sharedPorts
	sets    []int32     // by rank
	out, in [][]float64 // by rank, then by port: on a link of it
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
	if p.several[src] {
		addPorts(&p.out[from], x.out, share)
	}
	if p.several[dst] {
		addPorts(&p.in[to], x.in, share)
	}
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
	for _, ranks := range [2][][]float64{p.out, p.in} {
		for _, ports := range ranks {
			for _, x := range ports {
				most = max(most, x)
			}
		}
	}
	return most
}
