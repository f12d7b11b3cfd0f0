package study

import (
	"fmt"
	"strings"

	"toposearch/catalog"
	"toposearch/internal/diag"
)

// noNICs tells that network cards count nowhere, where that changes a figure.
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

// noLeadTimes tells that parts without a lead time are taken for in stock, where lead time is
// limited.
func (ld *loader) noLeadTimes() {
	s := ld.s
	at, limited := s.Constraints.OriginOf("procurement.lead_time")
	if !limited {
		return
	}
	n, first := 0, ""
	for i := range s.Catalogue.Parts {
		p := &s.Catalogue.Parts[i]
		if p.LeadWeeks > 0 || p.Kind == catalog.KindNIC && !s.Options.CountNICs {
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
		if p.Priced || p.Kind == catalog.KindNIC && !ld.s.Options.CountNICs {
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
