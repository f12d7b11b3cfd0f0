package compare

import (
	"cmp"
	"encoding/json"
	"math"
	"math/big"
	"slices"

	"toposearch/evaluator"
	"toposearch/evaluator/market"
	"toposearch/report/number"
)

// Priced is a design with its bill.
type Priced struct {
	Design string
	Lines  []market.Line
}

// minor is the cost of a bill in minor units; false where a part has no price.
func (p *Priced) minor() (sum int64, ok bool) {
	for i := range p.Lines {
		if !p.Lines[i].Priced {
			return 0, false
		}
		sum += int64(p.Lines[i].Total)
	}
	return sum, len(p.Lines) > 0
}

// PricedOf is a design with the bill of its plan.
func PricedOf(design string, p *evaluator.Plan) Priced {
	if p == nil {
		return Priced{Design: design}
	}
	return Priced{design, p.BOM}
}

// BreakEven is the price of a part at which two designs cost the same, as long as both buy what they buy now.
type BreakEven struct {
	Part string `json:"part_no"`
	// Now is the price of one, of the design that takes more of it; Price is that at which both cost the same.
	Now   json.Number `json:"price"`
	Price json.Number `json:"break_even"`
	// Factor is Price over Now: all prices of the part, of whatever quantity, times it.
	Factor float64 `json:"factor"`
	// Cheaper is the design that costs less at the present price, Beyond the one that does beyond Price: above it, or below.
	Cheaper string      `json:"cheaper"`
	Beyond  string      `json:"beyond"`
	Above   bool        `json:"above"`
	Cost    json.Number `json:"cost"` // of both there
	// Verified: both were evaluated at that price, buy the same parts, and cost the same but for the rounding of prices to minor units. Otherwise
	// Note says what they buy, or that it was not tried.
	Verified bool   `json:"verified"`
	Note     string `json:"note,omitempty"`

	factor *big.Rat
}

// Rat is the factor, exactly.
func (b *BreakEven) Rat() *big.Rat { return b.factor }

// BreakEvens finds the prices of single parts between 1/most and most times what they are at which one of two designs overtakes the other, the nearest
// first. A bill is linear in the price of a part as long as the same parts are bought: with what each design pays for the part now, T, and
// its cost C, both cost the same at the factor 1 + (Cb - Ca) / (Ta - Tb).
func BreakEvens(designs []Priced, most float64, currency string) []BreakEven {
	var out []BreakEven
	for i := range designs {
		for j := i + 1; j < len(designs); j++ {
			out = append(out, breakEvens(&designs[i], &designs[j], most, currency)...)
		}
	}
	slices.SortFunc(out, func(x, y BreakEven) int {
		return cmp.Or(cmp.Compare(math.Abs(math.Log(x.Factor)), math.Abs(math.Log(y.Factor))), cmp.Compare(x.Part, y.Part), cmp.Compare(x.Cheaper, y.Cheaper), cmp.Compare(x.Beyond, y.Beyond))
	})
	return out
}

func breakEvens(a, b *Priced, most float64, currency string) (out []BreakEven) {
	ca, okA := a.minor()
	cb, okB := b.minor()
	if !okA || !okB || ca == cb {
		return nil
	}
	if ca > cb {
		a, b, ca, cb = b, a, cb, ca
	}
	type pays struct {
		total [2]int64
		unit  int64 // of the one that takes more
		order int64
	}
	parts := map[string]*pays{}
	for side, p := range []*Priced{a, b} {
		for i := range p.Lines {
			l := &p.Lines[i]
			x := parts[l.Part.PartNo]
			if x == nil {
				x = &pays{}
				parts[l.Part.PartNo] = x
			}
			x.total[side] += int64(l.Total)
			if l.Order > x.order {
				x.order, x.unit = l.Order, int64(l.Unit)
			}
		}
	}
	for part, x := range parts {
		d := x.total[0] - x.total[1]
		if d == 0 || x.unit == 0 {
			continue
		}
		f := new(big.Rat).Add(big.NewRat(1, 1), big.NewRat(cb-ca, d))
		factor, _ := f.Float64()
		if !(factor <= most && factor*most >= 1) {
			continue
		}
		price := new(big.Rat).Mul(f, new(big.Rat).SetInt64(x.unit))
		both := new(big.Rat).Mul(new(big.Rat).Sub(f, big.NewRat(1, 1)), new(big.Rat).SetInt64(x.total[0]))
		both.Add(both, new(big.Rat).SetInt64(ca))
		out = append(out, BreakEven{Part: part, Now: money(x.unit, currency), Price: money(nearest(price), currency), Factor: factor, Cheaper: a.Design, Beyond: b.Design,
			Above: d > 0, Cost: money(nearest(both), currency), factor: f})
	}
	return out
}

// nearest rounds half up.
func nearest(x *big.Rat) int64 {
	n := new(big.Int).Add(new(big.Int).Lsh(x.Num(), 1), x.Denom())
	return n.Div(n, new(big.Int).Lsh(x.Denom(), 1)).Int64()
}

// Check compares a break-even with what two designs cost when they are evaluated at that price: now are their bills at present prices, then those at
// that of the break-even.
func (b *BreakEven) Check(now, then [2]Priced, currency string) {
	var cost [2]int64
	slack := int64(0) // a price is whole minor units: half of one for each unit bought, of either design
	for side := range then {
		c, ok := then[side].minor()
		if !ok {
			b.Note = then[side].Design + " has no cost at that price"
			return
		}
		cost[side] = c
		if !sameParts(now[side].Lines, then[side].Lines) {
			b.Note = then[side].Design + " buys other parts at that price"
		}
		for i := range then[side].Lines {
			if l := &then[side].Lines[i]; l.Part.PartNo == b.Part {
				slack += l.Order
			}
		}
	}
	if b.Note != "" {
		b.Note += ", and costs there are " + amounts(cost, currency)
		return
	}
	if abs(cost[0]-cost[1]) > slack {
		b.Note = "costs there are " + amounts(cost, currency)
		return
	}
	b.Verified = true
}

func amounts(cost [2]int64, currency string) string {
	digits := number.MinorDigits(currency)
	return number.Plain(number.Money(cost[0], digits)+" and "+number.Money(cost[1], digits)) + " " + currency
}

func sameParts(a, b []market.Line) bool {
	return slices.EqualFunc(a, b, func(x, y market.Line) bool { return x.Part.PartNo == y.Part.PartNo && x.Order == y.Order })
}
