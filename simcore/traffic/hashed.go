package traffic

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"toposearch/internal/unit"
	"toposearch/topology"
)

// Hashed is what a network carries of flows each of which keeps to one path, such as ECMP gives it. Few large flows then meet on some
// links and leave others idle.
type Hashed struct {
	Shares
	// First is the offered load at which the first channel or port is full, and By which.
	First float64
	By    string
	// Count is the number of flows on each channel.
	Count []int32
}

// Shares are what flows get of what they offer at full load if those that meet share max-min fairly, as if each had queues of its own: on
// the mean, weighted by what they offer, and the one that gets least. Where they share queues, others wait behind those of the fullest channel, and from
// the load on at which that is full throughput grows slower.
type Shares struct {
	Flows int     `json:"flows"`
	Hash  bool    `json:"hash,omitempty"` // paths are those of one hash function, of another others
	Mean  float64 `json:"mean_share"`
	Least float64 `json:"least_share"`
}

// mostFlows bounds the flows that are followed one by one: a second.
const mostFlows = 1 << 20

// Path gives the way of a flow, as route.Native.Follow does.
type Path func(src, dst topology.EndpointID, cross func(topology.ChannelID)) (port int, last topology.SwitchID, ok bool)

// flows are the flows of a pattern with what they cross. Resources are channels, then ports of endpoints out and in.
type flows struct {
	rate     []float64
	start    []int32
	on       []int32   // resources of flow i: [start[i], start[i+1])
	capacity []float64 // by resource, in bandwidths of an endpoint
	load     []float64
	count    []int32
}

// Hashed follows every flow of the pattern on a network. The error is that there are too many, or one has no path.
func (p *Pattern) Hashed(ctx context.Context, n *topology.Network, path Path) (*Hashed, error) {
	if p.uniform != 0 && p.n > 1<<10 {
		return nil, fmt.Errorf("traffic %s has more than %d flows: too many to follow one by one", p.name, mostFlows)
	}
	f, err := p.follow(ctx, n, path)
	if err != nil {
		return nil, err
	}
	h := &Hashed{Shares: Shares{Flows: len(f.rate)}, First: math.Inf(1)}
	worst := -1
	for i, load := range f.load {
		if x := f.capacity[i] / load; load > 0 && x < h.First*(1-1e-12) {
			h.First, worst = x, i
		}
	}
	switch {
	case worst < 0:
		h.By = "nothing"
	case worst < n.Channels():
		k := n.Kind(n.From(topology.ChannelID(worst)), topology.ChannelID(worst))
		h.By = fmt.Sprintf("links of class %s from %s to %s, the busiest of which has %s", n.LinkClasses[k.Link].Name, n.SwitchClasses[k.From].Name, n.SwitchClasses[k.To].Name, unit.Count(f.count[worst], "flow", "flows"))
	default:
		h.By = "ports of endpoints"
	}
	h.Count = f.count[:n.Channels()]
	h.Mean, h.Least = f.fair()
	return h, nil
}

// follow lists the flows with what they cross.
func (p *Pattern) follow(ctx context.Context, n *topology.Network, path Path) (*flows, error) {
	f := &flows{start: []int32{0}, capacity: make([]float64, n.Channels())}
	full := float64(n.EndpointLanes)
	for c := range f.capacity {
		f.capacity[c] = math.Inf(1)
		if class := n.LinkClass(topology.ChannelID(c)); n.LinkClasses[class].Name != topology.ClassInternal {
			f.capacity[c] = float64(n.Lanes[class]) / full
		}
	}
	first := make([]int32, p.n+1) // of the ports of an endpoint
	for e := range p.n {
		_, _, ports := n.Group(n.GroupOf(topology.EndpointID(e)))
		first[e+1] = first[e] + int32(len(ports))
	}
	end := float64(n.Lanes[0]) / full
	if n.LinkClasses[0].Name == topology.ClassInternal {
		end = 1
	}
	for range 2 * first[p.n] {
		f.capacity = append(f.capacity, end)
	}
	f.load, f.count = make([]float64, len(f.capacity)), make([]int32, len(f.capacity))
	var fault error
	add := func(src topology.EndpointID, dst int, part float64) {
		if part <= 0 || dst == int(src) || fault != nil {
			return
		}
		port, last, ok := path(src, topology.EndpointID(dst), func(c topology.ChannelID) { f.on = append(f.on, int32(c)) })
		if !ok {
			fault = fmt.Errorf("traffic %s: there is no path from endpoint %d to %d", p.name, src, dst)
			return
		}
		_, _, ports := n.Group(n.GroupOf(topology.EndpointID(dst)))
		in := 0
		for ports[in] != last {
			in++
		}
		base := int32(n.Channels())
		f.on = append(f.on, base+first[src]+int32(port), base+first[p.n]+first[dst]+int32(in))
		for _, r := range f.on[f.start[len(f.rate)]:] {
			f.load[r] += part
			f.count[r]++
		}
		f.rate, f.start = append(f.rate, part), append(f.start, int32(len(f.on)))
	}
	to := make([]float64, p.n)
	for src := range topology.EndpointID(p.n) {
		if p.uniform == 0 {
			p.Shares(src, func(dst int, part float64) { add(src, dst, part) })
		} else { // single destinations may get less than their share of it
			for dst := range to {
				to[dst] = p.uniform / float64(p.n-1)
			}
			p.Shares(src, func(dst int, part float64) { to[dst] += part })
			for dst, part := range to {
				if part > 1e-12 {
					add(src, dst, part)
				}
			}
		}
		if err := ctx.Err(); err != nil || fault != nil {
			return nil, cmp.Or(fault, err)
		}
		if len(f.rate) > mostFlows {
			return nil, fmt.Errorf("traffic %s has more than %d flows: too many to follow one by one", p.name, mostFlows)
		}
	}
	return f, nil
}

// fair shares what flows meet on max-min fairly, each up to what it offers, by filling: what is left of every resource is divided by those flows on
// it that still grow, the least such part is given to all, and those that meet on what is then full stop (Bertsekas, Gallager, Data Networks, 6.5.2).
func (f *flows) fair() (mean, least float64) {
	left := append([]float64(nil), f.capacity...)
	weight := append([]float64(nil), f.load...) // of the flows that grow
	stopped := make([]bool, len(f.rate))
	level, growing := 0.0, len(f.rate)
	share := make([]float64, len(f.rate))
	for growing > 0 {
		step := 1 - level
		for r, w := range weight {
			if w > 1e-12 {
				step = min(step, left[r]/w)
			}
		}
		step = max(step, 0)
		level += step
		for r, w := range weight {
			left[r] -= step * w
		}
		for i := range f.rate {
			on := f.on[f.start[i]:f.start[i+1]]
			full := level >= 1-1e-12
			for _, r := range on {
				full = full || !math.IsInf(left[r], 1) && left[r] <= 1e-9*f.capacity[r]
			}
			if stopped[i] || !full {
				continue
			}
			stopped[i], share[i] = true, level
			growing--
			for _, r := range on {
				weight[r] -= f.rate[i]
			}
		}
	}
	sum, all := 0.0, 0.0
	least = 1
	for i, x := range share {
		sum += x * f.rate[i]
		all += f.rate[i]
		least = min(least, x)
	}
	if all == 0 {
		return 1, 1
	}
	return sum / all, least
}

// ExpectedMost is the mean of the largest number of n flows on any of k paths, each of which a hash gives to every flow with the same probability:
// the maximum of a multinomial distribution, exactly, by adding paths one after another.
func ExpectedMost(n, k int) float64 {
	mean := 0.0
	for most := 0; most < n; most++ {
		mean += 1 - allWithin(n, k, most)
	}
	return mean
}

// allWithin is the probability that none of k paths gets more than most of n flows. Of the flows that the first i paths have not got, path
// i+1 gets each with the probability 1/(k-i).
func allWithin(n, k, most int) float64 {
	left := make([]float64, n+1) // by flows that are left
	left[n] = 1
	for i := range k {
		p := 1 / float64(k-i)
		next := make([]float64, n+1)
		for m, w := range left {
			if w == 0 {
				continue
			}
			for x := 0; x <= min(most, m); x++ {
				next[m-x] += w * binomial(m, x, p)
			}
		}
		left = next
	}
	return left[0]
}

// binomial is the probability of x successes among m.
func binomial(m, x int, p float64) float64 {
	if p == 1 {
		if x == m {
			return 1
		}
		return 0
	}
	a, _ := math.Lgamma(float64(m + 1))
	b, _ := math.Lgamma(float64(x + 1))
	c, _ := math.Lgamma(float64(m - x + 1))
	return math.Exp(a - b - c + float64(x)*math.Log(p) + float64(m-x)*math.Log1p(-p))
}
