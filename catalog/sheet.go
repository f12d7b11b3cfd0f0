package catalog

import (
	"fmt"
	"slices"
	"strings"

	"toposearch/internal/diag"
)

// cell is one value of a table with what a spreadsheet knows about it.
type cell struct {
	text   string
	column int  // in characters for CSV, the column number for a sheet
	number bool // a number cell of a spreadsheet: text is raw, with a point
	date   bool // formatted as a date; text is then ISO
	quoted bool
	format string // currency that the number format of a spreadsheet names
}

// row is a line of a table.
type row struct {
	line  int
	cells []cell
	src   string // the line as it stands in a CSV file, for the caret
}

func (r *row) filled() int {
	n := 0
	for i := range r.cells {
		if strings.TrimSpace(r.cells[i].text) != "" {
			n++
		}
	}
	return n
}

// table is a sheet or a CSV file before it is understood.
type table struct {
	file  string // "parts.csv" or "book.xlsx#Sheet"
	rows  []row
	comma byte // what separates a CSV file; 0 for a sheet
}

// headRows is how far from the top the head may stand below titles and addresses.
const headRows = 50

// minHeads is how many known heads make a row the head.
const minHeads = 3

// findHead gives the index of the head row and its columns; -1 if there is none.
func (t *table) findHead() (int, []head) {
	for i := range t.rows[:min(len(t.rows), headRows)] {
		var hs []head
		for j := range t.rows[i].cells {
			if c, hint, ok := matchHead(t.rows[i].cells[j].text); ok {
				hs = append(hs, head{c, j, hint})
			}
		}
		if len(hs) >= minHeads && slices.ContainsFunc(hs, func(h head) bool { return h.col == colPartNo }) {
			return i, hs
		}
	}
	return -1, nil
}

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
}

// parts reads the table below its head. A sheet without a head is reported by the caller.
func (t *table) parts(at int, heads []head, opt LoadOptions, l *diag.List) []Part {
	rd := &reader{t: t, heads: heads, opt: opt, diags: l}
	for c := range rd.at {
		rd.at[c] = -1
	}
	hr := &t.rows[at]
	for _, h := range heads {
		if rd.at[h.col] >= 0 {
			rd.warn(hr, h.index, "a second column for "+h.col.name()+" is ignored", "the first stands further left; rename one of them")
			continue
		}
		rd.at[h.col], rd.hint[h.col] = h.index, h.hint
	}
	for j := range hr.cells {
		text := strings.TrimSpace(hr.cells[j].text)
		if text != "" && !slices.ContainsFunc(heads, func(h head) bool { return h.index == j }) {
			rd.warn(hr, j, "column "+quote(text)+" is not known and is ignored", suggestHead(text))
		}
	}
	rd.mark = rd.findMark(t.rows[at+1:])
	headless := map[int]bool{} // columns without a head that were reported
	var parts []Part
	for i := at + 1; i < len(t.rows); i++ {
		r := &t.rows[i]
		switch r.filled() {
		case 0:
			continue
		case 1:
			rd.warn(r, r.first(), "this row is taken for a note and ignored", "a part needs at least a part number and a kind")
			continue
		}
		rd.withoutHead(hr, r, headless)
		if p, ok := rd.part(r); ok {
			parts = append(parts, p)
		}
	}
	return parts
}

// withoutHead reports what stands in a row and under no head. In a CSV file a row that is longer
// than the heads may have been cut inside a number, "1,234": its cells are not where they seem.
func (rd *reader) withoutHead(heads, r *row, reported map[int]bool) {
	for j := range r.cells {
		text := strings.TrimSpace(r.cells[j].text)
		switch {
		case text == "" || j < len(heads.cells) && strings.TrimSpace(heads.cells[j].text) != "":
		case j >= len(heads.cells) && rd.t.comma != 0:
			rd.fail(r, j, fmt.Sprintf("the row has more cells than there are heads, %d", len(heads.cells)),
				fmt.Sprintf("put a number or text that holds a %s in quotes, or give the column a head", separatorName(rd.t.comma)))
			return
		case !reported[j]:
			reported[j] = true
			rd.warn(r, j, "a column without a head is ignored", "")
		}
	}
}

func separatorName(c byte) string {
	switch c {
	case ';':
		return "semicolon"
	case '\t':
		return "tab"
	}
	return "comma"
}

func (r *row) first() int {
	for i := range r.cells {
		if strings.TrimSpace(r.cells[i].text) != "" {
			return i
		}
	}
	return 0
}

// numeric columns tell how the file writes fractions.
var numericColumns = []column{colPrice, colLength, colReach, colPower, colPowerTyp, colLatency, colWeight, colAFR}

// findMark looks for a number that proves the decimal mark. Without proof a file separated by
// commas or tabs, and a spreadsheet, uses the point; one separated by semicolons may use either.
func (rd *reader) findMark(rows []row) decimalMark {
	if rd.opt.Decimal != 0 {
		return decimalMark(rd.opt.Decimal)
	}
	points, commas := 0, 0
	for i := range rows {
		for _, c := range numericColumns {
			j := rd.at[c]
			if j < 0 || j >= len(rows[i].cells) || rows[i].cells[j].number {
				continue
			}
			switch evidence(rows[i].cells[j].text) {
			case markPoint:
				points++
			case markComma:
				commas++
			}
		}
	}
	switch {
	case points > 0 && commas == 0:
		return markPoint
	case commas > 0 && points == 0:
		return markComma
	}
	return markUnknown
}

func (rd *reader) pos(r *row, j int) diag.Pos {
	p := diag.Pos{File: rd.t.file, Line: r.line}
	if j >= 0 && j < len(r.cells) {
		p.Column = r.cells[j].column
	}
	return p
}

func (rd *reader) report(sev diag.Severity, r *row, j int, summary, detail string) {
	d := diag.Diagnostic{Severity: sev, Summary: summary, Detail: detail, Pos: rd.pos(r, j), Source: r.src}
	if j >= 0 && j < len(r.cells) {
		d.Width = len([]rune(r.cells[j].text))
		if r.cells[j].quoted {
			d.Width += 2
		}
	}
	rd.diags.Add(d)
}

func (rd *reader) warn(r *row, j int, summary, detail string) {
	rd.report(diag.Warning, r, j, summary, detail)
}

func (rd *reader) fail(r *row, j int, summary, detail string) {
	rd.bad = true
	rd.report(diag.Error, r, j, summary, detail)
}
