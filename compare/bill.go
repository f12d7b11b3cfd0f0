package compare

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"toposearch/catalog"
	"toposearch/evaluator"
	"toposearch/report/number"
)

// Groups of parts, by what they are for. Modules, fibres and cables stand with the links that they make.
const (
	GroupSwitches = "switches"
	GroupOptical  = "optical links"
	GroupCopper   = "copper links"
	GroupBoth     = "parts of copper and optical links"
	GroupCards    = "network cards"
	GroupCircuit  = "circuit switches"
	GroupTraces   = "traces"
	GroupScaleup  = "scale-up parts"
	GroupOther    = "other parts"
)

// Part is a line of a bill.
type Part struct {
	Part        string      `json:"part_no"`
	Kind        string      `json:"kind"`
	Description string      `json:"description,omitempty"`
	Group       string      `json:"group"`
	UsedIn      string      `json:"used_in"`
	Quantity    int64       `json:"quantity"`
	Order       int64       `json:"order_quantity"`
	Unit        json.Number `json:"unit_price,omitempty"`     // at the price break of the order; absent without a price
	Total       json.Number `json:"extended_price,omitempty"` // of the order

	minor int64 // Total in minor units
}

// PartChange is what a part is bought more or less of, and what that comes to.
type PartChange struct {
	Part     string      `json:"part_no"`
	Group    string      `json:"group"`
	Quantity [2]int64    `json:"quantity"` // of the design compared with, and of this one
	Order    [2]int64    `json:"order_quantity"`
	Change   json.Number `json:"change"` // of the money for it

	minor int64
}

// GroupChange sums the changes of a group of parts. Those of all groups add up to the change of the cost.
type GroupChange struct {
	Group  string      `json:"group"`
	Count  [2]int64    `json:"count"` // boxes, links or parts, in the one and in the other
	Change json.Number `json:"change"`

	minor int64
}

// money is an amount in major units, exact.
func money(minor int64, currency string) json.Number {
	return json.Number(number.ExactMoney(minor, number.MinorDigits(currency)))
}

// Amount prints an exact amount of a change for people, with its sign: "+1,234.50", "-80" without cents where there are none.
func Amount(n json.Number) string {
	whole, cents, _ := strings.Cut(string(n), ".")
	whole, negative := strings.CutPrefix(whole, "-")
	text := whole
	for i := len(whole) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	if strings.Trim(cents, "0") != "" {
		text += "." + cents
	}
	return pick(negative, "-", "+") + text
}

// billOf are the lines of a plan's bill, with the group of each.
func billOf(p *evaluator.Plan, currency string) []Part {
	if p == nil {
		return nil
	}
	copper, optical := map[*catalog.Part]bool{}, map[*catalog.Part]bool{}
	for i := range p.Classes {
		for _, it := range p.Classes[i].Parts.Items {
			if it.Part != nil {
				copper[it.Part] = copper[it.Part] || p.Classes[i].Copper
				optical[it.Part] = optical[it.Part] || !p.Classes[i].Copper
			}
		}
	}
	var out []Part
	for i := range p.BOM {
		l := &p.BOM[i]
		x := Part{Part: l.Part.PartNo, Kind: l.Part.Kind, Description: l.Part.Description, UsedIn: l.UsedIn, Quantity: l.Quantity, Order: l.Order}
		if l.Priced {
			x.Unit, x.Total, x.minor = money(int64(l.Unit), currency), money(int64(l.Total), currency), int64(l.Total)
		}
		x.Group = groupOf(l.Part.Kind, copper[l.Part], optical[l.Part])
		out = append(out, x)
	}
	return out
}

// groupOf is the group of a kind of part, in copper or optical links.
func groupOf(kind string, copper, optical bool) string {
	switch kind {
	case catalog.KindSwitch:
		return GroupSwitches
	case catalog.KindNIC:
		return GroupCards
	case catalog.KindOCS:
		return GroupCircuit
	case catalog.KindTrace:
		return GroupTraces
	case catalog.KindScaleupSwitch, catalog.KindScaleupCable:
		return GroupScaleup
	}
	switch {
	case copper && optical:
		return GroupBoth
	case copper:
		return GroupCopper
	case optical:
		return GroupOptical
	}
	return GroupOther
}

// partChanges are those between two bills, the largest first, then by part number; parts of which nothing changes are left out.
func partChanges(a, b []Part, currency string) []PartChange {
	var out []PartChange
	at := map[string]int{}
	of := func(p *Part) *PartChange {
		i, ok := at[p.Part]
		if !ok {
			i = len(out)
			at[p.Part] = i
			out = append(out, PartChange{Part: p.Part, Group: p.Group})
		} else if out[i].Group != p.Group {
			out[i].Group = GroupBoth
		}
		return &out[i]
	}
	for side, bill := range [2][]Part{a, b} {
		sign := int64(2*side - 1)
		for i := range bill {
			c := of(&bill[i])
			c.Quantity[side] += bill[i].Quantity
			c.Order[side] += bill[i].Order
			c.minor += sign * bill[i].minor
		}
	}
	out = slices.DeleteFunc(out, func(c PartChange) bool {
		return c.minor == 0 && c.Quantity[0] == c.Quantity[1] && c.Order[0] == c.Order[1]
	})
	for i := range out {
		out[i].Change = money(out[i].minor, currency)
	}
	slices.SortFunc(out, func(x, y PartChange) int {
		return cmp.Or(cmp.Compare(abs(y.minor), abs(x.minor)), cmp.Compare(x.Part, y.Part))
	})
	return out
}

// groupChanges sums changes of parts by group, the largest first.
func groupChanges(parts []PartChange, a, b *evaluator.Plan, currency string) []GroupChange {
	var out []GroupChange
	for i := range parts {
		p := &parts[i]
		at := slices.IndexFunc(out, func(g GroupChange) bool { return g.Group == p.Group })
		if at < 0 {
			at = len(out)
			out = append(out, GroupChange{Group: p.Group})
		}
		g := &out[at]
		g.minor += p.minor
		for side := range g.Count {
			g.Count[side] += p.Quantity[side]
		}
	}
	for i := range out {
		g := &out[i]
		g.Change = money(g.minor, currency)
		for side, p := range [2]*evaluator.Plan{a, b} { // a link takes several parts, and parts of which nothing changes stand in no change
			switch g.Group {
			case GroupSwitches:
				g.Count[side] = boxes(p)
			case GroupOptical, GroupCopper:
				g.Count[side] = links(p, g.Group == GroupCopper)
			}
		}
	}
	slices.SortFunc(out, func(x, y GroupChange) int {
		return cmp.Or(cmp.Compare(abs(y.minor), abs(x.minor)), cmp.Compare(x.Group, y.Group))
	})
	return out
}

func boxes(p *evaluator.Plan) (n int64) {
	for i := range p.Switches {
		n += p.Switches[i].Count
	}
	return n
}

func links(p *evaluator.Plan, copper bool) (n int64) {
	for i := range p.Classes {
		if p.Classes[i].Copper == copper {
			n += p.Classes[i].Count
		}
	}
	return n
}

func abs(x int64) int64 { return max(x, -x) }

func pick(yes bool, a, b string) string {
	if yes {
		return a
	}
	return b
}
