package compare

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/report/number"
	"toposearch/study"
)

// What of the inputs of two runs may differ.
const (
	InputModel  = "model"
	InputPrices = "prices"
	InputLimits = "limits"
	InputSite   = "site"  // settings that change an evaluation, bandwidth, routing and workload among them
	InputAsked  = "asked" // endpoints, objectives, families
	InputSearch = "search"
)

// InputChange is a difference between the inputs of two runs, in words.
type InputChange struct {
	What string `json:"what"`
	Text string `json:"text"`
}

// inputChanges compares two studies.
func inputChanges(a, b *study.Study) []InputChange {
	var out []InputChange
	add := func(what, format string, args ...any) {
		out = append(out, InputChange{what, fmt.Sprintf(format, args...)})
	}
	for _, t := range priceChanges(a.Catalogue, b.Catalogue) {
		add(InputPrices, "%s", t)
	}
	if x, y := a.Currency, b.Currency; x.Code != y.Code {
		add(InputPrices, "costs in %s instead of %s", y.Code, x.Code)
	} else if !maps.Equal(x.Rates, y.Rates) {
		add(InputPrices, "other rates of exchange")
	}
	limits := limitChanges(a.Constraints, b.Constraints)
	for _, t := range limits {
		add(InputLimits, "%s", t)
	}
	for _, t := range settingChanges(a.Constraints, b.Constraints) {
		add(InputSite, "%s", t)
	}
	if a.BandwidthGbps != b.BandwidthGbps {
		add(InputSite, "bandwidth %g Gb/s instead of %g", b.BandwidthGbps, a.BandwidthGbps)
	}
	if x, y := fmt.Sprintf("%+v", a.Options.Algorithms), fmt.Sprintf("%+v", b.Options.Algorithms); x != y {
		add(InputSite, "other routings: %s instead of %s", y, x)
	}
	if a.MinEndpoints != b.MinEndpoints || a.MaxEndpoints != b.MaxEndpoints {
		add(InputAsked, "%s endpoints instead of %s", number.Span(b.MinEndpoints, b.MaxEndpoints), number.Span(a.MinEndpoints, a.MaxEndpoints))
	}
	if x, y := objectivesText(a), objectivesText(b); x != y {
		add(InputAsked, "objectives %s instead of %s", y, x)
	}
	if x, y := familiesText(a), familiesText(b); x != y {
		add(InputAsked, "families %s instead of %s", y, x)
	}
	if a.Search != b.Search || a.Seed != b.Seed {
		add(InputSearch, "another strategy, budget, tolerance or seed")
	}
	return out
}

func objectivesText(s *study.Study) string {
	var out []string
	for _, o := range s.Objectives {
		out = append(out, o.Name())
	}
	return strings.Join(out, ", ")
}

func familiesText(s *study.Study) string {
	var out []string
	for i := range s.Space {
		text := s.Space[i].Family.Name
		for k, d := range s.Space[i].Domains {
			if d.Given {
				text += fmt.Sprintf(" %s=%v..%v%v", s.Space[i].Family.Params[k].Name, d.Min, d.Max, d.Values)
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// mostMovedPrices are told one by one.
const mostMovedPrices = 12

// priceChanges says which parts cost otherwise, came or went.
func priceChanges(a, b *catalog.Catalogue) []string {
	var moved, came, gone []string
	for i := range b.Parts {
		y := &b.Parts[i]
		x := a.Part(y.PartNo)
		switch {
		case x == nil:
			came = append(came, y.PartNo)
		case x.UnitPrice != y.UnitPrice || x.Currency != y.Currency || x.Priced != y.Priced || !slices.Equal(x.PriceBreaks, y.PriceBreaks):
			moved = append(moved, fmt.Sprintf("%s %s instead of %s", y.PartNo, priceText(y), priceText(x)))
		case x.MOQ != y.MOQ || x.Pack != y.Pack || x.PowerW != y.PowerW || x.LeadWeeks != y.LeadWeeks || x.Stock != y.Stock || x.Approved != y.Approved:
			moved = append(moved, y.PartNo+" has other quantities, watts or lead time")
		}
	}
	for i := range a.Parts {
		if b.Part(a.Parts[i].PartNo) == nil {
			gone = append(gone, a.Parts[i].PartNo)
		}
	}
	if n := len(moved) - mostMovedPrices; n > 0 {
		moved = append(moved[:mostMovedPrices], fmt.Sprintf("and %d more", n))
	}
	for _, x := range []struct {
		list []string
		text string
	}{{came, "new on the price list"}, {gone, "no longer on the price list"}} {
		if n := len(x.list); n > 0 {
			text := strings.Join(x.list[:min(n, mostMovedPrices)], ", ")
			if n > mostMovedPrices {
				text += fmt.Sprintf(" and %d more", n-mostMovedPrices)
			}
			moved = append(moved, x.text+": "+text)
		}
	}
	return moved
}

func priceText(p *catalog.Part) string {
	if !p.Priced {
		return "no price"
	}
	text := number.Plain(number.Money(int64(p.UnitPrice), number.MinorDigits(p.Currency))) + " " + p.Currency
	if n := len(p.PriceBreaks); n > 0 {
		text += fmt.Sprintf(" (%s)", number.Count(n, "break", "breaks"))
	}
	return text
}

// limitChanges says which limits moved, came or went.
func limitChanges(a, b *constraints.Set) []string {
	var out []string
	find := func(s *constraints.Set, l *constraints.Limit) *constraints.Limit {
		for i := range s.Limits {
			if x := &s.Limits[i]; x.Name == l.Name && x.Max == l.Max {
				return x
			}
		}
		return nil
	}
	for i := range b.Limits {
		y := &b.Limits[i]
		if x := find(a, y); x == nil {
			out = append(out, y.Text()+", which was not limited")
		} else if x.Bound != y.Bound {
			out = append(out, fmt.Sprintf("%s instead of %s", y.Text(), x.Origin.Text))
		}
	}
	for i := range a.Limits {
		if x := &a.Limits[i]; find(b, x) == nil {
			out = append(out, fmt.Sprintf("%s (%s) is no longer limited", x.Name, x.Origin.Text))
		}
	}
	return out
}

// settingChanges says which settings of site and switches are others; those that are limits, too, stand there.
func settingChanges(a, b *constraints.Set) []string {
	texts := func(s *constraints.Set) map[string]string {
		out := map[string]string{}
		for _, o := range s.Settings {
			if !slices.ContainsFunc(s.Limits, func(l constraints.Limit) bool { return l.Name == o.Name }) {
				out[o.Name] = o.Text
			}
		}
		return out
	}
	x, y := texts(a), texts(b)
	var out []string
	for _, name := range slices.Sorted(maps.Keys(y)) {
		if was, ok := x[name]; !ok {
			out = append(out, name+" "+y[name]+", which was not set")
		} else if was != y[name] {
			out = append(out, name+" "+y[name]+" instead of "+was)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(x)) {
		if _, ok := y[name]; !ok && !slices.ContainsFunc(b.Limits, func(l constraints.Limit) bool { return l.Name == name }) {
			out = append(out, name+" "+x[name]+" is no longer set")
		}
	}
	return out
}
