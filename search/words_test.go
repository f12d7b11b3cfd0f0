package search

import (
	"testing"

	"toposearch/catalog"
	"toposearch/study"
)

// Amounts beside each other are told apart: a limit that a design misses by a cent does not read like what the design costs.
func TestAmountsApart(t *testing.T) {
	p := &Problem{Study: &study.Study{Currency: catalog.Currency{Code: "EUR"}}}
	for _, c := range []struct {
		key        string
		got, bound float64
		x, y       string
	}{
		{"cost", 60200, 60199.99, "60200 EUR", "60199.99 EUR"},
		{"cost", 60200, 50000, "60.2 kEUR", "50 kEUR"},
		{"power", 3672000, 3671999.99, "3672000 W", "3671999.99 W"},
		{"availability", 0.99906101, 0.99906103, "0.99906101", "0.99906103"},
		{"latency", 830.59, 830.59, "830.59 ns", "830.59 ns"},
	} {
		if x, y := p.Apart(c.key, c.got, c.bound); x != c.x || y != c.y {
			t.Errorf("%s: %q against %q, want %q and %q", c.key, x, y, c.x, c.y)
		}
		if x, y := p.LimitApart(c.key, c.got, c.bound); x == y && c.got != c.bound {
			t.Errorf("%s: %q instead of %q", c.key, x, y)
		}
	}
}

// A part is rounded up to tenths of a percent, the least of them too.
func TestWithinText(t *testing.T) {
	for within, want := range map[float64]string{0: "", 1: "", 1e-12: "0.1 %", 0.001: "0.1 %", 0.0011: "0.2 %", 0.05: "5 %", 0.999: "99.9 %"} {
		if got := WithinText(within); got != want {
			t.Errorf("within %g: %q, want %q", within, got, want)
		}
	}
}
