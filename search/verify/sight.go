package verify

import (
	"context"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/topology"
)

// sights says whether there is a model of what those see that decide for detours, and it says more than an ideal split: of uniform traffic where direct routes
// fill a channel.
func (l *Result) sights() bool {
	return l.native != nil && l.native.Sees() && (l.flows != nil && !l.crowds() || l.flows == nil && l.Alone < 1)
}

// idles says whether direct routes carry all of uniform traffic, so that none is diverted but by chance.
func (l *Result) idles() bool {
	return l.native != nil && l.native.Sees() && l.flows == nil && l.load == nil && l.Alone >= 1
}

// crowds says whether an endpoint is sent more than it takes at load 1, which fluids on channels know nothing of. Collectives send no more to it than it sends.
func (l *Result) crowds() bool {
	const whole = 1e-9 // rates are sums
	in := map[topology.EndpointID]float64{}
	for _, p := range l.pairs {
		if in[p.Dst] += p.Rate; in[p.Dst] > 1+whole {
			return true
		}
	}
	return false
}

// expectSight turns what is expected of a permutation by an ideal split, the same for all flows, into what is expected of sources that each decide by the
// channels which they see so many hops far: by cut-through of 0.8 under the worst permutation of slimfly(q=4,p=2) 0.854 (simulated 0.864 to 0.880), of 0.517 on
// polarfly(q=5) 0.584 (0.58), of 0.543 on spectralfly(x=3,q=5,p=1), whose ways have up to seven hops, 0.218 (0.27 to 0.30). What VCs and shallow buffers leave of the best split, which
// loads channels alike as such sources do, they leave of that. (A split that is the same for all flows and sends as much directly as they do would fill the channels of direct ways long before, and the rest would
// be taken to lose nothing: of dragonfly(p=2,a=4,h=2), worst, 0.554 was expected so, 0.515 with this, simulated 0.510 to 0.520.)
//
// Not modelled: where detours alone would be best and have four hops and more, sources that fill the channels of direct ways all the same keep switches in the state in which Valiant's routing, too, carries
// less than it does before it saturates: hyperx(s1=5,s2=4,s3=4,t=3), worst, 0.609 is expected, 0.510 to 0.529 simulated, by Valiant's 0.622 (0.552 to 0.563, 0.50 to 0.53 beyond that), hyperx(s1=3,s2=3,s3=3,s4=3,t=2)
// 0.634 (0.527 to 0.545), torus(k1=4,k2=4,k3=4) 0.732 (0.601 to 0.637). The means of package queue have a second solution there, with all fronts held, but it says 0.31 of 0.47 and, where nothing is amiss, 0.09 of 0.49.
func (l *Result) expectSight(ctx context.Context, n *topology.Network, left float64, shallow bool) error {
	if !l.sights() || l.Predicted <= 0 {
		return nil
	}
	s, err := l.native.Sighted(ctx, l.flows, routing.OwnCapacity(n), shallow)
	if s == nil || err != nil {
		return err
	}
	seen, err := s.Saturation(ctx, simcore.SaturatedBelow)
	if err != nil {
		return err
	}
	if shallow && l.flows == nil && l.native.Local() { // everybody sends by way of the channel that is full, and what waits for it holds up the rest before it is seen
		seen = min(seen, l.Predicted)
	}
	l.Left, l.Expected = left, left*seen
	if l.always() { // decides nothing
		if l.Limit == "" {
			l.Limit = LimitChannel
		}
		return nil
	}
	switch {
	case seen < min(l.Left, nearFull)*l.Predicted:
		l.Limit = LimitSight
	case l.Limit == "" || l.Left >= nearFull:
		l.Limit = LimitChannel
	}
	l.Sighted, l.sight = true, s
	return nil
}

// always says whether all packets make detours.
func (l *Result) always() bool { return l.Direct != nil && *l.Direct == 0 && l.Alone == 0 }

// expectShare says what part of the load that was found to saturate is expected to be accepted of sources that see channels near them: from where on some
// flows lose packets on channels that they do not see it changes little with load, so that where it crosses 97 % says little.
func (l *Result) expectShare(ctx context.Context) (err error) {
	if x := l.upper(); l.sight != nil && x > 0 {
		l.Share, err = l.sight.Accepted(ctx, x/l.Left)
	}
	return err
}
