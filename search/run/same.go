package run

import (
	"context"
	"errors"
	"math"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/search"
	"toposearch/topology"
)

// One network stands on a front under several names where families overlap: a dragonfly of one switch a group is a full mesh.

const (
	// sameSteps bounds a comparison of two networks, sameInAll all of a front: four seconds and forty, at some 20 ns a step (sameNs),
	// but of a budget of time no more than one in sameShare.
	sameSteps, sameInAll = 2e8, 2e9
	sameNs, sameShare    = 20, 50
	// sameLargest bounds channels and endpoints of networks that are built for this: 100 MB; sameKept those of all that are kept for
	// further comparisons: 1 GB.
	sameLargest, sameKept = 1 << 21, 10 << 21
)

const sameSizes = 5

// sameCounts are metrics that are equal for equal networks, whatever routes and floor plans are.
var sameCounts = [sameSizes]metric.Key{metric.Endpoints, metric.Switches, metric.EmbeddedSwitches, metric.SwitchLinks, metric.EndpointLinks}

// markSame names for each design of the front an earlier one (finalists come first) that is the same network: SameAs if all their figures are equal,
// too, SameNetwork if routes, floor plans or parts that their families have make figures differ. What is too large or takes too many steps to
// be compared, and has all figures equal, is MaybeSame. Scale-up domains belong to the networks: servers of consecutive endpoints make one of leaves and one of
// rails two networks, where their switches and cables are the same graph.
func markSame(ctx context.Context, p *search.Problem, f *search.Front) error {
	built := make([]*topology.Network, len(f.Front))
	families := make([]*topology.Family, len(p.Spaces))
	for i := range p.Spaces {
		families[i] = p.Spaces[i].Fam
	}
	prints := make([]fingerprint, len(f.Front))
	left, kept := int64(sameInAll), 0.0
	if t := p.Study.Search.Time; t > 0 {
		left = min(left, int64(t)/sameShare/sameNs)
	}
	compare := func(i, j int, equal bool) (topology.Sameness, error) {
		for _, x := range []int{i, j} {
			r := &f.Front[x]
			if built[x] != nil {
				continue
			}
			d, err := topology.ParseDesign(r.Design, families)
			if err != nil {
				return topology.Undecided, err
			}
			c := channels(r, d, &p.Study.Options)
			if c > sameLargest || kept+c > sameKept || left <= 0 {
				return topology.Undecided, nil
			}
			kept += c
			if built[x], err = p.Study.Options.Network(d); err != nil {
				return topology.Undecided, err
			}
		}
		if !equal { // then they seldom are: two numbers tell, where Isomorphic tries each switch
			for _, x := range []int{i, j} {
				left -= prints[x].take(built[x], min(sameSteps, left))
			}
			if a, b := prints[i], prints[j]; a.ok && b.ok && a.sum != b.sum {
				return topology.Different, nil
			}
		}
		same, taken := topology.Isomorphic(built[i], built[j], min(sameSteps, left))
		left -= taken
		return same, nil
	}
	order := make([]int, 0, len(f.Front))
	for _, finalist := range []bool{true, false} {
		for i := range f.Front {
			if f.Front[i].Finalist == finalist {
				order = append(order, i)
			}
		}
	}
	before := map[[sameSizes]float64][]int{} // by size: others are no networks to compare
	for _, i := range order {
		r := &f.Front[i]
		size := sizeOf(r)
		alike := before[size]
		before[size] = append(alike, i)
		for _, j := range alike {
			q := &f.Front[j]
			equal := sameFigures(r, q)
			if q.SameAs != "" || !equal && r.SameNetwork != "" {
				continue
			}
			same, err := compare(i, j, equal)
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			switch {
			case same == topology.Same && equal:
				r.SameAs, r.SameNetwork, r.MaybeSame = q.Design, "", ""
			case same == topology.Same:
				r.SameNetwork = q.Design
			case same == topology.Undecided && equal:
				r.MaybeSame = q.Design
			}
			if r.SameAs != "" {
				break
			}
		}
	}
	markNear(f)
	return nil
}

// fingerprint is that of a network, once it is asked for; ok: it is known.
type fingerprint struct {
	asked, ok bool
	sum       uint64
}

// take makes it the first time, in so many steps at most.
func (p *fingerprint) take(n *topology.Network, steps int64) (taken int64) {
	if !p.asked {
		p.asked = true
		p.sum, taken, p.ok = topology.Fingerprint(n, steps)
	}
	return taken
}

// channels and endpoints of a design, with its scale-up domains.
func channels(r *search.Record, d topology.Design, o *evaluator.Options) float64 {
	count := func(k metric.Key) float64 { return r.Metrics[metric.Keys[k].Name].Value }
	links, endpoints := count(metric.SwitchLinks), count(metric.Endpoints)
	if o = o.For(d); o.Scaled(d.Family) {
		dom := o.ScaleupDomain()
		_, each := dom.Count()
		links += count(metric.EndpointLinks) + endpoints/float64(dom.Endpoints)*float64(each)
	}
	return 2*links + endpoints
}

func sizeOf(r *search.Record) (size [sameSizes]float64) {
	for i, k := range sameCounts {
		size[i] = r.Metrics[metric.Keys[k].Name].Value
	}
	return size
}

// figureSlack is by how much sums in another order may differ.
const figureSlack = 1e-9

// sameFigures tells whether all metrics that both have agree, and all objectives are known of both, which are of one size.
func sameFigures(a, b *search.Record) bool {
	for name, x := range a.Metrics {
		y, ok := b.Metrics[name]
		if ok && !(math.Abs(x.Value-y.Value) <= figureSlack*math.Max(math.Abs(x.Value), math.Abs(y.Value))) {
			return false
		}
	}
	for o, x := range a.Objectives {
		y, ok := b.Objectives[o]
		if !ok || !(math.Abs(x-y) <= figureSlack*math.Max(math.Abs(x), math.Abs(y))) {
			return false
		}
	}
	return true
}
