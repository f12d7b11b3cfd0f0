package catalog

import (
	"fmt"
	"strconv"
	"strings"

	"toposearch/diag"
	"toposearch/internal/unit"
)

// reader turns a table into parts.
type reader struct {
	t     *table
	heads []head
	at    [numColumns]int // index of the cell; -1
	hint  [numColumns]string
	mark  decimalMark
	opt   LoadOptions
	diags *diag.List
	bad   bool // the row at hand has an error
	count map[diag.Severity]int
	sheet Sheet // what is told of the table
}

// pos is the place of cell j of a row, or of the row if there is no such cell.
func (rd *reader) pos(r *row, j int) diag.Pos {
	p := diag.Pos{File: rd.t.file, Line: r.line}
	if j >= 0 && j < len(r.cells) {
		p.Column = r.cells[j].column
	}
	return p
}

// maxFindings is how many errors, and how many warnings, of a table are kept: nobody reads more.
const maxFindings = 1000

// report adds a finding about cell j of a row.
func (rd *reader) report(sev diag.Severity, r *row, j int, summary, detail string) {
	if rd.count[sev]++; rd.count[sev] > maxFindings {
		if rd.count[sev] == maxFindings+1 {
			rd.diags.Add(diag.Diagnostic{Severity: sev, Summary: fmt.Sprintf("there are more than %d findings of this kind from here on", maxFindings), Pos: rd.pos(r, -1)})
		}
		return
	}
	d := diag.Diagnostic{Severity: sev, Summary: summary + rd.inCell(r, j, summary), Detail: detail, Pos: rd.pos(r, j), Source: r.src}
	if j >= 0 && j < len(r.cells) {
		d.Width = len([]rune(r.cells[j].text))
		if r.cells[j].quoted {
			d.Width += 2
		}
	}
	rd.diags.Add(d)
}

// inCell is the name of a cell of a sheet and what stands in it, for people who look for F5 there: a finding in a
// text file shows its line instead.
func (rd *reader) inCell(r *row, j int, summary string) string {
	if rd.t.comma != 0 || j < 0 || r.line == 0 {
		return ""
	}
	at, text := columnName(rd.t, r, j)+strconv.Itoa(r.line), r.at(j)
	switch {
	case strings.Contains(summary, at):
		return ""
	case text == "" || len(text) > 40 || strings.Contains(summary, text):
		return " (" + at + ")"
	}
	return " (" + at + ": " + strconv.Quote(text) + ")"
}

// warn reports a warning.
func (rd *reader) warn(r *row, j int, summary, detail string) {
	rd.report(diag.Warning, r, j, summary, detail)
}

// fail reports an error, with which the row at hand is not a part.
func (rd *reader) fail(r *row, j int, summary, detail string) {
	rd.bad = true
	rd.report(diag.Error, r, j, summary, detail)
}

// text is the trimmed cell of a column, "" if the row is shorter or the column missing.
func (rd *reader) text(r *row, c column) string {
	if j := rd.at[c]; j >= 0 && j < len(r.cells) {
		return strings.TrimSpace(r.cells[j].text)
	}
	return ""
}

// plain is the cell as a number with a point; cells of spreadsheets already are.
func (rd *reader) plain(c *cell) (string, error) {
	if c.number {
		return strings.TrimSpace(c.text), nil
	}
	return plainNumber(c.text, rd.mark, rd.t.comma != ';')
}

// whole reads an integer of at least 0; a missing cell is def.
func (rd *reader) whole(r *row, c column, def int) int {
	s := rd.text(r, c)
	if s == "" {
		return def
	}
	t, err := rd.plain(&r.cells[rd.at[c]])
	if err == nil {
		var n int64
		if n, err = unit.Decimal(t, 0); err == nil && (n < 0 || n > 1<<30) {
			err = fmt.Errorf("%q is out of range", s)
		}
		if err == nil {
			return int(n)
		}
	}
	rd.fail(r, rd.at[c], fmt.Sprintf("%s must be a whole number, not %s", c.name(), strconv.Quote(s)), "")
	return def
}

// fraction reads a bare non-negative number.
func (rd *reader) fraction(r *row, c column, s string) float64 {
	x := r.cells[rd.at[c]]
	x.text = s
	t, err := rd.plain(&x)
	if err == nil {
		var f float64
		if f, err = strconv.ParseFloat(t, 64); err == nil && f >= 0 && f < 1e12 {
			return f
		}
	}
	rd.fail(r, rd.at[c], fmt.Sprintf("%s must be a number, 0 or more, not %s", c.name(), strconv.Quote(s)), "")
	return 0
}

// quantity reads a number with or without a unit; a bare number is in the unit of the column, or
// in that which the head names.
func (rd *reader) quantity(r *row, c column, k unit.Kind, base string) float64 {
	s := rd.text(r, c)
	if s == "" {
		return 0
	}
	j := rd.at[c]
	t, err := rd.plain(&r.cells[j])
	if err != nil {
		rd.fail(r, j, c.name()+": "+err.Error(), "write it without thousands separators, or state the decimal mark: decimal = \",\" beside files in the catalog of the study")
		return 0
	}
	if num := numberPart(t); num == t {
		t += " " + rd.unitOf(c, base)
	} else if c == colLead {
		t = leadText(t)
	} else if c == colRate {
		t = rateText(t)
	}
	x, err := k.Parse(t)
	if err != nil {
		rd.fail(r, j, c.name()+": "+err.Error(), "")
		return 0
	}
	return x
}

// unitOf is the unit of bare numbers in a column.
func (rd *reader) unitOf(c column, base string) string {
	switch rd.hint[c] {
	case "kw":
		return "kW"
	case "km", "cm", "mm", "ft":
		return rd.hint[c]
	case "mb":
		return "MB"
	case "tbps":
		return "Tb/s"
	case "us":
		return "us"
	case "weeks", "days", "months":
		return rd.hint[c]
	}
	return base
}

// rateText reads "400G", "400GbE" and "0.8T" as the port rates they are.
func rateText(s string) string {
	num := numberPart(s)
	switch strings.ToLower(strings.TrimSpace(strings.TrimPrefix(s, num))) {
	case "g", "gbe", "gb", "ge", "gbit", "gig":
		return num + " Gb/s"
	case "t", "tbe", "tb":
		return num + " Tb/s"
	}
	return s
}

// leadText reads German and French words for weeks, days and months.
func leadText(s string) string {
	num := numberPart(s)
	if u, ok := foreignUnits[strings.ToLower(strings.TrimSpace(strings.TrimPrefix(s, num)))]; ok {
		return num + " " + u
	}
	return s
}
