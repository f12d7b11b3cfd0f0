package report

import (
	"math/big"
	"slices"
	"strings"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/report/number"
	"toposearch/search"
	"toposearch/study"
)

// explained says what names mean that no constraint file holds.
var explained = map[string]string{
	constraints.NoNetwork: "the values do not make a network",
	constraints.Window:    "outside the endpoints asked for",
}

// offered says what names mean where no file sets the limit: the price list does.
var offered = map[string]string{
	metric.RejectRate:  "no switch that may be bought has ports of the rate",
	metric.RejectPorts: "no switch that may be bought has the ports",
	metric.RejectRates: "no switch that may be bought has ports of all the rates that a switch needs, its own or by breakout",
	metric.RejectCages: "the cables and modules that may be bought fill more physical ports of a switch than it has, those for several links whole ones",
	metric.RejectReach: "no cable that may be bought is as long and of the rate",
}

func rejections(f *search.Front, st *study.Study) []Rejection {
	var out []Rejection
	for name, n := range f.Counts.Rejected {
		if n == nil || n.Sign() == 0 {
			continue
		}
		r := Rejection{Constraint: name, Count: n, Doc: explained[name]}
		if o, ok := st.Constraints.OriginOf(name); ok {
			r.Text, r.Origin = o.Text, place(o)
		} else if metric, ok := strings.CutPrefix(name, "absent "); ok {
			if r.Doc = "the model cannot state " + metric; strings.HasPrefix(metric, "cost") {
				r.Doc += ": a part that is needed has no price"
			}
		} else if name == constraints.Window {
			r.Text = number.Span(st.MinEndpoints, st.MaxEndpoints)
		} else if doc, ok := offered[name]; ok {
			r.Doc = doc
			if weeks := st.Options.Site.LeadWeeks; weeks > 0 {
				r.Doc += " and comes within " + number.PageFigure(weeks) + " weeks"
			}
		}
		for _, fc := range f.Counts.Families {
			c := fc.Rejected[name]
			if c == nil {
				c = new(big.Int)
			}
			r.Families = append(r.Families, c)
		}
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b Rejection) int {
		if c := b.Count.Cmp(a.Count); c != 0 {
			return c
		}
		return strings.Compare(a.Constraint, b.Constraint)
	})
	return out
}

func closestFrom(c *search.Closest, limits []Limit) Closest {
	out := Closest{Family: c.Family, Design: c.Design, Violation: c.Violation, Exhausted: c.Exhausted, Unsettled: c.Unsettled}
	for _, m := range c.Misses {
		k, ok := metric.KeyOf(m.Metric)
		out.Misses = append(out.Misses, Miss{m.Constraint, k, ok, m.Got, m.Bound, m.Origin, m.Absent, m.Why})
	}
	for _, r := range c.Relaxation {
		x := Relaxation{Constraint: r.Constraint, Bound: r.Bound, Needed: r.Needed, Design: r.Design, Origin: r.Origin}
		for i := range limits {
			if limits[i].Name == r.Constraint {
				x.Key, x.HasKey = limits[i].Key, true
			}
		}
		if r.Constraint == constraints.Window {
			x.Key, x.HasKey = metric.Endpoints, true
		}
		out.Relax = append(out.Relax, x)
	}
	return out
}
