package evaluator

import (
	"fmt"

	"toposearch/evaluator/metric"
)

// Routings by tables among those that may be chosen: what they carry and the layers that they take are known once the
// tables are made, of every design that is evaluated.

// nameTables makes the tables of the algorithms that have some.
func (w *work) nameTables() error {
	for _, a := range w.algorithms {
		if !a.Tables || w.named[a.Name].why != "" || w.named[a.Name].tables != nil {
			continue
		}
		t, err := w.namedTables(a.Name)
		if err != nil {
			return err
		}
		if w.named == nil {
			w.named = map[string]namedTables{}
		}
		w.named[a.Name] = t
	}
	return nil
}

func (w *work) namedTables(name string) (out namedTables, err error) {
	bytes := w.networkBytes() + tablesBytes(w)
	for _, why := range []string{
		w.res.Reject.Words(), w.tablesTooLarge(), w.tooMuch("tables of "+name, bytes),
	} {
		if why != "" {
			return namedTables{why: why}, nil
		}
	}
	switch {
	case w.size.Endpoints < 2:
		return namedTables{why: "there is no pair of endpoints"}, nil
	case w.req.Level < 1 && len(w.req.Keys) == 0:
		return namedTables{why: "they are made from level 1 on"}, nil
	}
	if err := w.take("tables of "+name, bytes); err != nil {
		return out, err
	}
	if err := w.build(); err != nil {
		return namedTables{why: err.Error()}, nil
	}
	t, _, why, err := w.provenTables(name)
	if err != nil || why != "" {
		return namedTables{why: why}, err
	}
	l, err := t.UniformLoads(w.ctx)
	switch {
	case err != nil:
		return out, err
	case l.UnreachablePairs > 0:
		return namedTables{why: fmt.Sprintf("%.0f of %.0f endpoint pairs are unreachable", l.UnreachablePairs, l.Pairs)}, nil
	}
	return namedTables{tables: t, layers: t.Layers, limit: w.loadLimit(l), hops: l.MeanHops, most: l.MaxHops}, nil
}

// rejectUnfit rejects a design that none of the algorithms fits, where no limit does. What it needs is that of the one
// that needs least.
func (w *work) rejectUnfit() {
	if !w.e.opt.RejectUnfit || w.res.Reject.Constraint != "" {
		return
	}
	least, known := 0, false
	for i := range w.algorithms {
		if w.unfit[i] == "" {
			return
		}
		if need, ok := w.algorithms[i].vcs(w); ok && (!known || need < least) {
			least, known = need, true
		}
	}
	r := metric.Reject{Constraint: metric.RejectVCs, Got: float64(least), Bound: float64(w.e.opt.MaxVCs)}
	switch {
	case known && r.Bound > 0 && r.Got > r.Bound:
	case w.e.opt.MaxRouteHops > 0 && w.res.Have[metric.MaxHops] && known:
		r = metric.Reject{Constraint: metric.RejectRouteHops, Got: 2 * w.res.Metrics[metric.MaxHops].Value, Bound: float64(w.e.opt.MaxRouteHops)}
	case r.Bound == 0 || w.req.Level < 1: // there are no tables, so that there is no throughput either; or nothing asked for VCs
		return
	default:
		r.Got = 0 // not known
	}
	w.res.Reject = r
}

// worstOfTables encloses what tables carry of the worst traffic.
func (w *work) worstOfTables(a *Algorithm) (iv metric.Interval, text string, err error) {
	if why := w.named[a.Name].why; why != "" {
		return iv, why, nil
	}
	t, err := w.makeTables(a.Name)
	if err != nil {
		return iv, "", err
	}
	lo, hi, err := t.WorstCase(w.ctx, w.linkCapacity())
	switch {
	case err != nil:
		return iv, "", err
	case hi == 0:
		return metric.Interval{Lo: 1, Hi: 1}, insideSwitches, nil
	}
	iv = metric.Interval{Lo: 1 / hi, Hi: 1 / lo}
	text = "the matching of sources and destinations that is heaviest on a channel (Towles and Dally 2002)"
	switch ports := w.severalPorts() && lo == 1/w.rates.Capacity(0); {
	case ports && lo == hi:
		text = "a flow fills one port of each of its endpoints"
	case ports:
		text = "lo covers the pairs with a path over each channel by as few endpoints as are sure to do; hi, as a flow fills one port of its endpoints"
	case lo < hi*(1-same):
		text = "lo covers the pairs with a path over each channel by as few endpoints as are sure to do; hi is of a matching that is heavy on one"
	}
	return iv, text, nil
}
