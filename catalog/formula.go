package catalog

import (
	"strings"

	"github.com/xuri/excelize/v2"
)

// Limits on what is computed in a sheet and repeated over it.
const (
	maxFormulaCells = 2_000     // that a price refers to
	maxMerged       = 1_000_000 // rows that merged cells reach over, all together
)

// plainFunctions are those that a price is computed with.
var plainFunctions = map[string]bool{"SUM": true, "PRODUCT": true, "ROUND": true, "ROUNDUP": true, "ROUNDDOWN": true, "MIN": true, "MAX": true,
	"AVERAGE": true, "IF": true, "ABS": true, "INT": true}

// computable reports whether a formula, with everything it refers to on its sheet, is arithmetic of
// bounded size: only such formulas are computed here when a workbook was saved without values.
func computable(f *excelize.File, sheet, formula string, budget *int) bool {
	up := strings.ToUpper(strings.ReplaceAll(strings.TrimPrefix(formula, "="), "$", ""))
	if len(up) > 500 {
		return false
	}
	last, ranged := "", false
	for i := 0; i < len(up); {
		c := up[i]
		switch {
		case c >= 'A' && c <= 'Z':
			j := i
			for j < len(up) && (up[j] >= 'A' && up[j] <= 'Z' || up[j] >= '0' && up[j] <= '9') {
				j++
			}
			word := up[i:j]
			i = j
			if j < len(up) && up[j] == '(' {
				if !plainFunctions[word] {
					return false
				}
				last = ""
				continue
			}
			from := word
			if ranged {
				from = last
			}
			if !computableRange(f, sheet, from, word, budget) {
				return false
			}
			last, ranged = word, false
		case c == '"': // a text
			j := strings.IndexByte(up[i+1:], '"')
			if j < 0 {
				return false
			}
			i += j + 2
		case c == ':':
			if last == "" {
				return false
			}
			ranged = true
			i++
		case strings.IndexByte("0123456789.+-*/(),;<>= ", c) >= 0:
			i++
		default:
			return false // other sheets, powers, names
		}
	}
	return !ranged
}

// computableRange checks the cells of a range, each of which may hold a formula of its own.
func computableRange(f *excelize.File, sheet, from, to string, budget *int) bool {
	c1, r1, err1 := excelize.CellNameToCoordinates(from)
	c2, r2, err2 := excelize.CellNameToCoordinates(to)
	if err1 != nil || err2 != nil {
		return false
	}
	c1, c2, r1, r2 = min(c1, c2), max(c1, c2), min(r1, r2), max(r1, r2)
	if (c2-c1+1)*(r2-r1+1) > *budget {
		return false
	}
	for r := r1; r <= r2; r++ {
		for c := c1; c <= c2; c++ {
			if *budget--; *budget < 0 {
				return false
			}
			name, err := excelize.CoordinatesToCellName(c, r)
			if err != nil {
				return false
			}
			formula, err := f.GetCellFormula(sheet, name)
			if err != nil || formula != "" && !computable(f, sheet, formula, budget) {
				return false
			}
		}
	}
	return true
}
