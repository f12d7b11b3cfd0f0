package report

import (
	"fmt"
	"math/big"

	"toposearch/report/number"
)

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
			r.Text = number.Regroup(r.Text)
		}
		p.Rejections = append(p.Rejections, rejectView{Name: r.Constraint, Doc: r.Doc, Text: r.Text,
			Origin: shortOrigin(r.Origin), Count: number.BigCount(r.Count), Share: number.Percent(ratio(r.Count, total)),
			Width: fmt.Sprintf("%.2f", 100*ratio(r.Count, most))})
	}
	p.RejectNote = "Each combination of parameters is counted once, under the first limit that it breaks; where a bound shows that a whole range breaks a limit, all of the range is counted."
	if n := d.Counts.Dominated; n != nil && n.Sign() > 0 {
		p.RejectNote += fmt.Sprintf(" Another %s were left out because bounds show that they are dominated.", number.BigCount(n))
	}
	for i := range d.Closest {
		p.Closest = append(p.Closest, closestOf(d, &d.Closest[i]))
	}
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
		if c.Unsettled {
			v.Relax = []Fact{{"", "no single limit found with the effort allowed"}}
		}
	}
	return v
}

func ratio(a, b *big.Int) float64 {
	if b.Sign() == 0 {
		return 0
	}
	x, _ := new(big.Float).Quo(new(big.Float).SetInt(a), new(big.Float).SetInt(b)).Float64()
	return x
}
