package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toposearch/diag"
)

// parts reads the table below its head. A sheet without a head is reported by the caller.
func (t *table) parts(at int, heads []head, opt LoadOptions, l *diag.List) []Part {
	rd := &reader{t: t, heads: heads, opt: opt, diags: l, count: map[diag.Severity]int{}}
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
			rd.fail(hr, h.index, fmt.Sprintf("there are two columns of prices, %s and %s", strconv.Quote(hr.at(first)), strconv.Quote(hr.at(h.index))),
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
			rd.fail(hr, j, fmt.Sprintf("column %s: %s is not understood as a unit of %s", strconv.Quote(text), strconv.Quote(inside), c.name()),
				"head the column "+c.name()+", or write the unit into each cell")
			continue
		}
		rd.warn(hr, j, "column "+strconv.Quote(text)+" is not known and is ignored", suggestHead(text))
	}
	if rd.at[colKind] < 0 && rd.t.kind == "" {
		rd.fail(hr, -1, "there is no column of kinds", "add a column kind: switch, nic, cable, transceiver, fibre, accelerator, cpu, rack, trace or ocs; or, in a workbook, name the sheet after the kind: Switches")
	}
	if rd.at[colPrice] < 0 {
		rd.warn(hr, -1, "there is no column of prices: every part of the list is unpriced", "head it unit_price")
	}
}

// unitRow reports whether the row below the head names the units of the columns, or is the lower half of
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

// totalRow reports whether a row sums up those above.
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
