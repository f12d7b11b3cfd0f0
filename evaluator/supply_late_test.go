package evaluator

import (
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/metric"
)

// A design for which the price list has no part in time is told so; one for which it has none at all, or one that a limit excludes, is not.
func TestPartsThatComeLate(t *testing.T) {
	list := func(late func(*catalog.Part) bool) *catalog.Catalogue {
		c := *catalog.Builtin()
		c.Parts = append([]catalog.Part(nil), c.Parts...)
		for i := range c.Parts {
			c.Parts[i].LeadWeeks, c.Parts[i].Stock = 4, 0
			if late(&c.Parts[i]) {
				c.Parts[i].LeadWeeks = 30
			}
		}
		return &c
	}
	large := list(func(p *catalog.Part) bool {
		return p.Kind == catalog.KindSwitch && p.Ports > 16 && p.RateGbps > 200 || p.Kind == catalog.KindSwitch && p.RateGbps > 400
	})
	fast := list(func(p *catalog.Part) bool { return p.Kind == catalog.KindSwitch && p.RateGbps > 100 })
	long := list(func(p *catalog.Part) bool { return p.Kind != catalog.KindSwitch && p.LengthM == 0 })
	for _, c := range []struct {
		list       *catalog.Catalogue
		weeks      float64
		maxPorts   int
		design     string
		constraint string
		late       bool
	}{
		{large, 15, 0, "fattree(k=128,l=2)", metric.RejectPorts, true},
		{large, 30, 0, "fattree(k=128,l=2)", "", false},
		{large, 15, 16, "fattree(k=128,l=2)", metric.RejectPorts, false},      // a limit excludes them as well
		{large, 15, 0, "dragonfly(p=400,a=2,h=1)", metric.RejectPorts, false}, // no switch has so many
		{fast, 15, 0, "fattree(k=8,l=2)", metric.RejectRate, true},
		{fast, 0, 0, "fattree(k=8,l=2)", "", false},
		{long, 15, 0, "fattree(k=64,l=2)", metric.RejectReach, true},
		{long, 0, 0, "fattree(k=64,l=2)", "", false},
	} {
		o := Options{BandwidthGbps: 400, Catalog: c.list}
		o.Site.LeadWeeks, o.Site.MaxSwitchPorts = c.weeks, c.maxPorts
		r := evaluate(t, newEvaluator(t, o), parse(t, c.design), Request{Level: 1})
		says := strings.Contains(r.Absent[metric.Cost], "later than 15 weeks, which procurement.lead_time allows")
		if r.Reject.Constraint != c.constraint || says != c.late {
			t.Errorf("%s within %g weeks: rejected by %q, %q; want %q, late %v", c.design, c.weeks, r.Reject.Constraint, r.Absent[metric.Cost], c.constraint, c.late)
		}
	}
}
