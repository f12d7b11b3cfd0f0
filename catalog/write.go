package catalog

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"toposearch/internal/unit"
)

// WriteCSV writes parts as a price list that reads as the same parts: canonical heads, the units of help catalog,
// UTF-8, commas, the point as decimal mark. Parts without a currency are unpriced.
func WriteCSV(w io.Writer, parts []Part) error {
	cw := csv.NewWriter(w)
	if err := cw.Write(Columns()); err != nil {
		return err
	}
	for i := range parts {
		rec := make([]string, numColumns)
		for c := range column(numColumns) {
			rec[c] = parts[i].text(c)
		}
		if err := cw.Write(rec); err != nil {
			return err
		}
	}
	cw.Flush()
	return cw.Error()
}

// text is what a price list says of the part in a column, in the column's own unit; "" for nothing.
func (p *Part) text(c column) string {
	switch c {
	case colPartNo:
		return p.PartNo
	case colKind:
		return p.Kind
	case colVendor:
		return p.Vendor
	case colDescription:
		return p.Description
	case colFormFactor:
		return p.FormFactor
	case colRate:
		return wholeText(p.RateGbps)
	case colLanes:
		return wholeText(p.Lanes)
	case colPorts:
		return wholeText(p.Ports)
	case colBreakouts:
		return p.modes()
	case colLength:
		return realText(p.LengthM)
	case colReach:
		return realText(p.ReachM)
	case colMedium:
		return p.Medium
	case colPower:
		return realText(p.PowerW)
	case colPowerTyp:
		return realText(p.PowerTypW)
	case colPowerSplit:
		return realText(p.PowerSplitW)
	case colLatency:
		return realText(p.LatencyNs)
	case colBuffer:
		return realText(float64(p.BufferBytes))
	case colReduction:
		return realText(p.ReductionGbps)
	case colPrice:
		if p.Priced {
			return decimalText(p.UnitPrice, p.Currency)
		}
		return ""
	case colCurrency:
		return p.Currency
	}
	return p.supplyText(c)
}

// supplyText is text of the columns about orders.
func (p *Part) supplyText(c column) string {
	switch c {
	case colBreaks:
		var out []string
		for _, b := range p.PriceBreaks {
			out = append(out, fmt.Sprintf("%d:%s", b.From, decimalText(b.Price, p.Currency)))
		}
		return strings.Join(out, ";")
	case colMOQ:
		return wholeText(p.MOQ)
	case colPack:
		return wholeText(p.Pack)
	case colLead:
		if p.LeadWeeks > 0 {
			return realText(p.LeadWeeks) + " weeks"
		}
		if p.Ready {
			return "stock"
		}
	case colFrom:
		return p.ValidFrom
	case colUntil:
		return p.ValidUntil
	case colEOL:
		return p.EndOfLife
	case colStock:
		return wholeText(p.Stock)
	case colApproved:
		if !p.Approved {
			return "no"
		}
	case colAFR:
		if p.HasAFR {
			return strconv.FormatFloat(p.AFR, 'f', -1, 64)
		}
	case colWeight:
		return realText(p.WeightKg)
	case colSource:
		return p.Source
	case colNote:
		return p.Note
	case colDerived:
		if p.Derived {
			return "yes"
		}
	}
	return ""
}

// modes are the breakouts as a price list has them.
func (p *Part) modes() string {
	var out []string
	for _, b := range p.Breakouts {
		out = append(out, fmt.Sprintf("%dx%d", b.Count, b.Gbps))
	}
	return strings.Join(out, ";")
}

// wholeText is a count; "" for 0, which says nothing in any column.
func wholeText(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// realText is a figure with all its digits; "" for 0.
func realText(x float64) string {
	if x == 0 {
		return ""
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}

// decimalText is an amount in units of its currency, with all digits that the currency has.
func decimalText(m Money, currency string) string {
	digits, _ := unit.MinorDigits(currency)
	s := strconv.FormatInt(int64(m), 10)
	if digits == 0 {
		return s
	}
	if n := digits + 1 - len(s); n > 0 {
		s = strings.Repeat("0", n) + s
	}
	return s[:len(s)-digits] + "." + s[len(s)-digits:]
}
