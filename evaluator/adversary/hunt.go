package adversary

import (
	"context"
	"math"

	"toposearch/evaluator/flow"
)

// Worst is the worst traffic found.
type Worst struct {
	Hi    float64 // no routing carries more of it, in bandwidths of an endpoint; proven by lengths
	Name  string
	Tried int // traffics, matchings of the local search included
}

// hunt is a search under way. Endpoints at a vertex are all alike, and what sends a site's traffic to several sites is
// a mixture of what sends it to one, which carries no less than the worst of these. So permutations are not of
// endpoints but of lots as large as divide the endpoints of every site: where all sites have equally many, of sites.
type hunt struct {
	g       *flow.Graph
	sites   []int32 // vertices with endpoints, in the order of their first endpoints
	amount  []int32 // lots of each
	lots    []int32 // the site of each lot, site by site
	each    int32   // endpoints of a lot
	inOrder bool    // whether the endpoints are numbered site by site
	best    Worst
	enough  float64 // the search is over when the best is no more
}

func newHunt(g *flow.Graph, at []int32) *hunt {
	h := &hunt{g: g, inOrder: true, best: Worst{Hi: math.Inf(1)}}
	index := map[int32]int{}
	for e, v := range at {
		i, ok := index[v]
		if !ok {
			i = len(h.sites)
			index[v] = i
			h.sites, h.amount = append(h.sites, v), append(h.amount, 0)
		} else if at[e-1] != v {
			h.inOrder = false
		}
		h.amount[i]++
	}
	for _, n := range h.amount {
		for n > 0 {
			h.each, n = n, h.each%n
		}
	}
	for i := range h.amount {
		h.amount[i] /= h.each
		for range h.amount[i] {
			h.lots = append(h.lots, int32(i))
		}
	}
	return h
}

// traffic is a permutation of endpoints as sites see it.
type traffic struct {
	name, root string // root is where a local search began
	demands    []flow.Source
	lo, hi     float64   // what is carried, and proven bound, so far
	lengths    []float64 // that prove hi
	stage      int       // stages that it has been through
	noted      bool
}

// try takes a traffic through the next stage, of so many rounds, or until it is known to get more than what the worst
// so far gets; unless there is none, or the search is over.
func (h *hunt) try(ctx context.Context, t *traffic, rounds int) error {
	if t == nil || h.over() {
		return nil
	}
	lo, hi, lengths, err := h.g.Quick(ctx, t.demands, h.best.Hi, rounds)
	if err != nil {
		return err
	}
	t.lo = math.Max(lo, t.lo)
	if t.lengths == nil || hi < t.hi {
		t.hi, t.lengths = math.Min(hi, t.hi), lengths
	}
	t.stage++
	h.note(t)
	return nil
}

// over reports whether nothing worse is to be found.
func (h *hunt) over() bool { return h.best.Hi <= h.enough }

// note counts a traffic, and keeps the worst.
func (h *hunt) note(t *traffic) {
	if !t.noted {
		t.noted = true
		h.best.Tried++
	}
	if t.hi < h.best.Hi {
		h.best.Hi, h.best.Name = t.hi, t.name
	}
}

// add lets vertex a send to vertex b; calls must come in the order of a.
func (t *traffic) add(a, b int32, amount float64) {
	if a == b {
		return
	}
	if k := len(t.demands); k == 0 || t.demands[k-1].Vertex != a {
		t.demands = append(t.demands, flow.Source{Vertex: a, Times: 1})
	}
	s := &t.demands[len(t.demands)-1]
	if k := len(s.To); k > 0 && s.To[k-1].Vertex == b {
		s.To[k-1].Amount += amount
		return
	}
	s.To = append(s.To, flow.Demand{Vertex: b, Amount: amount})
}
