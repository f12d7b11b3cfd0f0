package simulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/routing"
	"toposearch/simcore/route"
	"toposearch/simcore/script"
	"toposearch/topology"
	"toposearch/workload"
	"toposearch/workload/collective"
	"toposearch/workload/placed"
)

// Collective is what a machine plays to completion: the same collective in several groups at once.
type Collective struct {
	Kind      collective.Kind
	Algorithm string // by name and number, as collective.Named has them
	Bytes     float64
	// Groups are the endpoints of each group in the order of its ranks; all of one size. nil: all endpoints in one.
	Groups  [][]topology.EndpointID
	AlphaNs float64 // what software takes before each message that waits, and before the first
}

// CollectiveDocument is what was played, beside the model.
type CollectiveDocument struct {
	Head
	Collective string  `json:"collective"`
	Algorithm  string  `json:"algorithm"`
	Bytes      float64 `json:"bytes"`
	Ranks      int     `json:"ranks"`
	Groups     int     `json:"groups"`
	Messages   int64   `json:"messages_bytes"` // of all together
	Played
	TimeUs float64 `json:"time_us,omitempty"`
	// AlgorithmGBps is bytes over time; BusGBps what each rank must send over time (collective.Kind.WireShare).
	AlgorithmGBps float64  `json:"algorithm_gbytes_per_s,omitempty"`
	BusGBps       float64  `json:"bus_gbytes_per_s,omitempty"`
	Analytic      Analytic `json:"analytic"`
	Ratio         float64  `json:"ratio,omitempty"` // of the simulated time to the analytic one
	WallS         float64  `json:"wall_s"`
}

// Analytic is the time that workload/placed has for a collective.
type Analytic struct {
	TimeUs     float64 `json:"time_us"`
	TransferUs float64 `json:"transfer_us"` // of it, what the busiest link or endpoint of each step carries
	// Summed: there are too many messages to follow each, so that what steps take is added up.
	Summed bool `json:"summed,omitempty"`
}

// setsOf is the attachment set of each endpoint.
func setsOf(r *routing.Router) []int32 {
	set := make([]int32, r.Net.Endpoints())
	for e := range set {
		set[e] = r.SetOf[r.Net.GroupOf(topology.EndpointID(e))]
	}
	return set
}

// mostProbes bounds the pairs whose latency is measured: beyond them the mean stands for the others.
const mostProbes = 1 << 13

// Collective plays a collective and computes the same by the model. near is how many endpoints hang on a switch together, ports
// how many an endpoint has; router has the natural routes.
func (r *Runner) Collective(ctx context.Context, m *Machine, head Head, c *Collective, router *routing.Router) (*CollectiveDocument, error) {
	wall := r.stopwatch()
	groups, err := c.groups(m.Net)
	if err != nil {
		return nil, err
	}
	a, err := c.algorithm(m, len(groups[0]))
	if err != nil {
		return nil, err
	}
	var ways *script.Ways
	if x, ok := a.(collective.MultiPath); ok {
		if x.Directly, err = m.directly(ctx, c, groups, x, router); err != nil {
			return nil, err
		}
		a, ways = x, script.NewWays(setsOf(router))
	}
	var tasks []script.Task
	for _, g := range groups {
		tasks = append(tasks, script.Task{Kind: c.Kind, Algorithm: a, Bytes: c.Bytes, Ranks: g, Ways: ways})
	}
	t, err := script.New(m.Net.Endpoints(), m.ports(), tasks, m.Unit, c.alpha(m))
	if err != nil {
		return nil, err
	}
	doc := &CollectiveDocument{Head: head, Collective: c.Kind.String(), Algorithm: a.Name(), Bytes: c.Bytes, Ranks: len(groups[0]), Groups: len(groups),
		Messages: int64(float64(t.Total()) * m.Unit)}
	doc.Schema = CollectiveSchema
	lone, err := m.lone(ctx, t)
	if err != nil {
		return nil, err
	}
	if err := doc.model(ctx, m, c, groups, a, router, lone); err != nil {
		return nil, err
	}
	doc.Played, err = m.Play(ctx, t)
	if doc.Completed {
		s := float64(doc.ticks) * m.Tick
		doc.TimeUs, doc.Ratio = s*1e6, s*1e6/doc.Analytic.TimeUs
		doc.AlgorithmGBps = c.Bytes / s / 1e9
		doc.BusGBps = c.Kind.WireShare(doc.Ranks) * doc.AlgorithmGBps
	}
	doc.WallS = wall()
	return doc, err
}

func (c *Collective) alpha(m *Machine) int64 { return int64(c.AlphaNs*1e-9/m.Tick + 0.5) }

// groups checks the members, and fills in all endpoints where none are given.
func (c *Collective) groups(n *topology.Network) ([][]topology.EndpointID, error) {
	if !(c.Bytes >= 1) {
		return nil, fmt.Errorf("a collective of %g bytes: write a size of at least 1 B", c.Bytes)
	}
	if len(c.Groups) == 0 {
		all := make([]topology.EndpointID, n.Endpoints())
		for e := range all {
			all[e] = topology.EndpointID(e)
		}
		return [][]topology.EndpointID{all}, nil
	}
	var bad []error
	in := make(map[topology.EndpointID]int)
	for i, g := range c.Groups {
		if len(g) != len(c.Groups[0]) {
			bad = append(bad, fmt.Errorf("--group: group %d has %d members and group 1 has %d: groups at once have one size", i+1, len(g), len(c.Groups[0])))
		}
		for _, e := range g {
			if e < 0 || int(e) >= n.Endpoints() {
				bad = append(bad, fmt.Errorf("--group: member %d is outside the network, whose endpoints are 0 to %d", e, n.Endpoints()-1))
			} else if o, ok := in[e]; ok && o == i {
				bad = append(bad, fmt.Errorf("--group: endpoint %d is in group %d twice", e, i+1))
			} else if ok {
				bad = append(bad, fmt.Errorf("--group: endpoint %d is in group %d and in group %d", e, o+1, i+1))
			}
			if in[e] = i; len(bad) == 10 { // what follows is of the same kind
				return nil, errors.Join(bad...)
			}
		}
	}
	return c.Groups, errors.Join(bad...)
}

// algorithm is the one that is named, for groups of a size.
func (c *Collective) algorithm(m *Machine, ranks int) (collective.Algorithm, error) {
	near := make(map[topology.SwitchID]int)
	for g := range m.Net.Groups() {
		first, end, at := m.Net.Group(g)
		if len(at) > 0 {
			near[at[0]] += int(end - first)
		}
	}
	s := collective.Shape{Ranks: ranks, Ports: m.ports(), Bytes: c.Bytes, Link: collective.Link{Alpha: float64(m.Apart)/apartTimes*m.Tick + c.AlphaNs*1e-9, BytesPerS: m.Rate}}
	for _, n := range near {
		s.Near = max(s.Near, n)
	}
	return collective.Named(c.Kind, c.Algorithm, s)
}

// lone measures what a message has between the pairs of a script, alone in the network: small ones how long it takes, larger
// ones how fast its bytes follow. Where packets make detours, a message waits for the longest of them. Few packets seldom take one that long, so that from the small to the larger message
// this wait looks like a low rate; what messages beyond the larger take is told by an even larger one.
func (m *Machine) lone(ctx context.Context, t *script.Tasks) (placed.Lone, error) {
	pairs := t.Pairs(mostProbes)
	sizes := []int32{m.Probe, probeTimes * m.Probe}
	if m.Detours != nil {
		sizes = append(sizes, farTimes*probeTimes*m.Probe)
	}
	var took [][]int64
	apart := m.Apart
	for _, size := range sizes {
		p := script.NewProbe(m.Net.Endpoints(), pairs, size, apart)
		end, err := m.Lonely(ctx, p)
		if err != nil {
			return nil, err
		}
		if !end.Completed {
			return nil, fmt.Errorf("lone messages do not arrive (%s)", end.Stop)
		}
		took = append(took, p.Took())
		apart *= 2
	}
	known := make([]lines, len(sizes)-1)
	for i := range known {
		known[i] = m.follow(pairs, sizes[i], sizes[i+1], took[i], took[i+1])
	}
	most := float64(sizes[1]) * m.Unit
	return func(from, to topology.EndpointID, bytes float64) (latency, bytesPerS float64) {
		x := known[0]
		if bytes > most {
			x = known[len(known)-1]
		}
		if p, ok := x.of[[2]int32{int32(from), int32(to)}]; ok {
			return p.latency, p.rate
		}
		return x.mean.latency, x.mean.rate
	}, nil
}

// line is what messages take: a time, and their bytes at a rate.
type line struct{ latency, rate float64 }

// lines are those of pairs of endpoints, and their mean.
type lines struct {
	of   map[[2]int32]line
	mean line
}

// follow is the line through what messages of two sizes took between each of some pairs.
func (m *Machine) follow(pairs [][2]int32, small, large int32, took, tookLarge []int64) lines {
	x := lines{of: make(map[[2]int32]line, len(pairs))}
	slow, most := 0.0, m.sends()
	for i, k := range pairs {
		rate := most
		if more := tookLarge[i] - took[i]; more > 0 {
			rate = min(rate, float64(large-small)*m.Unit/(float64(more)*m.Tick))
		}
		l := line{max(float64(took[i])*m.Tick-float64(small)*m.Unit/rate, 0), rate}
		x.of[k] = l
		x.mean.latency += l.latency / float64(len(pairs))
		slow += 1 / l.rate / float64(len(pairs))
	}
	x.mean.rate = 1 / slow
	return x
}

// farTimes is by how much the largest of lone messages is larger than the one before: 64 packets, all but the last few of which are under way at once.
const farTimes = 4

// probeTimes is by how much the larger of two lone messages is larger than the smaller: 16 packets of 4,096 B for a cell of 256 B.
const probeTimes = 256

// network is that of the machine as the model sees it, with the ranks of a collective.
func (m *Machine) network(router *routing.Router, c *Collective, ranks []topology.EndpointID) *placed.Network {
	return &placed.Network{Router: router, Endpoint: ranks, Link: collective.Link{Alpha: c.AlphaNs * 1e-9, BytesPerS: m.Rate}, Domain: 1, PacketBytes: m.Packet,
		Detours: m.Detours, Around: m.Around, Follow: m.Follow}
}

// Detour gives the machine what a routing does besides the natural routes: the one path of each flow where a hash decides, or the detours that packets may take: those by way of every switch, all or as many as is best; or
// the paths of UB-Mesh, divided in the best way. router has the natural routes.
func (m *Machine) Detour(ctx context.Context, name string, natural topology.Rule, router *routing.Router, workers int) error {
	if direct, err := route.IsDirect(name); err == nil && direct && hashes(name) {
		r, err := route.ByName(ctx, name, m.Net, route.Options{Natural: natural, Workers: workers})
		if err != nil {
			return err
		}
		m.Follow = r.Follow
		return nil
	}
	all, err := route.AllPathFor(ctx, name, m.Net, natural)
	if err != nil {
		return err
	}
	if all != nil {
		m.Detours = &placed.Detours{Split: func(ctx context.Context, flows []routing.Flow, _ *routing.Loads, _ float64) (routing.Split, error) {
			split, err := all.BestSplit(ctx, flows, 0)
			return routing.Split{Throughput: split.Low}, err
		}}
		return nil
	}
	if makes, err := route.Detours(name); err == nil && makes && !strings.Contains(name, "+") {
		m.Detours = placed.BySwitches(router, nil, routing.OwnCapacity(m.Net), name == "valiant", workers)
		switch name {
		case "valiant":
			m.Around = m.Detours
		case "par", "par_ph", "pb": // they decide again at the second switch, or are told what waits there
			m.Detours.Sees = 2
		case "ugal_g":
			m.Detours.Sees = math.MaxInt
		}
	}
	return nil
}

// directly is the share of a multi-path all-to-all that makes no detour: as given, or the best.
func (m *Machine) directly(ctx context.Context, c *Collective, groups [][]topology.EndpointID, a collective.MultiPath, router *routing.Router) (float64, error) {
	if m.Detours == nil || !m.Detours.Named {
		return 0, errors.New("--collective alltoall:multipath names the ways of its messages, by way of which switch they go, and the routing has no such ways; use valiant, or an adaptive routing with detours such as ugal_l, without additions")
	}
	if a.Directly >= 0 {
		return a.Directly, nil
	}
	n := m.network(router, c, slices.Concat(groups...))
	if err := n.Check(); err != nil {
		return 0, err
	}
	s, err := n.Divide(ctx, workload.Communication{Kind: c.Kind, Group: workload.Group{Stride: 1, Size: len(groups[0])}, Bytes: c.Bytes, Count: 1})
	return s.Direct, err
}

// model computes the collective.
func (d *CollectiveDocument) model(ctx context.Context, m *Machine, c *Collective, groups [][]topology.EndpointID, a collective.Algorithm, router *routing.Router, lone placed.Lone) error {
	n := m.network(router, c, slices.Concat(groups...))
	if err := n.Check(); err != nil {
		return err
	}
	e, err := n.ByAlgorithm(ctx, workload.Communication{Kind: c.Kind, Group: workload.Group{Stride: 1, Size: len(groups[0])}, Bytes: c.Bytes, Count: 1}, a, lone)
	d.Analytic = Analytic{TimeUs: e.Total * 1e6, TransferUs: e.Transfer * 1e6, Summed: e.Summed}
	return err
}
