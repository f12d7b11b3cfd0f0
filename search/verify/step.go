package verify

import (
	"context"

	"toposearch/evaluator"
	"toposearch/routing"
	"toposearch/search"
	"toposearch/simcore"
	"toposearch/simcore/traffic"
	"toposearch/study"
	"toposearch/topology"
)

// pattern makes a traffic by its name.
func pattern(ctx context.Context, p *search.Problem, d topology.Design, n *topology.Network, name string) (*traffic.Pattern, error) {
	o := traffic.For(d, n)
	o.Seed, o.Context = p.Seed, ctx
	return traffic.ByName(name, o)
}

// draw makes the traffics that are neither "uniform" nor "worst", and what the network carries of them.
func (l *Result) draw(ctx context.Context, p *search.Problem, d topology.Design, n *topology.Network, w *Way) (err error) {
	switch {
	case l.Traffic == study.Workload:
		l.drawn, err = l.step(ctx, p, d, n)
		return err
	case known(l.Traffic):
		return nil
	}
	t, err := pattern(ctx, p, d, n, l.Traffic)
	if err != nil {
		return err
	}
	l.drawn = t
	l.load, err = t.Load(ctx, w.Direct, loadWorkers)
	return err
}

// step finds the traffic of the workload: what the heaviest communication of its step sends, all steps of the algorithm
// together, each message to its destination with a chance by its bytes. The endpoint that sends most sends at the offered load.
func (l *Result) step(ctx context.Context, p *search.Problem, d topology.Design, n *topology.Network) (simcore.Traffic, error) {
	e, err := evaluator.New(p.Study.Options)
	if err != nil {
		return nil, err
	}
	h, err := e.Heaviest(ctx, d, n)
	if err != nil {
		return nil, err
	}
	l.Workload = h.String()
	sent, most := make(map[topology.EndpointID]float64), 0.0
	list := make([]traffic.Entry, len(h.Messages))
	for i, m := range h.Messages {
		list[i] = traffic.Entry{Src: int32(m.From), Dst: int32(m.To), Weight: m.Bytes}
		sent[m.From] += m.Bytes
		most = max(most, sent[m.From])
	}
	_, setOf := routing.Attachments(n)
	at := make(map[[2]int32]int)
	for _, m := range h.Messages {
		k := [2]int32{setOf[n.GroupOf(m.From)], setOf[n.GroupOf(m.To)]}
		i, ok := at[k]
		if !ok {
			i = len(l.flows)
			at[k] = i
			l.flows = append(l.flows, routing.Flow{Src: int(k[0]), Dst: int(k[1])})
		}
		l.flows[i].Rate += m.Bytes / most
		l.pairs = append(l.pairs, routing.Pair{Src: m.From, Dst: m.To, Rate: m.Bytes / most})
	}
	return traffic.FromMatrix(study.Workload, n.Endpoints(), list), nil
}
