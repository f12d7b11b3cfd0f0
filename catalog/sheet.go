package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toposearch/diag"
)

// parts reads the table below its head. A sheet without a head is reported by the caller.
func (t *table) parts(hd *headRow, opt LoadOptions, l *diag.List) []Part {
	rd := &reader{t: t, heads: hd.heads, opt: opt, diags: l, count: map[diag.Severity]int{}}
	for c := range rd.at {
		rd.at[c] = -1
	}
	hr := &hd.row
	rd.sheet = Sheet{File: t.file, Kind: t.kind, Encoding: t.coded, Separator: separatorName(t.comma), HeadRows: []int{t.rows[hd.first].line}}
	if hd.last > hd.first {
		rd.sheet.HeadRows = append(rd.sheet.HeadRows, t.rows[hd.last].line)
	}
	rd.columns(hr)
	rd.mark = rd.findMark(t.rows[hd.last+1:])
	rd.sheet.Decimal = rd.decimalName()
	headless := map[int]bool{} // columns without a head that were reported
	top := true                // no row below the head has been seen
	var parts []Part
	var notes []*row
	for i := hd.last + 1; i < len(t.rows); i++ {
		r := &t.rows[i]
		if r.filled() == 0 {
			continue
		}
		switch {
		case top && rd.unitRow(hr, r):
			rd.sheet.HeadRows = append(rd.sheet.HeadRows, r.line)
			top = false
			continue
		case rd.headAgain(r, hr, &t.rows[hd.first], &t.rows[hd.last]):
			rd.leave(r, "the head again")
		case rd.isNote(r):
			notes = append(notes, r)
			rd.leave(r, "a note")
		case rd.totalRow(r):
			rd.warn(r, rd.at[colPartNo], "this row is taken for a total and ignored", "")
			rd.leave(r, "a total")
		default:
			rd.withoutHead(hr, r, headless)
			// A row with an error counts for the check of duplicates: there is no catalogue anyway.
			p, ok := rd.part(r)
			if ok || p.PartNo != "" {
				parts = append(parts, p)
			}
			rd.sheet.count(&p, ok)
		}
		rd.sheet.Rows++
		top = false
	}
	rd.foldNotes(notes)
	rd.doubtPrices(parts)
	rd.describe(hr)
	if opt.Tell != nil {
		opt.Tell(rd.sheet)
	}
	return parts
}

// isNote reports whether a row has nothing but words: one cell, or none of a kind, a price or a figure.
func (rd *reader) isNote(r *row) bool {
	if r.filled() == 1 {
		return true
	}
	if rd.at[colKind] < 0 && r.at(rd.at[colPartNo]) != "" {
		return false // the kind is that of the sheet
	}
	for c, j := range rd.at {
		if r.at(j) != "" && column(c) != colPartNo && !isRemark(column(c)) {
			return false
		}
	}
	return !rd.totalRow(r)
}

// headAgain reports whether a row repeats one of the head, as on the top of each page.
func (rd *reader) headAgain(r *row, of ...*row) bool {
	for _, hr := range of {
		same := 0
		for _, h := range rd.heads {
			if text := r.at(h.index); text != "" && foldHead(text) == foldHead(hr.at(h.index)) {
				same++
			} else if text != "" {
				same = -int(numColumns)
			}
		}
		if same >= minHeads {
			return true
		}
	}
	return false
}

// foldNotes tells of all rows of notes at once.
func (rd *reader) foldNotes(notes []*row) {
	const remedy = "a part needs at least a part number and a kind"
	switch len(notes) {
	case 0:
	case 1:
		rd.warn(notes[0], notes[0].first(), "this row is taken for a note and ignored", remedy)
	default:
		var lines []int
		for _, r := range notes {
			lines = append(lines, r.line)
		}
		rd.warn(notes[0], notes[0].first(), fmt.Sprintf("%d rows are taken for notes and ignored: rows %s", len(notes), Lines(lines)), remedy)
	}
}

// weakNumbers are heads under which there may be a number of the row or the name of a model where another column
// has the part number.
var weakNumbers = []string{"item", "item_no", "ref", "model", "part", "article", "artikel", "position"}

// columns finds out what stands in which column, and reports what does not say it.
func (rd *reader) columns(hr *row) {
	for _, h := range rd.heads {
		switch first := rd.at[h.col]; {
		case first < 0:
			rd.at[h.col], rd.hint[h.col] = h.index, h.hint
		case h.col == colPrice:
			rd.fail(hr, h.index, fmt.Sprintf("there are two columns of prices, %s and %s", strconv.Quote(hr.at(first)), strconv.Quote(hr.at(h.index))),
				"say which is paid: in the study [catalog.columns] unit_price = "+strconv.Quote(hr.at(h.index))+", or --column of toposearch catalog import")
		case h.col == colPartNo && slices.Contains(weakNumbers, headKey(hr.at(first))) && !slices.Contains(weakNumbers, headKey(hr.at(h.index))):
			rd.warn(hr, first, fmt.Sprintf("column %s is ignored: the part numbers stand under %s", strconv.Quote(hr.at(first)), strconv.Quote(hr.at(h.index))), "")
			rd.at[h.col] = h.index
		default:
			rd.warn(hr, h.index, "a second column for "+h.col.name()+" is ignored", "the first stands further left; rename one of them, or say which: [catalog.columns] "+h.col.name()+" = "+strconv.Quote(hr.at(h.index)))
		}
		if h.rule == nil {
			continue
		}
		if inside := h.rule.unread(); inside != "" {
			rd.fail(hr, h.index, fmt.Sprintf("column %s: %s is not understood as a unit of %s", strconv.Quote(hr.at(h.index)), strconv.Quote(inside), h.col.name()),
				fmt.Sprintf("say it: %s = { head = %s, unit = ... }", h.col.name(), strconv.Quote(h.rule.Head)))
		}
	}
	for j := range hr.cells {
		text := hr.at(j)
		if text == "" || slices.ContainsFunc(rd.heads, func(h head) bool { return h.index == j }) {
			continue
		}
		if c, _, ok := matchHead(text); ok { // of a column that is declared
			rd.sheet.ignore(rd.t, hr, j, c.name()+" is declared to be "+strconv.Quote(hr.at(rd.at[c])))
			continue
		}
		if c, inside, ok := unreadUnit(text); ok && rd.at[c] < 0 {
			rd.fail(hr, j, fmt.Sprintf("column %s: %s is not understood as a unit of %s", strconv.Quote(text), strconv.Quote(inside), c.name()),
				"head the column "+c.name()+", or write the unit into each cell")
			continue
		}
		rd.sheet.ignore(rd.t, hr, j, "not known")
		rd.warn(hr, j, "column "+strconv.Quote(text)+" is not known and is ignored", suggestHead(text))
	}
	if rd.at[colKind] < 0 && rd.t.kind == "" {
		rd.fail(hr, -1, "there is no column of kinds", "add a column kind: switch, nic, cable, transceiver, fibre, accelerator, cpu, rack, trace or ocs; or, in a workbook, name the sheet after the kind: Switches")
	}
	if rd.at[colPrice] < 0 {
		rd.warn(hr, -1, "there is no column of prices: every part of the list is unpriced", "head it unit_price, or say which it is: [catalog.columns] unit_price = \"...\" in the study")
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
	case "total", "subtotal", "sub-total", "sub total", "grand total", "sum", "summe", "gesamt", "zwischensumme", "gesamtsumme", "sous-total", "total ht", "total général", "somme":
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

// separatorName names what separates the cells of a CSV file; "" of a sheet.
func separatorName(c byte) string {
	switch c {
	case 0:
		return ""
	case '|':
		return "bar"
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
