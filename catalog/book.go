package catalog

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/unicode/norm"

	"toposearch/diag"
)

// readBook reads the sheets of a workbook that have a head row; a sheet named is the only one.
// excelize may panic on a damaged file: that is a finding like any other.
func readBook(file, only string, data []byte, opt LoadOptions, l *diag.List) (parts []Part) {
	damaged := func(what any) {
		l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: file}, Summary: fmt.Sprintf("the workbook cannot be read: %v", what), Detail: "open it and save it again as .xlsx"})
	}
	defer func() {
		if e := recover(); e != nil {
			damaged("it is damaged")
			parts = nil
		}
	}()
	err := inspect(data)
	if book := (*errBook)(nil); errors.As(err, &book) {
		l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: file}, Summary: book.text, Detail: book.remedy})
		return nil
	}
	if err != nil {
		damaged(err)
		return nil
	}
	f, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{RawCellValue: true, UnzipSizeLimit: maxBook, UnzipXMLSizeLimit: maxPart})
	if err != nil {
		damaged(err)
		return nil
	}
	defer f.Close()
	found, seen := false, false // a sheet with a head; the one asked for
	var hidden []string
	for _, sheet := range f.GetSheetList() {
		if only != "" && sheet != only {
			continue
		}
		seen = true
		if visible, err := f.GetSheetVisible(sheet); err == nil && !visible && only == "" {
			hidden = append(hidden, sheet)
			l.Add(diag.Diagnostic{Severity: diag.Warning, Pos: diag.Pos{File: file + "#" + sheet}, Summary: "the sheet is hidden and is not read",
				Detail: fmt.Sprintf("name it to have it read: %q", file+"#"+sheet)})
			opt.tell(Sheet{File: file + "#" + sheet, Skipped: "hidden"})
			continue
		}
		t, err := readSheet(f, file, sheet)
		if err != nil {
			damaged(err)
			continue
		}
		seen = true
		hd := t.findHead(opt.Columns)
		if hd == nil {
			if len(t.rows) > 0 {
				opt.tell(Sheet{File: t.file, Skipped: "it has no row of column heads"})
				l.Add(diag.Diagnostic{Severity: diag.Warning, Pos: diag.Pos{File: t.file}, Summary: "the sheet has no row of column heads and is ignored", Detail: "a list of parts needs part_no, kind, unit_price or more of the known heads in one row"})
			}
			continue
		}
		found = true
		reportHidden(f, sheet, t, hd, l)
		parts = append(parts, t.parts(hd, opt, l)...)
	}
	switch {
	case only != "" && !seen:
		l.Errorf(diag.Pos{File: file}, "there is no sheet %q; there is %s", only, strings.Join(f.GetSheetList(), ", "))
	case !found && len(hidden) > 0 && !seen:
		l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: file}, Summary: "all sheets are hidden: " + strings.Join(hidden, ", "),
			Detail: fmt.Sprintf("name the one with the parts: %q", file+"#"+hidden[0])})
	case !found:
		l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: file}, Summary: "no sheet has a row of column heads",
			Detail: fmt.Sprintf("one of the first %d rows must hold part_no, kind and unit_price or more of the known heads", headRows)})
	}
	return parts
}

// reportHidden says what a reader of the workbook does not see, and is read.
func reportHidden(f *excelize.File, sheet string, t *table, hd *headRow, l *diag.List) {
	warn := func(line, col int, what string) {
		l.Add(diag.Diagnostic{Severity: diag.Warning, Pos: diag.Pos{File: t.file, Line: line, Column: col}, Summary: what,
			Detail: "delete what is not to be bought"})
	}
	if visible, err := f.GetSheetVisible(sheet); err == nil && !visible {
		warn(0, 0, "the sheet is hidden and is read, as it is named")
	}
	for _, h := range hd.heads {
		name, err := excelize.ColumnNumberToName(h.index + 1)
		if err != nil {
			continue
		}
		if visible, err := f.GetColVisible(sheet, name); err == nil && !visible {
			warn(hd.row.line, h.index+1, "the column "+strconv.Quote(hd.row.at(h.index))+" is hidden and is read")
		}
	}
	var lines []int
	for i := hd.last + 1; i < len(t.rows); i++ {
		if r := &t.rows[i]; r.hidden && r.filled() > 1 {
			lines = append(lines, r.line)
		}
	}
	switch len(lines) {
	case 0:
	case 1:
		warn(lines[0], 0, "the row is hidden and is read")
	default:
		warn(lines[0], 0, fmt.Sprintf("%d rows are hidden and are read: rows %s", len(lines), Lines(lines)))
	}
}

// readSheet takes the cells raw and asks for formula, type and style only where they matter.
func readSheet(f *excelize.File, file, sheet string) (*table, error) {
	t := &table{file: file + "#" + sheet, kind: kindNamed(strings.ToLower(norm.NFC.String(strings.TrimSpace(sheet))))}
	rows, err := f.Rows(sheet)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	props, err := f.GetWorkbookProps()
	date1904 := err == nil && props.Date1904 != nil && *props.Date1904
	for line := 1; rows.Next(); line++ {
		if line > maxRows {
			return nil, fmt.Errorf("sheet %s has more than %d rows", sheet, maxRows)
		}
		raw, err := rows.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return nil, err
		}
		if len(raw) > maxColumns {
			return nil, fmt.Errorf("sheet %s has more than %d columns", sheet, maxColumns)
		}
		if len(raw) == 0 {
			continue
		}
		r := row{line: line, hidden: rows.GetRowOpts().Hidden, cells: make([]cell, len(raw))}
		for j := range raw {
			r.cells[j] = readCell(f, sheet, line, j+1, raw[j], date1904)
		}
		t.rows = append(t.rows, r)
	}
	return t, t.fillMerged(f, sheet)
}

// fillMerged repeats a cell that is merged over several rows in each of them, as a reader of the
// sheet sees it. Cells merged over columns are titles: they stay where they begin.
func (t *table) fillMerged(f *excelize.File, sheet string) error {
	merged, err := f.GetMergeCells(sheet)
	if err != nil {
		return err
	}
	budget := maxMerged
	at := map[int]*row{} // by line
	for i := range t.rows {
		at[t.rows[i].line] = &t.rows[i]
	}
	for _, m := range merged {
		col, from, err1 := excelize.CellNameToCoordinates(m.GetStartAxis())
		right, to, err2 := excelize.CellNameToCoordinates(m.GetEndAxis())
		first := at[from]
		if err1 == nil && err2 == nil && first != nil && col <= len(first.cells) {
			first.cells[col-1].span = right - col + 1
		}
		if err1 != nil || err2 != nil || first == nil || col > len(first.cells) || to <= from || first.filled() < 2 {
			continue
		}
		if budget -= min(to, maxRows) - from; budget < 0 {
			return fmt.Errorf("sheet %s has more than %d merged cells", sheet, maxMerged)
		}
		value := first.cells[col-1]
		value.merged = true
		first.cells[col-1].merged = true
		for line := from + 1; line <= min(to, maxRows); line++ {
			r := at[line]
			if r == nil || r.filled() == 0 {
				continue
			}
			for len(r.cells) < col {
				r.cells = append(r.cells, cell{column: len(r.cells) + 1})
			}
			r.cells[col-1] = value
		}
	}
	return nil
}

// readCell reads a cell. What is wrong with it is kept beside it: it matters only where the cell is used.
func readCell(f *excelize.File, sheet string, line, col int, raw string, date1904 bool) cell {
	c := cell{text: raw, column: col}
	name, err := excelize.CoordinatesToCellName(col, line)
	if err != nil {
		return c
	}
	kind, _ := f.GetCellType(sheet, name)
	if raw == "" {
		formula, _ := f.GetCellFormula(sheet, name)
		if formula == "" {
			return c
		}
		if raw = c.compute(f, sheet, name, formula, kind == excelize.CellTypeFormula); raw == "" {
			return c
		}
	} else if kind == excelize.CellTypeError || kind == excelize.CellTypeFormula && strings.HasPrefix(raw, "#") {
		c.fault = &cellFault{diag.Error, fmt.Sprintf("cell %s is an error value: %s", name, raw), "mend the formula"}
		return c
	} else if kind != excelize.CellTypeNumber && kind != excelize.CellTypeUnset && kind != excelize.CellTypeFormula && kind != excelize.CellTypeDate {
		return c
	}
	x, err := strconv.ParseFloat(raw, 64)
	if err != nil || math.IsInf(x, 0) || math.IsNaN(x) {
		return c
	}
	c.number = true
	c.format, c.date = numberFormat(f, sheet, name)
	if c.date {
		if iso, ok := serialDate(x, date1904); ok {
			c.text, c.number = iso, false
			return c
		}
	}
	if strings.ContainsAny(raw, "eE") {
		c.text = strconv.FormatFloat(x, 'f', -1, 64)
	}
	return c
}

// compute gives a cell whose formula was saved without a value its value, "" if it has none. The value of
// a formula that may give the empty text, IF(B10="","",...), is stored as such: text says that the type
// of the stored value is text.
func (c *cell) compute(f *excelize.File, sheet, name, formula string, text bool) string {
	v, err := "", errors.New("not computed")
	budget := maxFormulaCells
	known := computable(f, sheet, formula, &budget)
	if known {
		v, err = f.CalcCellValue(sheet, name, excelize.Options{RawCellValue: true})
	}
	switch empty := strings.Contains(formula, `""`); {
	case empty && err == nil && v == "", empty && text && !known:
		return ""
	case err != nil || v == "" || strings.HasPrefix(v, "#"):
		c.text = "=" + formula
		c.fault = &cellFault{diag.Error, fmt.Sprintf("cell %s: the formula =%s has no value", name, formula), "open the workbook, let it compute, and save it"}
		return ""
	}
	c.text = v
	c.fault = &cellFault{diag.Warning, fmt.Sprintf("cell %s: the formula =%s has no stored value and was computed here: %s", name, formula, v), ""}
	return v
}

// serialDate is the ISO date of a serial number. In the 1900 system day 60 is the 29 February 1900
// that never was, so days count from 1899-12-30.
func serialDate(x float64, date1904 bool) (string, bool) {
	if x < 1 || x > 2_958_465 { // 9999-12-31
		return "", false
	}
	from := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
	if date1904 {
		from = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	return from.AddDate(0, 0, int(x)).Format("2006-01-02"), true
}
