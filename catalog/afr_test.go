package catalog

import (
	"math"
	"strings"
	"testing"
)

// TestFailures: a rate in the list is taken, 0 as well; none is what is usual for the kind. The figures by hand:
// 268 of 16,384 accelerators in 54 days of 365.25, 14 parts of 2,048 servers, over two processors each, 7 NICs, 2 % of
// switches in a quarter of a year, 0.057 % of links a month.
func TestFailures(t *testing.T) {
	c, l := Read("x.csv", []byte("part_no,kind,rate_gbps,ports,length_m,reach_m,medium,afr\n"+
		"A,accelerator,,,,,,\nC,cpu,,,,,,\nN,nic,400,1,,,,\nS,switch,400,64,,,,\nX,transceiver,400,,,50,mmf-om4,\nD,cable,400,,2,,dac-passive,\n"+
		"O,cable,400,,5,,aoc,\nF,fibre,,,5,,mmf-om4,\nR,rack,,,,,,\nS2,switch,400,32,,,,0\nA2,gpu,,,,,,5%\nR2,rack,,,,,,0.01\n"), LoadOptions{})
	if l.HasErrors() {
		t.Fatal(l)
	}
	for _, want := range []struct {
		part    string
		rate    float64
		assumed bool
	}{
		{"A", 0.11064, true}, {"C", 0.02312, true}, {"N", 0.002890, true}, {"S", 0.080811, true}, {"X", 0.00342, true},
		{"D", 0.000684, true}, {"O", 0.00684, true}, {"F", 0, true}, {"R", 0, true}, {"S2", 0, false}, {"A2", 0.05, false}, {"R2", 0.01, false},
	} {
		rate, assumed := c.Part(want.part).FailuresPerYear()
		if math.Abs(rate-want.rate) > 1e-3*want.rate || assumed != want.assumed {
			t.Errorf("%s fails %.6f times a year, assumed %v; want %.6f, %v", want.part, rate, assumed, want.rate, want.assumed)
		}
	}
	if k := c.Part("A2").Kind; k != KindAccelerator {
		t.Errorf("a GPU is of kind %q", k)
	}
	for _, f := range Failures() {
		if f.Source == "" || f.PerYear <= 0 {
			t.Errorf("%s: %g failures a year from %q", f.Kind, f.PerYear, f.Source)
		}
	}
	_, l = Read("x.csv", []byte("part_no,kind,afr\nA,accelerator,3\nB,cpu,-1\n"), LoadOptions{})
	var s string
	for _, d := range l {
		s += d.String() + "\n"
	}
	if !strings.Contains(s, "an annual failure rate above 1") || !strings.Contains(s, "afr must be a number") {
		t.Errorf("impossible rates: %s", s)
	}
}
