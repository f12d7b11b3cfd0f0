package routing

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"

	"toposearch/internal/stream"
	"toposearch/topology"
)

// Sighted is what a routing carries that decides at the source between the direct way and a detour by way of a random other set, and sees of the direct way
// its first channels (UGAL-L), or all that waits on either way (UGAL-G): traffic as a fluid, in buffers that do not fill. Packets whose direct way begins on one channel are a class, whose queue grows with
// what the busiest channel that they see is asked for beyond what it carries; that of the channel with which a detour begins holds packets of others too, and grows with what, on the mean, is ahead of those
// that are sent directly. (By the busiest for both, ugal_l would carry 0.91 of an all-to-all on dragonfly(p=2,a=4,h=2,g=8), 0.69 to 0.77 in simulations, by neither 0.32 of the worst permutation of meshtree(k=4): 0.17 to 0.19.) Of the detours by
// way of each set a part is made: more while packets that compare the two queues find that of the direct way longer, less while they do not. A channel that is asked for too much passes the same part of all that comes, so that what lies
// behind it is asked for less.
type Sighted struct {
	sets    []sightedWays // by destination, then by intermediate where that is another
	by      []int         // of each set as an intermediate: which of them, -1: it is none
	scale   []float64     // of each channel, then of each port: 1 over its capacity, 0 if it does not count
	classes []sightedClass
	classOf []int32 // of each channel, -1: none
	first   []int32 // of each set: its first port
	see     Sight
	every   uint64 // so many intermediates of a flow one stands for
	several bool   // ports of endpoints
	flows   []sightedFlow
	offered float64
	own     float64 // of it, what meets no channel

	load, pass []float64   // of each channel and port: what it is asked for, of its capacity, and the part of it that passes
	in, reach  [][]float64 // by destination, of each place: what comes there, and the part of it that arrives
	ahead      [][]float64 // the same: what its ways are asked for beyond what they carry, summed up
	longer     []float64   // of each channel: its queue, in what it, and on the mean what is ahead of the packets in it, is asked for beyond what that carries
}

// Sight is how such a routing decides.
type Sight struct {
	Hops  int                          // channels of a way that a source sees
	Draws int                          // of an intermediate at most, until the detour begins elsewhere than the direct way
	May   func(src, dst, mid int) bool // whether a detour from a set to another may go by way of a third
	All   bool                         // it makes detours of all, whatever it sees, by way of any set (Valiant)
	Sums  bool                         // it compares all that waits on each way (UGAL-G)
	// Times is how many times the mean queue of so many other channels of its kind that of the direct way must be for a detour; nil: it does not matter.
	Times func(direct topology.ChannelID, peers int) float64
	// Parts says whether ways part behind the channel of the direct way from a switch to a set, so that detours that begin with it are made: one that is drawn before another that begins elsewhere
	// is made where that other is found worth it.
	Parts func(from topology.SwitchID, dst int, direct topology.ChannelID) bool
	// Again says that the switch behind that channel decides whether such a detour is made, among as many as are drawn: where one that begins elsewhere is found worth it, as what it sees full the source sees
	// full, too; where none begins elsewhere, by the queues of the first channel. (If these decided everywhere, though they hold what goes directly as well, 0.348 would be expected of par on
	// dragonflyplus(l=4,m=3,p=3,h=3), worst, 0.412 so, simulated 0.401 to 0.409.)
	Again bool
}

// sightedClass is the traffic whose direct way begins with one channel.
type sightedClass struct {
	by    int32
	sees  []int32
	peers *sightedPeers // of ways that begin with no other channel
}

// sightedPeers are the channels with whose queues that of the first channel of a way is compared.
type sightedPeers struct {
	channels []int32
	times    float64
	// chance is that its queue is so many times the mean of theirs where all are alike on average, and geometric.
	chance float64
}

// sightedFlow is the part of a flow whose direct way begins with one channel.
type sightedFlow struct {
	dst   int
	sent  float64 // directly, of what its channel carries
	port  int32   // by which it enters
	rate  float64
	class int
	peers *sightedPeers
	hops  int   // of the direct way
	on    int32 // the place behind the channel
	mids  []sightedMid
}

// sightedMid is the detours by way of one set.
type sightedMid struct {
	set     int
	ways    int       // to it, of Sighted.sets
	hops    int       // of such a detour
	part    float64   // of the packets of the flow, that come to choose between it and the direct way
	by, on  []int32   // how they begin
	taken   []float64 // of these packets the part that makes it
	next    int32     // the place from where they go on, -1: by ports of which there are several
	follows bool      // they begin like the direct way, and are made where one that does not is found worth it
}

const (
	// sightedMost bounds destinations times channels, and so the time: seconds at this size (128 switches with 8 channels each).
	sightedMost = 1 << 17
	// sightedUniform bounds switches of which all send to all, which takes so many times as long.
	sightedUniform = 40
	// Where whole ways are compared, as simulations do that take longer for it, networks are sightedSums times as large; an ideal split is far from what these carry (dcell(n=14,l=1), worst: 0.134, this 0.065,
	// simulated 0.062 to 0.064). By ugal_l and par it is no farther than this is there (bundlefly(q=4,s=5,p=2), worst: 0.604, this 0.692, simulated 0.501 to 0.511).
	sightedSums = 2
	// sightedMids bounds the intermediates of all flows together: of more a random part stands for all. sightedMany does it where switches send to all, so that those of some flows make up for those of
	// others: of 64 switches two intermediates for each flow.
	sightedMids = 1 << 15
	sightedMany = 1 << 13
	// sightedRounds of a load are four times those in which parts settle that do; the mean of the second half stands for those that swing.
	sightedRounds = 300
	sightedSure   = 1e-3 // parts that change by less have settled
	// sightedSpan rounds are compared with those before.
	sightedSpan = 25
	// sightedSlow stands for sightedStep in the second half of the rounds, for classes that overshoot because they share channels.
	sightedSlow = 0.1
)

// NewSighted prepares it, of flows or, where these are nil, uniform traffic; nil: the network is too large for it, or endpoints have several ports, of which each packet would choose by its
// intermediate.
func (r *Router) NewSighted(ctx context.Context, flows []Flow, capacity func(link int) float64, see Sight) (*Sighted, error) {
	n := len(r.Sets)
	times := 1
	if see.Sums {
		times = sightedSums
	}
	if n < 3 || n*r.Net.Channels() > times*sightedMost {
		return nil, nil
	}
	if see.All && SeveralPorts(r.Net) {
		return nil, nil
	}
	mids := sightedMids
	if flows == nil {
		if n > times*sightedUniform {
			return nil, nil
		}
		flows, mids = r.uniformFlows(), sightedMany
	}
	channels, start := r.Net.Channels(), r.portStart()
	s := &Sighted{sets: make([]sightedWays, n), see: see, several: SeveralPorts(r.Net), first: start, scale: r.scales(capacity), classOf: slices.Repeat([]int32{-1}, channels), longer: make([]float64, channels)}
	for i := range r.Sets { // what enters by each, then what leaves
		for _, p := range r.Sets[i].Ports {
			s.scale = append(s.scale, r.portScale(i, p, capacity))
		}
	}
	s.scale = append(s.scale, s.scale[channels:]...)
	if s.every = 1; !see.All { // of which two are no detours
		s.every = uint64(max(1, (len(flows)*n+mids/2)/mids))
	}
	s.load, s.pass = make([]float64, len(s.scale)), make([]float64, len(s.scale))
	for t := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if s.by = append(s.by, t); !s.sets[t].fill(r, r.Field(t), t) {
			return nil, fmt.Errorf("routing: not every endpoint has a route to endpoint %d", r.Sets[t].First)
		}
	}
	if s.several {
		if err := s.between(ctx, r); err != nil {
			return nil, err
		}
	}
	for i := range s.sets {
		places := len(s.sets[i].until)
		s.in, s.reach, s.ahead = append(s.in, make([]float64, places)), append(s.reach, make([]float64, places)), append(s.ahead, make([]float64, places))
	}
	for _, f := range flows {
		s.offered += f.Rate
		if f.Src == f.Dst {
			s.own += f.Rate
			continue
		}
		s.add(r, f, start)
	}
	for i := range s.classes {
		c := &s.classes[i]
		slices.Sort(c.sees)
		c.sees = slices.Compact(c.sees)
	}
	return s, nil
}

// between finds the ways to sets as intermediates where those end at some of their ports alone.
func (s *Sighted) between(ctx context.Context, r *Router) error {
	ends, err := r.FirstLegsEnd(ctx)
	if err != nil {
		return err
	}
	f := newSearch(r)
	for m, to := range ends {
		switch {
		case to == nil:
			s.by[m] = -1
		case len(to) < len(r.Sets[m].Ports):
			s.by[m] = len(s.sets)
			s.sets = append(s.sets, sightedWays{})
			s.sets[s.by[m]].fill(r, f.runTo(to), m)
		}
	}
	return nil
}

// portScale is 1 over what the endpoints of a set send or take by a port, 0 where it does not count: where they have but that one, or forward.
func (r *Router) portScale(set int, p Port, capacity func(link int) float64) float64 {
	s := &r.Sets[set]
	if s.ports() < 2 || r.Net.Embedded(p.Switch) {
		return 0
	}
	return 1 / (capacity(nicClass(r.Net)) * float64(p.Count) * float64(s.Endpoints))
}

// compared finds the channels with whose queues that of the first channel of a way has to compare, of those by which the way may begin.
func (s *Sighted) compared(r *Router, first int32, by []int32) *sightedPeers {
	p := &sightedPeers{}
	if s.see.Times == nil {
		return p
	}
	for x := range r.Peers(topology.ChannelID(first), func(c topology.ChannelID) bool { return slices.Contains(by, int32(c)) }) {
		p.channels = append(p.channels, int32(x))
	}
	p.times, p.chance = s.see.Times(topology.ChannelID(first), len(p.channels)), 1
	if n := float64(len(p.channels)); n > 0 {
		p.chance = math.Pow(1+p.times/n, -n)
	}
	return p
}

// uniformFlows are those of all endpoints to all others.
func (r *Router) uniformFlows() (flows []Flow) {
	others := float64(r.Net.Endpoints() - 1)
	for src := range r.Sets {
		for dst := range r.Sets {
			to := float64(r.Sets[dst].Endpoints)
			if src == dst {
				to--
			}
			flows = append(flows, Flow{Src: src, Dst: dst, Rate: float64(r.Sets[src].Endpoints) * to / others})
		}
	}
	return flows
}

// add takes a flow in, divided over the ports by which it may enter and the channels with which its direct way may begin.
func (s *Sighted) add(r *Router, f Flow, start []int32) {
	w, total := &s.sets[f.Dst], int32(0)
	for _, i := range w.nearest[f.Src] {
		total += r.Sets[f.Src].Ports[i].Count
	}
	for _, i := range w.nearest[f.Src] {
		p, port := r.Sets[f.Src].Ports[i], start[f.Src]+int32(i)
		at := w.start[port]
		rate := f.Rate * float64(p.Count) / float64(total)
		by, on := w.begin(at)
		if len(by) == 0 { // on the same switch
			s.own += rate
			continue
		}
		for k, c := range by {
			id := s.classOf[c]
			if id < 0 {
				id = int32(len(s.classes))
				s.classOf[c] = id
				s.classes = append(s.classes, sightedClass{by: c, sees: []int32{c}, peers: s.compared(r, c, nil)})
			}
			class, peers := &s.classes[id], s.classes[id].peers
			if len(by) > 1 {
				peers = s.compared(r, c, by)
			}
			class.sees = w.ahead(on[k], s.see.Hops-1, class.sees)
			s.flows = append(s.flows, sightedFlow{dst: f.Dst, port: port, rate: rate / float64(len(by)), class: int(id), peers: peers, hops: int(w.hops[at]), on: on[k],
				mids: s.detours(r, f, port, p.Switch, c)})
		}
	}
}

// detours are those that lead to another switch first than the channel does, since the direct way is compared with these, and where ways part behind it (at a
// spine) those that begin like it, too.
func (s *Sighted) detours(r *Router, f Flow, port int32, from topology.SwitchID, c int32) (mids []sightedMid) {
	all, to := 0, r.Net.To(topology.ChannelID(c))
	parts := s.see.All || s.see.Parts != nil && s.see.Parts(from, f.Dst, topology.ChannelID(c))
	if s.see.All {
		all = 2 // its own and its destination's, by way of which it goes directly
	}
	elsewhere, alike := 0.0, 0.0
	for m, ways := range s.by {
		if m == f.Src || m == f.Dst || !s.see.May(f.Src, f.Dst, m) || s.every > 1 && stream.Mix(uint64((f.Src*len(s.by)+f.Dst)*len(s.by)+m))%s.every != 0 {
			continue
		}
		all++
		if ways < 0 || s.sets[ways].start[port] < 0 {
			continue
		}
		w := &s.sets[ways]
		at := w.start[port]
		d, hops := sightedMid{set: m, ways: ways}, 0.0 // from there on, in the mean
		for on, part := range s.onward(&d, f.Dst, at) {
			hops += part * float64(s.sets[f.Dst].hops[on])
		}
		d.hops, d.next = int(w.hops[at])+int(math.Round(hops)), -1
		if len(r.Sets[m].Ports) == 1 {
			d.next = s.sets[f.Dst].start[s.first[m]]
		}
		like := d
		like.follows = true
		by, on := w.begin(at)
		for i := range by {
			switch {
			case r.Net.To(topology.ChannelID(by[i])) != to || s.see.All:
				d.by, d.on = append(d.by, by[i]), append(d.on, on[i])
			case parts:
				like.by, like.on = append(like.by, by[i]), append(like.on, on[i])
			}
		}
		for _, x := range []*sightedMid{&d, &like} {
			if len(x.by) == 0 {
				continue
			}
			x.part = float64(len(x.by)) / float64(len(by))
			x.taken = make([]float64, len(x.by))
			if x.follows {
				alike += x.part
			} else {
				elsewhere += x.part
			}
			mids = append(mids, *x)
		}
	}
	if elsewhere == 0 && s.see.Again {
		for i := range mids {
			mids[i].follows = false // nothing to follow
		}
		elsewhere, alike = alike, 0
	}
	return s.drawn(mids, elsewhere, alike, float64(all))
}

// drawn makes parts of the packets of parts of all intermediates, of which so many begin elsewhere and so many like the direct way. Draws end with the first that begins elsewhere; one drawn
// before that begins like the direct way stands for it.
func (s *Sighted) drawn(mids []sightedMid, elsewhere, alike, all float64) []sightedMid {
	if elsewhere == 0 {
		return nil // nothing is compared
	}
	other, first := 1/all, 1/all // of what begins elsewhere: how often one is drawn, and how often as the first that begins anyhow
	if !s.see.All {
		draws, neither := float64(s.see.Draws), max(0, 1-(elsewhere+alike)/all)
		other = (1 - math.Pow(1-elsewhere/all, draws)) / elsewhere
		first = (1 - math.Pow(neither, draws)) / (elsewhere + alike)
	}
	for i := range mids {
		if m := &mids[i]; m.follows && !s.see.Again {
			m.part *= (other - first) * elsewhere / alike
		} else {
			m.part *= first
		}
	}
	return mids
}

// onward is where what comes by a place to an intermediate goes on to a set, and the part of it.
func (s *Sighted) onward(m *sightedMid, dst int, by int32) iter.Seq2[int32, float64] {
	return func(yield func(on int32, part float64) bool) {
		for k, part := range s.sets[m.ways].end[by] {
			if on := s.sets[dst].start[s.first[m.set]+int32(k)]; part > 0 && on >= 0 && !yield(on, part) {
				return
			}
		}
	}
}
