package plan

import (
	"encoding/csv"
	"io"
	"strconv"

	"toposearch/evaluator/market"
	"toposearch/report/number"
)

// WriteBOM writes a bill of materials as CSV. Prices are exact decimals in the part's own
// currency, at the price break of the quantity ordered; they are empty for a part without one.
func WriteBOM(w io.Writer, lines []market.Line) error {
	c := csv.NewWriter(w)
	if err := c.Write([]string{"part_no", "kind", "vendor", "description", "quantity", "order_quantity", "unit_price", "currency",
		"extended_price", "lead_time_weeks", "used_in", "price_derived", "valid_until"}); err != nil {
		return err
	}
	for i := range lines {
		l := &lines[i]
		r := make([]string, 13)
		r[4], r[5], r[7], r[10] = strconv.FormatInt(l.Quantity, 10), strconv.FormatInt(l.Order, 10), l.Currency, number.SafeCell(l.UsedIn)
		if p := l.Part; p != nil {
			r[0], r[1], r[2], r[3] = number.SafeCell(p.PartNo), p.Kind, number.SafeCell(p.Vendor), number.SafeCell(p.Description)
			r[9], r[12] = number.Full(p.LeadWeeks), p.ValidUntil
			if p.Derived {
				r[11] = "yes"
			}
		}
		if l.Priced {
			n := number.MinorDigits(l.Currency)
			r[6], r[8] = number.ExactMoney(int64(l.Unit), n), number.ExactMoney(int64(l.Total), n)
		}
		if err := c.Write(r); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}
