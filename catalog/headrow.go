package catalog

import (
	"slices"
	"strings"
)

// headRow is the head of a table: a row, or two of which each column has a half.
type headRow struct {
	first, last int // indices of rows
	row         row // of two rows, the joined texts, at the lines and columns of the lower
	heads       []head
}

// findHead finds the head row and its columns; nil if there is none. rules say more heads than are known.
func (t *table) findHead(rules []ColumnRule) *headRow {
	for i := range t.rows[:min(len(t.rows), headRows)] {
		one := match(&t.rows[i], rules)
		if i+1 < len(t.rows) {
			joined := t.joinHead(i)
			two := match(&joined, rules)
			// Two rows are one head only where that says more than either alone: below a head stand parts, or units.
			if isHead(two) && len(two) > max(len(one), len(match(&t.rows[i+1], rules))) {
				return &headRow{i, i + 1, joined, two}
			}
		}
		if isHead(one) {
			return &headRow{i, i, t.rows[i], one}
		}
	}
	return nil
}

// isHead reports whether the recognised columns of a row make it the head of a list of parts.
func isHead(hs []head) bool {
	return len(hs) >= minHeads && slices.ContainsFunc(hs, func(h head) bool { return h.col == colPartNo })
}

// match recognises the columns of a head, the declared ones first: what is declared for a column is the only
// one of it.
func match(r *row, rules []ColumnRule) []head {
	var hs []head
	declared := map[column]bool{}
	for j := range r.cells {
		if rule := ruleFor(rules, r.cells[j].text); rule != nil {
			c, _ := columnNamed(rule.Field)
			hs = append(hs, head{col: c, index: j, hint: rule.hint(), rule: rule})
			declared[c] = true
		} else if c, hint, ok := matchHead(r.cells[j].text); ok {
			hs = append(hs, head{col: c, index: j, hint: hint})
		}
	}
	return slices.DeleteFunc(hs, func(h head) bool { return h.rule == nil && declared[h.col] })
}

// joinHead joins row i with the one below, column by column. A cell that is merged over several columns, or in CSV
// one with blanks to its right, heads all of them: "Price" over "list" and "net".
func (t *table) joinHead(i int) row {
	upper, lower := &t.rows[i], &t.rows[i+1]
	out := row{line: lower.line, src: lower.src}
	over, until := "", -1 // the last cell of the upper row, and the column up to which it reaches
	for j := range max(len(upper.cells), len(lower.cells)) {
		u, l := upper.at(j), lower.at(j)
		c := cell{column: j + 1}
		switch {
		case u != "":
			over, until = u, j+max(upper.cells[j].span, 1)-1
			if t.comma != 0 {
				until = maxColumns
			}
			c.column = upper.cells[j].column
		case j <= until && l != "":
			u = over
		}
		if l != "" {
			c.column = lower.cells[j].column
		}
		if l != "" && lower.cells[j].number { // a figure is no head
			l = ""
		}
		c.text = joinedHead(u, l)
		out.cells = append(out.cells, c)
	}
	return out
}

// joinedHead is the head that two rows say together: the first of their combinations that is known, both if none is.
func joinedHead(upper, lower string) string {
	switch {
	case lower == "" || upper == lower:
		return upper
	case upper == "":
		return lower
	}
	u, inU := cutBrackets(upper)
	l, inL := cutBrackets(lower)
	unit := strings.TrimSpace(inU + " " + inL)
	if unit != "" {
		unit = " (" + unit + ")"
	}
	both := strings.TrimSpace(u+" "+l) + unit
	for _, s := range []string{both, strings.TrimSpace(l+" "+u) + unit, lower} {
		if _, _, ok := matchHead(s); ok {
			return s
		}
	}
	return both
}
