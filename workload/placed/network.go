package placed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"toposearch/routing"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
)

// Network is a network with a job on it. It remembers loads that it has computed, and so is for one goroutine.
type Network struct {
	// Router has the network and its routes; nil: the network blocks nothing, and only what endpoints send counts.
	Router *routing.Router
	// Shape is the network where it needs no router, and Cuts bounds from below what one without either takes; nil: nothing blocks.
	Shape Shape
	Cuts  *Cuts
	// Lines is the grid that the router's network or its endpoints' ports are, nil if they are none; and Rings remembers Grid.DirectedRings, nil: there are no multi-rings.
	Lines *Grid
	Rings func(*Grid) [][]int32
	// ByMessage are the channels of the router's network, where loads are counted without its routes and there are neither Detours, Around, Hashes nor domains; nil: routes are searched for.
	ByMessage *Channels
	// Tracer is the router's, for many traffics; nil: distances are searched for each of them.
	Tracer *routing.Tracer
	// Endpoint is where each rank is, every rank elsewhere; its length is the number of ranks.
	Endpoint []topology.EndpointID
	// Link is what an endpoint has of the network: all its ports together, and what a step takes besides.
	Link collective.Link
	// Domain ranks, consecutive endpoints from a multiple of it, share a scale-up domain with Scaleup each; 1: none.
	Domain  int
	Scaleup collective.Link
	// Mesh: domains are full meshes, and Scaleup is each link's: what is sent to several others in a step takes a link each.
	Mesh bool
	// Carries is by how much loads can be multiplied, 1 being what an endpoint sends at Link.BytesPerS, before a
	// link is full; +Inf if none is loaded. nil: by the lanes of the network.
	Carries func(*routing.Loads) float64
	// Partitions divide a network that is no Shape, so that LowerBound knows cuts; and Gather is what an all-gather among all endpoints takes at
	// least for each unit of an endpoint's data at an endpoint's rate (flow.Bottleneck), 0 if that is not known.
	Partitions []Cuts
	Gather     float64
	// Reduction is the rate at which each switch adds what arrives at it, in bytes a second for each of its ports; 0: none does.
	Reduction float64
	// Detours are those that packets may take where the routing chooses; nil: they keep to the routes. Of each pattern as many do as is best (far), which is
	// what such a routing is taken to do with any traffic; what all send to all at once keeps to the routes, or is divided by who sends (multiPath).
	Detours *Detours
	// Around are detours that every message between switches makes (BySwitches, always); nil: they keep to the routes.
	Around *Detours
	// Hashes are what every step meets where each message keeps to one path that a hash picks, on a Tree, Rails, or a router's network; nil: messages are split evenly over all
	// paths, or have but one.
	Hashes *Hashes
	// PacketBytes is the size of packets that each draw one of the routes that are open to them (ByAlgorithm); 0: routes carry equal parts.
	PacketBytes float64
	// Follow gives the one path of each flow where a hash decides (route.Native): the port of its source, its channels, and the switch that delivers. nil: packets
	// choose one by one.
	Follow  func(src, dst topology.EndpointID, cross func(topology.ChannelID)) (port int, last topology.SwitchID, ok bool)
	Workers int // goroutines; results are the same for any number

	// Known remembers what patterns take of a Shape on ranks in order, for networks that differ in nothing else; nil: each its own.
	Known *Stages
	// Counts remembers what they load its links with, for networks whose shapes or cuts differ in what links carry alone (Geometry); nil: each its own.
	Counts *Stages

	model    *Model // nil: collectives are timed
	known    map[key]stage
	asked    map[asked]answer
	crossed  map[crossed]float64
	flows    []routing.Flow  // room for those of a pattern
	messages *channelLoads   // and for what they load of ByMessage
	partly   map[key]float64 // what patterns take at least that were not counted whole
	sets     []int32         // by rank: the router's set
	bySet    []int32         // ranks in the order of the router's sets
	atPorts  *sharedPorts    // nil: not yet asked for
	ordered  int8            // 1 if ranks are on the first endpoints in order, -1 if not, 0 if that is not known yet
	lies     map[workload.Group]lie
}

// Detours are the ways that packets may take besides the routes of a network. On a Grid they are those of BySwitches.
type Detours struct {
	// Split is by how much flows can be multiplied, 1 being what an endpoint sends at Link.BytesPerS, before a link is full, if the same
	// part of each makes detours: directly is the share that does not, the best if it is negative; traced are the loads of all on their routes, nil if they are not
	// known. nil: there are none over a router's network.
	Split func(ctx context.Context, flows []routing.Flow, traced *routing.Loads, directly float64) (routing.Split, error)
	// Busiest is what the busiest link takes by Split with the best share, or enough if that is known to be as much or more; nil: Split tells.
	Busiest func(ctx context.Context, flows []routing.Flow, traced *routing.Loads, enough float64) (float64, error)
	// Loads are what flows load each channel with, of what it carries: on the routes, and if all of them make detours. nil: Split alone is known.
	Loads func(ctx context.Context, flows []routing.Flow) (direct, detours []float64, err error)
	// Named: sources can name the way of each message, so that a share stays what it is.
	Named bool
	// Sees is how many channels of a way, from its source on, the routing compares the queues of; at least 1.
	Sees int
}

// Stages are what patterns take of a shape. They are safe for concurrent use.
type Stages struct{ of sync.Map }

// Model is what timing collectives is modelled to take, ns. It is asked of the same functions that time them, so that algorithms which are left out there are left out here.
type Model struct {
	Ns    float64
	Bytes float64 // of a Grid, the most that counting a pattern takes
	known map[key]stage
}

// Modelled is a network of which collectives are not timed but modelled: patterns that are known in closed form, or soon counted, are, and of others
// nothing is known but what blocks carry.
func (n *Network) Modelled() (*Network, *Model) {
	m := *n
	m.model = &Model{known: make(map[key]stage)}
	m.known = nil
	return &m, m.model
}

// Elsewhere forgets the patterns that are known of ranks alone: these are on other endpoints.
func (m *Model) Elsewhere() {
	maps.DeleteFunc(m.known, func(k key, _ stage) bool { return k.scattered })
}

// Asked remembers what find models for a key, unless it could not finish.
func (s *Stages) Asked(key any, find func() (m Model, whole bool)) Model {
	if x, ok := s.of.Load(key); ok {
		return x.(Model)
	}
	m, whole := find()
	if whole {
		s.of.Store(key, m)
	}
	return m
}

// key is what the loads of a pattern depend on. On a Shape and on Cuts its groups are those of endpoints (Network.onto), on a router's network those of ranks.
type key struct {
	group workload.Group
	pattern
	scattered bool // endpoints of a group of ranks are no group of endpoints: its groups are those of ranks
}

// sharedKey is a pattern of so many ranks, on a network whose packets may make detours or not.
type sharedKey struct {
	key
	ranks   int
	detours bool
}

func (n *Network) shared(k key) sharedKey { return sharedKey{k, len(n.Endpoint), n.Detours != nil} }

// recall is what is known of a pattern, from this network or from another of its shape.
func (n *Network) recall(k key) (one stage, ok bool) {
	if one, ok = n.known[k]; !ok && n.Known != nil && !k.scattered {
		if x, found := n.Known.of.Load(n.shared(k)); found {
			return x.(stage), true
		}
	}
	return one, ok
}

// keep remembers it for both.
func (n *Network) keep(k key, one stage) {
	if n.known == nil {
		n.known = make(map[key]stage)
	}
	n.known[k] = one
	n.share(k, one)
}

// share remembers it for networks of the shape.
func (n *Network) share(k key, one stage) {
	if n.Known != nil && !k.scattered {
		n.Known.of.Store(n.shared(k), one)
	}
}

// asked is what the time of a collective depends on, and answer is it with its algorithm.
type asked struct {
	kind  collective.Kind
	group workload.Group
	bytes float64
}

type answer struct {
	seconds   float64
	algorithm string
}

// crossed is what the bound of a collective by cuts depends on, whatever its bytes (throughCuts).
type crossed struct {
	kind  collective.Kind
	group workload.Group
}

// stage is a step of a schedule on the network: per byte of S, what an endpoint or the busiest link takes
// at an endpoint's rate, and what the domain takes at its own: of a mesh its busiest link.
type stage struct {
	steps       int
	far, inside float64
}

// On is the network with other ranks, which remembers nothing yet.
func (n *Network) On(ranks []topology.EndpointID) *Network {
	m := *n
	m.Endpoint, m.known, m.asked, m.crossed, m.sets, m.bySet, m.ordered, m.lies, m.flows, m.messages, m.partly = ranks, nil, nil, nil, nil, nil, 0, nil, nil, nil, nil
	return &m
}

// set is where a rank hangs on the network, by the router's sets.
func (n *Network) set(rank int) int32 { return n.hangs()[rank] }

// hangs are the sets of all ranks.
func (n *Network) hangs() []int32 {
	if n.sets == nil {
		n.sets = make([]int32, len(n.Endpoint))
		for r, e := range n.Endpoint {
			n.sets[r] = n.Router.SetOf[n.Router.Net.GroupOf(e)]
		}
	}
	return n.sets
}

// receivers are the ranks, those of a set together.
func (n *Network) receivers() []int32 {
	if n.bySet == nil {
		n.bySet = make([]int32, len(n.Endpoint))
		n.hangs()
		for r := range n.bySet {
			n.bySet[r] = int32(r)
		}
		if !slices.IsSorted(n.sets) {
			slices.SortStableFunc(n.bySet, func(a, b int32) int { return cmp.Compare(n.sets[a], n.sets[b]) })
		}
	}
	return n.bySet
}

// Check says what is wrong with the places of ranks.
func (n *Network) Check() error {
	var bad []error
	at := make(map[topology.EndpointID]int)
	for r, e := range n.Endpoint {
		if e < 0 || int64(e) >= int64(n.Router.Net.Endpoints()) {
			bad = append(bad, fmt.Errorf("rank %d is on endpoint %d; the network has endpoints 0 to %d", r, e, n.Router.Net.Endpoints()-1))
		} else if o, ok := at[e]; ok {
			bad = append(bad, fmt.Errorf("ranks %d and %d are both on endpoint %d", o, r, e))
		}
		at[e] = r
		if len(bad) == 10 { // what follows is of the same kind
			break
		}
	}
	if n.Domain < 1 || n.Link.BytesPerS <= 0 || n.Domain > 1 && n.Scaleup.BytesPerS <= 0 {
		bad = append(bad, fmt.Errorf("placed: a domain of %d with %g B/s, a network of %g B/s", n.Domain, n.Scaleup.BytesPerS, n.Link.BytesPerS))
	}
	return errors.Join(bad...)
}

// lie is the group of endpoints that a group of ranks is on, if it is one.
type lie struct {
	on workload.Group
	ok bool
}

func (n *Network) domain(rank int) int64 { return int64(n.Endpoint[rank]) / int64(n.Domain) }
