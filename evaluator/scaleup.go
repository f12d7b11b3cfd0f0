package evaluator

import (
	"fmt"

	"toposearch/evaluator/bound"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// of is the evaluator for a design: of its scale-up domain, if it names one, else e.
func (e *Evaluator) of(d topology.Design) *Evaluator {
	if _, named := d.Scaleup(); !named || e.single {
		return e
	}
	return e.domainsOf(d.Family)[d.V[len(d.V)-1]]
}

// domainsOf are the evaluators for the scale-up domains of a family, in their order: an evaluator each, since all that is
// known of parts, routes and racks depends on the domain.
func (e *Evaluator) domainsOf(f *topology.Family) []*Evaluator {
	if all, ok := e.byFamily.Load(f); ok {
		return all.([]*Evaluator)
	}
	e.making.Lock()
	defer e.making.Unlock()
	all := make([]*Evaluator, len(f.Scaleups))
	for i, dom := range f.Scaleups {
		own := e.byDomain[dom]
		if own == nil {
			var err error
			if own, err = New(e.opt.with(dom)); err != nil {
				panic(fmt.Sprintf("evaluator: options that were good before: %v", err))
			}
			own.single, own.memory = true, e.memory
			if e.byDomain == nil {
				e.byDomain = map[topology.Domain]*Evaluator{}
			}
			e.byDomain[dom] = own
		}
		all[i] = own
	}
	e.byFamily.Store(f, all)
	return all
}

// Enclose is bound.Model.Enclose under the scale-up domain of the designs: where a box holds several, the hull of what each
// gives.
func (e *Evaluator) Enclose(b bound.Box, l *bound.Ladder, out *metric.Intervals) {
	f, lo, hi := b.Lo.Family, b.Lo.Scaleup, b.Hi.Scaleup
	if len(f.Scaleups) == 0 || e.single {
		e.Model.Enclose(b, l, out)
		return
	}
	all := e.domainsOf(f)
	all[lo].Model.Enclose(b, l, out)
	for i := lo + 1; i <= hi; i++ {
		var one metric.Intervals
		all[i].Model.Enclose(b, l, &one)
		out.Widen(&one)
	}
}

// LacksScaleup says which parts of a scale-up domain the price list of options lacks, "" if none.
func LacksScaleup(o Options, dom topology.Domain) (string, error) {
	o = o.with(dom)
	o.fill()
	m, err := market.New(market.Options{Catalog: o.Catalog, Limits: o.Site.Limits, Currency: o.Currency, Rates: o.Rates,
		ScaleupGbps: o.ScaleupGbps, CountScaleup: true, Domain: dom})
	if err != nil {
		return "", err
	}
	return m.LacksScaleup(), nil
}
