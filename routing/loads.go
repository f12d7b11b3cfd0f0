package routing

import "toposearch/topology"

// LoadOptions says how loads are computed. The zero value is exact and uses one goroutine.
type LoadOptions struct {
	Workers int // goroutines; the result is the same bits for any number
	// Orbits, if not nil, are representatives of the endpoints under a symmetry of the network
	// (Symmetry.Endpoints): only they are taken as destinations, and loads are averaged over
	// the channels of a kind.
	Orbits []topology.Orbit
	// Even claims, with Orbits, that the channels of a kind are equivalent, so that the average
	// is also the largest load (Symmetry.EvenLinks).
	Even bool
	// Channels says, with Orbits, of each channel the lowest that the same symmetry maps it onto (topology.Equivalent): loads are averaged
	// over those alone, and so are those of every channel.
	Channels []int32
	// Sample, if above 0 and below the number of destination sets, looks at that many of them,
	// evenly spread, and averages over the channels of a kind like Orbits. Means are then
	// estimates and Max says nothing of the busiest channel: near a sampled destination loads
	// are too high, elsewhere too low.
	Sample int
	// Routes counts shortest routes too.
	Routes bool
	// Avoid are sets of link classes, a bit each: of each the share of traffic is found whose route crosses none of its links (Loads.Without).
	Avoid []uint64
}

// KindLoad sums up the channels of one kind.
type KindLoad struct {
	Kind     topology.Kind
	Channels int64
	Total    float64 // sum of the loads
	// Max is the largest load and Busiest the lowest channel that has it; under Orbits without Channels, or Sample, Max is
	// the mean load and Busiest is -1.
	Max     float64
	Busiest topology.ChannelID
}

// Mean is the mean load of the channels of the kind.
func (k KindLoad) Mean() float64 { return k.Total / float64(k.Channels) }

// Loads are the loads that a traffic puts on a network if it is split equally hop by hop over
// the candidate hops of a rule. The unit of load is what one endpoint sends at full bandwidth.
type Loads struct {
	Channel []float64 // per channel; nil under Orbits without Channels, or Sample
	Kinds   []KindLoad
	// In[p] and Out[p] are the loads on a port of an endpoint, towards the network and from it,
	// indexed like the Ports of a Set from PortStart[set] on; nil under Orbits or Sample.
	In, Out   []float64
	PortStart []int32
	// Spread is of messages that are not split; nil but of Tracer.AddEach.
	Spread *Spread
	// Pairs is the number of ordered endpoint pairs with traffic (of FlowLoads: the sum of the
	// rates); UnreachablePairs those among them without a legal route, which load nothing.
	Pairs, UnreachablePairs float64
	MeanHops                float64 // channels crossed, mean over traffic that has a route
	MaxHops                 int     // over the destinations taken
	// Routes is the mean number of shortest legal routes per pair, over parallel links one by
	// one; 0 unless asked for.
	Routes float64
	// Without is, by set of LoadOptions.Avoid, the share of the traffic with a route whose route crosses no channel of its classes.
	Without []float64
	// Exact reports whether Max of every kind is the largest load; otherwise it is a lower bound.
	Exact  bool
	Method string

	maxPort float64
}

// Spread is the variance over the mean of the number of messages on each channel, and on each port of endpoints, where none is split but each takes one of its paths, hop by hop, as a hash
// picks: 0 where all have no choice, near 1 where each is as likely to be elsewhere (Router.HashSpread).
type Spread struct{ Channel, In, Out []float64 }

// Flow is traffic from one endpoint set to another; Rate is in units of an endpoint's bandwidth.
type Flow struct {
	Src, Dst int
	Rate     float64
}

// Limit is the channel or port that limits a throughput.
type Limit struct {
	// Throughput is the largest factor by which the traffic can be scaled, 1 being the full
	// bandwidth of an endpoint: the least capacity/load, where the capacity of a channel is its
	// lanes over the lanes of an endpoint. +Inf is not possible; 0 means that there are
	// unreachable pairs.
	Throughput float64
	// Kind indexes Loads.Kinds; -1 if the ports of endpoints limit.
	Kind int
	// Channel is the limiting one, -1 if it is not known (Orbits, Sample, or a port).
	Channel topology.ChannelID
	// None reports whether nothing limits: no traffic crosses a channel or counted port.
	None bool
}

// BusierPort says that one port of an endpoint carries so much: loads of ports are the mean over all endpoints that have the same switches.
func (l *Loads) BusierPort(load float64) { l.maxPort = max(l.maxPort, load) }

// Throughput gives the limit of these loads. The ports of endpoints count only on switches that are not
// embedded, and where each has less than the bandwidth of an endpoint; one that has all of it would only say
// that throughput is at most 1. If not Exact, the throughput is an upper bound.
func (l *Loads) Throughput(n *topology.Network) Limit {
	if l.UnreachablePairs > 0 {
		return Limit{Kind: -1, Channel: -1}
	}
	best := Limit{Kind: -1, Channel: -1, None: true}
	full := float64(n.EndpointLanes)
	for i, k := range l.Kinds {
		if n.LinkClasses[k.Kind.Link].Name == topology.ClassInternal || k.Max == 0 {
			continue
		}
		if t := float64(n.Lanes[k.Kind.Link]) / (k.Max * full); best.None || t < best.Throughput {
			best = Limit{Throughput: t, Kind: i, Channel: k.Busiest}
		}
	}
	if l.maxPort > 0 {
		if t := float64(n.Lanes[nicClass(n)]) / (l.maxPort * full); best.None || t < best.Throughput {
			best = Limit{Throughput: t, Kind: -1, Channel: -1}
		}
	}
	return best
}

// nicClass is the index of the class of endpoint links.
func nicClass(n *topology.Network) int {
	for i, c := range n.LinkClasses {
		if c.Name == topology.ClassNic {
			return i
		}
	}
	return 0
}
