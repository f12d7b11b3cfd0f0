package constraints

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/diag"
	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/evaluator/market"
	"toposearch/evaluator/metric"
)

// everything is the example of DESIGN.md, section 6, in one file.
const everything = `[endpoint]
ports = { max = 24 }
[switch]
ports = { max = 64, rate = "400 Gb/s" }
models = ["SW-64x400"]
buffer = { max = "64 MB" }
breakout = false
[routing]
vcs = { max = 4 }
vc_change = false
table_entries = { max = 16384 }
[cable]
reach = { max = "50 m" }
copper = "3 m"
[building]
power = { max = "2 MW" }
endpoint_power = "1.0 kW"
pue = 1.15
buildings = { max = 1 }
building_distance = "300 m"
racks = { max = 120 }
rack_power = { max = "40 kW" }
rack_switches = { max = 16 }
rack_cables = { max = 2000 }
rows = 8
rack_pitch = "0.6 m"
row_pitch = "3 m"
[procurement]
cost = { max = "12 MUSD" }
lead_time = { max = "26 weeks" }
[limits]
mean_hops = { max = 2.5 }
latency = { max = "1.5 us" }
`

func files(texts ...string) []File {
	var out []File
	for i, s := range texts {
		out = append(out, File{fmt.Sprintf("%c.toml", 'a'+i), []byte(s)})
	}
	return out
}

func TestEverything(t *testing.T) {
	s, l := Read(catalog.Currency{}, files(everything)...)
	if s == nil {
		t.Fatal(l)
	}
	var got []string
	for i := range s.Limits {
		got = append(got, fmt.Sprintf("%s %v %v @%d", s.Limits[i].Name, s.Limits[i].Max, s.Limits[i].Bound, s.Limits[i].Origin.Pos.Line))
	}
	want := []string{
		"switch.ports true 64 @4", "endpoint.ports true 24 @2", // level 0, by key
		"limits.mean_hops true 2.5 @32", "routing.vcs true 4 @9", "limits.latency true 1500 @33", "procurement.cost true 1.2e+07 @29",
		"building.power true 2e+06 @16", "cable.reach true 50 @13", "building.racks true 120 @21", "procurement.lead_time true 26 @30",
		"routing.vc_change true 4 @10", "routing.table_entries true 16384 @11", "building.rack_cables true 2000 @24", // level 2
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("limits\n%q, want\n%q", got, want)
	}
	var o evaluator.Options
	s.Apply(&o)
	if fmt.Sprintf("%+v", o.Site) != fmt.Sprintf("%+v", floor.Site{RackPitchM: 0.6, RowPitchM: 3, Rows: 8, RackPowerW: 40e3, RackSwitches: 16, Buildings: 1,
		BuildingDistM: 300, EndpointPowerW: 1000, PUE: 1.15, Limits: market.Limits{SwitchModels: []string{"SW-64x400"}, MaxSwitchPorts: 64, SwitchPortGbps: 400, NoBreakout: true,
			BufferBytes: 64e6, ReachM: 50, MediumReachM: map[string]float64{"copper": 3}, LeadWeeks: 26}}) || o.MaxVCs != 4 {
		t.Errorf("options %+v", o)
	}
	// Everything is judged; that the simulator changes VCs is said.
	if len(l) != 1 || l.HasErrors() || l[0].Pos.Line != 10 {
		t.Errorf("findings %v", l)
	}
	if p, ok := s.OriginOf("switch.models"); !ok || p.Pos.Line != 5 {
		t.Errorf("origin of switch.models: %+v", p)
	}
	if got := s.Limits[0].Text(); got != "switch.ports at most 64 (a.toml:4:17)" {
		t.Errorf("text %q", got)
	}
}

func TestStrictestWins(t *testing.T) {
	a := "[building]\npower = \"3 MW\"\nendpoint_power = \"1 kW\"\nrack_power = \"40 kW\"\n[cable]\nreach = \"50 m\"\n[switch]\nmodels = [\"A\", \"B\"]\n[routing]\nvcs = 4\n[limits]\nbisection = { min = 0.2 }\npower = { max = \"1 MW\" }\n"
	b := "[building]\npower = \"2 MW\"\nendpoint_power = \"1000 W\"\nrack_power = \"60 kW\"\nnetwork_power = \"500 kW\"\n[cable]\nreach = \"30 m\"\n[switch]\nmodels = [\"B\", \"C\"]\n[routing]\nvcs = 8\n[limits]\nbisection = { min = 0.5, max = 0.9 }\n"
	for _, order := range [][]File{files(a, b), {{"b.toml", []byte(b)}, {"a.toml", []byte(a)}}} {
		s, l := Read(catalog.Currency{}, order...)
		if s == nil || len(l) > 0 {
			t.Fatal(l)
		}
		want := map[string]string{
			"building.power":         "2e+06 from b.toml, weaker a.toml",
			"building.network_power": "500000 from b.toml, weaker a.toml", // limits.power bounds the same metric
			"cable.reach":            "30 from b.toml, weaker a.toml",
			"routing.vcs":            "4 from a.toml, weaker b.toml",
		}
		for i := range s.Limits {
			lim := &s.Limits[i]
			if w, ok := want[lim.Name]; ok {
				if got := fmt.Sprintf("%v from %s, weaker %s", lim.Bound, lim.Origin.Pos.File, lim.Weaker[0].Pos.File); got != w || len(lim.Weaker) != 1 {
					t.Errorf("%s: %s, want %s", lim.Name, got, w)
				}
				delete(want, lim.Name)
			}
		}
		if len(want) > 0 {
			t.Errorf("missing %v among %+v", want, s.Limits)
		}
		var o evaluator.Options
		s.Apply(&o)
		if o.Site.ReachM != 30 || o.MaxVCs != 4 || o.Site.RackPowerW != 40e3 || fmt.Sprint(o.Site.SwitchModels) != "[B]" || o.Site.EndpointPowerW != 1000 {
			t.Errorf("options %+v", o)
		}
	}
}

func TestFaultsNameBothPlaces(t *testing.T) {
	for name, c := range map[string]struct{ a, b, want string }{
		"contradiction": {"[limits]\nmean_hops = { min = 3 }\n", "[limits]\nmean_hops = { max = 2.5 }\n",
			"a.toml:2:21: error: mean_hops must be at least 3 here and at most 2.5 at b.toml:2:21 (limits.mean_hops): nothing can meet both"},
		"contradiction across sections": {"[switch]\nports = { min = 100 }\n", "[limits]\nphysical_ports = { max = 64 }\n",
			"a.toml:2:17: error: physical_ports must be at least 100 here and at most 64 at b.toml:2:26 (limits.physical_ports)"},
		"min above max":    {"[limits]\nracks = { min = 9, max = 3 }\n", "", "a.toml:2:17: error: min 9 is above max 3"},
		"two settings":     {"[building]\nrows = 4\n", "[building]\nrows = 5\n", "b.toml:2:8: error: building.rows is 5 here and 4 at a.toml:2:8"},
		"two port rates":   {"[switch]\nports = { max = 64, rate = \"400 Gb/s\" }\n", "[switch]\nports = { max = 64, rate = \"800 Gb/s\" }\n", "switch.ports.rate is 800 Gb/s here and 400 Gb/s at a.toml:2:28"},
		"no common model":  {"[switch]\nmodels = [\"A\"]\n", "[switch]\nmodels = [\"B\"]\n", "b.toml:2:10: error: no model is allowed both here and at a.toml:2:10: A"},
		"two powers":       {"[building]\nendpoint_power = \"1 kW\"\n", "[building]\nendpoint_all_in = \"1.3 kW\"\n", "b.toml:2:19: error: endpoint_all_in already holds what endpoint_power at a.toml:2:18 says"},
		"wrong unit":       {"[building]\npower = \"2 MB\"\n", "", `a.toml:2:9: error: "2 MB": MB is a unit of size in bytes, not of power`},
		"unknown key":      {"[routing]\nvirtual_chanels = 4\n", "", `a.toml:2:1: error: unknown key "virtual_chanels" in [routing]`},
		"unknown table":    {"[bilding]\npower = 1\n", "", `a.toml:1:2: error: unknown key "bilding"`},
		"no unit":          {"[cable]\nreach = 50\n", "", "a.toml:2:9: error: 50 has no unit"},
		"fraction":         {"[switch]\nports = 64.5\n", "", "a.toml:2:9: error: expected a whole number, found 64.5"},
		"no rate":          {"[procurement]\ncost = \"3 MEUR\"\n", "", "costs are in USD and there is no rate for EUR"},
		"which side":       {"[limits]\nmean_hops = 3\n", "", "is 3 the least or the most?"},
		"not a table":      {"switch = 3\n", "", "a.toml:1:10: error: expected a table, found 3"},
		"PUE below one":    {"[building]\npue = 0.9\n", "", "0.9 is outside 1 to 10"},
		"zero racks":       {"[building]\nrack_switches = 0\n", "", "it must be at least 1"},
		"no power":         {"[building]\npower = \"0 W\"\n", "", "building.power must be above 0"},
		"milliwatts":       {"[building]\npower = \"2 mW\"\n", "", "2 mW is less than a watt | M is mega, m is milli"},
		"no VCs":           {"[routing]\nvcs = { max = 0 }\n", "", "a.toml:2:15: error: routing.vcs must be above 0"},
		"no reach":         {"[cable]\nreach = { max = \"0 m\" }\n", "", "cable.reach must be above 0"},
		"no money":         {"[procurement]\ncost = \"0 USD\"\n", "", "procurement.cost must be above 0"},
		"no such metric":   {"[limits]\nfoo = { max = 1 }\n", "", `a.toml:2:1: error: there is no metric "foo" | toposearch help metrics lists them`},
		"near a metric":    {"[limits]\nmean_hop = { max = 1 }\n", "", `did you mean "mean_hops"?`},
		"empty":            {"[building]\npower = {}\n", "", "neither min nor max"},
		"unknown in limit": {"[building]\npower = { mx = \"1 W\" }\n", "", `one of min, max`},
	} {
		s, l := Read(catalog.Currency{}, files(c.a, c.b)...)
		if text := details(l); s != nil || !strings.Contains(text, c.want) {
			t.Errorf("%s: %s, want %q", name, text, c.want)
		}
		for _, d := range l {
			if d.Source == "" {
				t.Errorf("%s: no source line for %s", name, d)
			}
		}
	}
}

func details(l diag.List) string {
	var b strings.Builder
	for _, d := range l {
		b.WriteString(d.String() + " | " + d.Detail + "\n")
	}
	return b.String()
}

// TestBuildingPowerIsOfEach: the metric is that of the building that draws most, and the limit that
// of a building, however many there are.
func TestBuildingPowerIsOfEach(t *testing.T) {
	s, l := Read(catalog.Currency{}, files("[building]\npower = \"18 MW\"\nendpoint_power = \"1 kW\"\nbuildings = { max = 3 }\n")...)
	if s == nil || len(l) > 0 {
		t.Fatal(l)
	}
	if got := s.Limits[0].Bound; got != 18e6 {
		t.Errorf("each of three buildings of 18 MW may draw %g W, want 18e6", got)
	}
	if _, l := Read(catalog.Currency{}, files("[building]\npower = \"18 MW\"\n")...); len(l) != 1 || l[0].Severity != diag.Warning || !strings.Contains(l[0].Detail, "endpoint_power") {
		t.Errorf("no endpoint power: %v", l)
	}
}

func TestMoneyIsConverted(t *testing.T) {
	cur := catalog.Currency{Code: "EUR", Rates: map[string]catalog.Rate{"USD": 920_000_000}}
	s, l := Read(cur, files("[procurement]\ncost = \"10 MUSD\"\n", "[procurement]\ncost = \"9.3 MEUR\"\n")...)
	if s == nil || s.Limits[0].Bound != 9.2e6 || s.Limits[0].Origin.Pos.File != "a.toml" {
		t.Errorf("10 MUSD at 0.92 against 9.3 MEUR: %+v %v", s, l)
	}
}

func TestViolationMeasures(t *testing.T) {
	most := Limit{Key: metric.PhysicalPorts, Max: true, Bound: 64}
	least := Limit{Key: metric.Bisection, Bound: 0.5}
	none := Limit{Key: metric.CablesOptical, Max: true, Bound: 0}
	for _, c := range []struct {
		l         Limit
		got, want float64
	}{{most, 64, 0}, {most, 1, 0}, {most, 65, 1.0 / 64}, {most, 640, 9}, {least, 0.5, 0}, {least, 1, 0}, {least, 0.25, 0.5}, {none, 3, 3}, {none, 0, 0}, {most, math.NaN(), 1},
		{most, 64 * (1 + 1e-15), 0}} {
		if got := c.l.Violation(c.got); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("violation of %v by %g = %g, want %g", c.l, c.got, got, c.want)
		}
	}
}

// TestJudge: two limits, an objective and a window, by values and by intervals around them.
func TestJudge(t *testing.T) {
	j := &Judge{Min: 100, Max: 200, Compared: []metric.Key{metric.Cost}, Limits: []Limit{
		{Key: metric.PhysicalPorts, Name: "ports", Max: true, Bound: 64}, {Key: metric.Bisection, Name: "bisection", Bound: 0.5}}}
	var v [metric.Count]float64
	v[metric.Endpoints], v[metric.PhysicalPorts], v[metric.Bisection], v[metric.Cost] = 50, 96, 0.4, 1
	if got := j.Values(metric.Reject{}, &v); got.Constraint != "ports" || math.Abs(got.Violation-0.7) > 1e-15 {
		t.Errorf("judged %+v, want ports, 0.5 + 0.2", got)
	}
	if ms := j.Misses(metric.Reject{}, &v); len(ms) != 3 || ms[0].Constraint != Window || ms[0].Violation != 1 || ms[2].Got != 0.4 {
		t.Errorf("misses %+v, want the window, ports, bisection", ms)
	}
	part := metric.Reject{Constraint: "switch.ports", Got: 96, Bound: 64}
	v[metric.PhysicalPorts], v[metric.Cost] = math.NaN(), math.NaN() // of what cannot be bought
	if got := j.Values(part, &v); got.Constraint != "switch.ports" || math.Abs(got.Violation-0.7) > 1e-15 || len(j.Incomparable(part, &v)) > 0 {
		t.Errorf("judged %+v, want switch.ports, 0.5 + 0.2", got)
	}
	// A rate that is not sold, and beside it 96 ports at least where the model that comes nearest has 80: of a limit of 64 half is missed, of one of 128
	// nothing, and the model lacks a fifth.
	part = metric.Reject{Constraint: "link.rate", Got: 800, Bound: 400, Ports: metric.Ports{Got: 96, Bound: 80}}
	if got := j.Values(part, &v); got.Constraint != "link.rate" || math.Abs(got.Violation-1.7) > 1e-15 || len(j.Misses(part, &v)) != 4 {
		t.Errorf("judged %+v, want link.rate, 1 + 0.5 + 0.2: %+v", got, j.Misses(part, &v))
	}
	j.Limits[0].Bound = 128
	if got, ms := j.Values(part, &v), j.Misses(part, &v); math.Abs(got.Violation-1.4) > 1e-15 || len(ms) != 4 || ms[2].Constraint != metric.RejectPorts || ms[2].Bound != 80 {
		t.Errorf("judged %+v, want 1 + 0.2 + 0.2: %+v", got, ms)
	}
	j.Limits[0].Bound = 64
	v[metric.PhysicalPorts], v[metric.Bisection] = 64, 1
	if got := j.Values(metric.Reject{}, &v); got != (Verdict{"absent cost", 1}) || len(j.Incomparable(metric.Reject{}, &v)) != 1 {
		t.Errorf("judged %+v without a cost", got)
	}
	if got := j.Size(50, nil); got != (Verdict{Window, 2}) {
		t.Errorf("50 endpoints of at least 100: %+v", got)
	}
	var in metric.Intervals
	in.Set(metric.PhysicalPorts, 60, 96)
	if got := j.Intervals(&in); got != (Verdict{}) || j.Excludes(&in) != "" || j.Met(&in) {
		t.Errorf("60 to 96 ports are certain to miss, or to meet, 64: %+v", got)
	}
	in.Set(metric.PhysicalPorts, 80, 96)
	in.Set(metric.Bisection, 0.1, 0.25)
	if got := j.Intervals(&in); got != (Verdict{"bisection", 0.75}) || j.Excludes(&in) != "ports" {
		t.Errorf("certain: %+v and first %s, want bisection, 0.25 + 0.5, and ports", got, j.Excludes(&in))
	}
	if n := testing.AllocsPerRun(100, func() { j.Values(part, &v); j.Intervals(&in); j.Excludes(&in); j.Met(&in) }); n != 0 {
		t.Errorf("judging allocates %g times", n)
	}
	in.Set(metric.PhysicalPorts, 60, 64)
	if in.Set(metric.Bisection, 0.5, 1); !j.Met(&in) {
		t.Error("intervals within the limits do not meet them")
	}
	if in.Lacks = metric.CostKeys; j.Excludes(&in) != "absent cost" || j.Intervals(&in) != (Verdict{"absent cost", 1}) {
		t.Errorf("without a cost: %s", j.Excludes(&in))
	}
}

// FuzzRead: what is read is a set without two limits on one side of a metric, each with its place; reading
// again, or the same file twice, gives the same limits; every finding names a line of the text.
func FuzzRead(f *testing.F) {
	f.Add([]byte(everything))
	f.Add([]byte("[building]\npower = { max = \"2 MW\", min = \"1 MW\" }\n[switch]\nmodels = []\n"))
	f.Add([]byte("[limits]\ncost.max = \"1 MUSD\"\nlatency = { min = \"1 ns\", max = \"0 ns\" }\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, l := Read(catalog.Currency{}, File{"f", data})
		if (s == nil) != l.HasErrors() {
			t.Errorf("set %v, findings %v", s, l)
		}
		for _, d := range l {
			if d.Pos.File != "f" || d.Pos.Line > bytes.Count(data, []byte("\n"))+1 || d.Summary == "" {
				t.Errorf("finding %+v", d)
			}
		}
		if s == nil {
			return
		}
		var o evaluator.Options
		s.Apply(&o)
		for i := range s.Limits {
			if b := &s.Limits[i]; b.Origin.Pos.Line == 0 || math.IsNaN(b.Bound) {
				t.Errorf("limit %+v", b)
			}
			if i == 0 {
				continue
			}
			a, b := &s.Limits[i-1], &s.Limits[i]
			if a.Key == b.Key && a.Max == b.Max {
				t.Errorf("two limits on one side of %s", metric.Keys[a.Key].Name)
			}
		}
		again, _ := Read(catalog.Currency{}, File{"f", data}, File{"f", data})
		if again == nil || len(again.Limits) != len(s.Limits) {
			t.Fatalf("read twice: %v, once: %v", again, s)
		}
		for i := range s.Limits {
			if again.Limits[i].Key != s.Limits[i].Key || again.Limits[i].Bound != s.Limits[i].Bound {
				t.Errorf("limit %+v, read twice %+v", s.Limits[i], again.Limits[i])
			}
		}
	})
}

// TestVCChange: packets that keep their VC may use as many VCs as any file allows, and 15 where
// none says; vc_change = true asks nothing.
func TestVCChange(t *testing.T) {
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{"[routing]\nvc_change = false\n"}, "15 0"},
		{[]string{"[routing]\nvc_change = false\nvcs = 4\n"}, "4 0"},
		{[]string{"[routing]\nvc_change = false\nvcs = 4\n", "[routing]\nvcs = 2\n"}, "2 0"},
		{[]string{"[routing]\nvcs = 3\n", "[routing]\nvc_change = false\n", "[routing]\nvc_change = false\n"}, "3 1"},
		{[]string{"[routing]\nvcs = 3\nvc_change = true\n"}, ""},
	} {
		s, l := Read(catalog.Currency{}, files(c.files...)...)
		if s == nil {
			t.Fatal(l)
		}
		got := ""
		for i := range s.Limits {
			if s.Limits[i].Key == metric.VCsFixed {
				got = fmt.Sprint(s.Limits[i].Bound, len(s.Limits[i].Weaker))
			}
		}
		if got != c.want {
			t.Errorf("%q: bound and weaker limits %q, want %q", c.files, got, c.want)
		}
	}
}

// A key in the wrong table is told where it stands, a foreign word also in which table its key does; the
// list of homes is true: every key is read there, and told elsewhere.
func TestKeysInTheWrongTable(t *testing.T) {
	for key, home := range homes {
		for _, section := range Sections {
			_, l := Read(catalog.Currency{Code: "USD"}, File{"a.toml", []byte("[" + section + "]\n" + key + " = 1\n")})
			unknown := strings.Contains(withDetails(l), "unknown key")
			told := strings.Contains(withDetails(l), "it stands in ["+home+"]")
			if here := section == home || section == "limits" && isMetric(key); unknown == here || told == here {
				t.Errorf("%s in [%s]: %v; it stands in [%s]", key, section, l, home)
			}
		}
	}
	for _, c := range []struct{ text, want string }{
		{"[limits]\ncable_reach = { max = 3 }\n", "a.toml:2:1: error: unknown key \"cable_reach\" in [limits] (it is reach in [cable])"},
		{"[limits]\nbudget = { max = \"3 USD\" }\n", "did you mean \"cost\"?"},
		{"[cable]\nrise = \"1 m\"\n", "it stands in [building]"},
		{"pue = 1.2\n", "it stands in [building]"},
		{"[routing]\nvirtual_channels = 4\n", "did you mean \"vcs\"?"},
		{"[switch]\nvirtual_channels = 4\n", "it is vcs in [routing]"},
	} {
		_, l := Read(catalog.Currency{Code: "USD"}, File{"a.toml", []byte(c.text)})
		if got := withDetails(l); !strings.Contains(got, c.want) {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
	}
}

func withDetails(l diag.List) string {
	var b strings.Builder
	for _, d := range l {
		fmt.Fprintf(&b, "%s (%s)\n", d, d.Detail)
	}
	return b.String()
}
