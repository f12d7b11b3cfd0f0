package study

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/diag"
	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
	"toposearch/objectives"
)

// noNICs reports that the price list has no network cards, where that changes a figure.
func (ld *loader) noNICs() {
	s := ld.s
	if s.Catalogue.Has(catalog.KindNIC) {
		return
	}
	at, limited := s.Constraints.OriginOf("building.power")
	if !limited {
		at, limited = s.Constraints.OriginOf("building.network_power")
	}
	switch {
	case s.Options.CountNICs:
		ld.diags.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: s.Path}, Summary: "[cost] nics = true, and the price list has no network card",
			Detail: "add rows of kind nic, or leave nics out"})
	case limited:
		ld.diags.Add(diag.Diagnostic{Severity: diag.Warning, Pos: at.Pos, Summary: "power is limited and the price list has no network cards: their watts are not counted",
			Detail: "let endpoint_power hold them, or add rows of kind nic"})
	}
}

// worstSearched warns where worst_throughput is an objective and families have no closed form of it.
func (ld *loader) worstSearched() {
	if !slices.ContainsFunc(ld.s.Objectives, func(o objectives.Objective) bool { return o.Key == metric.WorstThroughput }) {
		return
	}
	var names []string
	for _, f := range ld.s.Families() {
		if f.Worst == nil && len(f.LinkClasses) > 1 { // nothing limits one switch
			names = append(names, f.Name)
		}
	}
	if len(names) > 0 {
		ld.diags.Add(diag.Diagnostic{Severity: diag.Warning, Pos: diag.Pos{File: ld.s.Path},
			Summary: "worst_throughput is searched for in every design of " + strings.Join(names, ", ") + ", which takes seconds, and is known between bounds only: designs are compared by what is certified",
			Detail:  "uniform_throughput, tub and bisection are faster; other families have closed forms of it"})
	}
}

// noLeadTimes warns that parts without a lead time count as in stock, where lead time is limited.
func (ld *loader) noLeadTimes() {
	s := ld.s
	at, limited := s.Constraints.OriginOf(constraints.NameLead)
	if !limited {
		return
	}
	n, first := 0, ""
	for i := range s.Catalogue.Parts {
		p := &s.Catalogue.Parts[i]
		if p.LeadWeeks > 0 || p.Ready || p.Kind == catalog.KindNIC && !s.Options.CountNICs || p.Around() {
			continue
		}
		if n++; n == 1 {
			first = p.PartNo
		}
	}
	if n > 0 {
		ld.diags.Add(diag.Diagnostic{Severity: diag.Warning, Pos: at.Pos,
			Summary: fmt.Sprintf("lead time is limited, and %d of %d parts have none (%s first): they count as in stock", n, len(s.Catalogue.Parts), first),
			Detail:  "fill in the column lead_time"})
	}
}

// unpriced names the parts of a price list that have no price: a design that needs one has no cost.
func (ld *loader) unpriced(files []catalog.File) {
	if ld.s.Catalogue == nil || len(files) == 0 {
		return
	}
	var names []string
	var at diag.Pos
	for i := range ld.s.Catalogue.Parts {
		p := &ld.s.Catalogue.Parts[i]
		if p.Priced || p.Kind == catalog.KindNIC && !ld.s.Options.CountNICs || p.Around() { // [tco] says what it needs
			continue
		}
		if names == nil {
			at = p.Pos
		}
		names = append(names, p.PartNo)
	}
	if len(names) == 0 {
		return
	}
	const most = 5 // enough to see which they are
	list := strings.Join(names[:min(most, len(names))], ", ")
	if n := len(names) - most; n > 0 {
		list += fmt.Sprintf(" and %d more", n)
	}
	what := "1 part has"
	if len(names) > 1 {
		what = fmt.Sprintf("%d parts have", len(names))
	}
	ld.diags.Add(diag.Diagnostic{Severity: diag.Warning, Pos: at, Summary: what + " no price: " + list,
		Detail: "a design that needs one has no cost, and cannot be compared by it"})
}

// noSwitch reports that no switch can be bought, at the limit on switches that excludes all.
func (ld *loader) noSwitch() {
	s := ld.s
	d := diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: s.Path}, Summary: fmt.Sprintf("there is no switch in catalogue %s", s.Catalogue.Name),
		Detail: "add rows of kind switch; those with approved = no are not taken"}
	if len(s.Catalogue.Parts) > 0 && s.Catalogue.Parts[0].Pos.File != "" {
		d.Pos = diag.Pos{File: s.Catalogue.Parts[0].Pos.File}
	}
	if at, ok := s.Constraints.OriginOf(constraints.NameLead); ok {
		if x, err := s.Catalogue.Prepare(s.Options.Site.OnSwitches(), s.Options.Site.OnCables(), s.Currency); err == nil {
			if _, ok := x.RateAtLeast(0); ok {
				d.Pos, d.Summary, d.Detail = at.Pos, fmt.Sprintf("no switch of catalogue %s that meets the limits on switches comes in time, and none is in stock", s.Catalogue.Name), ""
				ld.diags.Add(d)
				return
			}
		}
	}
	for _, name := range []string{"switch.ports", "switch.models", "switch.buffer", "switch.breakout"} {
		if at, ok := s.Constraints.OriginOf(name); ok && s.Catalogue.Has(catalog.KindSwitch) {
			d.Pos, d.Summary, d.Detail = at.Pos, fmt.Sprintf("no switch of catalogue %s meets the limits on switches", s.Catalogue.Name), ""
			break
		}
	}
	ld.diags.Add(d)
}

// noCables warns that there is no cable for the ports of any switch, or that an endpoint needs very many ports.
func (ld *loader) noCables(x *catalog.Index) {
	s := ld.s
	pos := diag.Pos{File: s.Path}
	fastest, linked := 0, false
	for g := 0.0; ; {
		r, ok := x.RateAtLeast(g)
		if !ok {
			break
		}
		fastest, linked = r, linked || x.LongestCable(r) > 0
		g = float64(r) + 0.5
	}
	if !linked {
		ld.diags.Add(diag.Diagnostic{Severity: diag.Warning, Pos: pos, Summary: fmt.Sprintf("catalogue %s has no cable that may be laid for the rate of any port: nothing can be linked", s.Catalogue.Name),
			Detail: "add rows of kind cable, or transceiver and fibre of one medium, at the rate of a port"})
	}
	const most = 64 // network ports of an endpoint; the largest relaying ones sold have 18 links
	if n := math.Ceil(s.BandwidthGbps/float64(fastest) - 1e-9); n > most {
		ld.diags.Add(diag.Diagnostic{Severity: diag.Warning, Pos: pos, Summary: fmt.Sprintf("the fastest port on the list has %d Gb/s: an endpoint of %g Gb/s needs at least %s of them", fastest, s.BandwidthGbps, unit.Number(n)),
			Detail: "is the unit of the bandwidth right?"})
	}
}
