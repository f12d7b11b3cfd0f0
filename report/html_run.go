package report

import (
	"fmt"
	"strings"

	"toposearch/report/number"
)

// levels says what vouches for the figures of a level.
var levels = []Fact{
	{"0", "Counted: exact, from the closed form of the construction."},
	{"1", "Computed: exact distances and cables of the network as it is laid out; cost and power from the bill of materials; latency from the stated constants."},
	{"2", "Modelled: loads under the named routing, cuts that were found with a certified bound beside them, failures one by one."},
	{"3", "Certified: an upper and a lower bound whose gap is stated."},
	{"4", "Measured: by flit-level simulation under the traffic named, for finalists only."},
}

// run fills how the result came about.
func (p *page) run() {
	d := p.Data
	p.Levels = levels
	for _, f := range d.Asked {
		if f.Label == "Endpoints" { // the rest is as written in a file
			f.Text = number.Regroup(f.Text)
		}
		p.Asked = append(p.Asked, f)
	}
	for _, f := range d.Counts.Families {
		how := "sampled"
		if f.Complete {
			how = "complete"
			if d.Tolerance > 0 {
				how += " within " + number.Tolerance(d.Tolerance)
			}
		} else if p.SoFar() {
			how = "under way"
		}
		p.Families = append(p.Families, familyView{f.Family, number.BigCount(f.Space), number.BigCount(f.Enumerated), number.PageFigure(float64(f.Evaluated)),
			number.PageFigure(float64(f.Feasible)), number.PageFigure(float64(f.OnFront)), how})
	}
	fact := func(label, text string) {
		if text != "" {
			p.Searched = append(p.Searched, Fact{label, text})
		}
	}
	fact("Families", strings.Join(d.Families, ", "))
	fact("Strategy", strategyText(d))
	if d.Counts.Enumerated != nil {
		fact("Combinations decided", number.BigCount(d.Counts.Enumerated))
	}
	fact("Designs evaluated", number.PageFigure(float64(d.Counts.Evaluated)))
	fact("Designs within all limits", number.PageFigure(float64(d.Counts.Feasible)))
	fact("On the front", number.PageFigure(float64(d.onFront())))
	fact("Convergence", convergenceText(d))
	fact("Simulated", simulatedText(d))
	fact("Seed", fmt.Sprint(d.Seed))
	fact("Price list", d.Catalogue)
	fact("Parts bought", boughtText(d))
	fact("Prices hold until", d.PricesUntil)
	fact("Program", "toposearch "+d.Program+", evaluator "+d.Evaluator)
	if d.Currency != "" {
		fact("Currency", d.Currency)
	}
	if len(p.picks) > 0 {
		p.PickRules = PickRules
	}
}

func strategyText(d *Data) string {
	s := searchWords.Replace(d.Strategy)
	switch {
	case d.Complete && d.Tolerance > 0:
		return s + "; complete within " + number.Tolerance(d.Tolerance)
	case d.Complete:
		return s + "; complete"
	case d.LocallyComplete:
		return s + "; locally complete"
	case d.Stopped != "":
		return s + "; stopped: " + d.Stopped
	}
	return s
}

func simulatedText(d *Data) string {
	n, agree, contradict := 0, 0, 0
	for i := range d.Points {
		if s := d.Points[i].Sim; s != nil {
			n++
			if s.Agrees {
				agree++
			}
			if s.Contradicts {
				contradict++
			}
		}
	}
	if n == 0 {
		return "none"
	}
	return fmt.Sprintf("%s: %s with the model, %s, %s it", number.Count(n, "design", "designs"), number.Count(agree, "agrees", "agree"),
		number.Count(n-agree-contradict, "differs", "differ"), number.Count(contradict, "contradicts", "contradict"))
}

// boughtText says how much of the price list is used, "" if nothing is bought.
func boughtText(d *Data) string {
	if d.Bought == 0 {
		return ""
	}
	s := number.PageFigure(float64(d.Bought)) + " of the price list’s " + number.PageFigure(float64(d.Bought+len(d.NeverBought))) + ", by the designs in full"
	const named = 5
	if n := len(d.NeverBought); n > 0 {
		s += "; never bought: " + strings.Join(d.NeverBought[:min(n, named)], ", ")
		if n > named {
			s += " and " + number.PageFigure(float64(n-named)) + " more (never_bought in the JSON report)"
		}
	}
	return s
}
