package run

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"toposearch/constraints"
	"toposearch/evaluator/metric"
	"toposearch/internal/racing"
	"toposearch/search"
	"toposearch/search/branch"
	"toposearch/search/searchtest"
	"toposearch/study"
	"toposearch/topology/family/familytest"
)

// Explain and the report's way out say the same of a design that needs what may not be bought: here two buildings, 300 m
// apart, and cables of 100 m, where the list has a stock length of 400 m.
func TestExplainAgreesWithClosest(t *testing.T) {
	if racing.On {
		t.Skip("one goroutine asks")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"study.toml": "constraints = \"site.toml\"\n[endpoints]\ncount = { min = 64, max = 72 }\nbandwidth = \"400 Gb/s\"\n[space]\nfamilies = [\"zcube\", \"fattree\", \"dragonfly\"]\n" +
			"[[objective]]\nmetric = \"cost\"\n[[objective]]\nmetric = \"latency\"\n[verify]\nfinalists = 0\n",
		"site.toml": "[switch]\nports = { max = 64, rate = \"400 Gb/s\" }\n[cable]\nreach = \"100 m\"\n[building]\nbuildings = 2\npower = \"60 kW\"\nendpoint_power = \"1 kW\"\n",
	} {
		searchtest.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	st, l := study.Load(filepath.Join(dir, "study.toml"))
	if st == nil {
		t.Fatal(l)
	}
	p := searchtest.RealModel(t, st)
	out, _, _ := runIn(t, p, create(t, st), search.Options{})
	reach := 0
	for _, c := range out.Front.Closest {
		x, err := explain(context.Background(), p, familytest.Parse(t, c.Design), out.Front)
		searchtest.Must(t, err)
		if !reflect.DeepEqual(x.Misses, c.Misses) {
			t.Errorf("%s: explain %+v, report %+v", c.Design, x.Misses, c.Misses)
		}
		if slices.ContainsFunc(c.Misses, func(m constraints.Miss) bool { return m.Constraint == metric.RejectReach }) {
			reach++
		}
	}
	if reach == 0 {
		t.Error("nothing misses the reach")
	}
}

// A design for which no switch is sold says which limits nobody has judged it by: raising the ports that it misses alone does not admit it where no rack feeds a server.
func TestExplainWithoutPart(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"study.toml": "constraints = \"site.toml\"\n[endpoints]\ncount = 60\nbandwidth = \"400 Gb/s\"\n[space]\nfamilies = [\"dragonfly\"]\n[[objective]]\nmetric = \"latency\"\n[verify]\nfinalists = 0\n",
		"site.toml":  "[building]\nendpoint_power = \"4 kW\"\nrack_power = { max = \"15 kW\" }\n[procurement]\ncost = { max = \"9 MUSD\" }\n",
	} {
		searchtest.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	st, l := study.Load(filepath.Join(dir, "study.toml"))
	if st == nil {
		t.Fatal(l)
	}
	p := searchtest.RealModel(t, st)
	for design, open := range map[string]bool{"dragonfly(p=1,a=1,h=257,g=60)": true, "dragonfly(p=1,a=4,h=4,g=15)": false} {
		x, err := explain(context.Background(), p, familytest.Parse(t, design), &search.Front{})
		searchtest.Must(t, err)
		if says := strings.Contains(x.Why, "not known whether it meets "+metric.RejectRack+", procurement.cost"); len(x.Misses) != 1 || says != open {
			t.Errorf("%s: %+v, want open limits told: %t", design, x, open)
		}
	}
}

// Of designs whose switches need rates that no model has together, none is closer for its ports, and what is said is to be had: a model, not a number.
func TestExplainRates(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"study.toml": "catalog = \"parts.csv\"\n[endpoints]\ncount = 256\nbandwidth = \"400 Gb/s\"\n[space]\nfamilies = [\"hpn\"]\n[[objective]]\nmetric = \"cost\"\n[verify]\nfinalists = 0\n",
		"parts.csv": "part_no,kind,rate_gbps,ports,unit_price,currency,length_m,medium\nA,switch,400,128,9000,USD,,\nB,switch,200,128,5000,USD,,\n" +
			"C4,cable,400,,100,USD,30,aoc\nC2,cable,200,,60,USD,30,aoc\n",
	} {
		searchtest.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	st, l := study.Load(filepath.Join(dir, "study.toml"))
	if st == nil {
		t.Fatal(l)
	}
	p := searchtest.RealModel(t, st)
	for _, design := range []string{"hpn(k=16,g=4,segments=2)", "hpn(k=258,g=1,segments=1,up=44,groups=2,core=115)"} { // 129 uplinks
		x, err := explain(context.Background(), p, familytest.Parse(t, design), &search.Front{})
		searchtest.Must(t, err)
		i := slices.IndexFunc(x.Misses, func(m constraints.Miss) bool { return m.Constraint == metric.RejectRates })
		if i < 0 || x.Misses[i].Got != 2 || x.Misses[i].Bound != 1 || !strings.Contains(x.Misses[i].Why, "ports of 2 rates") {
			t.Errorf("%s misses %+v", design, x.Misses)
		}
		if !slices.ContainsFunc(x.Admit, func(s string) bool {
			return strings.HasPrefix(s, "a model with ports of all 2 rates")
		}) {
			t.Errorf("%s: %s; admitted: %q", design, x.Why, x.Admit)
		}
	}
}

// Where a rate is not sold the ports of a switch are judged all the same. By hand: a ToR of hpn(k=70,segments=3) has 35 ports down and 70/4 = 17 up, 52 where the one
// switch on sale has 32; that which comes closest has no more than that.
func TestExplainPortsBesideRates(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"study.toml": "catalog = \"parts.csv\"\n[endpoints]\ncount = { min = 500, max = 2000 }\nbandwidth = \"800 Gb/s\"\n[space]\nfamilies = [\"hpn\"]\n[[objective]]\nmetric = \"cost\"\n[verify]\nfinalists = 0\n",
		"parts.csv":  "part_no,kind,rate_gbps,ports,unit_price,currency,length_m,medium\nA,switch,400,32,9000,USD,,\nC4,cable,400,,100,USD,50,aoc\n",
	} {
		searchtest.Must(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	st, l := study.Load(filepath.Join(dir, "study.toml"))
	if st == nil {
		t.Fatal(l)
	}
	p := searchtest.RealModel(t, st)
	x, err := explain(context.Background(), p, familytest.Parse(t, "hpn(k=70,segments=3)"), &search.Front{})
	searchtest.Must(t, err)
	if len(x.Misses) != 2 || x.Misses[0].Constraint != metric.RejectRate || x.Misses[1].Constraint != metric.RejectPorts || x.Misses[1].Got != 52 || x.Misses[1].Bound != 32 {
		t.Errorf("misses %+v", x.Misses)
	}
	near, err := branch.Closest(context.Background(), p, 1, []int{0})
	searchtest.Must(t, err)
	if len(near) != 1 || near[0].Violation != 1 || len(near[0].Misses) != 1 || near[0].Misses[0].Constraint != metric.RejectRate {
		t.Errorf("closest: %+v, want one that misses the rate alone", near)
	}
}
