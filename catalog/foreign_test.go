package catalog

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// german is a supplier's workbook: a title, a head of two rows with merged cells, German words and numbers, the head
// again on the second page, notes, a hidden sheet of old prices.
func german(t testing.TB, change func(f *excelize.File)) []byte {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	const s = "Preisliste"
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	rows := func(sheet string, at map[string][]any) {
		for cell, r := range at {
			must(f.SetSheetRow(sheet, cell, &r))
		}
	}
	must(f.SetSheetName("Sheet1", s))
	rows(s, map[string][]any{
		"A1":  {"Musterfirma GmbH, Preisliste 2026"},
		"A3":  {"Artikel-Nr.", "Typ", "Datenrate", "Anzahl Ports", "La\u0308nge", "Leistungsaufnahme", nil, "Preis", nil, "Lieferzeit", "Gültig bis", "Kabeltyp"},
		"C4":  {"Gbit/s", nil, "m", "typisch [W]", "max. [W]", "alt", "netto (EUR)", "Wochen"},
		"A5":  {"SW-1", "Switch", 400, 64, nil, 900, 1580, 50000, "41.234,50", 26, "31.12.2026"},
		"A6":  {"DAC-2", "DAC-Kabel", 400, nil, "2,5", nil, 0.1, nil, "120,00", "auf Lager", "31.12.2026"},
		"A7":  {"Artikel-Nr.", "Typ", "Datenrate", "Anzahl Ports", "La\u0308nge"},
		"A8":  {"FIB-3", "Glasfaser", nil, nil, 20, nil, nil, nil, "64,00", "3 Wochen", nil, "OM4"},
		"A10": {"Preise ohne MwSt."}, "A11": {"Lieferung frei Haus"}, "A12": {"Hinweis", "", "Irrtum vorbehalten"},
	})
	must(f.SetCellValue(s, "C12", nil))
	for _, m := range [][2]string{{"A1", "H1"}, {"A3", "A4"}, {"B3", "B4"}, {"F3", "G3"}, {"H3", "I3"}} {
		must(f.MergeCell(s, m[0], m[1]))
	}
	_, err := f.NewSheet("Alt")
	must(err)
	rows("Alt", map[string][]any{"A1": {"part_no", "kind", "rate_gbps", "ports", "unit_price", "currency"}, "A2": {"OLD-1", "switch", 100, 32, 5, "USD"}})
	must(f.SetSheetVisible("Alt", false))
	if change != nil {
		change(f)
	}
	var b bytes.Buffer
	must(f.Write(&b))
	return b.Bytes()
}

// A German workbook is read as it comes, and what was understood is told.
func TestReadGermanBook(t *testing.T) {
	var sheets []Sheet
	c, l := Read("preise.xlsx", german(t, nil), LoadOptions{AsOf: "2026-11-01", Tell: func(s Sheet) { sheets = append(sheets, s) }})
	if c == nil || len(c.Parts) != 3 {
		t.Fatalf("%v", l)
	}
	sw, dac, fib := c.Part("SW-1"), c.Part("DAC-2"), c.Part("FIB-3")
	if sw.Kind != KindSwitch || sw.PowerW != 1580 || sw.PowerTypW != 900 || sw.UnitPrice != 41234_50 || sw.Currency != "EUR" || sw.LeadWeeks != 26 || sw.ValidUntil != "2026-12-31" {
		t.Errorf("%+v", sw)
	}
	if dac.Kind != KindCable || dac.Medium != "dac-passive" || dac.LengthM != 2.5 || dac.UnitPrice != 120_00 || dac.LeadWeeks != 0 {
		t.Errorf("%+v", dac)
	}
	if fib.Kind != KindFibre || fib.Medium != "mmf-om4" || fib.LengthM != 20 || fib.LeadWeeks != 3 {
		t.Errorf("%+v", fib)
	}
	if len(sheets) != 2 || fmt.Sprint(sheets[0].HeadRows) != "[3 4]" || sheets[0].Parts != 3 || sheets[0].Rows != 7 || len(sheets[0].Left) != 4 || sheets[0].Left[0].Why != "the head again" ||
		sheets[1].Skipped != "hidden" || len(sheets[0].Questioned) != 0 {
		t.Errorf("understood: %+v", sheets)
	}
	text := fmt.Sprint(l)
	for _, want := range []string{"preise.xlsx#Alt: warning: the sheet is hidden and is not read", `column "Preis alt" is not known`, "3 rows are taken for notes and ignored: rows 10 to 12"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not among %s", want, text)
		}
	}
	if len(l) != 3 {
		t.Errorf("%d findings: %s", len(l), text)
	}
	if c, l := Read("preise.xlsx#Alt", german(t, nil), LoadOptions{}); c == nil || c.Parts[0].PartNo != "OLD-1" {
		t.Errorf("a hidden sheet by its name: %v", l)
	}
	hide := func(f *excelize.File) { // a workbook shows one sheet at least
		f.NewSheet("Deckblatt")
		f.SetActiveSheet(2)
		f.SetSheetVisible("Preisliste", false)
	}
	if c, l := Read("preise.xlsx", german(t, hide), LoadOptions{}); c != nil || !strings.Contains(fmt.Sprint(l), `the sheet is hidden and is not read`) {
		t.Errorf("all lists hidden: %v", l)
	}
}

// What is declared comes before what is known; what stands in no list is an error, with the nearest head.
func TestDeclaredColumns(t *testing.T) {
	two := "Teil;Kategorie XY;Rate;Ports;Preis netto;Preis A (je Stueck);P max\nA-1;switch;400;64;9000,00;7000,00;1,5\n"
	read := func(rules ...ColumnRule) (*Catalogue, string) {
		c, l := Read("p.csv", []byte(two), LoadOptions{Currency: "EUR", Columns: rules})
		return c, fmt.Sprint(l)
	}
	part, kind := ColumnRule{Field: "part_no", Head: "teil"}, ColumnRule{Field: "kind", Head: "Kategorie  xy"}
	price := ColumnRule{Field: "unit_price", Head: "Preis A (je Stueck)", Unit: "EUR"}
	power := ColumnRule{Field: "power_w", Head: "P max", Unit: "kW"}
	if c, l := read(part, kind, price, power); c == nil || c.Parts[0].UnitPrice != 7000_00 || c.Parts[0].PowerW != 1500 {
		t.Errorf("%v, %s", c, l)
	}
	if c, l := read(part, kind); c == nil || c.Parts[0].UnitPrice != 9000_00 || c.Parts[0].PowerW != 0 {
		t.Errorf("%v, %s", c, l)
	}
	price.Unit = ""
	if c, l := read(part, kind, price); c != nil || !strings.Contains(l, `column "Preis A (je Stueck)": "je Stueck" is not understood as a unit of unit_price`) {
		t.Errorf("an amount of unknown pieces is taken: %s", l)
	}
	if c, l := read(part, kind, ColumnRule{Field: "note", Head: "Preis neto"}); c != nil || !strings.Contains(l, `no list has a column headed "Preis neto", which is to be note`) {
		t.Errorf("a head that is not there: %s", l)
	}
	for _, c := range []struct {
		rule ColumnRule
		want string
	}{
		{ColumnRule{Field: "unit_prise", Head: "x"}, `did you mean "unit_price"?`}, {ColumnRule{Field: "kind"}, "is empty"}, {power, ""}, {ColumnRule{Field: "unit_price", Head: "x", Unit: "chf"}, ""},
		{ColumnRule{Field: "power_w", Head: "x", Unit: "PS"}, "one of w, kw"}, {ColumnRule{Field: "note", Head: "x", Unit: "m"}, "has no unit"}, {ColumnRule{Field: "unit_price", Head: "x", Unit: "Taler"}, "ISO 4217"},
	} {
		if got := c.rule.Check(); (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.rule, got, c.want)
		}
	}
}

// Heads of German and French lists, with their units.
func TestForeignHeads(t *testing.T) {
	for text, want := range map[string]string{
		"Typ": "kind ", "Länge": "length_m ", "L\u0061\u0308nge (cm)": "length_m cm", "Lieferzeit": "lead_time ", "Lieferzeit in Wochen": "lead_time weeks", "Lieferzeit [Tage]": "lead_time days",
		"Preis netto": "unit_price ", "Preis netto (EUR/Stk.)": "unit_price eur", "Einzelpreis in €": "unit_price eur", "Stückpreis CHF": "unit_price chf", "Leistungsaufnahme max. (kW)": "power_w kw",
		"Référence": "part_no ", "Reference": "source ", "Réf.": "part_no ", "Désignation": "description ", "Débit (Gbit/s)": "rate_gbps gb_s", "Prix unitaire HT (€)": "unit_price eur",
		"Délai de livraison (semaines)": "lead_time weeks", "Portée": "reach_m ", "Größe": "none", "Preis brutto": "none", "Prix TTC": "none", "Preis je 100": "none",
	} {
		got := "none"
		if c, hint, ok := matchHead(text); ok {
			got = c.name() + " " + hint
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Figures that nobody sells are read and asked about; those of parts on sale are not.
func TestQuestions(t *testing.T) {
	head := "part_no,kind,rate_gbps,ports,length_m,reach_m,medium,power_w,latency_ns,unit_price,currency,price_breaks,lead_time,valid_until,afr\n"
	for _, c := range []struct{ row, want string }{
		{"A,switch,800,128,,,,3200,400,90000,USD,,60 weeks,,0.1", ""},
		{"A,switch,400,64,,,,1580 kW,,9000,USD,,,,", "power_w"}, {"A,switch,400,64,,,,1.58,,9000,USD,,,,", "power_w"},
		{"9.80012E+14,switch,400,64,,,,1580,,9000,USD,,,,", "part_no"}, {"A,switch,400,64,,,,1580,,9000,USD,,,2025-12-31,", "valid_until"},
		{"A,switch,400000,64,,,,1580,,9000,USD,,,,", "rate_gbps"}, {"A,cable,400,,250,,dac-passive,0,,90,USD,,,,", "length_m"}, {"A,cable,400,,250,,aoc,9,,90,USD,,,,", ""},
		{"A,transceiver,800,2,,2000000,smf-os2,17,,900,USD,,,,", "reach_m"}, {"A,transceiver,800,2,,500,smf-os2,1700,,900,USD,,,,", "power_w"},
		{"A,nic,400,1,,,,25,,900,USD,100:90.00;1000:8.00,,,", "price_breaks"}, {"A,nic,400,1,,,,25,,900,USD,,180 weeks,,", "lead_time"}, {"A,nic,400,1,,,,25,,900,USD,,,,0.9", "afr"},
		{"A,switch,400,64,,,,1580,2000000,9000,USD,,,,", "latency_ns"},
	} {
		var got []string
		cat, l := Read("p.csv", []byte(head+c.row+"\n"), LoadOptions{AsOf: "2026-11-01", Tell: func(s Sheet) {
			for _, q := range s.Questioned {
				got = append(got, q.Field)
			}
		}})
		if cat == nil || strings.Join(got, " ") != c.want || len(l) != len(got) {
			t.Errorf("%s: %v questioned, want %q: %v", c.row, got, c.want, l)
		}
	}
	rows := head
	for i := range 6 {
		rows += fmt.Sprintf("C-%d,cable,400,,%d,,dac-passive,0,,%d.00,USD,,,,\n", i, i+1, 100+10*i)
	}
	if _, l := Read("p.csv", []byte(rows), LoadOptions{}); len(l) != 0 {
		t.Errorf("findings %v", l)
	}
	if _, l := Read("p.csv", []byte(strings.Replace(rows, "110.00", "11000000", 1)), LoadOptions{}); len(l) != 1 || !strings.Contains(l[0].Summary, "is a decimal mark lost?") || l[0].Pos.Line != 3 {
		t.Errorf("a price without its decimal mark: %v", l)
	}
}

// The number of the row is no part number where another column has it.
func TestItemNumbers(t *testing.T) {
	c, l := Read("p.csv", []byte("Item,Part number,Type,Speed,Ports,Price (USD)\n1,SW-1,switch,400,64,9000\n"), LoadOptions{})
	if c == nil || c.Parts[0].PartNo != "SW-1" || len(l) != 1 || !strings.Contains(l[0].Summary, `column "Item" is ignored`) {
		t.Errorf("%+v %v", c, l)
	}
}
