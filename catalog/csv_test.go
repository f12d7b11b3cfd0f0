package catalog

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"toposearch/diag"
)

const plainHead = "part_no,kind,rate_gbps,ports,length_m,reach_m,medium,power_w,unit_price,currency\n"

// read expects a catalogue without errors.
func read(t *testing.T, text string, opt LoadOptions) *Catalogue {
	t.Helper()
	c, l := Read("p.csv", []byte(text), opt)
	if c == nil {
		t.Fatalf("%q: %v", text, l)
	}
	return c
}

// Example rows of a supplier's list, with a twin-port cage, price breaks and four heads left out.
func TestReadSupplierRows(t *testing.T) {
	c := read(t, `part_no,kind,vendor,description,form_factor,rate_gbps,lanes,ports,breakouts,length_m,reach_m,medium,power_w,power_typ_w,unit_price,currency,price_breaks,moq,pack,lead_time,valid_from,valid_until,stock,approved,note
SW-64x800,switch,example,64-cage 800G switch,OSFP,800,8,64,64x800;128x400,,,,1700,1250,52000.00,USD,,1,1,26 weeks,2026-10-01,2026-12-31,0,yes,2 x 400G per cage
DAC-2x400-1.5,cable,example,passive copper 2x400G,OSFP,800,8,2,,1.5,1.5,dac-passive,0.1,0.1,210.00,USD,100:195.00;1000:172.50,10,10,8 weeks,2026-10-01,2026-12-31,400,yes,
XCV-2x400-SR4,transceiver,example,twin-port 2xSR4,OSFP,800,8,2,,,50,mmf-om4,17,15,980.00,USD,500:905.00,1,1,40 weeks,2026-10-01,2026-12-31,0,yes,
FIB-MPO12-20,fibre,example,crossover MPO-12 20 m,MPO-12,,4,1,,20,,mmf-om4,0,0,64.00,USD,,1,1,3 weeks,2026-10-01,2026-12-31,1200,yes,
RACK-42U,rack,example,42U 40 kW,,,,,,,,,,,2600.00,USD,,1,1,6 weeks,2026-10-01,2026-12-31,,yes,
`, LoadOptions{})
	x := mustIndex(t, c, SwitchLimits{}, Reach{})
	cab, ok := x.ChooseCable(400, 5)
	// Two ends share a cage with another link each: 2 x 980.00 / 2 + 64.00.
	if !ok || linkMinor(cab) != 1044_00 || cab.PowerW != 17 || cab.StockM != 20 || cab.Items[1].Num != 2 || cab.Items[1].Den != 2 {
		t.Errorf("400 Gb/s, 5 m: %+v", cab)
	}
	if cab, _ := x.ChooseCable(400, 1); linkMinor(cab) != 105_00 || !cab.Copper || cab.StockM != 1.5 {
		t.Errorf("400 Gb/s, 1 m: %+v", cab)
	}
	if m, ok := x.CheapestCable(400); !ok || m != 86_25 { // 172.50 / 2
		t.Errorf("cheapest link = %d, want 8625", m)
	}
	p := c.Part("DAC-2x400-1.5")
	for _, w := range []struct {
		qty, order int
		each       Money
	}{{1, 10, 210_00}, {95, 100, 195_00}, {99, 100, 195_00}, {101, 110, 195_00}, {991, 1000, 172_50}, {0, 0, 210_00},
		{90, 90, 210_00}, {880, 880, 195_00}, {881, 1000, 172_50}} { // 100 cost 19,500 and 1,000 172,500, less than 890 at 195
		if each, order, ok := p.Price(w.qty); each != w.each || order != w.order || !ok {
			t.Errorf("%d of %s: %d each, order %d; want %d, %d", w.qty, p.PartNo, each, order, w.each, w.order)
		}
	}
	ready := *p
	ready.Stock = 900 // what is ordered beyond need to reach a price would have to be waited for
	if each, order, _ := ready.Price(881); each != 195_00 || order != 890 {
		t.Errorf("881 of which 900 are in stock: %d each, order %d; want 19500, 890", each, order)
	}
	if s := c.Part("SW-64x800"); s.LeadWeeks != 26 || s.PowerTypW != 1250 || len(s.Breakouts) != 2 || s.ValidUntil != "2026-12-31" || s.Note != "2 x 400G per cage" {
		t.Errorf("switch %+v", s)
	}
	if c.Date != "2026-10-01" {
		t.Errorf("date %q", c.Date)
	}
}

// The same two parts in the shapes that spreadsheets and mail programs give them.
func TestReadShapes(t *testing.T) {
	want := read(t, plainHead+"A-1,switch,400,64,,,,1500,1234.50,EUR\nB-2,cable,400,,2.5,,dac-passive,0.1,12.00,EUR\n", LoadOptions{}).Hash()
	latin := "Artikel\xdf Liste\npart_no;kind;rate_gbps;ports;length_m;reach_m;medium;power_w;unit_price;currency\nA-1;switch;400;64;;;;1500;1234,50;EUR\nB-2;cable;400;;2,5;;dac-passive;0,1;12,00;EUR\n"
	for name, c := range map[string]struct {
		text string
		opt  LoadOptions
	}{
		"bom and CRLF":     {"\xef\xbb\xbf" + strings.ReplaceAll(plainHead+"A-1,switch,400,64,,,,1500,1234.50,EUR\nB-2,cable,400,,2.5,,dac-passive,0.1,12.00,EUR\n", "\n", "\r\n"), LoadOptions{}},
		"old Mac line end": {strings.ReplaceAll(plainHead+"A-1,switch,400,64,,,,1500,1234.50,EUR\nB-2,cable,400,,2.5,,dac-passive,0.1,12.00,EUR\n", "\n", "\r"), LoadOptions{}},
		"semicolons":       {"Part No.;Type;Speed;Port Count;Length (m);Reach;Medium;Max Power [W];Unit Price;Currency\nA-1;Switch;400G;64;;;;1.500,0;1.234,50;€\nB-2;DAC;400 Gb/s;;2,5;;;0,1;12,00;EUR\n", LoadOptions{}},
		"titles above":     {"Price list 2026,,,\n,,,\nConfidential\n" + plainHead + "A-1,switch,400,64,,,,1500,1234.50,EUR\nB-2,cable,400,,2.5,,dac-passive,0.1,12.00,EUR\n", LoadOptions{}},
		"thousands":        {plainHead + "A-1,switch,400,64,,,,\"1,500.0\",\"1,234.50\",EUR\nB-2,cable,400,,2.5,,dac-passive,0.1,12.00,EUR\n", LoadOptions{}},
		"tabs":             {"SKU\tcategory\trate\tports\tlength_cm\tmedia\tpower_kw\tprice (EUR)\nA-1\tswitch\t0.4 Tb/s\t64\t\t\t1.5\t1'234.50\nB-2\tcable\t400\t\t250\tDAC\t0.1 W\t€ 12.00\n", LoadOptions{}},
		"units in cells":   {plainHead + "A-1,switch,400GbE,64,,,,1.5 kW,\"€1,234.50\",EUR\nB-2,cable,400,,250 cm,,passive copper,100 mW,12.00 EUR,EUR\n", LoadOptions{}},
		"stated decimal":   {"part_no;kind;rate_gbps;ports;length_m;medium;power_w;unit_price;currency\nA-1;switch;400;64;;;1.500;1.234,50;EUR\nB-2;cable;400;;2,5;dac-passive;0,1;12;EUR\n", LoadOptions{Decimal: ','}},
		"Latin-1":          {latin, LoadOptions{Encoding: "latin1"}},
		"currency given":   {strings.ReplaceAll(plainHead+"A-1,switch,400,64,,,,1500,1234.50,EUR\nB-2,cable,400,,2.5,,dac-passive,0.1,12.00,EUR\n", "EUR", ""), LoadOptions{Currency: "EUR"}},
		"UTF-16":           {utf16Text(true, "\ufeff"+strings.ReplaceAll(plainHead, ",", "\t")+"A-1\tswitch\t400\t64\t\t\t\t1500\t1\u00a0234,50\tEUR\r\nB-2\tcable\t400\t\t2,5\t\tdac-passive\t0,1\t12,00\tEUR\r\n"), LoadOptions{}},
		"UTF-16 unmarked":  {utf16Text(false, plainHead+"A-1,switch,400,64,,,,1500,1234.50,EUR\nB-2,cable,400,,2.5,,dac-passive,0.1,12.00,EUR\n"), LoadOptions{}},
		"row of units":     {"part_no,kind,speed,ports,length,medium,power,price\n,,Gb/s,,cm,,kW,(EUR)\nA-1,switch,400,64,,,1.5,1234.50\nB-2,cable,400,,250,dac-passive,0.0001,12.00\nTotal:,,,,,,,1246.50\n", LoadOptions{}},
		"currency in head": {"part_no,kind,speed,ports,length,medium,power,Price [€]\nA-1,switch,400,64,,,1500,1234.50\nB-2,cable,400,,2.5,dac-passive,0.1,EUR 12.00\n", LoadOptions{}},
		"notes below":      {plainHead + "A-1,switch,400,64,,,,1500,1234.50,EUR\nB-2,cable,400,,2.5,,dac-passive,0.1,12.00,EUR\n\nPrices without VAT.\n", LoadOptions{}},
	} {
		got, l := Read("p.csv", []byte(c.text), c.opt)
		if got == nil {
			t.Errorf("%s: %v", name, l)
		} else if got.Hash() != want {
			t.Errorf("%s: parts %+v", name, got.Parts)
		}
	}
	if c, l := Read("p.csv", []byte(latin), LoadOptions{}); c == nil || len(l) != 1 || l[0].Pos.Line != 1 || !strings.Contains(l[0].Summary, `read as Windows-1252: "Artikelß"`) || !strings.Contains(l[0].Detail, "windows-1252") {
		t.Errorf("a Latin-1 file gives %v", l)
	}
	if c, l := Read("p.csv", []byte(latin), LoadOptions{Encoding: "utf-8"}); c != nil || !strings.Contains(fmt.Sprint(l), "p.csv:1: error: the file is not UTF-8: byte 0xDF") {
		t.Errorf("a Latin-1 file that is to be UTF-8 gives %v", l)
	}
	chinese := strings.Replace(latin, "\xdf", "\xbc\xdb\xb8\xf1", 1) // GBK
	if c, l := Read("p.csv", []byte(chinese), LoadOptions{}); c != nil || !strings.Contains(fmt.Sprint(l), "p.csv:1: error: the file is not UTF-8") {
		t.Errorf("a list in Chinese that is not UTF-8 gives %v", l)
	}
}

func utf16Text(little bool, s string) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		if little {
			b = append(b, byte(u), byte(u>>8))
		} else {
			b = append(b, byte(u>>8), byte(u))
		}
	}
	return string(b)
}

// What a switch adds (SHARP) is a rate of a port, at most the port's, and no other part has one.
func TestReduction(t *testing.T) {
	const head = "part_no,kind,rate_gbps,ports,length_m,medium,power_w,unit_price,currency,reduction\n"
	for _, c := range []struct {
		row, at, want string
		gbps          float64
	}{
		{"A,switch,400,64,,,1500,5,USD,400", "", "", 400},
		{"A,switch,400,64,,,1500,5,USD,0.2 Tb/s", "", "", 200},
		{"A,switch,400,64,,,1500,5,USD,", "", "", 0},
		{"A,switch,400,64,,,1500,5,USD,800", "2:30", "reduction of 800 Gb/s at ports of 400 Gb/s", 0},
		{"A,switch,400,64,,,1500,5,USD,-1", "2:30", "negative", 0},
		{"A,switch,400,64,,,1500,5,USD,yes", "2:30", "reduction", 0},
		{"A,cable,400,,3,dac-passive,0,5,USD,400", "2:36", "only switches add", 0},
	} {
		list, found := Read("x.csv", []byte(head+c.row+"\n"), LoadOptions{})
		if c.want == "" {
			if list == nil || list.Parts[0].ReductionGbps != c.gbps {
				t.Errorf("%s: %+v %v, want %g", c.row, list, found, c.gbps)
			}
			continue
		}
		text := found[0].String() + " " + found[0].Detail
		if list != nil || !strings.Contains(text, c.want) || !strings.HasPrefix(text, "x.csv:"+c.at) {
			t.Errorf("%s: %q, want %q at %s", c.row, text, c.want, c.at)
		}
	}
}

// Each fault by itself: where it is and what the message must hold.
func TestReadFaults(t *testing.T) {
	head := "part_no,kind,rate_gbps,ports,breakouts,length_m,reach_m,medium,power_w,unit_price,currency,price_breaks,lead_time,valid_from,valid_until,approved\n"
	for _, c := range []struct {
		row, at, want string
		sev           diag.Severity
	}{
		{"A,switch,400,64,,,,,1500,-5,USD", "2:26", "negative", diag.Error},
		{"A,switch,400,64,,,,,1500,0,USD", "2:26", "price of 0", diag.Error},
		{"A,switch,400,64,,,,,1500,5,", "2:26", "no currency", diag.Error},
		{"A,switch,400,64,,,,,1500,5,XYZ", "2:28", `no currency "XYZ"`, diag.Error},
		{"A,switch,400,64,,,,,1500,5.005,USD", "2:26", "more than 2 digits", diag.Error},
		{"A,switch,400,64,,,,,1500,five,USD", "2:26", "not an amount", diag.Error},
		{"A,swich,400,64,,,,,1500,5,USD", "2:3", `did you mean "switch"?`, diag.Error},
		{",switch,400,64,,,,,1500,5,USD", "2:1", "part number is missing", diag.Error},
		{"A,switch,400,,,,,,1500,5,USD", "2:14", "a switch needs ports", diag.Error},
		{"A,switch,,64,,,,,1500,5,USD", "2:10", "a switch needs rate_gbps", diag.Error},
		{"A,switch,400,6.5,,,,,1500,5,USD", "2:14", "must be a whole number", diag.Error},
		{"A,switch,400,64,100x200,,,,1500,5,USD", "2:17", "not a multiple of the 64", diag.Error},
		{"A,switch,400,64,128x400,,,,1500,5,USD", "2:17", "more than the 64 of 400", diag.Error},
		{"A,switch,400 W,64,,,,,1500,5,USD", "2:10", "not of bandwidth", diag.Error},
		{"A,switch,400,64,,,,,2 MB,5,USD", "2:21", "not of power", diag.Error},
		{"A,switch,400,64,,,,,1.5,5,USD", "2:21", "is that in kW?", diag.Warning},
		{"A,cable,400,,,,,dac-passive,0,5,USD", "2:15", "a cable needs length_m", diag.Error},
		{"A,cable,400,,,3,,dac-pasive,0,5,USD", "2:18", `did you mean "dac-passive"?`, diag.Error},
		{"A,cable,400,,,3,2,dac-passive,0,5,USD", "2:17", "it reaches 2 m and is 3 m long", diag.Warning},
		{"A,cable,800,3,2x400,3,,dac-passive,0,5,USD", "2:15", "2 links, but ports says 3", diag.Error},
		{"A,cable,800,2,2x200,3,,dac-passive,0,5,USD", "2:15", "2 links of 200 Gb/s are not 800", diag.Error},
		{"A,cable,800,2,400,3,,dac-passive,0,5,USD", "2:15", "is not links x rate", diag.Error},
		{"A,transceiver,800,2,2x400,,50,mmf-om4,9,5,USD", "2:21", "breakouts of a transceiver are ignored", diag.Warning},
		{"A,cable,400,3,,3,,dac-passive,0,5,USD", "2:13", "do not divide among 3 ports", diag.Error},
		{"A,transceiver,400,,,,,mmf-om4,0,5,USD", "2:22", "a transceiver needs reach_m", diag.Error},
		{"A,switch,400,64,,,,,1500,5,USD,100", "2:32", "is not quantity:price", diag.Error},
		{"A,switch,400,64,,,,,1500,5,USD,100:4;100:3", "2:32", "the quantity 100 has two prices", diag.Error},
		{"A,switch,400,64,,,,,1500,5,USD,100:6", "2:32", "costs more than below", diag.Warning},
		{"A,switch,400,64,,,,,1500,5,USD,,26", "2:33", "may be weeks or days", diag.Error},
		{"A,switch,400,64,,,,,1500,5,USD,,12 - 14 weeks", "2:33", "is a range", diag.Error},
		{"A,switch,400,64,,,,,1500,5,USD,,,01/02/2026", "2:34", "day/month or month/day", diag.Error},
		{"A,switch,400,64,,,,,1500,5,USD,,,31.12.26", "2:34", "year of two digits", diag.Error},
		{"A,switch,400,64,,,,,1500,5,USD,,,2026-12-31,2026-01-01", "2:45", "ends before it begins", diag.Error},
		{"A,switch,400,64,,,,,1500,5,USD,,,,,perhaps", "2:36", "must be yes or no", diag.Error},
		{"A,switch,400,64,,,,,1500,5,USD,,,2025-01-01,2025-12-31", "2:45", "expired on 2025-12-31", diag.Warning},
		{"A,switch,400,64,,,,,1500,5,USD,,,,,yes,7", "2:40", "more cells than there are heads, 16", diag.Error},
		{`A,switch,400,64,,,,,1500,5,5" wide`, "2:29", `a bare "`, diag.Error},
		{`A,switch,400,64,,,,,1500,5,"USD`, "2:28", "never closed", diag.Error},
		{`A,switch,400,64,,,,,1500,"1,234",USD`, "2:26", "may be a fraction or thousands", diag.Error},
		{`A,switch,400,64,,,,,1500,"12,34,5.6",USD`, "2:26", "groups of three", diag.Error},
	} {
		cat, l := Read("p.csv", []byte(head+c.row+"\n"), LoadOptions{AsOf: "2026-11-21"})
		found := false
		for _, d := range l {
			found = found || d.Severity == c.sev && fmt.Sprintf("%d:%d", d.Pos.Line, d.Pos.Column) == c.at && strings.Contains(d.Summary+d.Detail, c.want)
		}
		if !found || (cat == nil) != (c.sev == diag.Error) || len(l) != 1 {
			t.Errorf("%s: %v, want one %s at %s with %q", c.row, l, c.sev, c.at, c.want)
		}
	}
}

// All faults of a file come at once, and reading goes on behind each.
func TestReadReportsEverything(t *testing.T) {
	text := plainHead + "A,swich,400,64,,,,1500,5,USD\nA2,switch,400,64,,,,1500,\"5,USD\nB,switch,400,64,,,,1500,-5,USD\nC,switch,400,64,,,,1500,5,USD\nC,switch,400,64,,,,1500,6,USD\nD,switch\n"
	c, l := Read("p.csv", []byte(text), LoadOptions{})
	if c != nil {
		t.Fatal("accepted")
	}
	var got []string
	for _, d := range l {
		got = append(got, fmt.Sprintf("%d %s", d.Pos.Line, d.Severity))
	}
	want := "[2 error 3 error 4 error 6 error 7 error 7 error]"
	if fmt.Sprint(got) != want {
		t.Errorf("findings %v, want %s:\n%v", got, want, l)
	}
	if !strings.Contains(fmt.Sprint(l), "part \"C\" stands twice, first at p.csv:5:1") {
		t.Errorf("the duplicate is not named with both places: %v", l)
	}
}

func TestReadOtherFiles(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no head":  {"a,b,c\n1,2,3\n", "no row of column heads"},
		"empty":    {"", "no row of column heads"},
		"no rows":  {plainHead, "there is no part"},
		"UTF-16":   {"\xff\xfep\x00,", "ends within a character"},
		"old xls":  {"", "not read"},
		"mixed up": {plainHead + "A,switch,400,64,,,,1500,\"1.234,50\",USD\nB,switch,400,64,,,,1500,\"1.234,50\",USD\nC,switch,400,64,,,,12.5,5,USD\nD,switch,400,64,,,,,\"1,234\",USD\n", "may be a fraction"},
	} {
		file := "p.csv"
		if name == "old xls" {
			file = "p.xls"
		}
		if cat, l := Read(file, []byte(c.text), LoadOptions{}); cat != nil || !strings.Contains(fmt.Sprint(l), c.want) {
			t.Errorf("%s: %v, want %q", name, l, c.want)
		}
	}
	if c, l := Load("no/such.csv"); c != nil || !strings.Contains(fmt.Sprint(l), "there is no such file") {
		t.Errorf("missing file: %v", l)
	}
	c, l := Read("p.csv", []byte("part_no,kind,rate_gbps,ports,colour,unit_price,currency\nA,switch,400,64,red,5,USD\n"), LoadOptions{})
	if c == nil || len(l) != 1 || l[0].Severity != diag.Warning || l[0].Pos.Column != 30 || !strings.Contains(l[0].Summary, `"colour"`) {
		t.Errorf("unknown column: %v", l)
	}
}

func TestDatesWithOneReading(t *testing.T) {
	for text, want := range map[string]string{"2026-10-31": "2026-10-31", "31.10.2026": "2026-10-31", "31/10/2026": "2026-10-31", "10/31/2026": "2026-10-31",
		"2026/10/31": "2026-10-31", "7/7/2026": "2026-07-07", "1.2.2026": "2026-02-01", "31-Dec-2026": "2026-12-31", "Dec 31, 2026": "2026-12-31", "31 December 2026": "2026-12-31", "31-Dec-26": "", "2026-10-31 00:00:00": "2026-10-31"} {
		if got, problem := isoDate(text); got != want {
			t.Errorf("%s = %q (%s), want %s", text, got, problem, want)
		}
	}
}

// A list that is named twice, or copied, is one fault and not one for each of its parts.
func TestListTwice(t *testing.T) {
	data := []byte("part_no,kind,unit_price,currency,rate_gbps,ports\nA,switch,1,USD,400,16\nB,switch,2,USD,400,32\n")
	for _, c := range []struct{ second, want string }{
		{"p.csv", "this price list is named twice"}, {"./p.csv", "this price list is named twice"},
		{"copy.csv", "this price list is the same, byte by byte, as p.csv"},
	} {
		_, l := ReadFiles(LoadOptions{}, File{"p.csv", data}, File{c.second, data})
		if len(l) != 1 || l[0].Summary != c.want || l[0].Pos.File != c.second {
			t.Errorf("p.csv and %s: %v, want %q", c.second, l, c.want)
		}
	}
}
