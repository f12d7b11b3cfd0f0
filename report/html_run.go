package report

import (
	"fmt"
	"math/big"
	"strings"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
)

type rejectView struct {
	Name, Doc, Text, Origin, Count, Share string
	Width                                 string
}

type familyView struct{ Name, Space, Decided, Evaluated, Feasible, Front, How string }

type closestView struct {
	Family, Design string
	Misses, Relax  []Fact // Label is the place of the limit
}

// rejected fills the table of rejections and the designs that come closest.
func (p *page) rejected() {
	d := p.Data
	total := new(big.Int)
	for i := range d.Reject {
		total.Add(total, d.Reject[i].Count)
	}
	most := new(big.Int)
	for i := range d.Reject {
		if d.Reject[i].Count.Cmp(most) > 0 {
			most = d.Reject[i].Count
		}
	}
	for _, r := range d.Reject {
		if r.Origin == "" { // not as written in a file
			r.Text = regroup(r.Text)
		}
		p.Rejections = append(p.Rejections, rejectView{Name: r.Constraint, Doc: r.Doc, Text: r.Text,
			Origin: shortOrigin(r.Origin), Count: bigCount(r.Count), Share: percent(ratio(r.Count, total)),
			Width: fmt.Sprintf("%.2f", 100*ratio(r.Count, most))})
	}
	p.RejectNote = "Each combination of parameters is counted once, under the first limit that it breaks; where a bound shows that a whole range breaks a limit, all of the range is counted."
	if n := d.Counts.Dominated; n != nil && n.Sign() > 0 {
		p.RejectNote += fmt.Sprintf(" Another %s were left out because bounds show that they are dominated.", bigCount(n))
	}
	for i := range d.Closest {
		p.Closest = append(p.Closest, closestOf(d, &d.Closest[i]))
	}
}

func ratio(a, b *big.Int) float64 {
	if b.Sign() == 0 {
		return 0
	}
	x, _ := new(big.Float).Quo(new(big.Float).SetInt(a), new(big.Float).SetInt(b)).Float64()
	return x
}

func closestOf(d *Data, c *Closest) closestView {
	v := closestView{Family: c.Family, Design: c.Design}
	if c.Design == "" {
		v.Design = "no network in its space"
		if !c.Exhausted {
			v.Design = "none found with the effort allowed"
		}
	}
	if !c.Exhausted && c.Design != "" {
		v.Design += " (the nearest found)"
	}
	for _, m := range c.Misses {
		v.Misses = append(v.Misses, Fact{shortOrigin(m.Origin), missText(d, m)})
	}
	for _, r := range c.Relax {
		v.Relax = append(v.Relax, Fact{shortOrigin(r.Origin), relaxText(d, r, c.Design)})
	}
	if len(c.Relax) == 0 && c.Design != "" {
		v.Relax = []Fact{{"", "no single limit"}}
	}
	return v
}

func missText(d *Data, m Miss) string {
	u := ""
	if m.HasKey {
		u = d.unitOf(m.Key)
	}
	if m.Absent {
		why := ""
		if m.Why != "" {
			why = " (" + m.Why + ")"
		}
		if objective, ok := strings.CutPrefix(m.Constraint, constraints.AbsentPrefix); ok {
			return fmt.Sprintf("%s: an objective of which it has no figure%s", objective, why)
		}
		return fmt.Sprintf("%s: it has no such figure%s, the limit is %s", m.Constraint, why, quantity(m.Bound, u))
	}
	s := fmt.Sprintf("%s: %s, the limit is %s", m.Constraint, quantity(m.Got, u), quantity(m.Bound, u))
	if m.Bound != 0 {
		s += fmt.Sprintf(" (by %s)", percent(abs(m.Got-m.Bound)/abs(m.Bound)))
	}
	return s
}

func relaxText(d *Data, r Relaxation, closest string) string {
	u := ""
	if r.HasKey {
		u = d.unitOf(r.Key)
	}
	s := fmt.Sprintf("%s from %s to %s", r.Constraint, quantity(r.Bound, u), quantity(r.Needed, u))
	if r.Design != "" && r.Design != closest {
		s += ", for " + r.Design
	}
	return s
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

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
			f.Text = regroup(f.Text)
		}
		p.Asked = append(p.Asked, f)
	}
	for _, f := range d.Counts.Families {
		how := "sampled"
		if f.Complete {
			how = "complete"
		}
		p.Families = append(p.Families, familyView{f.Family, bigCount(f.Space), bigCount(f.Enumerated), figure(float64(f.Evaluated)),
			figure(float64(f.Feasible)), figure(float64(f.OnFront)), how})
	}
	add := func(label, text string) {
		if text != "" {
			p.Searched = append(p.Searched, Fact{label, text})
		}
	}
	add("Families", strings.Join(d.Families, ", "))
	add("Strategy", strategyText(d))
	if d.Counts.Enumerated != nil {
		add("Combinations decided", bigCount(d.Counts.Enumerated))
	}
	add("Designs evaluated", figure(float64(d.Counts.Evaluated)))
	add("Designs within all limits", figure(float64(d.Counts.Feasible)))
	add("On the front", figure(float64(len(d.Points))))
	add("Simulated", simulatedText(d))
	add("Seed", fmt.Sprint(d.Seed))
	add("Price list", d.Catalogue)
	add("Prices hold until", d.PricesUntil)
	add("Program", "toposearch "+d.Program+", evaluator "+d.Evaluator)
	if d.Currency != "" {
		add("Currency", d.Currency)
	}
	if len(p.picks) > 0 {
		p.PickRules = PickRules
	}
}

func strategyText(d *Data) string {
	s := searchWords.Replace(d.Strategy)
	switch {
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
	return fmt.Sprintf("%s: %s with the model, %s, %s it", count(n, "design", "designs"), count(agree, "agrees", "agree"),
		count(n-agree-contradict, "differs", "differ"), count(contradict, "contradicts", "contradict"))
}

// allKeys are the metrics that some design has, in the order in which they are printed.
func (d *Data) allKeys() []metric.Key {
	var out []metric.Key
	for k := range metric.Count {
		if d.has(k) {
			out = append(out, k)
		}
	}
	return out
}
