package compare

import (
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/market"
)

// lines makes a bill of cents: part, number, price of one.
func lines(of ...any) (out []market.Line) {
	for i := 0; i < len(of); i += 3 {
		n, each := int64(of[i+1].(int)), catalog.Money(of[i+2].(int))
		out = append(out, market.Line{Part: &catalog.Part{PartNo: of[i].(string)}, Quantity: n, Order: n, Unit: each, Total: each * catalog.Money(n), Priced: true})
	}
	return out
}

// By hand: a has 10 switches of 100.00 and 100 modules of 9.00, 1900.00 in all; b has 14 switches and 60 modules, 1940.00. With modules at p they
// cost 1000 + 100 p and 1400 + 60 p: the same at p = 10.00, 2000.00 both; above, b wins. With switches at q: 10 q + 900 = 14 q + 540, q = 90.00,
// below which b wins.
func TestBreakEvens(t *testing.T) {
	a, b := Priced{"a", lines("switch", 10, 10000, "module", 100, 900)}, Priced{"b", lines("switch", 14, 10000, "module", 60, 900)}
	for _, order := range [][]Priced{{a, b}, {b, a}} {
		got := BreakEvens(order, 2, "USD")
		if len(got) != 2 {
			t.Fatalf("%+v", got)
		}
		q, p := got[0], got[1]
		if p.Part != "module" || p.Price != "10.00" || p.Now != "9.00" || p.Cost != "2000.00" || !p.Above || p.Beyond != "b" || p.Cheaper != "a" {
			t.Errorf("modules: %+v", p)
		}
		if q.Part != "switch" || q.Price != "90.00" || q.Cost != "1800.00" || q.Above || q.Beyond != "b" {
			t.Errorf("switches: %+v", q)
		}
		now := [2]Priced{a, b}
		p.Check(now, [2]Priced{{"a", lines("switch", 10, 10000, "module", 100, 1000)}, {"b", lines("switch", 14, 10000, "module", 60, 1000)}}, "USD")
		if !p.Verified || p.Note != "" {
			t.Errorf("%+v", p)
		}
		// At that price a buys other modules.
		q.Check(now, [2]Priced{{"a", lines("switch", 10, 9000, "other", 100, 800)}, {"b", lines("switch", 14, 9000, "module", 60, 900)}}, "USD")
		if q.Verified || q.Note == "" {
			t.Errorf("%+v", q)
		}
		p.Verified, p.Note = false, ""
		p.Check(now, [2]Priced{{"a", lines("switch", 10, 10000, "module", 100, 1000)}, {"b", lines("switch", 14, 10100, "module", 60, 1000)}}, "USD")
		if p.Verified {
			t.Error("costs that differ by 14.00 pass for equal")
		}
	}
	if got := BreakEvens([]Priced{a, b}, 1.05, "USD"); len(got) != 0 {
		t.Errorf("out of range: %+v", got)
	}
	if got := BreakEvens([]Priced{a, {"c", lines("switch", 11, 10000, "module", 110, 900)}}, 2, "USD"); len(got) != 0 {
		t.Errorf("a design that takes more of everything is never cheaper: %+v", got)
	}
}
