package catalog

import (
	"strings"
	"testing"
)

// nasty are parts with every column filled, and whatever CSV makes difficult in remarks.
const nasty = `part_no,kind,vendor,description,form_factor,rate_gbps,lanes,ports,breakouts,length_m,reach_m,medium,power_w,power_typ_w,power_split_w,latency_ns,buffer,reduction,unit_price,currency,price_breaks,moq,pack,lead_time,valid_from,valid_until,end_of_life,stock,approved,afr,weight_kg,source,note,derived
0001,switch,"Müller, Söhne","64 ""cages"", = cold",OSFP,800,8,64,64x800;128x400,,,,1700.5,1250,,312.5,64 MB,400,52000.01,EUR,10:50000;100:47000.5,2,3,26 weeks,2026-10-01,2026-12-31,2030-01-01,7,no,0.02,24.5,https://example.org/a?b=1,"two
lines",yes
K-1,cable,,,,800,8,2,2x400,0.333,1,dac-passive,0.123456789,,0.0625,,,,250,JPY,,,,180 days,,,,,,,,,,
K-2,cable,,,,800,,,,0.001,,aoc,,,,,,,,,,,,Ab Lager,,,,,,0,,,,
T-1,transceiver,,,,800,,2,,,50,mmf-om4,17,,,,,,0.07,EUR,,,,,,,,,,,,,,
`

// What is written reads as the same parts, to the last digit.
func TestWriteCSVReadsBack(t *testing.T) {
	for name, c := range map[string]*Catalogue{"nasty": read(t, nasty, LoadOptions{}), "built in": Builtin()} {
		var b strings.Builder
		if err := WriteCSV(&b, c.Parts); err != nil {
			t.Fatal(err)
		}
		again, l := Read("again.csv", []byte(b.String()), LoadOptions{})
		if again == nil {
			t.Fatalf("%s: %v", name, l)
		}
		for i := range c.Parts {
			old, now := c.Parts[i], again.Parts[i]
			for col := range column(numColumns) {
				if old.text(col) != now.text(col) {
					t.Errorf("%s: %s: %s is %q, and read again %q", name, old.PartNo, col.name(), old.text(col), now.text(col))
				}
			}
		}
		if again.Hash() != c.Hash() {
			t.Errorf("%s: %+v is read again as %+v", name, c.Parts, again.Parts)
		}
	}
}

// A list against itself has no difference; against a newer one, what came, went and changed, with prices of both.
func TestCompare(t *testing.T) {
	older := read(t, nasty, LoadOptions{})
	if d := Compare(older, older); d.Differs() || d.Same != 4 || d.Prices.Both != 3 || d.Prices.Up+d.Prices.Down != 0 {
		t.Errorf("a list against itself: %+v", d)
	}
	text := strings.NewReplacer("0.07,EUR", "0.14,EUR", "52000.01,EUR,10:50000;100:47000.5", "52000.01,USD,10:50000;100:47000.5", "180 days", "40 weeks", "K-2,", "K-3,", "250,JPY", "200,JPY").Replace(nasty)
	newer := read(t, text, LoadOptions{})
	d := Compare(older, newer)
	if len(d.Added) != 1 || d.Added[0].PartNo != "K-3" || len(d.Gone) != 1 || d.Gone[0].PartNo != "K-2" || d.Same != 0 || len(d.Changed) != 3 {
		t.Fatalf("%+v", d)
	}
	if m := d.Prices; m.Both != 2 || m.Up != 1 || m.Down != 1 || m.Currency != 1 || m.Later != 1 || m.Sooner != 0 || m.Least != -20 || m.Most != 100 || m.Median != 40 {
		t.Errorf("prices %+v", m)
	}
	want := map[string]string{
		"0001 unit_price": "52000.01 EUR > 52000.01 USD", "0001 price_breaks": "10:50000.00;100:47000.50 EUR > 10:50000.00;100:47000.50 USD",
		"K-1 unit_price": "250 JPY > 200 JPY", "K-1 lead_time": "25.714285714285715 weeks > 40 weeks", "T-1 unit_price": "0.07 EUR > 0.14 EUR",
	}
	for _, c := range d.Changed {
		for _, f := range c.Fields {
			key := c.PartNo + " " + f.Field
			if got := f.Old + " > " + f.New; want[key] != got {
				t.Errorf("%s: %s, want %q", key, got, want[key])
			}
			delete(want, key)
			if c.PartNo == "0001" && f.Percent != nil {
				t.Error("prices in two currencies have a change in percent")
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not told: %v", want)
	}
}
