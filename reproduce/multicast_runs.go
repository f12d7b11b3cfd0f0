package reproduce

import (
	"context"
	"fmt"

	"toposearch/internal/crew"
	"toposearch/multicast"
	"toposearch/topology"
	"toposearch/topology/family"
)

// castTree are the levels of the tree of most curves: 256 endpoints, 16-port switches, full bisection.
var castTree = []multicast.Level{{Down: 8, Up: 8, Parallel: 1}, {Down: 8, Up: 8, Parallel: 1}, {Down: 4}}

// castPlan says how much is simulated.
type castPlan struct {
	sizes    []int     // of groups, for curves over their size, at the loads of sizeLoads
	loads    []float64 // for curves over the background, with loadSize members
	groups   int       // of each point
	large    []int     // sizes of groups on the tree of the TH-1A; above castLoaded without a background
	networks []string  // other networks, with up*/down* routes
	jamDraws int       // of each number of groups that send at once
}

var (
	castFull = castPlan{
		sizes: []int{2, 4, 8, 16, 32, 64, 128}, loads: []float64{0, 0.1, 0.2, 0.3, 0.4}, groups: 6,
		large: []int{16, 128, 1024}, jamDraws: 10,
		networks: []string{"torus(k1=8,k2=8)", "dragonfly(p=2,a=4,h=2)", "slimfly(q=5,p=2)"},
	}
	castSizeLoads = []float64{0, 0.2}
)

const (
	castLoadSize = 32
	castMessages = 4   // of a group
	castGap      = 100 // cycles between them: longer than a packet's way, so that the next does not meet the last
	castLarge    = 2   // groups of each point of the TH-1A: a cycle of 7,168 endpoints costs as much as 28 of the others
	castLoaded   = 16  // unicast packets to more members take too many cycles of those
	castOther    = 16  // members of groups on other networks
	castLight    = 0.03
	castPackets  = 16 // of a broadcast
	castExchange = 32 // most members of an exchange, which sends (members)^2 messages
	castSeed     = 1
)

// created is the number of cycles in which a group is created: those of a notification to each of some hundred members.
const created = 10_000

// castSeries is a way to send, with the trees of its groups.
type castSeries struct {
	name   string
	method multicast.Method
	rooted bool
}

var castAll = []castSeries{
	{"unicast", multicast.Unicast, false}, {"unicast tree", multicast.Binomial, false}, {"multi-head", multicast.MultiHead, false},
	{"table", multicast.Table, false}, {"table, rooted", multicast.Table, true},
}

// castNetwork is where groups are.
type castNetwork struct {
	name   string
	fabric *multicast.Fabric
	routes interface {
		multicast.Routing
		multicast.Order
	}
	series []castSeries
}

// castRun is a point of a curve.
type castRun struct {
	net     *castNetwork
	series  castSeries
	members int
	load    float64
	groups  int
	out     multicast.Outcome
}

// linkFlits is the mean number of flits over links between switches of a message, on an idle network.
func (r *castRun) linkFlits() float64 { return float64(r.out.Flits) / float64(r.groups*castMessages) }

// castTreeNetwork is a tree with every series.
func castTreeNetwork(name string, levels []multicast.Level) (*castNetwork, error) {
	t, err := multicast.NewTree(levels)
	if err != nil {
		return nil, err
	}
	return &castNetwork{fmt.Sprintf("%s of %d endpoints", name, t.Endpoints()), t.Fabric, t, castAll}, nil
}

// castOtherNetwork is another network. Its groups have rooted trees: the routes of a source need not form one. (Unicast
// and multi-head packets follow routes all the same.)
func castOtherNetwork(design string) (*castNetwork, error) {
	d, err := topology.ParseDesign(design, family.All())
	if err != nil {
		return nil, err
	}
	n, err := d.Build()
	if err != nil {
		return nil, err
	}
	f, u, err := multicast.NewUpDown(n)
	if err != nil {
		return nil, err
	}
	var series []castSeries
	for _, s := range castAll {
		if s.method != multicast.Table || s.rooted {
			s.rooted = true
			series = append(series, s)
		}
	}
	return &castNetwork{fmt.Sprintf("%s, %d endpoints, up*/down*", n.Design, n.Endpoints()), f, u, series}, nil
}

// points lists the runs.
func (p *castPlan) points() (runs []*castRun, err error) {
	add := func(net *castNetwork, members int, load float64, groups int) {
		for _, s := range net.series {
			runs = append(runs, &castRun{net: net, series: s, members: members, load: load, groups: groups})
		}
	}
	net, err := castTreeNetwork("tree", castTree)
	if err != nil {
		return nil, err
	}
	for _, load := range castSizeLoads {
		for _, members := range p.sizes {
			add(net, members, load, p.groups)
		}
	}
	for _, load := range p.loads {
		if load != castSizeLoads[0] && load != castSizeLoads[1] {
			add(net, castLoadSize, load, p.groups)
		}
	}
	if len(p.large) > 0 {
		if net, err = castTreeNetwork("TH-1A", multicast.TH1A()); err != nil {
			return nil, err
		}
		for _, load := range castSizeLoads {
			for _, members := range p.large {
				if load > 0 && members > castLoaded {
					continue
				}
				add(net, members, load, castLarge)
			}
		}
	}
	for _, design := range p.networks {
		if net, err = castOtherNetwork(design); err != nil {
			return nil, err
		}
		for _, load := range []float64{0, castLight} {
			add(net, castOther, load, p.groups)
		}
	}
	return runs, nil
}

// run simulates every point; the outcome does not depend on the number of workers.
func (p *castPlan) run(ctx context.Context, workers int) ([]*castRun, error) {
	runs, err := p.points()
	if err != nil {
		return nil, err
	}
	g, ctx := crew.WithContext(ctx, workers)
	for _, r := range runs {
		g.Go(func() error {
			cfg := multicast.DefaultConfig()
			cfg.Seed, cfg.Load = castSeed, r.load
			x := multicast.Experiment{
				Fabric: r.net.fabric, Routing: r.net.routes, Method: r.series.method, Members: r.members,
				Groups: r.groups, Messages: castMessages, Gap: castGap, Config: cfg,
			}
			if r.series.rooted {
				x.Order = r.net.routes
			}
			var err error
			r.out, err = x.Run(ctx)
			return err
		})
	}
	return runs, g.Wait()
}

// castRows adds the points, a row for each network, load and number of members.
func castRows(t *Table, runs []*castRun) {
	var row *Row
	for _, r := range runs {
		name := fmt.Sprintf("%s, background %g, groups of %d", r.net.name, r.load, r.members)
		if row == nil || row.Name != name {
			t.Rows = append(t.Rows, Row{Name: name})
			row = &t.Rows[len(t.Rows)-1]
		}
		o := &r.out
		note := fmt.Sprintf("cycles to the last member: +- %.3g (95 %%), at most %g", o.CI95, o.Most)
		if !o.Delivered {
			note = "not everything was delivered; " + note
		}
		row.Cells = append(row.Cells, extra(r.series.name, round(o.Last, 1), note))
		if r.load == 0 {
			row.Cells = append(row.Cells, extra("  link_flits", round(r.linkFlits(), 1), "of a message, over links between switches"))
		}
		row.Cells = append(row.Cells,
			extra("  link_load_busiest", round(o.LinkMost, 4), fmt.Sprintf("flits per cycle, of any group in its %d cycles (the fewer, the more by chance); mean of all links %.4f",
				o.Cycles/int64(r.groups), o.LinkLoad)),
			extra("  buffer_flits_most", o.BufferMost, fmt.Sprintf("of 64; mean of all %.3f", o.BufferMean)))
	}
}
