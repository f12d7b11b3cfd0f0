package plan

import (
	"fmt"
	"io"
	"math"

	"toposearch/catalog"
	"toposearch/evaluator/market"
	"toposearch/report/book"
	"toposearch/report/number"
)

// mostRows bounds the lines of a sheet of order.xlsx; what is longer stands in the CSV file alone, which programs read.
const mostRows = 10_000

// BillHead heads the cells of BillRows.
var BillHead = []any{"part_no", "vendor", "description", "used in", "quantity", "order quantity", "unit price", "currency", "extended price",
	"lead time [weeks]", "derived price", "valid until", "spares", "order with spares", "extended price with spares", "alternates"}

// BillRows are the lines of a bill, and behind them their sum.
func BillRows(lines []market.Line, supply []market.Supply) (out [][]any) {
	for i := range lines {
		l, s := &lines[i], &supply[i]
		partNo, vendor, desc, until, lead, der := "", "", "", "", 0.0, ""
		if p := l.Part; p != nil {
			partNo, vendor, desc, until, lead = p.PartNo, p.Vendor, p.Description, p.ValidUntil, l.LeadWeeks()
			if p.Derived {
				der = "yes"
			}
		}
		var each, total, whole any = "no price", "no price", "no price"
		if l.Priced {
			each, total, whole = major(l.Unit, l.Currency), major(l.Total, l.Currency), major(s.Total, l.Currency)
		}
		out = append(out, []any{partNo, vendor, desc, l.UsedIn, float64(l.Quantity), float64(l.Order), each, l.Currency, total, lead, der, until,
			float64(s.Spares), float64(s.Order), whole, Alternates(l, s)})
	}
	b := SumBill(lines, supply)
	sum := make([]any, len(BillHead))
	sum[0], sum[3], sum[9], sum[11], sum[12] = "Total", b.incomplete(), b.Weeks, b.ValidUntil, float64(b.Spares)
	if b.Currency != "" {
		sum[7], sum[8], sum[14] = b.Currency, major(catalog.Money(b.Total), b.Currency), major(catalog.Money(b.Whole), b.Currency)
	}
	return append(out, sum)
}

// incomplete says what a sum lacks.
func (b *Bill) incomplete() string {
	if b.Unpriced > 0 {
		return "without " + number.Count(b.Unpriced, "part that has no price", "parts that have no price")
	}
	return ""
}

// major turns minor units into a number for a cell.
func major(minor catalog.Money, currency string) float64 {
	return float64(minor) / math.Pow10(number.MinorDigits(currency))
}

// listing is what a CSV file holds, as far as it fits into a sheet.
type listing struct {
	text []byte
	rows int
}

// Write takes one line, the head among them.
func (l *listing) Write(line []byte) (int, error) {
	if l.rows++; l.rows <= mostRows+1 {
		l.text = append(l.text, line...)
	} else {
		l.text = nil
	}
	return len(line), nil
}

// sheet adds a listing, or says where it stands.
func (l *listing) sheet(b *book.Book, name, file string) {
	if l.rows <= mostRows+1 {
		b.CSV(name, l.text, 1, "part_no", "transceiver_part_no", "from_socket", "to_socket", "from_port", "to_port")
		return
	}
	b.Sheet(name, [][]any{{"not listed here"}, {fmt.Sprintf("%s lines, more than the %s that a sheet takes: see %s", number.Figure(float64(l.rows-1)), number.Figure(mostRows), file)}}, 0)
}

// OrderName is the workbook of a folder.
const OrderName = "order.xlsx"

// writeOrder writes it: the bill, and what racks.csv, cables.csv and install.csv say.
func (x *Export) writeOrder(w io.Writer, racks, cables *listing, in *install) error {
	b := book.New(x.Design.String(), x.Program)
	rows := append([][]any{BillHead}, BillRows(x.Plan.BOM, x.Supply)...)
	b.Sheet("Order", rows, 1, len(rows)-1)
	if in != nil {
		rows = [][]any{nil}
		for _, h := range installHead {
			rows[0] = append(rows[0], h)
		}
		_ = in.rows(func(cells ...any) error {
			rows = append(rows, cells)
			return nil
		})
		b.Sheet("Install", rows, 2)
	}
	racks.sheet(b, "Racks", "racks.csv")
	cables.sheet(b, "Cables", "cables.csv")
	return b.Write(w)
}
