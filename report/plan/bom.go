package plan

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"toposearch/evaluator/market"
	"toposearch/report/number"
)

// WriteBOM writes a bill of materials as CSV. Prices are exact decimals in the part's own
// currency, at the price break of the quantity ordered; they are empty for a part without one. supply has a
// value for each line; nil leaves its columns empty.
func WriteBOM(w io.Writer, lines []market.Line, supply []market.Supply) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"part_no", "kind", "vendor", "description", "quantity", "order_quantity", "unit_price", "currency",
		"extended_price", "lead_time_weeks", "used_in", "price_derived", "valid_until",
		"spares", "order_with_spares", "extended_price_with_spares", "alternates"}); err != nil {
		return err
	}
	for i := range lines {
		l := &lines[i]
		r := make([]string, 17)
		n := number.MinorDigits(l.Currency)
		r[4], r[5], r[7], r[10] = strconv.FormatInt(l.Quantity, 10), strconv.FormatInt(l.Order, 10), l.Currency, number.SafeCell(l.UsedIn)
		if p := l.Part; p != nil {
			r[0], r[1], r[2], r[3] = number.SafeCell(p.PartNo), p.Kind, number.SafeCell(p.Vendor), number.SafeCell(p.Description)
			r[9], r[12] = number.Full(l.LeadWeeks()), p.ValidUntil
			if p.Derived {
				r[11] = "yes"
			}
		}
		if l.Priced {
			r[6], r[8] = number.ExactMoney(int64(l.Unit), n), number.ExactMoney(int64(l.Total), n)
		}
		if supply != nil {
			s := &supply[i]
			r[13], r[14], r[16] = strconv.FormatInt(s.Spares, 10), strconv.FormatInt(s.Order, 10), number.SafeCell(Alternates(l, s))
			if l.Priced {
				r[15] = number.ExactMoney(int64(s.Total), n)
			}
		}
		if err := c.Write(r); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// Alternates names what else would do for a line, with what it costs more or less for the quantity needed, and how long it takes where
// that differs: "DAC-400-4: +12,300 USD, 8 weeks; ...".
func Alternates(l *market.Line, s *market.Supply) string {
	var out []string
	for i := range s.Alternates {
		a := &s.Alternates[i]
		text := a.Part.PartNo + ": "
		switch {
		case !a.Priced:
			text += "no price"
		case !l.Priced:
			text += number.Plain(number.Money(int64(a.Total), number.MinorDigits(l.Currency))) + " " + l.Currency
		default:
			sign, diff := "+", a.Total-l.Total
			if diff < 0 {
				sign, diff = "-", -diff
			}
			text += sign + number.Plain(number.Money(int64(diff), number.MinorDigits(l.Currency))) + " " + l.Currency
		}
		if a.LeadWeeks != s.LeadWeeks {
			text += ", " + number.Figure(a.LeadWeeks) + " weeks"
		}
		out = append(out, text)
	}
	return strings.Join(out, "; ")
}

// Bill is what a bill and its spares come to, and what an order of it waits for.
type Bill struct {
	Currency     string // "" if there is nothing with a price, or several currencies
	Total, Whole int64  // without and with spares, minor units
	Spares       int64  // pieces
	Unpriced     int    // lines without a price
	ValidUntil   string // the earliest date, "" if the list has none
	// Last are the lines that arrive last, and NextWeeks is how long all others take.
	Last             []*market.Line
	Weeks, NextWeeks float64
}

// SumBill adds up a bill of materials.
func SumBill(lines []market.Line, supply []market.Supply) (b Bill) {
	several := false
	for i := range lines {
		l, s := &lines[i], &supply[i]
		b.Spares += s.Spares
		if !l.Priced {
			b.Unpriced++
		} else {
			several = several || b.Currency != "" && b.Currency != l.Currency
			b.Currency = l.Currency
			b.Total, b.Whole = b.Total+int64(l.Total), b.Whole+int64(s.Total)
		}
		if p := l.Part; p != nil && p.ValidUntil != "" && (b.ValidUntil == "" || p.ValidUntil < b.ValidUntil) {
			b.ValidUntil = p.ValidUntil
		}
		switch {
		case s.LeadWeeks > b.Weeks:
			b.NextWeeks, b.Weeks, b.Last = b.Weeks, s.LeadWeeks, []*market.Line{l}
		case s.LeadWeeks == b.Weeks && b.Weeks > 0:
			b.Last = append(b.Last, l)
		default:
			b.NextWeeks = max(b.NextWeeks, s.LeadWeeks)
		}
	}
	if several {
		b.Currency = ""
	}
	return b
}

// Waits says what an order waits for, "" if for nothing.
func (b *Bill) Waits() string {
	if len(b.Last) == 0 {
		return ""
	}
	const most = 3 // named; the bill has all
	var names []string
	for _, l := range b.Last[:min(most, len(b.Last))] {
		names = append(names, l.Part.PartNo)
	}
	text := strings.Join(names, ", ")
	if n := len(b.Last) - most; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	text = fmt.Sprintf("%s weeks, for %s", number.Figure(b.Weeks), text)
	if b.NextWeeks < b.Weeks {
		text += fmt.Sprintf("; all else within %s", number.Figure(b.NextWeeks))
	}
	return text
}

// SparesText says what the spares of a bill are and cost.
func (b *Bill) SparesText() string {
	if b.Spares == 0 {
		return "none"
	}
	text := number.Count(int(b.Spares), "piece", "pieces")
	if b.Currency != "" {
		text += ", " + number.Plain(number.Money(b.Whole-b.Total, number.MinorDigits(b.Currency))) + " " + b.Currency + " beyond the cost"
	}
	return text
}
