package catalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
	"golang.org/x/text/unicode/norm"

	"toposearch/diag"
	"toposearch/internal/unit"
)

// Check reports what keeps the rule from being one, with the remedy behind a line break; "" if nothing does.
func (x ColumnRule) Check() string {
	c, ok := columnNamed(x.Field)
	switch {
	case !ok:
		remedy := diag.Suggest(x.Field, Columns())
		if remedy == "" {
			remedy = "toposearch help catalog lists the columns"
		}
		return fmt.Sprintf("there is no column %s of price lists\n%s", strconv.Quote(x.Field), remedy)
	case strings.TrimSpace(x.Head) == "":
		return "the head of column " + x.Field + " is empty\nwrite it as it stands in the list"
	case x.Unit == "" || slices.Contains(ruleUnits(c), ruleUnit(x.Unit)):
		return ""
	}
	if _, known := unit.MinorDigits(strings.ToUpper(x.Unit)); known && c == colPrice {
		return ""
	}
	if units := ruleUnits(c); len(units) > 0 {
		return fmt.Sprintf("%s is no unit of column %s\none of %s", strconv.Quote(x.Unit), x.Field, strings.Join(units, ", "))
	}
	if c == colPrice {
		return fmt.Sprintf("%s is no currency\nwrite its ISO 4217 code: USD, EUR, GBP, ...", strconv.Quote(x.Unit))
	}
	return fmt.Sprintf("column %s has no unit\nleave unit out", x.Field)
}

// ruleUnits are the units that bare numbers of a column may have, as headHints and plainUnits name them.
func ruleUnits(c column) []string {
	switch c {
	case colPower, colPowerTyp, colPowerSplit:
		return []string{"w", "kw"}
	case colLength, colReach:
		return []string{"m", "km", "cm", "mm", "ft"}
	case colRate, colReduction:
		return []string{"gb_s", "tbps"}
	case colLead:
		return []string{"weeks", "days", "months"}
	case colLatency:
		return []string{"ns", "us"}
	case colBuffer:
		return []string{"b", "mb"}
	case colWeight:
		return []string{"kg"}
	}
	return nil
}

// ruleUnit is a unit as hints name them: "Gb/s" is gb_s.
func ruleUnit(s string) string {
	key := headKey(s)
	if h, ok := headHints[key]; ok {
		key = h
	}
	if key == "gbps" {
		return "gb_s"
	}
	return key
}

// hint is the unit of bare numbers under the head.
func (x *ColumnRule) hint() string {
	if x.Unit != "" {
		return ruleUnit(x.Unit)
	}
	_, hint := cutHint(x.Head, headKey(x.Head))
	return hint
}

// unread is what the head has in brackets and is no unit of the column, which then must be said.
func (x *ColumnRule) unread() string {
	c, _ := columnNamed(x.Field)
	_, inside := cutBrackets(x.Head)
	if x.Unit != "" || inside == "" || !c.hasUnit() || x.hint() != "" || slices.Contains(ruleUnits(c), ruleUnit(inside)) {
		return ""
	}
	return inside
}

// hasUnit reports whether a column holds numbers of a unit, or amounts of a currency.
func (c column) hasUnit() bool {
	return c == colRate || c == colLead || c == colBuffer || slices.Contains(numericColumns, c)
}

// ruleFor is the first rule about a head; nil if there is none.
func ruleFor(rules []ColumnRule, text string) *ColumnRule {
	if len(rules) == 0 || len(text) > maxHead {
		return nil
	}
	key := foldHead(text)
	for i := range rules {
		if key != "" && foldHead(rules[i].Head) == key {
			return &rules[i]
		}
	}
	return nil
}

// foldHead makes declared heads comparable in any script: letters in lower case, single blanks.
func foldHead(s string) string {
	return strings.Join(strings.Fields(strings.ToLower(norm.NFC.String(s))), " ")
}

// columnNamed is the column of a canonical name.
func columnNamed(name string) (column, bool) {
	for c := range column(numColumns) {
		if c.name() == name {
			return c, true
		}
	}
	return 0, false
}

// columnName is how people name the column of cell j: "F" in a sheet, "6" in a CSV file.
func columnName(t *table, r *row, j int) string {
	if t.comma != 0 {
		return strconv.Itoa(j + 1)
	}
	if name, err := excelize.ColumnNumberToName(j + 1); err == nil {
		return name
	}
	return strconv.Itoa(j + 1)
}

// unmet reports rules about heads that no list has, and the heads that they have.
func unmet(rules []ColumnRule, used map[*ColumnRule]bool, seen []string, l *diag.List) {
	for i := range rules {
		x := &rules[i]
		if used[x] {
			continue
		}
		remedy := "no row of column heads was found"
		if len(seen) > 0 {
			remedy = "there are " + strings.Join(seen[:min(len(seen), mostHeads)], ", ")
			if near := diag.Nearest(x.Head, seen); near != "" {
				remedy = fmt.Sprintf("did you mean %q? %s", near, remedy)
			}
		}
		l.Add(diag.Diagnostic{Severity: diag.Error, Pos: x.Pos, Summary: fmt.Sprintf("no list has a column headed %s, which is to be %s", strconv.Quote(x.Head), x.Field), Detail: remedy})
	}
}

// mostHeads is how many heads a finding names.
const mostHeads = 40
