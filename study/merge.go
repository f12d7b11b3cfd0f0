package study

import (
	"fmt"
	"slices"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
)

// merge puts limits, site and prices into one set of options and prepares the catalogue.
func (ld *loader) merge() {
	s := ld.s
	if s.Constraints == nil || s.Catalogue == nil {
		return
	}
	var asked evaluator.Options // models are checked also beside other faults
	s.Constraints.Apply(&asked)
	ld.models(asked.Site.SwitchModels)
	if ld.diags.HasErrors() {
		return
	}
	s.Options.Catalog = s.Catalogue
	s.Options.BandwidthGbps, s.Options.PerServer = s.BandwidthGbps, s.PerServer
	s.Options.Scaleup, s.Options.ScaleupGbps, s.Options.Domain = s.Scaleup, s.ScaleupGbps, s.Domain
	s.Options.Currency, s.Options.Rates = s.Currency.Code, s.Currency.Rates
	s.Constraints.Apply(&s.Options)
	ld.scaleupParts()
	lim := s.Options.Site.OnSwitches()
	x, err := s.Catalogue.Within(s.Options.Site.LeadWeeks).Prepare(lim, s.Options.Site.OnCables(), s.Currency)
	if err != nil {
		ld.diags.Errorf(diag.Pos{File: s.Path}, "%v", err)
		return
	}
	s.Index = x
	ld.clusterParts()
	ld.noNICs()
	ld.noLeadTimes()
	ld.worstSearched()
	if _, ok := x.RateAtLeast(0); !ok {
		ld.noSwitch()
	} else {
		ld.noCables(x)
	}
	if lim.MaxBuffer > 0 {
		for i := range s.Catalogue.Parts {
			if p := &s.Catalogue.Parts[i]; p.Kind == catalog.KindSwitch && p.BufferBytes == 0 {
				at, _ := s.Constraints.OriginOf("switch.buffer")
				ld.diags.Warnf(at.Pos, "the catalogue does not say how large the buffer of %s is: it is taken to meet the limit", p.PartNo)
				break
			}
		}
	}
}

// models checks the switch models that constraint files name against the catalogue.
func (ld *loader) models(models []string) {
	at, _ := ld.s.Constraints.OriginOf("switch.models")
	var known []string
	for i := range ld.s.Catalogue.Parts {
		if p := &ld.s.Catalogue.Parts[i]; p.Kind == catalog.KindSwitch {
			known = append(known, p.PartNo)
		}
	}
	for _, m := range models {
		if !slices.Contains(known, m) {
			ld.diags.Add(diag.Diagnostic{Severity: diag.Error, Pos: at.Pos, Summary: fmt.Sprintf("there is no switch %q in catalogue %s", m, ld.s.Catalogue.Name), Detail: diag.Suggest(m, known)})
		}
	}
}

// window checks that limits on the number of endpoints leave something of the count asked for.
func (ld *loader) window() {
	s := ld.s
	if s.Constraints == nil || s.MaxEndpoints == 0 {
		return
	}
	for _, l := range s.Constraints.Limits {
		switch {
		case l.Key != metric.Endpoints:
		case l.Max && l.Bound < float64(s.MinEndpoints):
			ld.diags.Errorf(l.Origin.Pos, "endpoints must be at most %.0f here and at least %d at %s (endpoints.count): nothing can meet both", l.Bound, s.MinEndpoints, ld.countAt)
		case !l.Max && l.Bound > float64(s.MaxEndpoints):
			ld.diags.Errorf(l.Origin.Pos, "endpoints must be at least %.0f here and at most %d at %s (endpoints.count): nothing can meet both", l.Bound, s.MaxEndpoints, ld.countAt)
		}
	}
}

// simulated checks that metrics which only the simulator measures are measured at all, and says
// what asking for them means.
func (ld *loader) simulated() {
	s := ld.s
	uniform := slices.Contains(s.Verify.Traffic, "uniform")
	corrected := false
	use := func(k metric.Key, pos diag.Pos, steers, limit bool) {
		if metric.Keys[k].Level != 4 {
			return
		}
		name := metric.Keys[k].Name
		switch {
		case s.Verify.Finalists == 0:
			ld.diags.Errorf(pos, "%s is measured on finalists, and [verify] finalists is 0", name)
		case !uniform:
			ld.diags.Errorf(pos, "%s is that under uniform traffic, which [verify] traffic does not name", name)
		case steers && s.Verify.Fidelity == FidelitySearch:
			corrected = corrected || !limit
		case steers:
			ld.diags.Warnf(pos, "%s is measured on the finalists alone, at most %d: the search is steered by another metric in its place, and the front is judged again among them; toposearch plan says how",
				name, s.Verify.Finalists)
		}
	}
	for i, o := range s.Objectives {
		use(o.Key, ld.objectiveAt[i], true, false)
	}
	if s.Constraints != nil {
		for _, l := range s.Constraints.Limits {
			use(l.Key, l.Origin.Pos, true, true)
		}
	}
	for _, l := range s.Require {
		use(l.Key, l.Origin.Pos, false, true)
	}
	if s.Verify.Fidelity == FidelitySearch && !corrected && s.Verify.Finalists > 0 && uniform {
		ld.diags.Errorf(ld.fidelityAt, "fidelity = \"search\" corrects objectives that are measured, and there is none\nname sim_saturation or sim_latency_half_load as an objective, beside or instead of uniform_throughput and latency")
	}
}
