package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toposearch/diag"
)

// part reads a row; false if it has an error.
func (rd *reader) part(r *row) (Part, bool) {
	rd.bad = false
	rd.faults(r)
	p := Part{PartNo: rd.text(r, colPartNo), Vendor: rd.remark(r, colVendor), Description: rd.remark(r, colDescription),
		FormFactor: rd.remark(r, colFormFactor), Source: rd.remark(r, colSource), Note: rd.remark(r, colNote)}
	p.Pos = rd.pos(r, rd.at[colPartNo])
	if j := rd.at[colPartNo]; p.PartNo == "" {
		rd.fail(r, j, "the part number is missing", "")
	}
	rd.doubtNumber(r, &p)
	if c, i := diag.FirstHidden(p.PartNo); i >= 0 {
		rd.fail(r, rd.at[colPartNo], fmt.Sprintf("the part number %s holds U+%04X, which is not seen", strconv.QuoteToASCII(p.PartNo), c), "delete it: another part would be ordered than is read")
	}
	rd.kindAndMedium(r, &p)
	rd.measures(r, &p)
	rd.price(r, &p)
	rd.supply(r, &p)
	if !rd.bad {
		rd.complete(r, &p)
	}
	if !rd.bad {
		rd.doubt(r, &p)
	}
	return p, !rd.bad
}

// faults reports what a spreadsheet says is wrong with the cells of the columns that are read.
func (rd *reader) faults(r *row) {
	for c, j := range rd.at {
		if j < 0 || j >= len(r.cells) || r.cells[j].fault == nil {
			continue
		}
		cell := &r.cells[j]
		sev := cell.fault.severity
		if sev == diag.Error {
			cell.text = "" // reported; not once more as a value that cannot be read
			if isRemark(column(c)) {
				sev = diag.Warning
			} else {
				rd.bad = true
			}
		}
		rd.report(sev, r, j, cell.fault.summary, cell.fault.detail)
	}
	for _, c := range []column{colPartNo, colPrice, colBreaks, colStock} {
		if j := rd.at[c]; j >= 0 && j < len(r.cells) && r.cells[j].merged {
			rd.fail(r, j, "the cell of "+c.name()+" is merged over several rows", "give each part a cell of its own")
		}
	}
}

// remark is a text for people; what is hidden in it, a line break among others, becomes a blank.
func (rd *reader) remark(r *row, c column) string {
	s := rd.text(r, c)
	if _, i := diag.FirstHidden(s); i < 0 {
		return s
	}
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || diag.Hidden(r) }), " ")
}

// isRemark reports whether nothing is computed from a column.
func isRemark(c column) bool {
	return slices.Contains([]column{colVendor, colDescription, colFormFactor, colSource, colNote}, c)
}
