package catalog

import (
	"slices"
	"strings"

	"toposearch/diag"
)

// tell hands a sheet on to whoever asked.
func (o *LoadOptions) tell(s Sheet) {
	if o.Tell != nil {
		o.Tell(s)
	}
}

// watched gives options of which the rules that apply are noted, and what reports those that never did.
func (o LoadOptions) watched() (LoadOptions, func(l *diag.List)) {
	if len(o.Columns) == 0 {
		return o, func(*diag.List) {}
	}
	rules := slices.Clone(o.Columns)
	used := map[*ColumnRule]bool{}
	var seen []string
	out := o
	out.Columns = rules
	out.Tell = func(s Sheet) {
		for _, c := range s.Columns {
			seen = append(seen, c.Head)
			if x := ruleFor(rules, c.Head); x != nil {
				used[x] = true
			}
		}
		o.tell(s)
	}
	return out, func(l *diag.List) { unmet(rules, used, seen, l) }
}

// leave notes a row that is no part.
func (rd *reader) leave(r *row, why string) {
	var words []string
	for j := range r.cells {
		if text := r.at(j); text != "" {
			words = append(words, text)
		}
	}
	text := []rune(strings.Join(strings.Fields(strings.Join(words, " ")), " "))
	if len(text) > 60 {
		text = append(text[:57], '.', '.', '.')
	}
	rd.sheet.Left = append(rd.sheet.Left, LeftRow{r.line, string(text), why})
}

// ignore notes a column that is not read.
func (s *Sheet) ignore(t *table, hr *row, j int, why string) {
	s.Columns = append(s.Columns, SheetColumn{Column: columnName(t, hr, j), Head: hr.at(j), Ignored: why})
}

// count adds up a row that is a part, or was refused.
func (s *Sheet) count(p *Part, ok bool) {
	if !ok {
		s.Refused++
		return
	}
	s.Parts++
	if s.Kinds == nil {
		s.Kinds, s.Currencies = map[string]int{}, map[string]int{}
	}
	s.Kinds[p.Kind]++
	if p.Priced {
		s.Currencies[p.Currency]++
	} else {
		s.Unpriced++
	}
}

// describe notes the columns that are read, in the order of the sheet.
func (rd *reader) describe(hr *row) {
	for _, h := range rd.heads {
		c := SheetColumn{Column: columnName(rd.t, hr, h.index), Head: hr.at(h.index), Field: h.col.name(), Unit: rd.unitName(h.col), Declared: h.rule != nil}
		if rd.at[h.col] != h.index {
			c.Field, c.Unit, c.Ignored = "", "", "another column is "+h.col.name()
		}
		rd.sheet.Columns = append(rd.sheet.Columns, c)
	}
	index := map[string]int{}
	for j := range hr.cells {
		index[columnName(rd.t, hr, j)] = j
	}
	slices.SortStableFunc(rd.sheet.Columns, func(a, b SheetColumn) int { return index[a.Column] - index[b.Column] })
}

// unitName is the unit of bare numbers of a column; "" where it has none, or each cell must say it.
func (rd *reader) unitName(c column) string {
	switch c {
	case colPrice:
		return strings.ToUpper(rd.hint[c])
	case colLead:
		return rd.unitOf(c, "")
	case colPower, colPowerTyp, colPowerSplit:
		return rd.unitOf(c, "W")
	case colLength, colReach:
		return rd.unitOf(c, "m")
	case colRate, colReduction:
		return rd.unitOf(c, "Gb/s")
	case colLatency:
		return rd.unitOf(c, "ns")
	case colBuffer:
		return rd.unitOf(c, "B")
	case colWeight:
		return "kg"
	}
	return ""
}

// decimalName names the decimal mark that was found or stated.
func (rd *reader) decimalName() string {
	switch rd.mark {
	case markPoint:
		return "point"
	case markComma:
		return "comma"
	}
	return ""
}

// ask reports a value that is read and doubted.
func (rd *reader) ask(r *row, c column, summary, detail string) {
	j := rd.at[c]
	rd.sheet.Questioned = append(rd.sheet.Questioned, Question{Row: r.line, Column: columnName(rd.t, r, j), Field: c.name(), PartNo: rd.text(r, colPartNo), Value: r.at(j), Why: summary})
	rd.warn(r, j, summary, detail)
}
