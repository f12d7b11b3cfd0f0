package topology

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
)

// Distances counts ordered pairs of distinct endpoints by distance: the number of links between
// switches on a shortest path between the best ports, internal links aside. Links by which
// endpoints hang (class LinkClasses[0]) are not among them.
type Distances struct {
	Pairs []int64 // by distance
	// NoNic, not nil where endpoints have embedded switches, counts those of Pairs[d] with a
	// shortest path that crosses no nic link.
	NoNic       []int64
	Unreachable int64 // ordered pairs without a path
}

// DistanceOptions says how distances are computed. The zero value is exact over all pairs with
// one goroutine.
type DistanceOptions struct {
	Workers int // goroutines; the result does not depend on it
	// Orbits, if not nil, are representatives of the endpoints under a symmetry: only paths to
	// them are searched, each counted as often as its orbit has members.
	Orbits []Orbit
	// Failed, if Fail, is a switch that forwards nothing; endpoints keep their other ports.
	Fail   bool
	Failed SwitchID
}

// ErrTooManyWeights says that the number of pairs does not fit an int64.
var ErrTooManyWeights = errors.New("topology: too many endpoint pairs to count")

// Distances searches the shortest paths between all endpoints, exactly: breadth-first from 256
// attachment sets at a time, one bit per source (Then et al., The More the Merrier: Efficient
// Multi-Source Graph Traversal, VLDB 2014), or one by one where there are few. The cost is about
// switches/256 times the channels, times the diameter. It stops when ctx ends.
func (n *Network) Distances(ctx context.Context, opt DistanceOptions) (*Distances, error) {
	if int64(n.Endpoints()) > 1<<31 {
		return nil, ErrTooManyWeights
	}
	p := newProbe(n, opt)
	src, total := p.sources(opt.Orbits)
	d, err := p.run(ctx, src, max(opt.Workers, 1))
	if err != nil {
		return nil, err
	}
	// Every source endpoint with a live port met itself at distance 0.
	if self := p.alive(src); self > 0 {
		d.Pairs[0] -= self
		if d.NoNic != nil {
			d.NoNic[0] -= self
		}
	}
	d.Unreachable = total * int64(n.Endpoints()-1)
	for _, k := range d.Pairs {
		d.Unreachable -= k
	}
	return d, nil
}

// source is an attachment set from which a search starts, with the endpoints it stands for.
type source struct {
	set    int32
	weight int64
}

// probe is a network prepared for searches between attachment sets: endpoints that hang on the
// same switches.
type probe struct {
	n        *Network
	start    []int32
	to       []SwitchID
	bare     bool // also search the graph without nic links
	start2   []int32
	to2      []SwitchID
	setStart []int32 // ports of set i are setPorts[setStart[i]:setStart[i+1]]
	setPorts []SwitchID
	count    []int64 // endpoints of set i
	setOf    []int32 // by group
	// hang[v] is the number of endpoints of switch v if every set has one port; nil otherwise.
	hang []int64
	dead SwitchID // -1: none
}

func newProbe(n *Network, opt DistanceOptions) *probe {
	p := &probe{n: n, start: n.start, to: n.to, dead: -1}
	if opt.Fail {
		p.dead = opt.Failed
	}
	p.gather()
	p.splitNic()
	return p
}

// gather makes the sets of the endpoint groups, without the ports on the dead switch.
func (p *probe) gather() {
	n := p.n
	p.setOf = make([]int32, n.Groups())
	single := true
	bySwitch := make([]int32, n.Switches())
	byKey := map[string]int32{}
	var key []byte
	var ports []SwitchID
	p.setStart = []int32{0}
	for g := range p.setOf {
		first, end, all := n.Group(g)
		ports = append(ports[:0], all...)
		slices.Sort(ports)
		ports = slices.Compact(ports)
		var at *int32
		var i int32
		if len(ports) == 1 {
			at = &bySwitch[ports[0]]
			i = *at - 1
		} else {
			single = false
			key = key[:0]
			for _, s := range ports {
				key = append(key, byte(s), byte(s>>8), byte(s>>16), byte(s>>24))
			}
			i = byKey[string(key)] - 1
		}
		if i < 0 {
			i = int32(len(p.count))
			p.count = append(p.count, 0)
			p.setPorts = append(p.setPorts, ports...)
			p.setStart = append(p.setStart, int32(len(p.setPorts)))
			if at != nil {
				*at = i + 1
			} else {
				byKey[string(key)] = i + 1
			}
		}
		p.count[i] += int64(end - first)
		p.setOf[g] = i
	}
	if single {
		p.hang = make([]int64, n.Switches())
		for i, c := range p.count {
			p.hang[p.setPorts[i]] = c
		}
	}
}

// splitNic keeps the channels that are not nic in a graph of their own where some switch is
// embedded.
func (p *probe) splitNic() {
	n := p.n
	if n.LinkClasses[0].Name != ClassInternal {
		return
	}
	p.bare = true
	p.start2 = make([]int32, len(n.start))
	for s := range n.switchClass {
		for c := n.start[s]; c < n.start[s+1]; c++ {
			if n.LinkClasses[n.class[c]].Name != ClassNic {
				p.to2 = append(p.to2, n.to[c])
			}
		}
		p.start2[s+1] = int32(len(p.to2))
	}
}

// sources lists where searches start, equal weights together, and the endpoints they stand for.
func (p *probe) sources(orbits []Orbit) (src []source, total int64) {
	if orbits == nil {
		for i, c := range p.count {
			src = append(src, source{int32(i), c})
		}
	} else {
		for _, o := range orbits {
			src = append(src, source{p.setOf[p.n.GroupOf(EndpointID(o.Rep))], o.Count})
		}
	}
	slices.SortStableFunc(src, func(a, b source) int { return cmp.Compare(b.weight, a.weight) })
	for _, s := range src {
		total += s.weight
	}
	return src, total
}

// alive is the number of endpoints that the sources with a live port stand for.
func (p *probe) alive(src []source) (total int64) {
	for _, s := range src {
		for _, v := range p.setPorts[p.setStart[s.set]:p.setStart[s.set+1]] {
			if v != p.dead {
				total += s.weight
				break
			}
		}
	}
	return total
}

// fewSources is the number of sources up to which searching one by one beats words of bits.
const fewSources = 12

// run searches from all sources and adds the counts up; they are integers, so their order does
// not matter.
func (p *probe) run(ctx context.Context, src []source, workers int) (*Distances, error) {
	per := lanes
	if len(src) <= fewSources {
		per = 1
	}
	passes := (len(src) + per - 1) / per
	workers = max(1, min(workers, passes))
	parts := make([]tally, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			t := &parts[w]
			var b *batch
			var q *queue
			for i := w; i < passes && ctx.Err() == nil; i += workers {
				s := src[i*per : min((i+1)*per, len(src))]
				if per == 1 {
					if q == nil {
						q = newQueue(p)
					}
					q.search(s[0], t)
				} else {
					if b == nil {
						b = newBatch(p)
					}
					b.search(s, t)
				}
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d := &Distances{}
	if p.bare {
		d.NoNic = []int64{}
	}
	for i := range parts {
		d.Pairs = addTo(d.Pairs, parts[i].pairs)
		if p.bare {
			d.NoNic = addTo(d.NoNic, parts[i].noNic)
		}
	}
	for len(d.NoNic) < len(d.Pairs) && p.bare {
		d.NoNic = append(d.NoNic, 0)
	}
	return d, nil
}

// tally counts weighted pairs by distance.
type tally struct{ pairs, noNic []int64 }

func addTo(a, b []int64) []int64 {
	for len(a) < len(b) {
		a = append(a, 0)
	}
	for i, x := range b {
		a[i] += x
	}
	return a
}

func bump(a []int64, d int, k int64) []int64 {
	for len(a) <= d {
		a = append(a, 0)
	}
	a[d] += k
	return a
}

// queue is a plain breadth-first search.
type queue struct {
	p           *probe
	dist, dist2 []int32
	order       []SwitchID
}

func newQueue(p *probe) *queue {
	q := &queue{p: p, dist: make([]int32, p.n.Switches())}
	if p.bare {
		q.dist2 = make([]int32, p.n.Switches())
	}
	return q
}

func (q *queue) search(s source, t *tally) {
	p := q.p
	ports := p.setPorts[p.setStart[s.set]:p.setStart[s.set+1]]
	q.order = flood(p.start, p.to, ports, p.dead, q.dist, q.order)
	if p.bare {
		q.order = flood(p.start2, p.to2, ports, p.dead, q.dist2, q.order)
	}
	for i, c := range p.count {
		d := nearest(q.dist, p.setPorts[p.setStart[i]:p.setStart[i+1]])
		if d < 0 {
			continue
		}
		t.pairs = bump(t.pairs, int(d), c*s.weight)
		if p.bare && nearest(q.dist2, p.setPorts[p.setStart[i]:p.setStart[i+1]]) == d {
			t.noNic = bump(t.noNic, int(d), c*s.weight)
		}
	}
}

func nearest(dist []int32, ports []SwitchID) int32 {
	best := int32(-1)
	for _, s := range ports {
		if d := dist[s]; d >= 0 && (best < 0 || d < best) {
			best = d
		}
	}
	return best
}

// flood fills dist with the distances to the nearest of the ports, -1 where there is no path. It
// walks channels backwards by symmetry; in unidirectional networks see batch.
func flood(start []int32, to, ports []SwitchID, dead SwitchID, dist []int32, order []SwitchID) []SwitchID {
	for i := range dist {
		dist[i] = -1
	}
	order = order[:0]
	for _, s := range ports {
		if s != dead && dist[s] < 0 {
			dist[s] = 0
			order = append(order, s)
		}
	}
	for i := 0; i < len(order); i++ {
		s := order[i]
		d := dist[s] + 1
		for _, v := range to[start[s]:start[s+1]] {
			if dist[v] < 0 && v != dead {
				dist[v] = d
				order = append(order, v)
			}
		}
	}
	return order
}
