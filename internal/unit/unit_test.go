package unit

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		kind Kind
		text string
		want float64
	}{
		{KindPower, "2.5 MW", 2.5e6}, {KindPower, "40kW", 40e3}, {KindPower, " 12 W ", 12}, {KindPower, "1_000 W", 1000}, {KindPower, "1e3 W", 1000},
		{KindLength, "50 m", 50}, {KindLength, "30 cm", 0.3}, {KindLength, "1.5km", 1500}, {KindLength, "10 ft", 3.048}, {KindLength, "7 cm", 0.07},
		{KindBandwidth, "400 Gb/s", 400}, {KindBandwidth, "3.6 Tb/s", 3600}, {KindBandwidth, "50 GB/s", 400}, {KindBandwidth, "800Gbps", 800},
		{KindLatency, "400 ns", 400}, {KindLatency, "1 us", 1000}, {KindLatency, "1.5 µs", 1500}, {KindLatency, "2 ms", 2e6}, {KindLatency, "1 s", 1e9},
		{KindDuration, "8h", 28800}, {KindDuration, "90 min", 5400}, {KindDuration, "30 s", 30},
		{KindLead, "26 weeks", 26}, {KindLead, "14 days", 2}, {KindLead, "1 week", 1},
		{KindBytes, "64 MB", 64e6}, {KindFlops, "989 Tflop/s", 989e12}, {KindFlops, "1.5 PFLOPS", 1.5e15}, {KindBytes, "4096 B", 4096}, {KindBytes, "1 MiB", 1 << 20}, {KindArea, "800 m2", 800},
	} {
		if got, err := c.kind.Parse(c.text); err != nil || got != c.want {
			t.Errorf("%q = %v, %v, want %v", c.text, got, err, c.want)
		}
	}
}

func TestParseSaysWhatToWrite(t *testing.T) {
	for _, c := range []struct {
		kind       Kind
		text, want string
	}{
		{KindPower, "2 MB", "MB is a unit of size in bytes, not of power"},
		{KindPower, "2", "the unit is missing"},
		{KindPower, "MW", "there is no number"},
		{KindPower, "-2 MW", "negative"},
		{KindPower, "2 mw", `did you mean "MW"?`},
		{KindPower, "1..2 MW", "is not a number"},
		{KindPower, "1e999 MW", "is not a number"},
		{KindPower, "1e308 GW", "too large"},
		{KindLength, "3 parsec", "there is no unit of length"},
		{KindBandwidth, "400 W", "not of bandwidth"},
	} {
		_, err := c.kind.Parse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "such as") {
			t.Errorf("%q: %v, want %q and an example", c.text, err, c.want)
		}
	}
}

// What is printed is read back as the same quantity.
func TestFormatRoundTrips(t *testing.T) {
	for kind := range dimensions {
		k := Kind(kind)
		for _, x := range []float64{0, 1, 1.5, 999, 1000, 123456, 2.5e6, 0.25, 3.75e9} {
			s := k.Format(x)
			back, err := k.Parse(s)
			if err != nil || math.Abs(back-x) > 1e-5*x {
				t.Errorf("%v of kind %d prints %q, which reads as %v, %v", x, k, s, back, err)
			}
		}
	}
	for _, c := range []struct{ got, want string }{
		{Power{2.5e6}.String(), "2.5 MW"}, {Length{50}.String(), "50 m"}, {KindBandwidth.Format(400), "400 Gb/s"}, {KindBandwidth.Format(3600), "3.6 Tb/s"},
		{Lead{26}.String(), "26 weeks"}, {Latency{1500}.String(), "1.5 us"}, {Duration{8 * time.Hour}.String(), "8 h"}, {KindBytes.Format(64e6), "64 MB"},
	} {
		if c.got != c.want {
			t.Errorf("printed %q, want %q", c.got, c.want)
		}
	}
}

func TestMoneyIsExact(t *testing.T) {
	for _, c := range []struct {
		text  string
		minor int64
		cur   string
	}{
		{"12 MUSD", 12_000_000_00, "USD"}, {"18 M EUR", 18_000_000_00, "EUR"}, {"1250.50 USD", 1250_50, "USD"}, {"USD 1250.5", 1250_50, "USD"},
		{"0.07 USD", 7, "USD"}, {"1.234567 MUSD", 1_234_567_00, "USD"}, {"250 kUSD", 250_000_00, "USD"}, {"1200 JPY", 1200, "JPY"},
		{"90071992547409.93 USD", 9007199254740993, "USD"}, // 2^53 + 1: no float holds it
		{"1.2 bn EUR", 1_200_000_000_00, "EUR"},
	} {
		if m, err := ParseMoney(c.text); err != nil || m.Minor != c.minor || m.Currency != c.cur {
			t.Errorf("%q = %+v, %v, want %d %s", c.text, m, err, c.minor, c.cur)
		}
	}
	for _, c := range []struct{ text, want string }{
		{"12", "currency is missing"}, {"12 MB", "not a currency"}, {"1.005 USD", "more than 2 digits"}, {"-3 USD", "negative"},
		{"12 XYZ", "no currency"}, {"1.5 JPY", "more than 0 digits"}, {"99999999999999999999 USD", "too large"}, {"USD", "no number"},
	} {
		if _, err := ParseMoney(c.text); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
	for _, c := range []struct {
		m    Money
		want string
	}{{Money{12_000_000_00, "USD"}, "12 MUSD"}, {Money{1250_50, "USD"}, "1250.50 USD"}, {Money{5, "EUR"}, "0.05 EUR"}, {Money{1200, "JPY"}, "1200 JPY"}, {Money{63616_00, "USD"}, "63616 USD"}} {
		if got := c.m.String(); got != c.want {
			t.Errorf("%+v prints %q, want %q", c.m, got, c.want)
		}
		if back, err := ParseMoney(c.m.String()); err != nil || back != c.m {
			t.Errorf("%+v reads back as %+v, %v", c.m, back, err)
		}
	}
}

// Whatever is read as a quantity is finite, not negative, and what is printed of it reads as the same to the
// six digits that are printed; an amount of money is exactly what was written and prints as itself.
func FuzzQuantity(f *testing.F) {
	for _, s := range []string{"2.5 MW", "12 MUSD", "1e5 m", "-", "8h", "1_0 s", "USD 1", "-0 W", "0.1 bn EUR", "1e-3 KWD", "1e-300 mm"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for kind := range dimensions {
			k := Kind(kind)
			x, err := k.Parse(s)
			if err != nil {
				if e := (*Error)(nil); !errors.As(err, &e) || e.Text != s || e.Reason == "" || e.Remedy == "" {
					t.Errorf("%q: the error %v lacks the text, a reason or a remedy", s, err)
				}
				continue
			}
			if x < 0 || math.Signbit(x) || math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%q of kind %d = %v", s, kind, x)
			}
			if back, err := k.Parse(k.Format(x)); err != nil || math.Abs(back-x) > 1e-5*x {
				t.Errorf("%q of kind %d = %v prints %q, which reads as %v, %v", s, kind, x, k.Format(x), back, err)
			}
		}
		m, err := ParseMoney(s)
		if err != nil {
			return
		}
		if back, err := ParseMoney(m.String()); err != nil || back != m || m.Minor < 0 {
			t.Errorf("%q = %+v prints %q, which reads as %+v, %v", s, m, m, back, err)
		}
	})
}

// FuzzDecimal holds the exact reader of decimal numbers against rational arithmetic.
func FuzzDecimal(f *testing.F) {
	for _, s := range []string{"12.5", "-1e3", "1_000.00", "+.5", "1e-30", "92233720368547758.07", "0e30", "00000000000000000000001"} {
		f.Add(s, 2)
	}
	f.Fuzz(func(t *testing.T, s string, digits int) {
		digits = int(uint(digits) % 16)
		got, err := Decimal(s, digits)
		if err != nil {
			return
		}
		want, ok := new(big.Rat).SetString(strings.ReplaceAll(strings.TrimSpace(s), "_", ""))
		if !ok {
			t.Fatalf("%q is no number and is read as %d", s, got)
		}
		scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(digits)), nil))
		if want.Mul(want, scale); want.Cmp(new(big.Rat).SetInt64(got)) != 0 {
			t.Errorf("%q with %d digits = %d, want %s", s, digits, got, want)
		}
	})
}
