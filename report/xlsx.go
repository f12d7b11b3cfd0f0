package report

import (
	"io"

	"toposearch/report/book"
	"toposearch/report/number"
	"toposearch/report/plan"
)

// WriteXLSX writes a workbook: the front with a frozen head and a filter, the bill of materials of
// every design shown in full with its sum, the rejections, and where it all comes from.
func WriteXLSX(w io.Writer, d *Data) error {
	b := book.New(d.Study, d.Program)
	front := "Front"
	if !d.Complete {
		front = "Front, not complete"
	}
	b.Sheet(front, frontTable(d), 1)
	bom, sums := bomTable(d)
	b.Sheet("Bill of materials", bom, 2, sums...)
	b.Sheet("Cabling", cablingTable(d), 2)
	b.Sheet("Rejections", rejectTable(d), 0)
	b.Sheet("Run", runTable(d), 0)
	return b.Write(w)
}

// bomTable gives the bills of all designs, and the rows of their sums.
func bomTable(d *Data) (out [][]any, sums []int) {
	out = [][]any{append([]any{"design"}, plan.BillHead...)}
	d.inFull(func(name string, det *Detail) {
		for _, cells := range plan.BillRows(det.Plan.BOM, det.Supply) {
			out = append(out, append([]any{name}, cells...))
		}
		sums = append(sums, len(out)-1)
	})
	return out, sums
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
