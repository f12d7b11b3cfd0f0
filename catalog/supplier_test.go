package catalog

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// Heads that do not say for certain what stands below them are errors, not columns to be ignored.
func TestReadDoubtfulHeads(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"part_no,kind,rate_gbps,ports,List price (USD),Net price (USD)\nA,switch,400,64,1000,800\n", `p.csv:1:47: error: there are two columns of prices, "List price (USD)" and "Net price (USD)"`},
		{"part_no,kind,rate_gbps,ports,price,currency,Lead time (years)\nA,switch,400,64,1000,USD,1\n", `p.csv:1:45: error: column "Lead time (years)": "years" is not understood as a unit of lead_time`},
		{"part_no,kind,rate_gbps,ports,price,currency,Power (hp)\nA,switch,400,64,1000,USD,1\n", `"hp" is not understood as a unit of power_w`},
		{"part_no,kind,rate_gbps,ports,Price (EUR),currency\nA,switch,400,64,1000,USD\n", `p.csv:2:22: error: the currency column says USD, the head of the prices EUR`},
		{"part_no,rate_gbps,ports,price,currency\nA,400,64,1000,USD\nB,400,64,1000,USD\n", `p.csv:1: error: there is no column of kinds`},
		{"part_no,kind,rate_gbps,ports,Unit price per 100\nA,switch,400,64,1000\n", `warning: there is no column of prices`},
	} {
		cat, l := Read("p.csv", []byte(c.text), LoadOptions{})
		if wantNil := strings.Contains(c.want, "error") || strings.Contains(c.want, "understood"); (cat == nil) != wantNil || !strings.Contains(fmt.Sprint(l), c.want) {
			t.Errorf("%q: %v, want %q", c.text, l, c.want)
		}
	}
}

// What stands beside a number decides its currency where it has one meaning, or the column decides which.
func TestReadMoneySigns(t *testing.T) {
	head := "part_no,kind,rate_gbps,ports,price,currency,price_breaks\n"
	for _, c := range []struct{ price, column, want string }{
		{"$1.50", "", "150 USD"}, {"$1.50", "CAD", "150 CAD"}, {"$1.50 CAD", "", "150 CAD"}, {"C$1.50", "", "150 CAD"}, {"US$ 1.50", "USD", "150 USD"},
		{"1.50 €", "", "150 EUR"}, {"eur 1.50", "", "150 EUR"}, {"¥150", "JPY", "150 JPY"}, {"1.50 kr", "SEK", "150 SEK"}, {"R$1.50", "", "150 BRL"},
		{"€1.50", "USD", "the price is in EUR, the currency column says USD"}, {"¥150", "", "not an amount"}, {"1.50 kr", "", "not an amount"},
		{"$1.50", "EUR", "the price is in USD, the currency column says EUR"}, {"$1.50 EUR", "", "not an amount"}, {"1.5e3", "USD", "not an amount"},
		{"1.50/m", "USD", "not an amount"}, {"(1.50)", "USD", "not an amount"}, {"price on request", "USD", "unpriced"}, {"Call", "USD", "unpriced"},
	} {
		cat, l := Read("p.csv", []byte(head+"A,switch,400,64,"+c.price+","+c.column+",\n"), LoadOptions{})
		got := fmt.Sprint(l)
		if cat != nil {
			got = "unpriced"
			if p := cat.Parts[0]; p.Priced {
				got = fmt.Sprintf("%d %s", p.UnitPrice, p.Currency)
			}
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("price %q, currency %q: %s, want %s", c.price, c.column, got, c.want)
		}
	}
	for currency, want := range map[string]string{"CAD": "CAD", "EUR": "USD"} { // what the study says of the list
		if c := read(t, head+"A,switch,400,64,$9,,\n", LoadOptions{Currency: currency}); c.Parts[0].Currency != want {
			t.Errorf("$9 in a list of %s is in %s, want %s", currency, c.Parts[0].Currency, want)
		}
	}
	for _, breaks := range []string{"1000:7;10:8.50;100:8", "10-99:8.5|100-999:8|1000+:7", ">=10: 8.50; ≥100: $8; 1000@7 USD"} {
		c := read(t, head+"A,switch,400,64,9,USD,"+breaks+"\n", LoadOptions{})
		if got := fmt.Sprint(c.Parts[0].PriceBreaks); got != "[{10 850} {100 800} {1000 700}]" {
			t.Errorf("breaks %s: %s", breaks, got)
		}
	}
	for _, breaks := range []string{"99-10:8", "-10:8", "10:8;10-20:7", "10", "10:-8", "10-:8"} {
		if cat, l := Read("p.csv", []byte(head+"A,switch,400,64,9,USD,"+breaks+"\n"), LoadOptions{}); cat != nil {
			t.Errorf("breaks %s are taken: %v", breaks, l)
		}
	}
}

// The currency of a number format: with a locale, in quotes, bare. Of several countries: none.
func TestCurrencyOfFormats(t *testing.T) {
	for code, want := range map[string]string{
		`#,##0.00\ [$€-407]`: "EUR", `[$CHF-807]\ #,##0.00`: "CHF", `"$"#,##0.00`: "$", `_("$"* #,##0.00_);_("$"* \(#,##0.00\)`: "$", `[$$]#,##0`: "$", `US$#,##0`: "USD",
		`_-* #,##0.00\ "€"_-;\-* #,##0.00\ "€"_-`: "EUR", `[$$-409]#,##0`: "USD", `#,##0 [$$-1009]`: "CAD", `[$$-2C0A]#,##0`: "", `[$¥-411]#,##0`: "JPY",
		`[$¥-804]#,##0`: "CNY", `[$¥]#,##0`: "", `#,##0.00\ "kr"`: "", `[$kr-41D]#,##0.00`: "SEK", `[$-409]#,##0.00;[Red]#,##0.00`: "", `#,##0.00`: "",
		`#,##0\ "USD";[Red]-#,##0\ "EUR"`: "USD", `0.00E+00`: "", `"£"#,##0.00`: "GBP", `yyyy\-mm\-dd`: "", `#,##0 "CAD$"`: "",
	} {
		if got := currencyOf(code); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

// A German workbook gives the built-in format 44 a code with the euro: it is not in dollars.
func TestBuiltInFormatOfAnotherLocale(t *testing.T) {
	euro := book(t, func(f *excelize.File) {
		st, _ := f.NewStyle(&excelize.Style{CustomNumFmt: ptr(`_-* #,##0.00\ "€"_-;\-* #,##0.00\ "€"_-`)})
		f.SetCellStyle("Switches", "F5", "F6", st)
		f.SetCellValue("Switches", "G5", nil)
		f.SetCellValue("Switches", "G6", nil)
	})
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	r, err := zip.NewReader(bytes.NewReader(euro), int64(len(euro)))
	if err != nil {
		t.Fatal(err)
	}
	changed := false
	for _, e := range r.File {
		rc, _ := e.Open()
		data, _ := io.ReadAll(rc)
		rc.Close()
		if e.Name == "xl/styles.xml" {
			s := string(data)
			i := strings.Index(s, `formatCode="_-*`)
			id := s[strings.LastIndex(s[:i], `numFmtId="`):i] // numFmtId="165"
			changed = i > 0
			data = []byte(strings.ReplaceAll(s, id, `numFmtId="44" `))
		}
		f, _ := w.Create(e.Name)
		f.Write(data)
	}
	w.Close()
	if !changed {
		t.Fatal("the styles hold no such format")
	}
	c, l := Read("book.xlsx", out.Bytes(), LoadOptions{})
	if c == nil || c.Parts[0].Currency != "EUR" || c.Parts[1].Currency != "EUR" {
		t.Errorf("parts %+v, findings %v", c, l)
	}
}

// What people do to a sheet that does not change what it says.
func TestReadBookByHand(t *testing.T) {
	const s = "Switches"
	for name, c := range map[string]struct {
		change func(f *excelize.File)
		want   []string // findings, in order, besides that of the sheet of notes
		ok     bool
	}{
		"errors in columns and sheets that are not read": {func(f *excelize.File) {
			f.SetSheetRow(s, "K4", &[]any{"Total"})
			f.SetCellFormula(s, "K5", "VLOOKUP(A5,X!A:B,2)")
			f.SetCellFormula("Notes", "B2", "VLOOKUP(A5,X!A:B,2)")
		}, []string{`column "Total" is not known`}, true},
		"formula prepared for more rows": {func(f *excelize.File) {
			f.SetCellFormula(s, "A9", `IF(B9="","",B9)`)
			f.SetCellFormula(s, "B9", `IF(C9="","",C9)`)
		}, nil, true},
		"kind merged over rows": {func(f *excelize.File) { f.SetCellValue(s, "B6", nil); f.MergeCell(s, "B5", "B6") }, nil, true},
		"price merged over rows": {func(f *excelize.File) { f.SetCellValue(s, "F6", nil); f.MergeCell(s, "F5", "F6") },
			[]string{"Switches:5:6: error: the cell of unit_price is merged", "Switches:6:6: error: the cell of unit_price is merged"}, false},
		"head of two rows": {func(f *excelize.File) {
			f.SetSheetRow(s, "A3", &[]any{"Item", nil, nil, nil, nil, "Commercial"})
			f.MergeCell(s, "A3", "E3")
		}, nil, true},
		"kind by the sheet's name": {func(f *excelize.File) { f.RemoveCol(s, "B") }, nil, true},
		"hidden": {func(f *excelize.File) { f.SetRowVisible(s, 6, false); f.SetColVisible(s, "F", false) },
			[]string{`Switches:4:6: warning: the column "Unit Price" is hidden and is read`, "Switches:6: warning: the row is hidden and is read"}, true},
		"error in a remark": {func(f *excelize.File) { f.SetCellValue(s, "K4", "Note"); f.SetCellFormula(s, "K5", "1/0") }, []string{"5:11: warning: cell K5: the formula =1/0 has no value"}, true},
		"error in a price":  {func(f *excelize.File) { f.SetCellValue(s, "F5", nil); f.SetCellFormula(s, "F5", "1/0") }, []string{"5:6: error: cell F5"}, false},
		"total":             {func(f *excelize.File) { f.SetCellValue(s, "A8", "Total"); f.SetCellValue(s, "F8", 1254.49) }, []string{"8:1: warning: this row is taken for a total"}, true},
	} {
		cat, l := Read("book.xlsx", book(t, c.change), LoadOptions{})
		var got []string
		for _, d := range l {
			if !strings.HasSuffix(d.Pos.File, "#Notes") {
				got = append(got, d.String())
			}
		}
		match := len(got) == len(c.want) && (cat != nil) == c.ok
		for i := range c.want {
			match = match && strings.Contains(got[i], c.want[i])
		}
		if !match {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		} else if cat != nil && (len(cat.Parts) != 2 || cat.Parts[0].UnitPrice != 1234_50 || cat.Parts[1].Kind != KindSwitch || cat.Parts[1].UnitPrice != 19_99) {
			t.Errorf("%s: parts %+v", name, cat.Parts)
		}
	}
}

// Whatever stands in a cell, under whatever format or formula, is read or told; a price is above 0.
func FuzzReadCells(f *testing.F) {
	f.Add("1,234.50", `_-* #,##0.00\ "€"_-`, "SUM(D5:D6)*1.5", uint8(5), false)
	f.Add("#N/A", `[$$-1009]#,##0`, `IF(A5="","",1)`, uint8(6), true)
	f.Add("100:5;10:6", "yyyy-mm-dd", "", uint8(9), true)
	f.Fuzz(func(t *testing.T, text, format, formula string, column uint8, merge bool) {
		if len(text)+len(format)+len(formula) > 300 {
			return
		}
		data := book(t, func(f *excelize.File) {
			name, _ := excelize.CoordinatesToCellName(int(column%10)+1, 5)
			below, _ := excelize.CoordinatesToCellName(int(column%10)+1, 6)
			f.SetCellValue("Switches", name, text)
			if x, err := strconv.ParseFloat(text, 64); err == nil {
				f.SetCellValue("Switches", name, x)
			}
			if st, err := f.NewStyle(&excelize.Style{CustomNumFmt: &format}); err == nil {
				f.SetCellStyle("Switches", name, below, st)
			}
			if formula != "" {
				f.SetCellFormula("Switches", name, formula)
			}
			if merge {
				f.MergeCell("Switches", name, below)
			}
		})
		c, l := Read("book.xlsx", data, LoadOptions{})
		if c == nil && !l.HasErrors() {
			t.Error("no catalogue and no reason")
		}
		for i := range 2 {
			if c != nil && i < len(c.Parts) && c.Parts[i].Priced && c.Parts[i].UnitPrice <= 0 {
				t.Errorf("part %+v", c.Parts[i])
			}
		}
	})
}
