package report

import (
	"unicode/utf8"
)

// worth prints what limits and prices are worth, where that was computed.
func (t *textWriter) worth(p *page) {
	v := p.Sensitivity
	if v == nil {
		return
	}
	t.title("What limits and prices are worth")
	item := func(first, rest, text string) { t.wrapped(rest, first, text) }
	for _, c := range v.Curves {
		item("", "", c.Lead)
		for _, l := range c.Lines {
			item("  - ", "    ", l)
		}
	}
	if len(v.Picks) > 0 {
		if len(v.Evens) == 0 {
			item("", "", "No design overtakes another in cost between half and twice of the present price of any part, among the picks and the first designs of the front.")
		} else {
			item("", "", "Prices at which one design overtakes another in cost:")
		}
		for _, e := range v.Evens {
			item("  - ", "    ", e)
		}
		item("", "", "Picks under other prices:")
		for _, lines := range v.Picks {
			for i, l := range lines {
				if i == 0 {
					item("  - ", "    ", l)
				} else {
					item("    ", "    ", l)
				}
			}
		}
	}
	for _, n := range v.Notes {
		item("", "", n)
	}
}

// rejections prints the counts, each under the limit as it was written.
func (t *textWriter) rejections(p *page) {
	if len(p.Rejections) == 0 {
		return
	}
	t.title("Rejected, in combinations of parameters")
	name, num := 0, 0
	for _, r := range p.Rejections {
		name = max(name, utf8.RuneCountInString(r.Name))
		num = max(num, utf8.RuneCountInString(r.Count))
	}
	for _, r := range p.Rejections {
		where := r.Text
		if where == "" {
			where = r.Doc
		}
		if r.Origin != "" {
			where += "  " + r.Origin
		}
		head := pad(r.Name, name) + "  " + left(r.Count, num) + "  " + left(r.Share, 6)
		if utf8.RuneCountInString(head)+2+utf8.RuneCountInString(where) > t.width { // the reason on a line of its own
			t.line(terminal(head))
			t.wrapped("    ", "    ", where)
			continue
		}
		t.line(terminal(head + "  " + where))
	}
}

// closest prints, per family without a feasible design, what comes nearest and what would admit it.
func (t *textWriter) closest(p *page) {
	if len(p.Closest) == 0 {
		return
	}
	t.title("Families without a feasible design")
	for _, c := range p.Closest {
		t.line(terminal(c.Family + ": " + c.Design))
		for _, m := range c.Misses {
			t.wrapped("  misses ", "  misses ", m.Text+" "+m.Label)
		}
		for _, r := range c.Relax {
			t.wrapped("  admit  ", "  admit  ", r.Text+" "+r.Label)
		}
	}
}

func (t *textWriter) provenance(p *page) {
	t.title("Run")
	w := 0
	for _, f := range p.Searched {
		w = max(w, utf8.RuneCountInString(f.Label))
	}
	for _, f := range p.Searched {
		label := pad(f.Label, w) + "  "
		t.wrapped(label, label, f.Text)
	}
	for _, in := range p.Data.Inputs {
		t.line(terminal(in.Path))
		t.line("  sha256 " + terminal(in.SHA256))
	}
}
