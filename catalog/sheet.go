package catalog

import (
	"fmt"
	"slices"
	"strings"

	"toposearch/diag"
)

// cell is one value of a table with what a spreadsheet knows about it.
type cell struct {
	text   string
	column int  // in characters for CSV, the column number for a sheet
	number bool // a number cell of a spreadsheet: text is raw, with a point
	date   bool // formatted as a date; text is then ISO
	quoted bool
	format string // currency, or "$", that the number format of a spreadsheet names
	merged bool   // one of several rows that share a merged cell
	fault  *cellFault
}

// cellFault is what is wrong with a cell of a spreadsheet, in whatever column it stands.
type cellFault struct {
	severity        diag.Severity
	summary, detail string
}

// row is a line of a table.
type row struct {
	line   int
	cells  []cell
	src    string // the line as it stands in a CSV file, for the caret
	hidden bool   // in a spreadsheet
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

// at is the trimmed text of a cell, "" where the row is shorter.
func (r *row) at(j int) string {
	if j < 0 || j >= len(r.cells) {
		return ""
	}
	return strings.TrimSpace(r.cells[j].text)
}

// table is a sheet or a CSV file before it is understood.
type table struct {
	file  string // "parts.csv" or "book.xlsx#Sheet"
	rows  []row
	comma byte   // what separates a CSV file; 0 for a sheet
	kind  string // of all its parts, where the name of the sheet says it: "Switches"
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
	rd.columns(hr)
	rd.mark = rd.findMark(t.rows[at+1:])
	headless := map[int]bool{} // columns without a head that were reported
	top := true                // no row below the head has been seen
	var parts []Part
	for i := at + 1; i < len(t.rows); i++ {
		r := &t.rows[i]
		n := r.filled()
		if n == 0 {
			continue
		}
		switch {
		case top && rd.unitRow(hr, r):
		case n == 1:
			rd.warn(r, r.first(), "this row is taken for a note and ignored", "a part needs at least a part number and a kind")
		case rd.totalRow(r):
			rd.warn(r, rd.at[colPartNo], "this row is taken for a total and ignored", "")
		default:
			rd.withoutHead(hr, r, headless)
			// A row with an error counts for the check of duplicates: there is no catalogue anyway.
			if p, ok := rd.part(r); ok || p.PartNo != "" {
				parts = append(parts, p)
			}
		}
		top = false
	}
	return parts
}

// columns finds out what stands in which column, and reports what does not say it.
func (rd *reader) columns(hr *row) {
	for _, h := range rd.heads {
		switch first := rd.at[h.col]; {
		case first < 0:
			rd.at[h.col], rd.hint[h.col] = h.index, h.hint
		case h.col == colPrice:
			rd.fail(hr, h.index, fmt.Sprintf("there are two columns of prices, %s and %s", quote(hr.at(first)), quote(hr.at(h.index))),
				"rename the one that is not to be paid: \"old price\"")
		default:
			rd.warn(hr, h.index, "a second column for "+h.col.name()+" is ignored", "the first stands further left; rename one of them")
		}
	}
	for j := range hr.cells {
		text := hr.at(j)
		if text == "" || slices.ContainsFunc(rd.heads, func(h head) bool { return h.index == j }) {
			continue
		}
		if c, inside, ok := unreadUnit(text); ok && rd.at[c] < 0 {
			rd.fail(hr, j, fmt.Sprintf("column %s: %s is not understood as a unit of %s", quote(text), quote(inside), c.name()),
				"head the column "+c.name()+", or write the unit into each cell")
			continue
		}
		rd.warn(hr, j, "column "+quote(text)+" is not known and is ignored", suggestHead(text))
	}
	if rd.at[colKind] < 0 && rd.t.kind == "" {
		rd.fail(hr, -1, "there is no column of kinds", "add a column kind: switch, nic, cable, transceiver, fibre, rack, trace or ocs; or, in a workbook, name the sheet after the kind: Switches")
	}
	if rd.at[colPrice] < 0 {
		rd.warn(hr, -1, "there is no column of prices: every part of the list is unpriced", "head it unit_price")
	}
}

// unitRow tells whether the row below the head names the units of the columns, or is the lower half of
// a head of two rows; the units are then those of bare numbers.
func (rd *reader) unitRow(hr, r *row) bool {
	var hints [numColumns]string
	units := 0
	for _, h := range rd.heads {
		text := r.at(h.index)
		if text == "" || text == hr.at(h.index) {
			continue
		}
		c, hint, ok := matchHead(hr.at(h.index) + " (" + strings.Trim(text, "()[] ") + ")")
		if !ok || c != h.col || h.col == colPartNo || h.col == colKind {
			return false
		}
		if rd.at[c] == h.index {
			hints[c] = hint
			units++
		}
	}
	for c, hint := range hints {
		if hint != "" && units > 0 {
			rd.hint[c] = hint
		}
	}
	return units > 0
}

// totalRow tells whether a row sums up those above.
func (rd *reader) totalRow(r *row) bool {
	if r.at(rd.at[colKind]) != "" {
		return false
	}
	switch strings.ToLower(strings.TrimRight(r.at(rd.at[colPartNo]), ": ")) {
	case "total", "subtotal", "sub-total", "sub total", "grand total", "sum", "summe", "gesamt", "zwischensumme":
		return true
	}
	return false
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
