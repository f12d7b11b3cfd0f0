package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toposearch/internal/unit"
)

// price reads price, currency and breaks.
func (rd *reader) price(r *row, p *Part) {
	p.Currency = rd.currency(r)
	s := rd.text(r, colPrice)
	switch strings.ToLower(s) {
	case "", "-", "n/a", "na", "tba", "tbd", "on request", "upon request", "price on request", "por", "poa", "call", "quote", "auf anfrage", "a. a.", "a.a.", "k.a.", "sur demande", "nous consulter", "n.c.":
		if rd.text(r, colBreaks) != "" {
			rd.fail(r, rd.at[colBreaks], "price_breaks without a unit_price", "")
		}
		return // unpriced
	}
	j := rd.at[colPrice]
	amount, inCell, ok := rd.amount(r, j, r.cells[j], cmp.Or(p.Currency, rd.opt.Currency))
	if !ok {
		return
	}
	if inCell == "" {
		inCell, _ = named(r.cells[j].format, cmp.Or(p.Currency, rd.opt.Currency))
	}
	switch {
	case p.Currency == "":
		p.Currency = cmp.Or(inCell, rd.opt.Currency)
	case inCell != "" && inCell != p.Currency && r.cells[j].number:
		rd.warn(r, j, fmt.Sprintf("the cell is formatted as %s, the currency column says %s", inCell, p.Currency), "the column is taken")
	case inCell != "" && inCell != p.Currency:
		rd.fail(r, j, fmt.Sprintf("the price is in %s, the currency column says %s", inCell, p.Currency), "")
	}
	if p.Currency == "" {
		rd.fail(r, j, "the price has no currency", "add a column currency with ISO 4217 codes: USD, EUR, ...")
		return
	}
	minor, ok := rd.minor(r, j, amount, p.Currency)
	if !ok {
		return
	}
	p.UnitPrice, p.Priced = minor, true
	rd.breaks(r, p)
}

// currency is what the currency column, or the head of the price column, says.
func (rd *reader) currency(r *row) string {
	head := strings.ToUpper(rd.hint[colPrice])
	if _, ok := unit.MinorDigits(head); !ok {
		head = "" // a unit of something else
	}
	s := strings.ToUpper(rd.text(r, colCurrency))
	if s == "" {
		return head
	}
	if c, ok := signs[s]; ok {
		s = c
	}
	if _, ok := unit.MinorDigits(s); !ok {
		rd.fail(r, rd.at[colCurrency], "there is no currency "+strconv.Quote(s), "write its ISO 4217 code: USD, EUR, GBP, ...")
	} else if head != "" && head != s {
		rd.fail(r, rd.at[colCurrency], fmt.Sprintf("the currency column says %s, the head of the prices %s", s, head), "take one of them away")
	}
	return s
}

// amount takes a price cell apart: the number as text with a point, and the currency beside it. said is
// what the row says of its currency elsewhere; it decides what a sign of several countries means.
func (rd *reader) amount(r *row, j int, c cell, said string) (number, currency string, ok bool) {
	before, after := "", ""
	if !c.number {
		before, c.text, after = aroundNumber(c.text)
	}
	t, err := rd.plain(&c)
	if err != nil {
		rd.fail(r, j, "price: "+err.Error(), "write it without thousands separators, or state the decimal mark: decimal = \",\" beside files in the catalog of the study")
		return "", "", false
	}
	if c.number {
		return t, "", true
	}
	first, ok1 := named(before, said)
	second, ok2 := named(after, said)
	if before == "$" && dollars[second] {
		first = second // $500 CAD
	}
	if !ok1 || !ok2 || numberPart(t) != t || first != "" && second != "" && first != second {
		rd.fail(r, j, "price: "+strconv.Quote(strings.TrimSpace(before+" "+c.text+" "+after))+" is not an amount", "write a number; the currency has a column of its own")
		return "", "", false
	}
	return t, cmp.Or(first, second), true
}

// aroundNumber divides a text into what stands before its number, the number, and what stands behind.
func aroundNumber(s string) (before, number, after string) {
	s = strings.TrimSpace(s)
	i := strings.IndexFunc(s, func(r rune) bool { return isDigit(r) || strings.ContainsRune("+-.,", r) })
	k := strings.LastIndexFunc(s, isDigit)
	if i < 0 || k < i {
		return "", s, ""
	}
	return strings.TrimSpace(s[:i]), s[i : k+1], strings.TrimSpace(s[k+1:])
}

// dollars are the currencies whose sign is "$".
var dollars = map[string]bool{"USD": true, "CAD": true, "AUD": true, "NZD": true, "SGD": true, "HKD": true, "TWD": true, "MXN": true, "CLP": true}

// named is the currency that a sign or code names, "" for none.
func named(word, said string) (currency string, ok bool) {
	switch {
	case word == "":
		return "", true
	case word == "$" && dollars[said], word == "¥" && (said == "JPY" || said == "CNY"),
		strings.EqualFold(word, "kr") && (said == "SEK" || said == "NOK" || said == "DKK" || said == "ISK"):
		return said, true
	}
	if up := strings.ToUpper(word); up != "" {
		if _, known := unit.MinorDigits(up); known {
			return up, true
		}
	}
	currency = cmp.Or(signs[word], signs[strings.ToUpper(word)])
	return currency, currency != ""
}

// minor is an amount in minor units, which must be above 0.
func (rd *reader) minor(r *row, j int, number, currency string) (Money, bool) {
	digits, ok := unit.MinorDigits(currency)
	if !ok {
		if rd.at[colCurrency] < 0 {
			rd.fail(r, j, "there is no currency "+strconv.Quote(currency), "")
		}
		rd.bad = true
		return 0, false
	}
	n, err := unit.Decimal(number, digits)
	if err != nil && r.cells[j].number {
		// A sheet computes in binary: 19.99 may be stored as 19.989999999999998.
		if f, ferr := strconv.ParseFloat(number, 64); ferr == nil && f > -1e12 && f < 1e12 {
			n, err = unit.Decimal(strconv.FormatFloat(f, 'f', digits, 64), digits)
		}
	}
	switch {
	case err != nil:
		rd.fail(r, j, fmt.Sprintf("price: %v", err), fmt.Sprintf("%s has %d digits after the point", currency, digits))
	case n < 0:
		rd.fail(r, j, "the price is negative", "")
	case n == 0:
		rd.fail(r, j, "a price of 0 is not a price", "leave the cell empty if it is not known: the cost is then reported as unpriced")
	default:
		return Money(n), true
	}
	return 0, false
}

// breaks reads "100:195.00;1000:172.50": from that quantity on, the unit price.
func (rd *reader) breaks(r *row, p *Part) {
	s := rd.text(r, colBreaks)
	j := rd.at[colBreaks]
	last := p.UnitPrice
	for _, f := range strings.FieldsFunc(s, func(c rune) bool { return c == ';' || c == '|' || c == '\n' }) {
		from, price, ok := strings.Cut(strings.NewReplacer("+", "", ">=", "", "≥", "", "=", ":", "@", ":").Replace(f), ":")
		n, err := firstOf(from)
		if !ok || err != nil || n <= 0 || n > 1<<30 {
			rd.fail(r, j, "price_breaks: "+strconv.Quote(strings.TrimSpace(f))+" is not quantity:price", "write 100:195.00;1000:172.50")
			return
		}
		c := r.cells[j]
		c.text, c.number = price, false
		number, cur, ok := rd.amount(r, j, c, p.Currency)
		if !ok {
			return
		}
		if cur != "" && cur != p.Currency {
			rd.fail(r, j, fmt.Sprintf("price_breaks: the price is in %s, that of the part in %s", cur, p.Currency), "")
			return
		}
		m, ok := rd.minor(r, j, number, p.Currency)
		if !ok {
			return
		}
		p.PriceBreaks = append(p.PriceBreaks, PriceBreak{n, m})
	}
	slices.SortStableFunc(p.PriceBreaks, func(a, b PriceBreak) int { return cmp.Compare(a.From, b.From) })
	for k, b := range p.PriceBreaks {
		if k > 0 && p.PriceBreaks[k-1].From == b.From {
			rd.fail(r, j, fmt.Sprintf("price_breaks: the quantity %d has two prices", b.From), "")
		}
		if b.Price > last {
			rd.warn(r, j, fmt.Sprintf("price_breaks: from %d on the unit costs more than below", b.From), "")
		}
		last = b.Price
	}
}

// firstOf is the quantity from which a price holds: "100", or "100-999".
func firstOf(s string) (int, error) {
	first, last, ranged := strings.Cut(s, "-")
	n, err := strconv.Atoi(strings.TrimSpace(first))
	if ranged && err == nil {
		var end int
		if end, err = strconv.Atoi(strings.TrimSpace(last)); err == nil && end < n {
			err = strconv.ErrRange
		}
	}
	return n, err
}
