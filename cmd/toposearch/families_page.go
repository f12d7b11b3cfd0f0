package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"toposearch/catalog"
	"toposearch/internal/unit"
	"toposearch/search/branch"
	"toposearch/topology"
	"toposearch/topology/survey"
)

// familyPage prints one family for a reader at a terminal of 80 columns.
func familyPage(w io.Writer, f *topology.Family, radix int, uniform float64) error {
	fmt.Fprintf(w, "%s\n%s\n", f.Name, wrap(f.Title, pageWidth, "  "))
	fmt.Fprint(w, "Source\n", wrap(fmt.Sprintf("%s: %s. %s, %d.", f.Source.Authors, f.Source.Title, f.Source.Venue, f.Source.Year), pageWidth, "  "))
	fmt.Fprint(w, wrap("Departures: "+orNone(f.Source.Departures, "none"), pageWidth, "  "))
	pageParams(w, f)
	if rules := survey.Rules(f); len(rules) > 0 {
		fmt.Fprint(w, "\nRules\n")
		for _, r := range rules {
			fmt.Fprint(w, entry(r.Param, r.Rule))
		}
	}
	fmt.Fprint(w, "\nSizes\n")
	for _, line := range f.Formulas {
		text, remark, ok := strings.Cut(line, ";")
		if ok {
			text += "   (" + strings.TrimSpace(remark) + ")"
		}
		fmt.Fprint(w, hang(text, 2, 6))
	}
	pageLargest(w, f, branch.Wanted{Radix: radix, Uniform: uniform})
	fmt.Fprint(w, "\nLinks\n")
	for i, c := range f.LinkClasses {
		fmt.Fprint(w, entry(c.Name, c.Doc+mediumText(f, i)))
	}
	if len(f.SwitchClasses) > 0 {
		fmt.Fprint(w, "\nSwitches\n")
	}
	for _, c := range f.SwitchClasses {
		fmt.Fprint(w, entry(c.Name, c.Doc))
	}
	fmt.Fprint(w, "\nRouting and VCs\n", wrap(vcText(f), pageWidth, "  "))
	fmt.Fprint(w, "\nDeployments\n", wrap(orNone(f.Deployments, "None known."), pageWidth, "  "))
	if f.OnlyNamed != "" {
		fmt.Fprint(w, wrap("Searched only where a study names it: "+f.OnlyNamed+".", pageWidth, "  "))
	}
	if f.Traps != "" {
		fmt.Fprint(w, "\nTraps\n", wrap(f.Traps, pageWidth, "  "))
	}
	return pageDrawing(w, f)
}

func pageParams(w io.Writer, f *topology.Family) {
	if len(f.Params) > 0 {
		fmt.Fprint(w, "\nParameters\n")
	}
	for i, p := range f.Params {
		note := fmt.Sprintf("%d to %d", p.Min, p.Max)
		switch {
		case p.Choices != nil:
			note = strings.Join(p.Choices, ", ")
		case p.Divides != "":
			note = fmt.Sprintf("a ratio, %s to %s, that divides %s; a search keeps the default unless a study opens it", p.Format(p.Min), p.Format(p.Max), p.Divides)
		}
		if p.Default != nil {
			note += "; default " + defaultText(f, i)
		}
		if i == f.Derived {
			note += "; derived from the endpoint count by the search"
		}
		fmt.Fprint(w, entry(p.Name, p.Doc+" ("+note+")"))
	}
}

// entry is a name with its text beside it.
func entry(name, text string) string {
	return fmt.Sprintf("  %-12s%s", name, strings.TrimLeft(wrap(text, pageWidth, strings.Repeat(" ", 14)), " "))
}

// hang wraps text with a first indent and another one for the lines that follow.
func hang(text string, first, rest int) string {
	body := wrap(text, pageWidth, strings.Repeat(" ", rest))
	return strings.Repeat(" ", first) + strings.TrimLeft(body, " ")
}

// defaultText is the default of a parameter: its formula, or its constant value.
func defaultText(f *topology.Family, i int) string {
	p := &f.Params[i]
	switch {
	case p.Default == nil:
		return ""
	case p.DefaultDoc != "":
		text, remark, ok := strings.Cut(p.DefaultDoc, ";")
		if ok {
			return text + ":" + remark
		}
		return text
	}
	return p.Format(p.Default(make([]int, len(f.Params))))
}

// pageLargest says how large the family gets with switches of a radix.
func pageLargest(w io.Writer, f *topology.Family, q branch.Wanted) {
	best := branch.FindFit(f, q)
	fmt.Fprintf(w, "\nLargest size with switches of %d ports\n", q.Radix)
	if best.V == nil {
		fmt.Fprint(w, wrap("none: no design has so few ports"+caveat(f, &best), pageWidth, "  "))
		return
	}
	s := &best.Size
	text := fmt.Sprintf("%s: %s, %s, %s, %s in use",
		topology.Design{Family: f, V: best.V}, unit.Count(s.Endpoints, "endpoint", "endpoints"), unit.Count(s.Switches(), "switch", "switches"), unit.Count(s.SwitchLinks(), "link", "links"), unit.Count(s.Radix(), "port", "ports"))
	if at := atRange(f, best.V); at != "" {
		text += "; " + at + " is at the end of its range, so the ports are not what limits it"
	}
	fmt.Fprint(w, wrap(text+caveat(f, &best), pageWidth, "  "))
}

// atRange names a parameter of a design that is at the end of its range.
func atRange(f *topology.Family, v []int) string {
	for i, p := range f.Params {
		if p.Choices == nil && p.Divides == "" && p.Max > 1 && v[i] == p.Max && !branch.KeptName(p.Name) {
			return p.Name
		}
	}
	return ""
}

// caveat is what to say of a search that was cut short, and of the parameters that it left alone.
func caveat(f *topology.Family, best *branch.Fit) string {
	var kept []string
	for i := range f.Params {
		if p := &f.Params[i]; branch.AtDefault(p) {
			kept = append(kept, p.Name)
		}
	}
	text := ""
	if len(kept) > 0 {
		text = " (" + strings.Join(kept, ", ") + " at the default)"
	}
	if !best.Complete {
		text += " (not searched completely)"
	}
	return text
}

func orNone(s, none string) string {
	if s == "" {
		return none
	}
	return s
}

// mediumText says what links of a class are made of where it is no cable alone.
func mediumText(f *topology.Family, class int) string {
	for _, m := range f.Media {
		if slices.Contains(m.Classes, class) {
			if m.Medium == catalog.MediumOCS {
				return " (two ports of a circuit switch: kind ocs of the price list)"
			}
			return fmt.Sprintf(" (trace, medium %s: kind trace of the price list)", m.Medium)
		}
	}
	return ""
}

// vcText says what the natural routing is, how many VCs it takes and why they suffice, and what
// detours take.
func vcText(f *topology.Family) string {
	rule := topology.Minimal()
	if f.Natural != nil {
		rule = f.Natural(survey.SmallInstance(f))
	}
	if f.Unidirectional {
		return fmt.Sprintf("%s, %d VC: %s. Detours have no way: channels go in one direction.", rule.Name, rule.VCs(), strings.TrimSuffix(f.VCReason, "."))
	}
	if rule.HopVCs {
		return fmt.Sprintf("%s: as many VCs as the longest route has hops. %s %s", rule.Name, f.VCReason,
			"Detours over a random switch (valiant, ugal): twice as many, one set for each half of the way.")
	}
	return fmt.Sprintf("%s, %d VC: %s. Detours over a random switch (valiant, ugal): %d VCs, one set for each half of the way.",
		rule.Name, rule.VCs(), strings.TrimSuffix(f.VCReason, "."), 2*rule.VCs())
}
