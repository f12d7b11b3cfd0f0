package evaluator

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/catalog"
)

// bill collects parts in the order in which they are first needed.
type bill struct {
	e     *Evaluator
	lines []billLine
}

type billLine struct {
	part     *catalog.Part
	num, den int64 // units needed, as a fraction: links that share a cage need half a module each
	usedIn   []string
}

// add needs count*num/den units of a part.
func (b *bill) add(p *catalog.Part, count, num, den int64, usedIn string) {
	if p == nil || count == 0 {
		return
	}
	i := slices.IndexFunc(b.lines, func(l billLine) bool { return l.part == p })
	if i < 0 {
		i = len(b.lines)
		b.lines = append(b.lines, billLine{part: p, den: den})
	}
	l := &b.lines[i]
	if l.den != den {
		l.num, num, l.den = l.num*den, num*l.den, l.den*den
	}
	l.num += count * num
	if usedIn != "" && !slices.Contains(l.usedIn, usedIn) {
		l.usedIn = append(l.usedIn, usedIn)
	}
}

// price makes the bill of materials: price breaks by the total of each part, minimum orders and
// packs. total is in minor units of the study's currency; unpriced lists part numbers.
func (b *bill) price() (out []BOMLine, total catalog.Money, unpriced []string, err error) {
	cur := b.e.index.Currency()
	for i := range b.lines {
		l := &b.lines[i]
		need := (l.num + l.den - 1) / l.den
		if need > math.MaxInt32 {
			return nil, 0, nil, fmt.Errorf("evaluator: %d units of %s are beyond counting", need, l.part.PartNo)
		}
		each, order, ok := l.part.Price(int(need))
		line := BOMLine{Part: l.part, Quantity: need, Order: int64(order), Currency: b.e.opt.Currency, UsedIn: strings.Join(l.usedIn, ", ")}
		if ok {
			line.Unit, ok = cur.Convert(each, l.part.Currency)
		}
		if ok && line.Unit > 0 && int64(order) > math.MaxInt64/int64(line.Unit) {
			return nil, 0, nil, fmt.Errorf("evaluator: the price of %d units of %s is beyond counting", order, l.part.PartNo)
		}
		if ok {
			line.Priced, line.Total = true, line.Unit*catalog.Money(order)
			total += line.Total
		} else {
			unpriced = append(unpriced, l.part.PartNo)
		}
		out = append(out, line)
	}
	return out, total, unpriced, nil
}
