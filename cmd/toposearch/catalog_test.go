package main

import (
	"os"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"toposearch/catalog"
)

// german writes a workbook with a head of two rows and a hidden sheet.
func german(t *testing.T, path string) {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	for cell, r := range map[string][]any{
		"A1": {"Artikel-Nr.", "Typ", "Datenrate", "Anzahl Ports", "Leistungsaufnahme", nil, "Preis", nil},
		"C2": {"Gbit/s", nil, "typisch [W]", "max. [W]", "Rahmen", "Liste"},
		"A3": {"SW-1", "Switch", 400, 64, 900, 1580000, "41.234,50", "52.000,00"}, "A4": {"Preise ohne MwSt."},
	} {
		f.SetSheetRow("Sheet1", cell, &r)
	}
	f.MergeCell("Sheet1", "E1", "F1")
	f.MergeCell("Sheet1", "G1", "H1")
	f.NewSheet("Alt")
	f.SetCellValue("Alt", "A1", "part_no")
	f.SetSheetVisible("Alt", false)
	if err := f.SaveAs(path); err != nil {
		t.Fatal(err)
	}
}

// A workbook is imported with the column that is named, written as a list that reads the same, and compared.
func TestCatalogImportAndDiff(t *testing.T) {
	t.Chdir(t.TempDir())
	german(t, "preise.xlsx")
	args := []string{"catalog", "import", "preise.xlsx", "--as-of", "2026-11-01", "--currency", "EUR", "--column", "unit_price=Preis Rahmen", "--out", "parts.csv"}
	status, out, errw := command(t, args...)
	for _, want := range []string{"preise.xlsx#Sheet1", "rows 1, 2", "unit_price, as declared", "Leistungsaufnahme max. (W)", "power_w in W", `"Preise ohne MwSt."`, "not read: hidden", "1 value questioned", "written to parts.csv"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s%s", want, out, errw)
		}
	}
	if status != 0 || !strings.Contains(errw, "is that in W?") {
		t.Fatalf("exit %d, %s", status, errw)
	}
	for line := range strings.Lines(out) {
		if n := len([]rune(strings.TrimRight(line, "\n"))); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	var doc struct {
		Valid  bool
		Parts  int
		Sheets []catalog.Sheet
	}
	decode(t, "toposearch.catalog-import/1", &doc, append(args, "--json")...)
	if !doc.Valid || doc.Parts != 1 || len(doc.Sheets) != 2 || len(doc.Sheets[0].Questioned) != 1 || doc.Sheets[0].Questioned[0].Column != "F" {
		t.Errorf("%+v", doc)
	}
	c, l := catalog.Load("parts.csv")
	if c == nil || c.Parts[0].UnitPrice != 41234_50 || c.Parts[0].Currency != "EUR" {
		t.Fatalf("%v", l)
	}
	text, err := os.ReadFile("parts.csv")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("new.csv", []byte(strings.Replace(string(text), "41234.50", "45000", 1)+"SW-2,switch"+strings.Repeat(",", len(catalog.Columns())-2)+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, errw := command(t, "catalog", "diff", "parts.csv", "new.csv"); status != exitUsage || !strings.Contains(errw, "new.csv:3") || !strings.Contains(errw, "a switch needs rate_gbps") {
		t.Errorf("a list with an error: exit %d, %s", status, errw)
	}
	if err := os.WriteFile("new.csv", []byte(strings.Replace(string(text), "41234.50", "45000", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, out, _ := command(t, "catalog", "diff", "parts.csv", "new.csv"); status != 0 || !strings.Contains(out, "41234.50 EUR -> 45000.00 EUR  (+9.1 %)") && !strings.Contains(out, "41234.50 EUR -> 45000.00 EUR (+9.1 %)") {
		t.Errorf("exit %d, %s", status, out)
	}
	if status, _, _ := command(t, "catalog", "diff", "parts.csv", "new.csv", "--exit-code"); status != exitDiffer {
		t.Errorf("lists that differ: exit %d", status)
	}
	if status, _, _ := command(t, "catalog", "diff", "parts.csv", "parts.csv", "--exit-code"); status != 0 {
		t.Errorf("a list against itself: exit %d", status)
	}
	var moved struct{ Prices catalog.PriceMoves }
	decode(t, "toposearch.catalog-diff/1", &moved, "catalog", "diff", "parts.csv", "new.csv", "--json")
	if moved.Prices.Up != 1 || moved.Prices.Both != 1 {
		t.Errorf("%+v", moved)
	}
}

// What is wrong with flags is told at once, and nothing is written of a list with an error.
func TestCatalogImportRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	german(t, "preise.xlsx")
	status, _, errw := command(t, "catalog", "import", "preise.xlsx", "--decimal", ";", "--encoding", "koi8", "--currency", "Taler", "--as-of", "soon", "--column", "prise=x")
	for _, want := range []string{"--decimal", "--encoding", "--currency", "--as-of", `there is no column "prise"`} {
		if status != exitUsage || !strings.Contains(errw, want) {
			t.Errorf("exit %d, %s: no word of %s", status, errw, want)
		}
	}
	status, _, errw = command(t, "catalog", "import", "preise.xlsx", "--column", "unit_price=Preis Ramen", "--out", "parts.csv")
	if _, err := os.Stat("parts.csv"); status != exitUsage || err == nil || !strings.Contains(errw, `did you mean "Preis Rahmen"?`) {
		t.Errorf("exit %d, %s", status, errw)
	}
	if status, _, errw = command(t, "catalog", "import"); status != exitUsage || !strings.Contains(errw, "name a price list") {
		t.Errorf("exit %d, %s", status, errw)
	}
}

// A study says which column is which, to check, to import and to a run alike.
func TestCatalogColumnsOfStudy(t *testing.T) {
	t.Chdir(t.TempDir())
	german(t, "preise.xlsx")
	study := "[catalog]\nfiles = [\"preise.xlsx\"]\ncurrency = \"EUR\"\n[catalog.columns]\nunit_price = { head = \"Preis Liste\", unit = \"EUR\" }\n[endpoints]\ncount = 16\nbandwidth = \"400 Gb/s\"\n[space]\nfamilies = [\"zcube\"]\n[[objective]]\nmetric = \"diameter\"\n[cost]\ncurrency = \"EUR\"\n"
	if err := os.WriteFile("study.toml", []byte(study), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, out, errw := command(t, "catalog", "import", "--study", "study.toml", "--out", "parts.csv"); status != 0 {
		t.Fatalf("exit %d, %s%s", status, out, errw)
	}
	if c, l := catalog.Load("parts.csv"); c == nil || c.Parts[0].UnitPrice != 52000_00 {
		t.Errorf("%+v %v", c, l)
	}
	if _, out, errw := command(t, "check", "study.toml"); !strings.Contains(out, "preise.xlsx#Sheet1: head in row 1, 2; 1 switch; prices: 1 in EUR") {
		t.Errorf("check says %s%s", out, errw)
	}
	if err := os.WriteFile("bad.toml", []byte(strings.Replace(study, "Preis Liste", "Preis Lste", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, errw := command(t, "check", "bad.toml"); status != exitUsage || !strings.Contains(errw, `bad.toml:5:`) || !strings.Contains(errw, `did you mean "Preis Liste"?`) {
		t.Errorf("exit %d, %s", status, errw)
	}
}
