package catalog

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"toposearch/internal/diag"
)

// Limits on what a workbook may unpack to: a price list is small, a zip bomb is not.
const (
	maxBook  = 64 << 20
	maxSheet = 16 << 20
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
	f, err := excelize.OpenReader(bytes.NewReader(data), excelize.Options{RawCellValue: true, UnzipSizeLimit: maxBook, UnzipXMLSizeLimit: maxSheet})
	if err != nil {
		damaged(err)
		return nil
	}
	defer f.Close()
	found, seen := false, false
	for _, sheet := range f.GetSheetList() {
		if only != "" && sheet != only {
			continue
		}
		seen = true
		t, err := readSheet(f, file, sheet, l)
		if err != nil {
			damaged(err)
			continue
		}
		at, heads := t.findHead()
		if at < 0 {
			if len(t.rows) > 0 {
				l.Add(diag.Diagnostic{Severity: diag.Warning, Pos: diag.Pos{File: t.file}, Summary: "the sheet has no row of column heads and is ignored", Detail: "a list of parts needs part_no, kind, unit_price or more of the known heads in one row"})
			}
			continue
		}
		found = true
		parts = append(parts, t.parts(at, heads, opt, l)...)
	}
	switch {
	case only != "" && !seen:
		l.Errorf(diag.Pos{File: file}, "there is no sheet %q; there is %s", only, strings.Join(f.GetSheetList(), ", "))
	case !found:
		l.Add(diag.Diagnostic{Severity: diag.Error, Pos: diag.Pos{File: file}, Summary: "no sheet has a row of column heads",
			Detail: fmt.Sprintf("one of the first %d rows must hold part_no, kind and unit_price or more of the known heads", headRows)})
	}
	return parts
}

// readSheet takes the cells raw and asks for formula, type and style only where they matter.
func readSheet(f *excelize.File, file, sheet string, l *diag.List) (*table, error) {
	t := &table{file: file + "#" + sheet}
	rows, err := f.Rows(sheet)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	props, err := f.GetWorkbookProps()
	date1904 := err == nil && props.Date1904 != nil && *props.Date1904
	for line := 1; rows.Next(); line++ {
		if line > maxSheetRows {
			return nil, fmt.Errorf("sheet %s has more than %d rows", sheet, maxSheetRows)
		}
		raw, err := rows.Columns(excelize.Options{RawCellValue: true})
		if err != nil {
			return nil, err
		}
		if len(raw) > maxSheetColumns {
			return nil, fmt.Errorf("sheet %s has more than %d columns", sheet, maxSheetColumns)
		}
		if len(raw) == 0 {
			continue
		}
		r := row{line: line, cells: make([]cell, len(raw))}
		for j := range raw {
			r.cells[j] = readCell(f, sheet, line, j+1, raw[j], date1904, t.file, l)
		}
		t.rows = append(t.rows, r)
	}
	return t, nil
}

func readCell(f *excelize.File, sheet string, line, col int, raw string, date1904 bool, file string, l *diag.List) cell {
	c := cell{text: raw, column: col}
	name, err := excelize.CoordinatesToCellName(col, line)
	if err != nil {
		return c
	}
	pos := diag.Pos{File: file, Line: line, Column: col}
	if raw == "" {
		formula, _ := f.GetCellFormula(sheet, name)
		if formula == "" {
			return c
		}
		v, err := "", error(nil)
		if budget := maxFormulaCells; computable(f, sheet, formula, &budget) {
			v, err = f.CalcCellValue(sheet, name, excelize.Options{RawCellValue: true})
		}
		if err != nil || v == "" || strings.HasPrefix(v, "#") {
			l.Add(diag.Diagnostic{Severity: diag.Error, Pos: pos, Summary: fmt.Sprintf("cell %s: the formula =%s has no value", name, formula), Detail: "open the workbook, let it compute, and save it"})
			return c
		}
		l.Add(diag.Diagnostic{Severity: diag.Warning, Pos: pos, Summary: fmt.Sprintf("cell %s: the formula =%s has no stored value and was computed here: %s", name, formula, v)})
		c.text, raw = v, v
	} else if kind, _ := f.GetCellType(sheet, name); kind == excelize.CellTypeError || kind == excelize.CellTypeFormula && strings.HasPrefix(raw, "#") {
		l.Add(diag.Diagnostic{Severity: diag.Error, Pos: pos, Summary: fmt.Sprintf("cell %s is an error value: %s", name, raw), Detail: "mend the formula"})
		c.text = ""
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

// numberFormat tells which currency a cell's format names and whether it is a date.
func numberFormat(f *excelize.File, sheet, name string) (currency string, date bool) {
	id, err := f.GetCellStyle(sheet, name)
	if err != nil || id == 0 {
		return "", false
	}
	st, err := f.GetStyle(id)
	if err != nil || st == nil {
		return "", false
	}
	code := ""
	if st.CustomNumFmt != nil {
		code = *st.CustomNumFmt
	}
	// Formats 14 to 17 and 22 of ECMA-376, 18.8.30, are dates; 27 to 36 and 50 to 58 are dates of
	// East Asian locales.
	n := st.NumFmt
	if n >= 14 && n <= 17 || n == 22 || n >= 27 && n <= 36 || n >= 50 && n <= 58 {
		return "", true
	}
	for sign, cur := range map[string]string{"€": "EUR", "EUR": "EUR", "£": "GBP", "USD": "USD", "$$": "USD", "[$$": "USD", `"$"`: "USD"} {
		if strings.Contains(code, sign) {
			return cur, false
		}
	}
	if n >= 5 && n <= 8 || n == 42 || n == 44 || strings.HasPrefix(code, "$") {
		return "USD", false
	}
	bare := stripQuoted(strings.ToLower(code))
	return "", strings.Contains(bare, "yy") || strings.Contains(bare, "dd") && strings.Contains(bare, "mm")
}

// stripQuoted removes literal text and bracketed parts from a number format.
func stripQuoted(s string) string {
	var b strings.Builder
	var until byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case until != 0:
			if c == until {
				until = 0
			}
		case c == '"':
			until = '"'
		case c == '[':
			until = ']'
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
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
