package report

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/xuri/excelize/v2"

	"toposearch/diag"
	"toposearch/evaluator/market"
	"toposearch/report/number"
)

// WriteXLSX writes a workbook: the front with a frozen head and a filter, the bill of materials of
// every design shown in full, the rejections, and where it all comes from. Figures are numbers in
// full precision, rounded only for the eye.
func WriteXLSX(w io.Writer, d *Data) error {
	f := excelize.NewFile()
	defer f.Close()
	// The file says when it was made: a fixed day, since a report holds no clock.
	_ = f.SetDocProps(&excelize.DocProperties{Title: d.Study, Creator: "toposearch " + d.Program,
		Created: time.Unix(0, 0).UTC().Format(time.RFC3339), Modified: time.Unix(0, 0).UTC().Format(time.RFC3339)})
	s := sheets{f: f}
	s.bold, s.err = f.NewStyle(&excelize.Style{Font: &excelize.Font{Bold: true}, Alignment: &excelize.Alignment{WrapText: true, Vertical: "top"}})
	front := "Front"
	if !d.Complete {
		front = "Front, not complete"
	}
	s.sheet(front, frontTable(d), 1)
	s.sheet("Bill of materials", bomTable(d), 2)
	s.sheet("Cabling", cablingTable(d), 2)
	s.sheet("Rejections", rejectTable(d), 0)
	s.sheet("Run", runTable(d), 0)
	if s.err != nil {
		return fmt.Errorf("report: cannot make the workbook: %w", s.err)
	}
	if err := f.Write(w); err != nil {
		return fmt.Errorf("report: cannot write the workbook: %w", err)
	}
	return nil
}

// sheets writes the sheets of a workbook, and keeps the first error.
type sheets struct {
	f    *excelize.File
	n    int
	bold int
	err  error
}

// sheet writes a sheet whose first row is the head; freeze is the number of columns that stay.
func (s *sheets) sheet(name string, rows [][]any, freeze int) {
	if s.err != nil {
		return
	}
	if s.n == 0 {
		s.err = s.f.SetSheetName("Sheet1", name)
	} else {
		_, s.err = s.f.NewSheet(name)
	}
	s.n++
	for i, r := range rows {
		for j, x := range r {
			switch v := x.(type) {
			case float64:
				if !isFinite(v) {
					r[j] = nil
				}
			case string:
				r[j] = diag.Visible(v)
			}
		}
		if s.err == nil {
			s.err = s.f.SetSheetRow(name, fmt.Sprintf("A%d", i+1), &r)
		}
	}
	if s.err != nil || len(rows) == 0 || len(rows[0]) == 0 {
		return
	}
	last, err := excelize.CoordinatesToCellName(len(rows[0]), len(rows))
	if err != nil {
		s.err = err
		return
	}
	end, _ := excelize.ColumnNumberToName(len(rows[0]))
	corner, _ := excelize.CoordinatesToCellName(freeze+1, 2)
	for _, step := range []func() error{
		func() error { return s.f.SetCellStyle(name, "A1", end+"1", s.bold) },
		func() error { return s.f.SetColWidth(name, "A", "A", 34) },
		func() error { return s.f.SetColWidth(name, "B", end, 15) },
		func() error {
			return s.f.SetPanes(name, &excelize.Panes{Freeze: true, XSplit: freeze, YSplit: 1, TopLeftCell: corner, ActivePane: "bottomRight"})
		},
		func() error { return s.f.AutoFilter(name, "A1:"+last, nil) },
	} {
		if s.err == nil {
			s.err = step()
		}
	}
}

func bomTable(d *Data) [][]any {
	out := [][]any{{"design", "part_no", "vendor", "description", "used in", "quantity", "order quantity", "unit price", "currency", "extended price", "lead time [weeks]", "derived price"}}
	d.inFull(func(name string, det *Detail) {
		for i := range det.Plan.BOM {
			out = append(out, append([]any{name}, bomCells(&det.Plan.BOM[i])...))
		}
	})
	return out
}

// bomCells are part_no to derived price of a line.
func bomCells(l *market.Line) []any {
	partNo, vendor, desc, lead, der := "", "", "", 0.0, ""
	if p := l.Part; p != nil {
		partNo, vendor, desc, lead = p.PartNo, p.Vendor, p.Description, p.LeadWeeks
		if p.Derived {
			der = "yes"
		}
	}
	var unitPrice, total any = "no price", "no price"
	if l.Priced {
		unitPrice, total = major(int64(l.Unit), l.Currency), major(int64(l.Total), l.Currency)
	}
	return []any{partNo, vendor, desc, l.UsedIn, float64(l.Quantity), float64(l.Order), unitPrice, l.Currency, total, lead, der}
}

// cablingTable sums the cables of each design by class, medium and length.
func cablingTable(d *Data) [][]any {
	out := [][]any{{"design", "links", "Gb/s", "medium", "cables", "bought [m]", "longest laid [m]", "part_no", "transceiver_part_no"}}
	d.inFull(func(name string, det *Detail) {
		for i := range det.Plan.Classes {
			c := &det.Plan.Classes[i]
			part := [2]string{}
			for k := range c.Parts.Items {
				if p := c.Parts.Items[k].Part; p != nil {
					part[k] = p.PartNo
				}
			}
			out = append(out, []any{name, c.Link, float64(c.Gbps), c.Medium, float64(c.Count), c.StockM, c.MaxM, part[0], part[1]})
		}
	})
	return out
}

// inFull visits the designs with a plan: those of the front, then the incumbents.
func (d *Data) inFull(visit func(name string, det *Detail)) {
	for i := range d.Details {
		if det := &d.Details[i]; det.Plan != nil {
			visit(d.Points[det.Point].Name, det)
		}
	}
	for _, x := range d.beside() {
		if x.Detail.Plan != nil {
			visit(x.Point.Name+" (in mind: "+x.title()+")", &x.Detail)
		}
	}
}

// major turns minor units into a number for a cell.
func major(minor int64, currency string) float64 {
	return float64(minor) / math.Pow10(number.MinorDigits(currency))
}

func rejectTable(d *Data) [][]any {
	out := [][]any{{"constraint", "combinations cut", "as written", "written at"}}
	for _, r := range d.Reject {
		n := ""
		if r.Count != nil {
			n = r.Count.String()
		}
		var cell any = n
		if r.Count != nil && r.Count.IsInt64() && r.Count.Int64() < 1<<53 {
			cell = float64(r.Count.Int64())
		}
		out = append(out, []any{r.Constraint, cell, r.Text, r.Origin})
	}
	return out
}

func runTable(d *Data) [][]any {
	p := &page{Data: d, picks: Picks(d)}
	p.run()
	state, text := verdict(d)
	out := [][]any{{"what", "value"}, {"Study", d.Study}, {"Verdict", state.Text + ". " + number.Plain(text)}}
	for _, f := range d.Asked {
		out = append(out, []any{f.Label, number.Plain(f.Text)})
	}
	for _, f := range p.Searched {
		out = append(out, []any{f.Label, number.Plain(f.Text)})
	}
	for _, x := range d.Assumed {
		out = append(out, []any{"Assumed: " + x.Key, x.Value})
	}
	for _, in := range d.Inputs {
		out = append(out, []any{in.Path, "sha256 " + in.SHA256})
	}
	return out
}
