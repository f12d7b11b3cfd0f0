package evaluator

import (
	"fmt"
	"slices"
	"strings"
)

// note writes the remarks that belong beside the figures.
func (w *work) note() {
	r := w.res
	add := func(format string, args ...any) { r.Notes = append(r.Notes, fmt.Sprintf(format, args...)) }
	if w.rates.surplus > 1e-9 {
		add("ports are sold in steps: endpoints have %g Gb/s, %.3g %% more than asked", w.rates.ports, 100*w.rates.surplus)
	}
	w.noteDomain(add)
	p := r.Plan
	if p == nil {
		return
	}
	w.noteMedia(add)
	if n := p.Floor.Buildings; n > 1 {
		add("spread over %d buildings, as many as the site allows: with buildings = { max = 1 } its cables are shorter", n)
	}
	if p.Floor.Note != "" {
		add("%s", p.Floor.Note)
	}
	var derived, old, dates []string
	for i := range p.BOM {
		part := p.BOM[i].Part
		if part.Derived {
			derived = append(derived, part.PartNo)
		}
		if part.EndOfLife != "" {
			old = append(old, part.PartNo)
		}
		if d := part.ValidFrom; d != "" && !slices.Contains(dates, d) {
			dates = append(dates, d)
		}
	}
	if len(derived) > 0 {
		add("prices continued along a law, not quoted: %s", strings.Join(derived, ", "))
	}
	if len(old) > 0 {
		add("parts with an end of life: %s", strings.Join(old, ", "))
	}
	slices.Sort(dates)
	switch len(dates) {
	case 0:
	case 1:
		add("prices as of %s", dates[0])
	default:
		add("prices from %s to %s", dates[0], dates[len(dates)-1])
	}
}
