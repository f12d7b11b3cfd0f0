package catalog

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"toposearch/diag"
)

// book makes a workbook as a supplier would: a merged title, a head in the fourth row, money and
// date formats, formulas with and without a value, and a sheet of notes.
func book(t testing.TB, change func(f *excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	const s = "Switches"
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(f.SetSheetName("Sheet1", s))
	must(f.SetCellValue(s, "A1", "Price list of the example company"))
	must(f.MergeCell(s, "A1", "F1"))
	must(f.SetSheetRow(s, "A4", &[]any{"Part Number", "Type", "Speed", "Ports", "Max Power (W)", "Unit Price", "Currency", "Valid until", "AFR", "Lead Time (weeks)"}))
	until := time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)
	must(f.SetSheetRow(s, "A5", &[]any{"SW-1", "switch", 400, 64, 1500, 1234.5, "USD", until, 0.35, 26}))
	must(f.SetSheetRow(s, "A6", &[]any{"SW-2", "switch", 400, 32, 800, 19.99, "USD", "2026-12-31", 0.02, 26}))
	money, _ := f.NewStyle(&excelize.Style{CustomNumFmt: ptr("$#,##0.00")})
	date, _ := f.NewStyle(&excelize.Style{NumFmt: 14})
	pct, _ := f.NewStyle(&excelize.Style{NumFmt: 9})
	must(f.SetCellStyle(s, "F5", "F6", money))
	must(f.SetCellStyle(s, "H5", "H5", date))
	must(f.SetCellStyle(s, "I5", "I6", pct))
	_, err := f.NewSheet("Notes")
	must(err)
	must(f.SetCellValue("Notes", "A1", "All prices without tax"))
	if change != nil {
		change(f)
	}
	var b bytes.Buffer
	must(f.Write(&b))
	return b.Bytes()
}

func ptr(s string) *string { return &s }

func TestReadBook(t *testing.T) {
	c, l := Read("book.xlsx", book(t, nil), LoadOptions{})
	if c == nil || len(l) != 1 || !strings.Contains(l[0].Summary, "ignored") || l[0].Pos.File != "book.xlsx#Notes" {
		t.Fatalf("findings %v", l)
	}
	p := c.Part("SW-1")
	if p.UnitPrice != 1234_50 || p.Currency != "USD" || p.ValidUntil != "2026-12-31" || p.AFR != 0.35 || p.LeadWeeks != 26 || p.PowerW != 1500 ||
		p.Pos.String() != "book.xlsx#Switches:5:1" {
		t.Errorf("SW-1: %+v", p)
	}
	if q := c.Part("SW-2"); q.UnitPrice != 19_99 || q.ValidUntil != "2026-12-31" {
		t.Errorf("SW-2: %+v", q)
	}
	if c, l := Read("book.xlsx#Switches", book(t, nil), LoadOptions{}); c == nil || len(l) != 0 || len(c.Parts) != 2 {
		t.Errorf("one sheet: %v", l)
	}
	if c, l := Read("book.xlsx#Cables", book(t, nil), LoadOptions{}); c != nil || !strings.Contains(fmt.Sprint(l), `no sheet "Cables"; there is Switches, Notes`) {
		t.Errorf("a sheet that is not there: %v", l)
	}
}

func TestReadBookOddCells(t *testing.T) {
	for name, c := range map[string]struct {
		change func(f *excelize.File)
		want   string // in the findings
		ok     bool
		check  func(p *Part) bool
	}{
		"formula without a value": {func(f *excelize.File) {
			f.SetCellValue("Switches", "F5", nil)
			f.SetCellFormula("Switches", "F5", "1000*2+0.5")
		},
			"no stored value and was computed", true, func(p *Part) bool { return p.UnitPrice == 2000_50 }},
		"formula with an error": {func(f *excelize.File) {
			f.SetCellValue("Switches", "F5", nil)
			f.SetCellFormula("Switches", "F5", "1/0")
		},
			"has no value", false, nil},
		"formula over cells": {func(f *excelize.File) {
			f.SetCellValue("Switches", "F5", nil)
			f.SetCellFormula("Switches", "F5", "ROUND(SUM($D$5:D6)*1.5,2)")
		},
			"was computed", true, func(p *Part) bool { return p.UnitPrice == 144_00 }},
		"formula that counts the world": {func(f *excelize.File) {
			f.SetCellValue("Switches", "F5", nil)
			f.SetCellFormula("Switches", "F5", "SUM(A1:XFD1048576)")
		},
			"has no value", false, nil},
		"formula in a circle": {func(f *excelize.File) {
			f.SetCellValue("Switches", "F5", nil)
			f.SetCellFormula("Switches", "F5", "L5+1")
			f.SetCellFormula("Switches", "L5", "F5+1")
		}, "has no value", false, nil},
		"wide": {func(f *excelize.File) { f.SetCellValue("Switches", "XFD9", 1) }, "column 16384; at most 512 are read", false, nil},
		"numeric part number": {func(f *excelize.File) { f.SetCellValue("Switches", "A5", 980012345678901) },
			"980012345678901 is a number cell", true, nil},
		"format of another currency": {func(f *excelize.File) { f.SetCellValue("Switches", "G5", "EUR") },
			"formatted as USD, the currency column says EUR", true, nil},
		"price as text": {func(f *excelize.File) { f.SetCellValue("Switches", "F5", "$1,234.50") }, "", true,
			func(p *Part) bool { return p.UnitPrice == 1234_50 }},
		"binary fraction": {func(f *excelize.File) { f.SetCellValue("Switches", "F5", 0.1+0.2) }, "", true,
			func(p *Part) bool { return p.UnitPrice == 30 }},
		"dollars by format": {func(f *excelize.File) { f.SetCellValue("Switches", "G5", "CAD") }, "", true,
			func(p *Part) bool { return p.Currency == "CAD" && p.UnitPrice == 1234_50 }},
		"currency by format only": {func(f *excelize.File) { f.SetCellValue("Switches", "G5", nil) }, "", true,
			func(p *Part) bool { return p.Currency == "USD" }},
		"negative": {func(f *excelize.File) { f.SetCellValue("Switches", "F5", -3) }, "book.xlsx#Switches:5:6: error: the price is negative", false, nil},
	} {
		cat, l := Read("book.xlsx", book(t, c.change), LoadOptions{})
		if (cat != nil) != c.ok || c.want != "" && !strings.Contains(fmt.Sprint(l), c.want) {
			t.Errorf("%s: %v, want %q", name, l, c.want)
			continue
		}
		if c.check != nil && !c.check(&cat.Parts[0]) {
			t.Errorf("%s: %+v", name, cat.Parts[0])
		}
	}
}

func TestReadBookDamaged(t *testing.T) {
	good := book(t, nil)
	for _, data := range [][]byte{good[:len(good)/2], []byte("PK\x03\x04"), []byte("not a book"), nil} {
		if c, l := Read("book.xlsx", data, LoadOptions{}); c != nil || !l.HasErrors() {
			t.Errorf("%d bytes: accepted", len(data))
		}
	}
}

// A list in two files, CSV and XLSX, is one catalogue; a part may stand in one of them only.
func TestLoadJoinsFiles(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.xlsx")
	os.WriteFile(a, []byte(plainHead+"CB-1,cable,400,,2,,dac-passive,0,5,USD\n"), 0o600)
	os.WriteFile(b, book(t, nil), 0o600)
	c, l := Load(a, b+"#Switches")
	if c == nil || len(c.Parts) != 3 || c.Name != "a.csv, b.xlsx#Switches" {
		t.Fatalf("%v %v", c, l)
	}
	os.WriteFile(a, []byte(plainHead+"SW-1,cable,400,,2,,dac-passive,0,5,USD\n"), 0o600)
	if c, l := Load(a, b); c != nil || !strings.Contains(fmt.Sprint(l), "stands twice") {
		t.Errorf("duplicate across files: %v", l)
	}
}

// FuzzReadCSV: a list is read or refused with its reason; parts are what a part may be, findings have a line
// of the text, and the records of a text, written with all fields in quotes, read as the same records.
func FuzzReadCSV(f *testing.F) {
	f.Add([]byte(plainHead + "A,switch,400,64,,,,1500,\"1,234.50\",USD\n"))
	f.Add([]byte("Part No.;Type;Speed\nA-1;Switch;400G\n\"x\ny\";z\n"))
	f.Add([]byte("a,\"b\"\"\n\"c\" ,\"d\"\n\"e\nf, \"g\n"))
	f.Add(builtinCSV[:900])
	f.Fuzz(func(t *testing.T, data []byte) {
		c, l := Read("p.csv", data, LoadOptions{})
		if c == nil && !l.HasErrors() {
			t.Error("no catalogue and no reason")
		}
		lines := bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r")) + 1
		for _, d := range l {
			if d.Pos.File != "p.csv" || d.Pos.Line > lines || d.Summary == "" {
				t.Errorf("finding %+v", d)
			}
		}
		if c != nil {
			for i := range c.Parts {
				p := &c.Parts[i]
				if p.Priced && p.UnitPrice <= 0 || p.PowerW < 0 || p.LengthM < 0 || p.MOQ < 1 || p.Pack < 1 || p.PartNo == "" || p.Kind == "" {
					t.Errorf("part %+v", p)
				}
				for _, s := range []string{p.PartNo, p.Vendor, p.Description, p.Note, p.Source, p.FormFactor} {
					if r, i := diag.FirstHidden(s); i >= 0 {
						t.Errorf("part %+v holds %U", p, r)
					}
				}
			}
			if _, err := c.Prepare(SwitchLimits{}, Reach{}, Currency{Lenient: true}); err != nil {
				t.Error(err)
			}
		}
		var unread diag.List
		first := readCSV("p.csv", data, LoadOptions{}, &unread)
		if first == nil || unread.HasErrors() {
			return
		}
		var b strings.Builder
		for _, r := range first.rows {
			for j, x := range r.cells {
				if j > 0 {
					b.WriteByte(first.comma)
				}
				b.WriteString(`"` + strings.ReplaceAll(x.text, `"`, `""`) + `"`)
			}
			b.WriteByte('\n')
		}
		unread = nil // warnings of the text itself, such as of its encoding
		again := &table{file: "again", comma: first.comma}
		again.readRecords(&csvText{text: strings.TrimSuffix(b.String(), "\n"), line: 1, sep: first.comma}, &unread)
		if len(unread) > 0 || len(again.rows) != len(first.rows) {
			t.Fatalf("%q is written as %q: %d rows and %d, %v", data, b.String(), len(first.rows), len(again.rows), unread)
		}
		for i := range first.rows {
			for j := range first.rows[i].cells {
				if x, y := first.rows[i].cells[j].text, again.rows[i].cells[j].text; x != y {
					t.Errorf("cell %d of row %d is %q, and read again %q", j, i, x, y)
				}
			}
		}
	})
}

func FuzzReadXLSX(f *testing.F) {
	f.Add(book(f, nil))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if c, l := Read("b.xlsx", data, LoadOptions{}); c == nil && !l.HasErrors() {
			t.Error("no catalogue and no reason")
		}
	})
}
