package study

import (
	"context"
	"io/fs"
	"strings"
	"syscall"
	"testing"

	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/topology/family/familytest"
)

// What is odd and usable is told, keeps its place, and stays with the study for the report.
func TestWarnings(t *testing.T) {
	const parts = `part_no,kind,rate_gbps,ports,UnitPrice,currency,power_w,length_m,medium
SW,switch,400,64,9000,USD,800,,
DAC,cable,400,,100,USD,0,3,copper
AOC,cable,400,,,USD,2,30,aoc
`
	s, l := from(map[string]string{
		"study.toml": strings.Replace(base, `"400 Gb/s"`, `"400 GB/s"`, 1) + "[search]\nstrategy = \"auto\"\n",
		"parts.csv":  parts,
	})
	if s == nil || !strings.Contains(details(l), `study.toml:4:13: warning: 400 GB/s are bytes: 3.2 Tb/s | write "400 Gb/s" if bits were meant`) {
		t.Errorf("bytes: %s", details(l))
	}
	if s, l = from(map[string]string{"study.toml": `catalog = ["parts.csv"]` + "\n" + base, "parts.csv": parts}); s == nil {
		t.Fatal(details(l))
	}
	// The head UnitPrice is unit_price: only the AOC has no price.
	if want := "parts.csv:4"; len(s.Warnings) != 1 || !strings.HasPrefix(s.Warnings[0].Pos.String(), want) || !strings.Contains(s.Warnings[0].Summary, "1 part has no price: AOC") {
		t.Errorf("warnings %s, want one at %s about AOC", details(s.Warnings), want)
	}
	if p := s.Catalogue.Part("DAC"); p == nil || !p.Priced {
		t.Error("the price of DAC was not read from the column UnitPrice")
	}
}

// A range of endpoints that is neither number nor range, a folder instead of a file, and tables
// of families that are misspelt: one finding each, with the remedy.
func TestFaultsSayWhatToWrite(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"text":      {"{ min = 1024, max = 1152 }", `"many"`, `count is a whole number or a range, not "many" | write count = 1024, or`},
		"float":     {"{ min = 1024, max = 1152 }", "1e30", "count is a whole number or a range, not 1e30"},
		"long name": {`name = "t"`, `name = "` + strings.Repeat("x", 201) + `"`, `study.toml:1:8: error: the name has 201 bytes; at most 200 are read`},
		"folder":    {`name = "t"`, `catalog = ["dir"]`, `study.toml:1:12: error: cannot read the catalogue "dir": it is a folder`},
		"family":    {`"zcube", "dragonfly"]`, `"zcubes"]` + "\n[space.dragonfly]\nh = 3", `there is no family "zcubes" | did you mean "zcube"?`},
	} {
		s, l := LoadFrom("study.toml", func(path string) ([]byte, error) {
			if path == "dir" {
				return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
			}
			return []byte(strings.Replace(base, c.old, c.new, 1)), nil
		})
		if s != nil || !strings.Contains(details(l), c.want) || len(l) != 1 {
			t.Errorf("%s: %s want exactly one finding, %q", name, details(l), c.want)
		}
	}
}

// A price list without network cards: power is known without them, which is said where power is
// limited; counting their cost is then an error.
func TestNoNICs(t *testing.T) {
	const parts = "part_no,kind,rate_gbps,ports,unit_price,currency,power_w,length_m,medium,lead_time\n" +
		"SW,switch,400,64,9000,USD,800,,,4 weeks\nDAC,cable,400,,100,USD,0,20,copper,4 weeks\n"
	study := `catalog = ["parts.csv"]` + "\n" + `constraints = ["site.toml"]` + "\n" + base
	site := "[building]\npower = \"2 MW\"\nendpoint_power = \"1 kW\"\n"
	s, l := from(map[string]string{"study.toml": study, "parts.csv": parts, "site.toml": site})
	if s == nil || !strings.Contains(details(l), "site.toml:2:9: warning: power is limited and the price list has no network cards") {
		t.Fatal(details(l))
	}
	ev, err := evaluator.New(s.Options)
	if err != nil {
		t.Fatal(err)
	}
	d := familytest.Parse(t, "fattree(k=32,l=2)")
	r, err := ev.Evaluate(context.Background(), d, evaluator.Request{Level: 1})
	if err != nil {
		t.Fatal(err)
	}
	// 32 leaves and 16 spines of 800 W, and no cards; 512 endpoints of 1 kW.
	if got := r.Metrics[metric.Power]; !r.Have[metric.Power] || got.Value != 48*800 || !strings.Contains(got.Method, "no NICs") {
		t.Errorf("power %+v %s, want 38400 W", got, r.Absent[metric.Power])
	}
	if got := r.Metrics[metric.BuildingPower].Value; got != 48*800+512*1000 {
		t.Errorf("building power %g, want 550400 W", got)
	}
	if s, l = from(map[string]string{"study.toml": study + "[cost]\nnics = true\n", "parts.csv": parts, "site.toml": site}); s != nil || !strings.Contains(details(l), "has no network card | add rows of kind nic") {
		t.Error(details(l))
	}
}

// Where lead time is limited, parts of which the list gives none are told; those that it has in stock are not.
func TestNoLeadTimes(t *testing.T) {
	study := `catalog = ["parts.csv"]` + "\n" + `constraints = ["site.toml"]` + "\n" + base
	for lead, want := range map[string]string{"stock": "", "0 weeks": "", "": "1 of 2 parts have none (DAC first)"} {
		parts := "part_no,kind,rate_gbps,ports,unit_price,currency,power_w,length_m,medium,lead_time\n" +
			"SW,switch,400,64,9000,USD,800,,,4 weeks\nDAC,cable,400,,100,USD,0,20,copper," + lead + "\n"
		s, l := from(map[string]string{"study.toml": study, "parts.csv": parts, "site.toml": "[procurement]\nlead_time = { max = \"9 weeks\" }\n"})
		if got := details(l); s == nil || want == "" && strings.Contains(got, "have none") || !strings.Contains(got, want) {
			t.Errorf("lead time %q: %s, want %q", lead, got, want)
		}
	}
}

// A list without switches, or without cables for their ports, and a bandwidth beyond all ports, are told
// where they stand; a list that is missing hides neither the faults of another nor unknown models.
func TestListsThatConnectNothing(t *testing.T) {
	const head = "part_no,kind,rate_gbps,ports,unit_price,currency,length_m,medium\n"
	const sw, dac = "SW,switch,400,64,9000,USD,,\n", "DAC,cable,400,,100,USD,3,copper\n"
	study := `catalog = ["parts.csv"]` + "\n" + `constraints = ["site.toml"]` + "\n" + base
	for name, c := range map[string]struct {
		study, site, parts, want string
		ok                       bool
	}{
		"no switch":        {study, "", head + dac, "parts.csv: error: there is no switch in catalogue parts.csv | add rows of kind switch", false},
		"no such switch":   {study, "[switch]\nports = { max = 32 }\n", head + sw + dac, "site.toml:2:17: error: no switch of catalogue parts.csv meets the limits", false},
		"no cable":         {study, "", head + sw, "study.toml: warning: catalogue parts.csv has no cable", true},
		"cable too long":   {study, "[cable]\nreach = { max = \"2 m\" }\n", head + sw + dac, "has no cable that may be laid", true},
		"bandwidth":        {strings.Replace(study, "400 Gb/s", "400 Tb/s", 1), "", head + sw + dac, "study.toml: warning: the fastest port on the list has 400 Gb/s: an endpoint of 400000 Gb/s needs at least 1000", true},
		"beyond measure":   {strings.Replace(study, "400 Gb/s", "9e300 Gb/s", 1), "", head + sw + dac, "an endpoint of 9e+300 Gb/s needs at least 2.25e+298 of them", true},
		"list missing":     {strings.Replace(study, `["parts.csv"]`, `["gone.csv", "parts.csv"]`, 1), "", head + "SW,swich,400,64,9000,USD,,\n", `parts.csv:2:4: error: there is no kind "swich"`, false},
		"model and metric": {strings.Replace(study, `"cost"`, `"cots"`, 1), "[switch]\nmodels = [\"SX\"]\n", head + sw + dac, `site.toml:2:10: error: there is no switch "SX" in catalogue parts.csv`, false},
	} {
		s, l := from(map[string]string{"study.toml": c.study, "site.toml": c.site, "parts.csv": c.parts})
		if (s != nil) != c.ok || !strings.Contains(details(l), c.want) {
			t.Errorf("%s: %s, want %s", name, details(l), c.want)
		}
	}
	if s, l := from(map[string]string{"study.toml": study, "site.toml": "", "parts.csv": head + sw + dac}); s == nil || len(l) != 0 {
		t.Errorf("a list with both: %s", details(l))
	}
}
