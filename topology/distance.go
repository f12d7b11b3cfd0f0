package topology

import (
	"context"
	"errors"

	"toposearch/internal/crew"
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
	// Rule, unless it is the zero value, allows only its own routes: distances are then the fewest links
	// of a legal route. It does not go with Fail.
	Rule Rule
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
	dead := SwitchID(-1)
	if opt.Fail {
		dead = opt.Failed
	}
	p := newProbe(n, dead)
	if opt.Rule.States > 0 && !opt.Rule.Free() {
		if opt.Fail {
			panic("topology: distances under a rule with a failed switch")
		}
		if err := p.restrict(opt.Rule); err != nil {
			return nil, err
		}
	}
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

// FewSources is the number of sources up to which searching one by one beats words of bits.
const FewSources = 12

// run searches from all sources and adds the counts up; they are integers, so their order does
// not matter.
func (p *probe) run(ctx context.Context, src []source, workers int) (*Distances, error) {
	per := lanes
	if len(src) <= FewSources {
		per = 1
	}
	passes := (len(src) + per - 1) / per
	workers = max(1, min(workers, passes))
	parts := make([]tally, workers)
	crew.Run(workers, func(w int) {
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
	}, nil)
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
