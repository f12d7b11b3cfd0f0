package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"toposearch/catalog"
)

// mostLeft is how many rows that are no parts are shown of a sheet.
const mostLeft = 8

// printImport prints what was understood, then the findings.
func (a *app) printImport(doc *importDoc) {
	for i := range doc.Sheets {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		a.printSheet(&doc.Sheets[i])
	}
	errors, warnings := doc.Diagnostics.Count()
	asked := 0
	for i := range doc.Sheets {
		asked += len(doc.Sheets[i].Questioned)
	}
	fmt.Fprintln(a.out)
	text := fmt.Sprintf("%s, held against %s: %s, %s", count(doc.Parts, "part"), doc.AsOf, count(errors, "error"), count(warnings, "warning"))
	if !doc.Valid {
		text = fmt.Sprintf("Not valid, held against %s: %s, %s", doc.AsOf, count(errors, "error"), count(warnings, "warning"))
	}
	if asked > 0 {
		text += ", " + count(asked, "value") + " questioned"
	}
	if len(doc.Diagnostics) > 0 {
		text += " (below, each with its place and remedy)"
	}
	fmt.Fprint(a.out, hanging(text))
	if doc.Out != "" {
		fmt.Fprintf(a.out, "written to %s\n", doc.Out)
	}
	if len(doc.Diagnostics) > 0 {
		doc.Diagnostics.Print(a.err)
	}
}

// printSheet prints what was understood of a sheet in 80 columns.
func (a *app) printSheet(s *catalog.Sheet) {
	fmt.Fprintln(a.out, s.File)
	if s.Skipped != "" {
		fmt.Fprintln(a.out, "  not read: "+s.Skipped)
		return
	}
	fact := func(name, text string) { fmt.Fprint(a.out, labelled("  "+name, 14, text)) }
	head := "row "
	if len(s.HeadRows) > 1 {
		head = "rows "
	}
	fact("head", head+catalog.Lines(s.HeadRows))
	if s.Encoding != "" {
		fact("text", s.Encoding+", separated by the "+s.Separator)
	}
	if s.Decimal != "" {
		fact("numbers", "with a decimal "+s.Decimal)
	}
	fact("parts", sheetParts(s))
	fact("prices", sheetPrices(s))
	rows := fmt.Sprintf("%d below the head: %s", s.Rows, count(s.Parts, "part"))
	if s.Refused > 0 {
		rows += fmt.Sprintf(", %d refused", s.Refused)
	}
	if len(s.Left) > 0 {
		rows += fmt.Sprintf(", %d no parts", len(s.Left))
	}
	fact("rows", rows)
	fmt.Fprintln(a.out, "  columns")
	for _, c := range s.Columns {
		what := c.Field
		if c.Unit != "" {
			what += " in " + c.Unit
		}
		if c.Declared {
			what += ", as declared"
		}
		if c.Ignored != "" {
			what = "ignored: " + c.Ignored
		}
		head := strings.Join(strings.Fields(c.Head), " ")
		fmt.Fprint(a.out, labelled(fmt.Sprintf("    %-3s %s ", c.Column, head), 40, what))
	}
	if len(s.Left) > 0 {
		fmt.Fprintln(a.out, "  no parts")
	}
	for _, r := range s.Left[:min(len(s.Left), mostLeft)] {
		fmt.Fprint(a.out, labelled(fmt.Sprintf("    row %d", r.Row), 14, fmt.Sprintf("%s: %q", r.Why, r.Text)))
	}
	if more := len(s.Left) - mostLeft; more > 0 {
		fmt.Fprintf(a.out, "    and %s, in --json\n", count(more, "more row"))
	}
	if len(s.Questioned) > 0 {
		fmt.Fprintln(a.out, "  questioned")
	}
	for _, q := range s.Questioned[:min(len(s.Questioned), mostLeft)] {
		at := q.Column + fmt.Sprint(q.Row)
		if s.Separator != "" {
			at = fmt.Sprintf("row %d", q.Row)
		}
		fmt.Fprint(a.out, labelled("    "+at, 14, fmt.Sprintf("%s %q of %s: %s", q.Field, q.Value, q.PartNo, q.Why)))
	}
	if more := len(s.Questioned) - mostLeft; more > 0 {
		fmt.Fprintf(a.out, "    and %s, in --json\n", count(more, "more value"))
	}
}

// sheetParts counts the parts of a sheet by kind.
func sheetParts(s *catalog.Sheet) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(s.Kinds)) {
		out = append(out, fmt.Sprintf("%d %s", s.Kinds[k], k))
	}
	text := strings.Join(out, ", ")
	if text == "" {
		text = "none"
	}
	if s.Kind != "" {
		text += ", where no column says else, by the name of the sheet: " + s.Kind
	}
	return text
}

// sheetPrices counts the prices of a sheet by currency.
func sheetPrices(s *catalog.Sheet) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(s.Currencies)) {
		out = append(out, fmt.Sprintf("%d in %s", s.Currencies[k], k))
	}
	if s.Unpriced > 0 || len(out) == 0 {
		out = append(out, fmt.Sprintf("%d without a price", s.Unpriced))
	}
	return strings.Join(out, ", ")
}

// readLine is what check says of a sheet that it read, in 80 columns.
func readLine(s *catalog.Sheet) string {
	if s.Skipped != "" {
		return hanging(s.File + ": not read: " + s.Skipped)
	}
	text := fmt.Sprintf("%s: head in row %s; %s; prices: %s", s.File, catalog.Lines(s.HeadRows), sheetParts(s), sheetPrices(s))
	if len(s.Left) > 0 {
		text += "; " + count(len(s.Left), "row") + " no parts"
	}
	if len(s.Questioned) > 0 {
		text += "; " + count(len(s.Questioned), "value") + " questioned"
	}
	return hanging(text)
}
