package verify

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"toposearch/evaluator"
	"toposearch/routing"
	"toposearch/search"
	"toposearch/simcore"
	"toposearch/simcore/route"
	"toposearch/simcore/traffic"
	"toposearch/study"
	"toposearch/topology"
)

// Way is the routing of a simulation, as the model sees it.
type Way struct {
	Name   string           // as simcore/route knows it
	Direct *routing.Router  // its routes, or those of the legs of its detours
	Tables *routing.Layered // of lash and dfsssp, whose paths are some of Direct's; else nil
	All    *route.Native    // of UB-Mesh's all-path routing, whose legs are Direct's; else nil
	// Detours: packets may go by way of an intermediate; Always: all do. Even: of several candidate hops each is as
	// likely for every packet, and detours go by way of any endpoint, as loads are computed.
	Detours, Always, Even bool
	// Natural: direct routes are those of the natural rule.
	Natural bool
}

// NewWay finds the way of a routing on a network with a natural rule.
func NewWay(ctx context.Context, n *topology.Network, name string, natural topology.Rule) (*Way, error) {
	parts := strings.Split(name, "+")
	direct, err := route.IsDirect(name)
	if err != nil {
		return nil, err
	}
	w := &Way{Name: name, Detours: !direct, Always: parts[0] == evaluator.RoutingValiant, Even: true,
		Natural: !direct || parts[0] == evaluator.RoutingNatural}
	if w.Tables, err = route.LayeredFor(ctx, name, n); w.Tables != nil || err != nil {
		if err == nil {
			w.Direct, w.Detours, w.Natural = w.Tables.Router, false, false
		}
		return w, err
	}
	if route.Escapes(name) { // shortest paths, by queues
		w.Detours, w.Natural, w.Even = false, false, false
		w.Direct, err = route.RoutesOf(name, n, natural)
		return w, err
	}
	if w.All, err = route.AllPathFor(ctx, name, n, natural); err != nil {
		return nil, err
	}
	if w.All != nil {
		w.Detours, w.Even, w.Natural = false, false, false
		w.Direct, err = route.RoutesOf(name, n, natural)
		return w, err
	}
	for _, add := range parts[1:] {
		w.Even = w.Even && add != "hash" && add != "samehash" && add != "adaptive" && add != "group"
	}
	if w.Direct, err = route.RoutesOf(name, n, natural); err != nil || !w.Detours {
		return w, err
	}
	mids, err := intermediates(ctx, w.Direct)
	if mids < leastMids {
		w.Detours, w.Always = false, false
	}
	return w, err
}

// mostFlows bounds the flows of a routing that keeps each on one way: some seconds.
const mostFlows = 1 << 24

// intermediates counts the attachment sets by way of which packets may go: where endpoints have several ports, those may be none from which all can be reached
// (butterfly(k=3,n=2), whose packets arrive at the last stage).
func intermediates(ctx context.Context, r *routing.Router) (mids int, err error) {
	if !routing.SeveralPorts(r.Net) || len(r.Sets)*r.Net.Channels() > mostFlows {
		return len(r.Sets), nil
	}
	ends, err := r.FirstLegsEnd(ctx)
	for _, p := range ends {
		if p != nil {
			mids++
		}
	}
	return mids, err
}

// leastMids are the attachment sets with which there is one beside source and destination, by way of which a packet makes a detour.
const leastMids = 3

// wayOf is the routing with which a design is verified: that of [verify], or else the one that was chosen.
func wayOf(ctx context.Context, p *search.Problem, d topology.Design, n *topology.Network, chosen string) (*Way, error) {
	name, rule := p.Study.Verify.Routing, p.Study.Options.Natural(d)
	if name == "" {
		name = chosen
	}
	if name == "" {
		name = evaluator.RoutingNatural
	}
	if name == evaluator.RoutingNatural && p.Study.Options.For(d).Scaled(d.Family) && rule.HopVCs {
		name = rule.Name // no natural rule knows the classes of scale-up domains
	}
	return NewWay(ctx, n, name, rule)
}

// Predict computes what the model says of the traffic: the load at which the busiest channel is full when the routing
// splits evenly over its direct routes; with detours, when it makes as many as is best, the same part of every flow.
func Predict(ctx context.Context, n *topology.Network, w *Way, name string, line *Result) (l *routing.Loads, err error) {
	opt := routing.LoadOptions{Workers: loadWorkers}
	if name == "worst" {
		o := traffic.Options{Network: n, Context: ctx, Router: w.Direct}
		if w.Tables != nil {
			o.Router = w.Tables
		}
		t, err := traffic.ByName(name, o)
		if err != nil {
			return nil, err
		}
		line.drawn, line.flows, line.Found = t, w.Direct.Flows(t.Permutation()), t.How()
		for src, dst := range t.Permutation() {
			if dst >= 0 {
				line.pairs = append(line.pairs, routing.Pair{Src: topology.EndpointID(src), Dst: topology.EndpointID(dst), Rate: 1})
			}
		}
	}
	switch {
	case line.load != nil:
		l = line.load.Loads
	case line.flows != nil:
		l, err = w.flowLoads(ctx, line.flows, opt)
	default:
		l, err = w.uniformLoads(ctx, opt)
	}
	if err != nil {
		return nil, err
	}
	if l.UnreachablePairs > 0 {
		return nil, errors.New("some pairs have no route")
	}
	line.hops, line.longest = l.MeanHops, l.MaxHops
	if w.Detours {
		line.longest *= 2
	}
	line.Predicted, line.Exact = saturatedTop, l.Exact && w.Even
	if w.All != nil && line.load == nil {
		return l, w.predictAll(ctx, n, l, line)
	}
	limit := l.Throughput(n)
	ends := 1.0 // what endpoints can send and take
	if line.load != nil {
		most, _ := line.load.MostIn()
		ends = 1 / max(1, most, line.load.Out)
		line.Predicted = ends
		if w.Tables != nil || w.All != nil || w.Detours && ends < 1-1e-9 { // paths of tables, and all paths, are not those of Direct; detours to a hot spot end on its links all the same
			line.Exact = false
			return l, nil
		}
	}
	if limit.None {
		return l, nil
	}
	line.Predicted = min(limit.Throughput, ends)
	if !w.Detours {
		return l, nil
	}
	uniform := l
	if line.flows != nil || line.load != nil {
		if uniform, err = w.Direct.UniformLoads(ctx, opt); err != nil {
			return nil, err
		}
	}
	capacity := routing.OwnCapacity(n)
	direct, detours := l.Relative(n, capacity), routing.Detoured(uniform.Relative(n, capacity), n.Endpoints())
	split := routing.BestSplit(direct, detours)
	if w.Always {
		if w.Name == evaluator.RoutingValiant && (line.flows != nil || line.load == nil) { // by way of any set, each as likely
			line.valiant, err = w.Direct.Valiant(ctx, line.flows)
			if much := (routing.TooManyTurns{}); err != nil && !errors.As(err, &much) {
				return nil, err
			}
		}
		if line.valiant != nil {
			detours = line.valiant.Relative(capacity)
		}
		split = routing.BestSplit(detours, detours)
		split.Direct, line.hops = 0, math.NaN()
	} else {
		line.Alone, line.detour = limit.Throughput, 2*uniform.MeanHops
	}
	line.Predicted, line.Direct = min(split.Throughput, ends), &split.Direct
	return l, nil
}

// predictAll predicts all-path routing by the best split over its paths, l being what its direct routes carry; where they are too many to be listed
// by what no split carries more of.
func (w *Way) predictAll(ctx context.Context, n *topology.Network, l *routing.Loads, line *Result) error {
	line.Alone = math.Min(saturatedTop, l.Throughput(n).Throughput)
	split, err := w.All.BestSplit(ctx, line.flows, 1-simcore.SaturatedBelow)
	var much routing.TooManyTurns
	if errors.As(err, &much) {
		if split, err = w.All.BoundSplit(ctx, line.flows, 1-simcore.SaturatedBelow); err != nil {
			return err
		}
		line.Predicted, line.hops, line.most = math.Min(split.Most, saturatedTop), math.NaN(), split.Most
		line.Notes = append(line.Notes, fmt.Sprintf("%s: of all paths a bound is predicted, not the best split, which carries %.3g or more: %v", line.Traffic, math.Min(split.Low, saturatedTop), much))
		return nil
	}
	line.Predicted, line.hops, line.most, line.shares = math.Min(split.Low, saturatedTop), math.NaN(), split.Most, split.Shares
	return err
}

func (w *Way) uniformLoads(ctx context.Context, opt routing.LoadOptions) (*routing.Loads, error) {
	if w.Tables != nil {
		return w.Tables.UniformLoads(ctx)
	}
	return w.Direct.UniformLoads(ctx, opt)
}

func (w *Way) flowLoads(ctx context.Context, flows []routing.Flow, opt routing.LoadOptions) (*routing.Loads, error) {
	if w.Tables != nil {
		return w.Tables.FlowLoads(ctx, flows)
	}
	return w.Direct.FlowLoads(ctx, flows, opt)
}

// known tells whether there is an expectation from VCs and buffers for a traffic; of others there is only what channels and
// endpoints carry.
func known(traffic string) bool {
	return traffic == "worst" || traffic == "uniform" || traffic == study.Workload
}

// certify bounds the saturation load from above: that of even splits, of the best split over all paths, and of what takes no less than shortest
// paths; 1 for any other routing.
func (w *Way) certify(n *topology.Network, l *routing.Loads, line *Result) float64 {
	top := float64(saturatedTop)
	if line.load != nil {
		top = certifiedEnds(line.load.In)
	}
	switch {
	case w.All != nil && line.most > 0:
		return min(top, line.most)
	case route.Escapes(w.Name) && line.load == nil:
		return min(top, certifiedHops(n, l))
	}
	if w.Detours || !w.Even || !l.Exact || line.load != nil && w.Tables != nil {
		return top
	}
	return min(top, Certified(n, w.Direct.Rule, l))
}

// short says why a measurement may fall short of the prediction, for a note.
func (l *Result) short() string {
	text := "finite buffers and arbitration cost the rest"
	if l.Direct != nil {
		text = fmt.Sprintf("of an ideal split with %.3g %% direct; finite buffers, arbitration and decisions by what a switch sees cost the rest", 100**l.Direct)
	}
	return text
}
