package main

import (
	"strings"
	"testing"
)

// Failures by name and by lot; the routing goes round them, or is refused with one that can.
func TestSimulateFailures(t *testing.T) {
	quick := func(args ...string) []string {
		return append([]string{"simulate"}, append(args, "--cycles", "500", "--warmup", "200", "--load", "0.2", "-q")...)
	}
	var doc simDoc
	decode(t, "toposearch.simulate/1", &doc, quick("fattree(k=8,l=3)", "--fail", "leaf[0]-agg[0]", "--fail-links", "2", "--fail-seed", "3")...)
	if f := doc.Failed; f == nil || len(f.Links) < 2 || len(f.Links) > 3 || f.Unreachable != nil || doc.Points[0].Unreachable != 0 {
		t.Errorf("failed %+v, %d unreachable", doc.Failed, doc.Points[0].Unreachable)
	}
	// Leaf 0 and its two endpoints of sixteen: 2*15 + 2*14 ordered pairs less those counted twice.
	doc = simDoc{}
	decode(t, "toposearch.simulate/1", &doc, quick("fattree(k=4,l=3)", "--fail", "leaf[0]")...)
	u := doc.Failed.Unreachable
	if u == nil || u.NoPort != 2 || u.Pairs != 16*15-14*13 || doc.Points[0].Saturated || doc.Points[0].Unreachable == 0 {
		t.Errorf("failed %+v, point %+v", u, doc.Points[0].Point)
	}
	if a := doc.Points[0].Fairness.Received; a.Min == 0 {
		t.Errorf("endpoints that are cut off count as starved: %+v", a)
	}
	for _, c := range []struct{ args, want string }{
		{"dragonfly(p=2,a=4,h=2) --fail switch[0]-switch[31]", "use --routing minimal"},
		{"dragonfly(p=2,a=4,h=2) --fail-links 91", "0 to 90 can fail"},
		{"dragonfly(p=2,a=4,h=2) --fail-switches x", "write a number, or a share"},
		{"dragonfly(p=2,a=4,h=2) --fail switch[0]-switch[6]", "there is no link between the two; switch[0] is linked to switch[1]"},
		{"dragonfly(p=2,a=4,h=2) --fail leaf[3]", `the last is switch[35]`},
		{"dragonfly(p=2,a=4,h=2) --fail endpoint[0]-switch[1]", "has no link to that switch"},
		{"dragonfly(p=2,a=4,h=2) --fail endpoint[72]-switch[1]", "endpoint[71]"},
	} {
		status, _, errw := command(t, quick(strings.Fields(c.args)...)...)
		if status != exitUsage || !strings.Contains(errw, c.want) {
			t.Errorf("%s: exit %d, %s", c.args, status, errw)
		}
	}
	// The routing named in the refusal does it, whatever fails first.
	doc = simDoc{}
	decode(t, "toposearch.simulate/1", &doc, quick("dragonfly(p=2,a=4,h=2)", "--fail", "switch[0]-switch[31]", "--routing", "minimal")...)
	if doc.Points[0].Unreachable != 0 || doc.Points[0].Saturated {
		t.Errorf("minimal: %+v", doc.Points[0].Point)
	}
}
