package number

import (
	"math"
	"testing"

	"toposearch/evaluator/metric"
	"toposearch/internal/unit"
)

// The text of a figure, rounded to four digits, with the prefix that a reader expects.
func TestQuantity(t *testing.T) {
	for _, c := range []struct {
		v    float64
		unit string
		want string
	}{
		{1024, "1", "1,024"},
		{1081344, "1", "1,081,344"},
		{0.94124, "1", "0.9412"},
		{0.5, "1", "0.5"},
		{2.99996, "1", "3"},
		{9.99949, "1", "9.999"},
		{-1234.5, "1", "-1,234"}, // to even
		{11_420_000, "USD", "11.42 MUSD"},
		{999_950, "USD", "1,000 kUSD"}, // the unit follows the value, the digits the rounding
		{99_999, "USD", "99,999 USD"},
		{865.3, "EUR", "865.3 EUR"},
		{356_200, "W", "356.2 kW"},
		{9999, "W", "9,999 W"},
		{2.16e6, "W", "2.16 MW"},
		{1243, "ns", "1,243 ns"},
		{120_000, "ns", "120 us"},
		{18.2, "m", "18.2 m"},
		{18_784, "m", "18.78 km"},
		{181.666, "m2", "181.7 m2"},
		{0.00042, "s", "420 us"},
		{0.42, "s", "420 ms"},
		{26, "weeks", "26 weeks"},
		{math.NaN(), "1", "–"},
		{math.Inf(1), "ns", "∞ us"},
		{1e-9, "1", "1e-09"},
	} {
		if got := Quantity(c.v, c.unit); got != c.want {
			t.Errorf("Quantity(%v, %q) = %q, want %q", c.v, c.unit, got, c.want)
		}
	}
}

// Bounds are rounded outwards and absent where the figure is exact.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		m    metric.Figure
		want string
	}{
		{metric.Figure{Value: 0.83, Lo: 0.83, Hi: 0.83, Unit: "1"}, ""},
		{metric.Figure{Value: 0.83, Lo: 0.79129, Hi: 0.830011, Unit: "1"}, "[0.7912, 0.8301]"},
		{metric.Figure{Value: 2, Lo: 1, Hi: 3, Unit: "1"}, "[1, 3]"},
		{metric.Figure{Value: 2e6, Lo: 1.99999e6, Hi: 2.00001e6, Unit: "W"}, "[1.999, 2.001] MW"},
		{metric.Figure{Value: 0.5, Lo: 0.4, Hi: 0.5, Unit: "1"}, "[0.4, 0.5]"},
	} {
		if got := Bounds(c.m); got != c.want {
			t.Errorf("Bounds(%+v) = %q, want %q", c.m, got, c.want)
		}
	}
}

// A column has one prefix, and as many decimals as its smallest value needs.
func TestScale(t *testing.T) {
	for _, c := range []struct {
		unit   string
		values []float64
		head   string
		want   []string
	}{
		{"USD", []float64{4_207_878.73, 11_370_000, math.NaN()}, "MUSD", []string{"4.208", "11.370", "–"}},
		{"1", []float64{12, 1024}, "", []string{"12", "1,024"}},
		{"1", []float64{0.5, 1.054}, "", []string{"0.5000", "1.0540"}},
		{"ns", []float64{926.7, 3157.4}, "ns", []string{"926.7", "3,157.4"}},
		{"1", []float64{0.0001, 12345.6}, "", []string{"0.0001", "12,345.6000"}},
		{"1", nil, "", nil},
	} {
		s := ScaleOf(c.unit, c.values)
		if got := Plain(s.Unit); got != c.head {
			t.Errorf("ScaleOf(%q, %v).Unit = %q, want %q", c.unit, c.values, got, c.head)
		}
		for i, v := range c.values {
			if got := s.Format(v); got != c.want[i] {
				t.Errorf("ScaleOf(%q, %v): %v is %q, want %q", c.unit, c.values, v, got, c.want[i])
			}
		}
	}
}

func TestMoney(t *testing.T) {
	for _, c := range []struct {
		minor    int64
		decimals int
		short    string
		exact    string
	}{
		{3_180_800, 2, "31,808", "31808.00"},
		{38_130, 2, "381.30", "381.30"},
		{5, 2, "0.05", "0.05"},
		{-38_130, 2, "-381.30", "-381.30"},
		{120, 0, "120", "120"},
		{math.MaxInt64, 2, "92,233,720,368,547,758.07", "92233720368547758.07"},
	} {
		if got := Plain(Money(c.minor, c.decimals)); got != c.short {
			t.Errorf("money(%d, %d) = %q, want %q", c.minor, c.decimals, got, c.short)
		}
		if got := ExactMoney(c.minor, c.decimals); got != c.exact {
			t.Errorf("exactMoney(%d, %d) = %q, want %q", c.minor, c.decimals, got, c.exact)
		}
	}
}

func TestPercent(t *testing.T) {
	for f, want := range map[float64]string{0: "0 %", 0.0004: "< 0.1 %", 0.042: "4.2 %", 0.97: "97 %", 2.4: "240 %", -0.241: "-24.1 %"} {
		if got := Plain(Percent(f)); got != want {
			t.Errorf("percent(%v) = %q, want %q", f, got, want)
		}
	}
}

// A tolerance reads as it was written, in the report as in the verdict of the run.
func TestTolerance(t *testing.T) {
	for part, want := range map[float64]string{0.02: "2 %", 0.0005: "0.05 %", 0.07: "7 %", 0.00001: "0.001 %", 0.1: "10 %"} {
		if got := Plain(Tolerance(part)); got != want || unit.Percent(part) != want {
			t.Errorf("%g: %q, %q, want %q", part, got, unit.Percent(part), want)
		}
	}
}
