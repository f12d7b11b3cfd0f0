package catalog

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"toposearch/internal/unit"
)

// Rate is how many units of the target currency one unit of another is worth, in billionths:
// 1 EUR = 1.0870 USD is 1_087_000_000.
type Rate int64

// ParseRate reads a rate written as a decimal number, exactly.
func ParseRate(s string) (Rate, error) {
	n, err := unit.Decimal(s, 9)
	if err != nil {
		return 0, err
	}
	if n <= 0 {
		return 0, fmt.Errorf("a rate of %s is not above 0", s)
	}
	return Rate(n), nil
}

// Currency is that in which a study states its costs, with the rates that the study gives for
// others. A price in a currency without a rate is an error, never taken at par.
type Currency struct {
	Code  string // ISO 4217; "" is USD
	Rates map[string]Rate
	// Lenient treats prices without a rate as unpriced instead of refusing the catalogue.
	Lenient bool
}

func (c Currency) code() string {
	if c.Code == "" {
		return "USD"
	}
	return c.Code
}

// Convert changes minor units of one currency into minor units of c, half up. ok is false if
// there is no rate, or the amount is too large.
func (c Currency) Convert(amount Money, from string) (Money, bool) {
	if from == c.code() {
		return amount, true
	}
	r, ok := c.Rates[from]
	if !ok || r <= 0 {
		return 0, false
	}
	df, ok1 := unit.MinorDigits(from)
	dt, ok2 := unit.MinorDigits(c.code())
	if !ok1 || !ok2 {
		return 0, false
	}
	n := new(big.Int).Mul(big.NewInt(int64(amount)), big.NewInt(int64(r)))
	n.Mul(n, pow10(dt))
	d := new(big.Int).Mul(big.NewInt(1_000_000_000), pow10(df))
	// Half up: floor((2n + d) / 2d).
	n.Add(n.Lsh(n, 1), d)
	n.Div(n, d.Lsh(d, 1))
	if !n.IsInt64() {
		return 0, false
	}
	return Money(n.Int64()), true
}

func pow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

// missingRates lists the currencies of priced parts that c cannot convert, sorted.
func (c Currency) missingRates(parts []Part) []string {
	var out []string
	for i := range parts {
		p := &parts[i]
		if !p.Priced {
			continue
		}
		if _, ok := c.Convert(0, p.Currency); !ok && !slices.Contains(out, p.Currency) {
			out = append(out, p.Currency)
		}
	}
	slices.Sort(out)
	return out
}

// ErrNoRate names the currencies for which a study must state a rate.
type ErrNoRate struct {
	To      string
	Missing []string
}

// Error says what to write into the study.
func (e *ErrNoRate) Error() string {
	return fmt.Sprintf("prices in %s need a rate: write [cost] rates = { %s = ... }, the %s that one is worth",
		strings.Join(e.Missing, ", "), e.Missing[0], e.To)
}

// wholePacks is what must be ordered to have qty units: at least the minimum order, in whole packs.
func (p *Part) wholePacks(qty int) int {
	if qty <= 0 {
		return 0
	}
	n := max(qty, p.MOQ)
	if p.Pack > 1 {
		n = (n + p.Pack - 1) / p.Pack * p.Pack
	}
	return n
}

// breakAt is the unit price of an order.
func (p *Part) breakAt(order int) Money {
	each := p.UnitPrice
	for _, b := range p.PriceBreaks {
		if order >= b.From {
			each = b.Price
		}
	}
	return each
}

// Price gives the unit price of qty units bought together, in the part's own currency, and the
// quantity to order: as few as minimum order and packs allow or, where that costs less, as many as a later price break
// asks for, unless these alone would have to be waited for. The price is that of the quantity ordered. An unpriced part
// has price 0 and ok false.
func (p *Part) Price(qty int) (each Money, order int, ok bool) {
	order = p.wholePacks(qty)
	each = p.breakAt(order)
	inStock := order <= p.Stock
	for _, b := range p.PriceBreaks {
		more := p.wholePacks(b.From)
		if order == 0 || more <= order || inStock && more > p.Stock {
			continue
		}
		if x := p.breakAt(more); dearer(each, order, x, more) {
			each, order = x, more
		}
	}
	return each, order, p.Priced
}

// dearer tells whether so many at a price cost more than others: in 128 bits, which hold any amount.
func dearer(each Money, n int, other Money, m int) bool {
	hi, lo := bits.Mul64(uint64(each), uint64(n))
	otherHi, otherLo := bits.Mul64(uint64(other), uint64(m))
	return hi > otherHi || hi == otherHi && lo > otherLo
}

// MinUnit is the lowest price of a unit at any quantity, in the part's own currency: a lower
// bound for pruning.
func (p *Part) MinUnit() (Money, bool) {
	least := p.UnitPrice
	for _, b := range p.PriceBreaks {
		least = min(least, b.Price)
	}
	return least, p.Priced
}

// MaxUnit is the highest price of a unit at any quantity, in the part's own currency.
func (p *Part) MaxUnit() Money {
	most := p.UnitPrice
	for _, b := range p.PriceBreaks {
		most = max(most, b.Price)
	}
	return most
}

// unpriced sorts after every price.
const unpriced = Money(math.MaxInt64)

// unitIn is the price of one unit in c, or unpriced.
func (p *Part) unitIn(c Currency) Money {
	if !p.Priced {
		return unpriced
	}
	m, ok := c.Convert(p.UnitPrice, p.Currency)
	if !ok {
		return unpriced
	}
	return m
}

// minIn is the price of one unit at the best break in c; 0 if unpriced, which bounds anything.
func (p *Part) minIn(c Currency) Money {
	least, ok := p.MinUnit()
	if !ok {
		return 0
	}
	m, ok := c.Convert(least, p.Currency)
	if !ok {
		return 0
	}
	return m
}

// IsCurrency reports whether a code is one of ISO 4217 that prices may be in.
func IsCurrency(code string) bool { _, ok := unit.MinorDigits(code); return ok }
