package catalog

import (
	"strings"
	"testing"
)

// Parts with an end of life are never taken in silence: with a day of the order those that are past it are
// named, without one all of them.
func TestEndOfLifeIsSaid(t *testing.T) {
	const list = "part_no,kind,rate_gbps,ports,unit_price,currency,end_of_life,approved\n" +
		"SW-OLD,switch,400,64,100,USD,2025-06-30,yes\n" +
		"SW-LATE,switch,400,32,100,USD,2028-01-31,yes\n" +
		"SW-NO,switch,400,16,100,USD,2020-01-01,no\n" +
		"SW-NEW,switch,400,128,100,USD,,yes\n"
	for _, x := range []struct {
		asOf string
		want []string
	}{
		{"", []string{"2 parts reach the end of life (SW-OLD on 2025-06-30, SW-LATE on 2028-01-31)"}},
		{"2026-11-21", []string{"SW-OLD reached its end of life on 2025-06-30"}},
		{"2029-01-01", []string{"SW-OLD reached", "SW-LATE reached"}},
		{"2025-01-01", nil},
	} {
		c, l := Read("list.csv", []byte(list), LoadOptions{AsOf: x.asOf})
		if c == nil {
			t.Fatal(l)
		}
		var got []string
		for _, d := range l {
			if !strings.Contains(d.Summary, "SW-NO ") {
				got = append(got, d.Summary)
			}
		}
		if len(got) != len(x.want) {
			t.Errorf("as of %q: %q, want %q", x.asOf, got, x.want)
			continue
		}
		for i, w := range x.want {
			if !strings.Contains(got[i], w) {
				t.Errorf("as of %q: %q, want %q", x.asOf, got[i], w)
			}
		}
	}
}
