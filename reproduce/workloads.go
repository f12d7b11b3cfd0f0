package reproduce

import (
	"context"
	"fmt"
	"slices"

	"toposearch/routing"
	"toposearch/simcore"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/topology"
)

// The findings of "Performance of interconnection networks under complex workload models" (flit-level simulation of tori and
// fat trees). Its figures are pictures, so that only what it states can be held against ours; what it does not state (lengths of
// messages but for the FFT, D and R, shares, VCs, buffers) is chosen here and named in the notes.

// loadNet is a network of the study.
type loadNet struct {
	short, design string
	d             topology.Design
	n             *topology.Network
	native        *route.Native
	router        *routing.Router
}

// Lengths of messages, flits.
const (
	longMessage  = 32 // stated for the FFT
	shortMessage = 4
)

// loadVCs: two for each of the torus' dateline classes, as many for the tree.
const loadVCs = 4

// newLoadNet builds a network and compiles its natural routing: dimension order of a torus, a random nearest common
// ancestor of a tree.
func newLoadNet(ctx context.Context, short, design string) (*loadNet, error) {
	d, _, err := sized(design)
	if err != nil {
		return nil, err
	}
	x := &loadNet{short: short, design: design, d: d}
	if x.n, err = d.Build(); err != nil {
		return nil, err
	}
	natural := d.Family.Natural(d.V)
	if x.router, err = routing.New(x.n, natural); err != nil {
		return nil, err
	}
	x.native, err = route.ByName(ctx, "natural", x.n, route.Options{Natural: natural, Want: loadVCs, Workers: 1})
	return x, err
}

// pattern makes a traffic.
func (x *loadNet) pattern(name string) (*traffic.Pattern, error) {
	o := traffic.For(x.d, x.n)
	o.Seed = 1
	return traffic.ByName(name, o)
}

// loadCurve is a curve of latency over load: a workload on a network.
type loadCurve struct {
	net       *loadNet
	finding   int
	name      string // of its series in the figure
	traffic   string
	injection string
	short     int // of 100 messages, those of shortMessage
	loads     []float64
	relative  bool // loads are parts of what the traffic's analytic throughput is, but for those above 1

	analytic float64 // offered load that the network carries of the traffic, of its channels and endpoints
	by       string
	points   []simcore.Point
}

// loadPlan is what is simulated.
type loadPlan struct {
	small, large [2]string // torus and fat tree
	// Loads of uniform and FFT traffic on the large networks: torus, tree; of the others on the small ones. Load 1 gives the
	// highest throughput.
	largeLoads, smallLoads [2][]float64
	mixLoads               []float64 // where shares of short messages are compared
	radii                  [2][]int  // of local traffic
	shares, hot            []float64
	cycles                 [2]int // measured, on the large and the small networks
}

var loadFull = loadPlan{
	small: [2]string{"torus(k1=8,k2=8,k3=8)", "kntree(k=8,n=3)"}, large: [2]string{"torus(k1=16,k2=16,k3=16)", "kntree(k=16,n=3)"},
	largeLoads: [2][]float64{{0.05, 0.15, 0.25, 0.35, 1}, {0.05, 0.15, 0.35, 0.6, 1}},
	smallLoads: [2][]float64{{0.1, 0.3, 0.5, 0.6, 0.7, 1}, {0.1, 0.3, 0.5, 0.6, 0.7, 1}},
	mixLoads:   []float64{0.05, 0.15, 0.25}, radii: [2][]int{{1, 2, 3}, {1, 2}},
	shares: []float64{0.2, 0.5, 0.8}, hot: []float64{0.1, 0.2, 0.3, 0.4, 0.5}, cycles: [2]int{1200, 2400},
}

// mixShares are the shares of short messages that are compared with none, percent.
var mixShares = []int{50, 90}

// curves lists what is simulated, by finding.
func (p *loadPlan) curves(ctx context.Context) (all []*loadCurve, err error) {
	var nets [2][2]*loadNet // large, small; torus, tree
	for i, designs := range [2][2]string{p.large, p.small} {
		for k, short := range []string{"torus", "tree"} {
			if nets[i][k], err = newLoadNet(ctx, short, designs[k]); err != nil {
				return nil, err
			}
		}
	}
	add := func(c loadCurve) { all = append(all, &c) }
	for k, net := range nets[0] {
		for _, process := range []string{simcore.Bernoulli, simcore.Poisson} {
			add(loadCurve{net: net, finding: 1, name: net.short + ", " + process, traffic: "uniform", injection: process, loads: p.largeLoads[k]})
		}
		for _, share := range mixShares {
			add(loadCurve{net: net, finding: 3, name: fmt.Sprintf("%s, %d %% short", net.short, share), traffic: "uniform", short: share, loads: p.mixLoads})
		}
	}
	for k, net := range nets[1] {
		add(loadCurve{net: net, finding: 4, name: net.short + ", uniform", traffic: "uniform", loads: p.smallLoads[k]})
		for _, d := range p.radii[k] {
			for _, r := range p.shares {
				add(loadCurve{net: net, finding: 4, name: localName(net, d, r), traffic: fmt.Sprintf("local(%d,%g)", d, r), loads: p.smallLoads[k]})
			}
		}
		for _, f := range p.hot {
			add(loadCurve{net: net, finding: 5, name: hotName(net, f), traffic: fmt.Sprintf("hotspot(%g,%d)", f, net.n.Endpoints()/2), relative: true, loads: hotLoads})
		}
	}
	for i := range nets {
		for k, net := range nets[i] {
			loads := p.largeLoads[k]
			if i == 1 {
				loads = p.smallLoads[k]
			}
			for phase := 1; phase <= 2; phase++ {
				add(loadCurve{net: net, finding: 6, name: fftName(net, phase), traffic: fmt.Sprintf("fft(%s,%d)", gridOf(net), phase), loads: loads})
			}
		}
	}
	return all, nil
}

// hotLoads are parts of the load at which the hot endpoint is full, and twice and ten times that.
var hotLoads = []float64{0.25, 0.5, 0.75, 0.9, 2, 10}

func localName(x *loadNet, d int, r float64) string {
	return fmt.Sprintf("%s, D = %d, R = %g", x.short, d, r)
}

func hotName(x *loadNet, f float64) string { return fmt.Sprintf("%s, f = %g", x.short, f) }

func fftName(x *loadNet, phase int) string {
	return fmt.Sprintf("%s of %d, phase %d", x.short, x.n.Endpoints(), phase)
}

// gridOf is the process grid of a network, as square as it can be.
func gridOf(x *loadNet) string {
	p, q := traffic.Square(x.n.Endpoints())
	return fmt.Sprintf("%d,%d", p, q)
}

// find is a curve by finding and name; it is a fault of ours if there is none.
func find(all []*loadCurve, finding int, name string) *loadCurve {
	i := slices.IndexFunc(all, func(c *loadCurve) bool { return c.finding == finding && c.name == name })
	if i < 0 {
		panic("reproduce: no curve " + name)
	}
	return all[i]
}
