package study

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"toposearch/diag"
	"toposearch/evaluator/metric"
	"toposearch/evaluator/route"
)

// base is a study without faults; tests replace lines of it.
const base = `name = "t"
[endpoints]
count = { min = 1024, max = 1152 }
bandwidth = "400 Gb/s"
[space]
families = ["zcube", "dragonfly"]
[[objective]]
metric = "cost"
[[objective]]
metric = "uniform_throughput"
`

// from loads a study out of memory.
func from(files map[string]string) (*Study, diag.List) {
	return LoadFrom("study.toml", func(name string) ([]byte, error) {
		if s, ok := files[name]; ok {
			return []byte(s), nil
		}
		return nil, fs.ErrNotExist
	})
}

func details(l diag.List) string {
	var b strings.Builder
	for _, d := range l {
		b.WriteString(d.String() + " | " + d.Detail + "\n")
	}
	return b.String()
}

func TestEveryKey(t *testing.T) {
	s, l := from(map[string]string{"study.toml": `name = "all"
seed = 7
constraints = ["site.toml"]
catalog = { files = ["parts.csv"], decimal = ",", currency = "EUR", as_of = 2026-11-21 }
[endpoints]
count = 64
bandwidth = "200 Gb/s"
per_server = 4
scaleup = true
scaleup_bandwidth = "1.8 Tb/s"
[space]
families = ["dragonfly", "zcube"]
[space.dragonfly]
p = [4, 2, 4]
a = { min = 2, max = 8 }
h = 2
arrangement = ["relative", "palmtree"]
[[objective]]
metric = "cost"
[[objective]]
metric = "endpoints"
direction = "max"
[search]
strategy = "nsga2"
budget = { time = "1h30m", evaluations = 1_000_000 }
batch = 256
tolerance = 0.02
[verify]
finalists = 3
traffic = ["worst", "uniform"]
cycles = 1000
vcs = 6
packet = 2
loads = 4
[require]
sim_saturation = { min = 0.6 }
[latency]
switch = "300 ns"
cable = "4.9 ns/m"
mtu = "1500 B"
[cost]
nics = true
currency = "USD"
rates = { EUR = 1.0870 }
`, "site.toml": "[procurement]\ncost = \"1 MEUR\"\n",
		"parts.csv": "part_no;kind;rate_gbps;ports;length_m;medium;unit_price;valid_until\nSW;switch;200;64;;;10.000,00;2027-01-01\nC;cable;200;;3;dac;12,50;2027-01-01\nN;nic;200;1;;;900,00;2027-01-01\n"})
	if s == nil || len(l) > 0 {
		t.Fatal(details(l))
	}
	p, a, h, g, arr := &s.Space[0].Domains[0], &s.Space[0].Domains[1], &s.Space[0].Domains[2], &s.Space[0].Domains[3], &s.Space[0].Domains[4]
	got := fmt.Sprintln(s.Name, s.Seed, s.MinEndpoints, s.MaxEndpoints, s.BandwidthGbps, s.PerServer, s.Scaleup, s.ScaleupGbps, p.Values, a.Min, a.Max,
		a.Size(), h.Values, g.Given, arr.Values, s.Space[1].Domains[0].Given, s.Search, s.Verify, s.Options.Latency, s.Options.CountNICs, s.Catalogue.Part("SW").UnitPrice)
	want := fmt.Sprintln("all", 7, 64, 64, 200, 4, true, 1800, []int{2, 4}, 2, 8, 7, []int{2}, false, s.indexes("dragonfly", "arrangement", "palmtree", "relative"), false,
		Search{Strategy: NSGA2, Time: 90 * time.Minute, Evaluations: 1_000_000, EvaluationsAt: diag.Pos{File: "study.toml", Line: 25, Column: 42}, Batch: 256, Tolerance: 0.02}, Verify{Finalists: 3, Traffic: []string{"worst", "uniform"}, Cycles: 1000, Packet: 2, Loads: 4, VCs: 6}, route.LatencyModel{SwitchNs: 300, CableNsPerM: 4.9, MTUBytes: 1500}, true, 10_000_00)
	if got != want {
		t.Errorf("study\n%swant\n%s", got, want)
	}
	if o := s.Objectives; len(o) != 2 || o[0].Name() != "cost" || o[0].Better != metric.Lower || o[1].Name() != "endpoints" || o[1].Better != metric.Higher {
		t.Errorf("objectives %v", o)
	}
	// 1 MEUR at 1.0870.
	if b := s.Constraints.Limits[0].Bound; b != 1.087e6 {
		t.Errorf("cost at most %g USD, want 1.087e6", b)
	}
	if r := s.Require; len(r) != 1 || r[0].Name != "require.sim_saturation" || r[0].Max || r[0].Bound != 0.6 {
		t.Errorf("require %+v", r)
	}
	var names []string
	for _, in := range s.Inputs {
		names = append(names, in.Path)
	}
	if fmt.Sprint(names) != "[study.toml site.toml parts.csv]" || len(s.Inputs[0].SHA256) != 64 {
		t.Errorf("inputs %v", names)
	}
	if !a.Contains(8) || a.Contains(9) || !p.Contains(4) || p.Contains(3) {
		t.Error("a domain contains what it should not, or misses what it should")
	}
}

// indexes gives the values of named choices, ascending.
func (s *Study) indexes(familyName, param string, choices ...string) []int {
	for _, sp := range s.Space {
		if sp.Family.Name != familyName {
			continue
		}
		p := sp.Family.Params[sp.Family.Param(param)]
		var out []int
		for _, c := range choices {
			out = append(out, slices.Index(p.Choices, c))
		}
		slices.Sort(out)
		return out
	}
	return nil
}

func TestFaults(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"unknown key":           {`name = "t"`, "name = \"t\"\nseeed = 1", `study.toml:2:1: error: unknown key "seeed" at the top of the file | did you mean "seed"?`},
		"empty range":           {"min = 1024, max = 1152", "min = 20, max = 10", "study.toml:3:17: error: min 20 is above max 10: the range is empty"},
		"half a range":          {"min = 1024, max = 1152", "min = 20", "a range of endpoints needs min and max"},
		"no endpoints":          {"{ min = 1024, max = 1152 }", "0", "0 is below the least, 1"},
		"bandwidth":             {`"400 Gb/s"`, `"400 GW"`, "GW is a unit of power, not of bandwidth"},
		"bare bandwidth":        {`"400 Gb/s"`, `400`, "study.toml:4:13: error: 400 has no unit"},
		"family":                {`"dragonfly"`, `"dragonfy"`, `study.toml:6:22: error: there is no family "dragonfy" | did you mean "dragonfly"?`},
		"family twice":          {`"dragonfly"`, `"zcube"`, "family zcube is named twice"},
		"parameter":             {"[[objective]]\nmetric = \"cost\"", "[space.dragonfly]\narangement = \"palmtree\"\n[[objective]]\nmetric = \"cost\"", `unknown key "arangement" in [space.dragonfly] | did you mean "arrangement"?`},
		"choice":                {"[[objective]]\nmetric = \"cost\"", "[space.dragonfly]\narrangement = \"plamtree\"\n[[objective]]\nmetric = \"cost\"", `did you mean "palmtree"?`},
		"parameter range":       {"[[objective]]\nmetric = \"cost\"", "[space.zcube]\nn = { min = 9, max = 3 }\n[[objective]]\nmetric = \"cost\"", "study.toml:8:5: error: parameter n: min 9 is above max 3"},
		"parameter too large":   {"[[objective]]\nmetric = \"cost\"", "[space.zcube]\nn = [4, 1_000_000]\n[[objective]]\nmetric = \"cost\"", "parameter n = 1000000 is outside its range, 2 to 1024"},
		"ratio that is none":    {"families = [\"zcube\", \"dragonfly\"]", "families = [\"fattree\"]\n[space.fattree]\ntaper2 = \"3\"", `parameter taper2: "3" is not a ratio of two whole numbers such as 3:1`},
		"ratio below 1:1":       {"families = [\"zcube\", \"dragonfly\"]", "families = [\"fattree\"]\n[space.fattree]\ntaper2 = [\"2:1\", \"1:2\"]", "1:2 is outside its range, 1:1 to 1023:1"},
		"ratios in disorder":    {"families = [\"zcube\", \"dragonfly\"]", "families = [\"fattree\"]\n[space.fattree]\ntaper2 = { min = \"3:1\", max = \"2:1\" }", "parameter taper2: min 3:1 is above max 2:1"},
		"parameter type":        {"[[objective]]\nmetric = \"cost\"", "[space.zcube]\nn = 2.5\n[[objective]]\nmetric = \"cost\"", "expected a whole number, found 2.5"},
		"family not searched":   {"[[objective]]\nmetric = \"cost\"", "[space.hyperx]\nt = 3\n[[objective]]\nmetric = \"cost\"", "hyperx is narrowed here and not among the families"},
		"family misspelt":       {"[[objective]]\nmetric = \"cost\"", "[space.hypercx]\nt = 3\n[[objective]]\nmetric = \"cost\"", `did you mean "hyperx"?`},
		"metric":                {`"cost"`, `"cots"`, `study.toml:8:10: error: there is no metric "cots" | did you mean "cost"?`},
		"metric twice":          {`"uniform_throughput"`, `"cost"`, "cost is an objective twice"},
		"number too large":      {`name = "t"`, "seed = 99999999999999999999", "study.toml:1:8: error: the file is not TOML: 99999999999999999999 is too large a number"},
		"not simulated":         {"metric = \"cost\"", "metric = \"sim_saturation\"\n[verify]\nfinalists = 0\n[[objective]]\nmetric = \"cost\"", "sim_saturation is measured on finalists, and [verify] finalists is 0"},
		"not under uniform":     {"metric = \"cost\"", "metric = \"sim_saturation\"\n[verify]\ntraffic = [\"worst\"]\n[[objective]]\nmetric = \"cost\"", "that under uniform traffic, which [verify] traffic does not name"},
		"metric without side":   {`"cost"`, `"endpoints"`, "neither better high nor low"},
		"missing constraints":   {`name = "t"`, `constraints = ["no.toml"]`, `study.toml:1:16: error: cannot read the constraint file "no.toml": there is no such file`},
		"outside the window":    {`name = "t"`, `constraints = ["w.toml"]`, "w.toml:2:21: error: endpoints must be at least 5000 here and at most 1152 at study.toml:"},
		"missing catalogue":     {`name = "t"`, `catalog = ["no.csv"]`, `cannot read the catalogue "no.csv": there is no such file`},
		"strategy":              {`name = "t"`, "search = { strategy = \"enumerat\" }", `did you mean "enumerate"?`},
		"budget without unit":   {`name = "t"`, "search = { budget = 30 }", "30 has no unit"},
		"budget of nothing":     {`name = "t"`, "search = { budget = \"0 s\" }", "the budget is 0"},
		"budget that is empty":  {`name = "t"`, "search = { budget = {} }", "neither a time nor a number of evaluations"},
		"negative evaluations":  {`name = "t"`, "search = { budget = { evaluations = -1 } }", "-1 is below the least"},
		"share above 1":         {`name = "t"`, "require = { availability = { min = 2 } }", "study.toml:1:36: error: 2 is outside 0 to 1"},
		"below nothing":         {`name = "t"`, "require = { racks = { max = -1 } }", "racks is never negative: no network can keep a max of -1"},
		"traffic":               {`name = "t"`, "verify = { traffic = [\"wurst\"] }", `did you mean "worst"?`},
		"routing of verify":     {`name = "t"`, "verify = { routing = \"valliant\" }", `study.toml:1:22: error: there is no routing "valliant"`},
		"algorithm":             {`name = "t"`, "routing = { algorithms = [\"natural\", \"ugal_k\"] }", `study.toml:1:38: error: there is no routing "ugal_k"`},
		"nearest algorithm":     {`name = "t"`, "routing = { algorithms = [\"natural\", \"ugal_k\"] }", `did you mean "ugal_l"?`},
		"algorithm twice":       {`name = "t"`, "routing = { algorithms = [\"natural\", \"natural\"] }", `natural is named twice`},
		"no algorithm":          {`name = "t"`, "routing = { algorithms = [] }", `no routing is named`},
		"without a model":       {`name = "t"`, "routing = { algorithms = [\"minimal\"] }", `there is no analytic model of routing minimal; there is one of natural, valiant`},
		"out of order":          {`name = "t"`, "routing = { algorithms = [\"natural\", \"ugal_l\"], in_order = true }", "study.toml:1:38: error: ugal_l chooses a path packet by packet, and in_order = true keeps a flow on one"},
		"verified out of order": {`name = "t"`, "routing = { in_order = true }\nverify = { routing = \"natural\" }", "natural chooses a path packet by packet, and [routing] in_order = true keeps a flow on one: write natural+hash"},
		"nothing to go by":      {"families = [\"zcube\", \"dragonfly\"]", "families = [\"crossbar\"]\n[routing]\nalgorithms = [\"natural\", \"valiant\"]", "valiant makes detours, and no family of [space] has a third switch to go by"},
		"no algorithm fits":     {`name = "t"`, "constraints = [\"vc.toml\"]\nrouting = { algorithms = [\"ugal_l\", \"par\"] }", "no routing that is named fits the virtual channels"},
		"limit of routing":      {`name = "t"`, "routing = { vcs = 4 }", `it is a limit: it stands in [routing] of a constraint file`},
		"its nearest":           {`name = "t"`, "verify = { routing = \"valliant\" }", `did you mean "valiant"?`},
		"no groups":             {"families = [\"zcube\", \"dragonfly\"]", "families = [\"butterfly\"]\n[verify]\nrouting = \"ugal_l+group\"", "no family of [space] has groups, pods or sub-networks"},
		"too few VCs":           {`name = "t"`, "constraints = [\"vc.toml\"]\nverify = { routing = \"par\" }", "study.toml:2:22: error: par needs at least 2 virtual channels, those of either leg of a detour, and there is 1 (vc.toml:2:15)"},
		"model of verify":       {`name = "t"`, "verify = { model = \"cut_trough\" }", `did you mean "cut_through"?`},
		"state in ns":           {`name = "t"`, "verify = { model = \"cut_through\", routing = \"par_ph\" }", "par_ph keeps state in the switches"},
		"cycles in ns":          {"metric = \"cost\"", "metric = \"sim_latency_half_load\"\n[verify]\nmodel = \"cut_through\"\n[[objective]]\nmetric = \"cost\"", "sim_latency_half_load is in cycles of the flit model"},
		"cycles and precision":  {`name = "t"`, "verify = { cycles = 1000, precision = 0.02 }", "with cycles each load is measured for that long"},
		"fine precision":        {`name = "t"`, "verify = { precision = 0.00001 }", "0.001"},
		"cycles":                {`name = "t"`, "verify = { cycles = \"many\" }", `expected a whole number, found "many"`},
		"model":                 {`name = "t"`, `constraints = ["model.toml"]`, `model.toml:2:10: error: there is no switch "SW-64x40" in catalogue builtin 2026-01 | did you mean "SW-64x400"?`},
		"contradiction":         {`name = "t"`, `constraints = ["x.toml", "y.toml"]`, "x.toml:2:21: error: mean_hops must be at least 3 here and at most 2 at y.toml:2:21"},
		"no such switch":        {`name = "t"`, `constraints = ["none.toml"]`, "none.toml:2:17: error: no switch of catalogue builtin 2026-01 meets the limits"},
		"not TOML":              {"[space]", "[space", "study.toml:5:"},
		"currency":              {`name = "t"`, `cost = { currency = "XYZ" }`, `there is no currency "XYZ"`},
		"rate":                  {`name = "t"`, `cost = { rates = { EUR = 0 } }`, "not above 0"},
		"rate of its own":       {`name = "t"`, `cost = { currency = "EUR", rates = { EUR = 1.1 } }`, "costs are in EUR: one is worth one"},
		"seed":                  {`name = "t"`, "seed = -1", "-1 is below the least, 0"},
		"missing rate":          {`name = "t"`, `catalog = ["euro.csv"]`, "prices in EUR need a rate: write [cost] rates = { EUR = ... }"},
		"metric of a workload":  {`"cost"`, `"step_time"`, "study.toml:8:10: error: no design has step_time: it is of a [workload], and the study has none | write [workload]"},
	} {
		s, l := from(map[string]string{"study.toml": strings.Replace(base, c.old, c.new, 1), "model.toml": "[switch]\nmodels = [\"SW-64x40\"]\n",
			"x.toml": "[limits]\nmean_hops = { min = 3 }\n", "y.toml": "[limits]\nmean_hops = { max = 2 }\n", "w.toml": "[limits]\nendpoints = { min = 5000 }\n", "vc.toml": "[routing]\nvcs = { max = 1 }\n", "none.toml": "[switch]\nports = { max = 2 }\n",
			"euro.csv": "part_no,kind,rate_gbps,ports,unit_price,currency\nA,switch,400,64,5,EUR\n"})
		if s != nil || !strings.Contains(details(l), c.want) {
			t.Errorf("%s: %s, want %q", name, details(l), c.want)
		}
	}
	if s, l := from(map[string]string{"study.toml": base}); s == nil || len(l) > 0 {
		t.Errorf("the study without faults: %v", l)
	}
}

// The limits on VCs and source routes are those of the routing that needs least; one that never fits is told of.
func TestRoutings(t *testing.T) {
	for _, c := range []struct {
		routing string
		names   []string
		key     metric.Key // of the limit on VCs
		hops    float64
		want    string // warning
	}{
		{"", []string{"deployed"}, metric.VCsMinimal, 9, ""},
		{"algorithms = [\"ugal_l\", \"natural\"]", []string{"ugal_l", "natural"}, metric.VCsMinimal, 9, ""},
		{"algorithms = [\"ugal_l\", \"par\"]", []string{"ugal_l", "par"}, metric.VCsAdaptive, 4, "par needs 3 virtual channels or more, and site.toml:2:15 allows 2"},
		{"algorithms = \"deployed\"", []string{"deployed"}, metric.VCsMinimal, 9, ""},
		{"algorithms = \"deployed\"\nin_order = true", []string{"natural+hash"}, metric.VCsMinimal, 9, ""},
		{"in_order = true", []string{"natural+hash"}, metric.VCsMinimal, 9, ""},
		{"algorithms = [\"natural\"]\nin_order = true", []string{"natural+hash"}, metric.VCsMinimal, 9, ""},
	} {
		s, l := from(map[string]string{"study.toml": "constraints = [\"site.toml\"]\n" + base + "[routing]\n" + c.routing + "\n",
			"site.toml": "[routing]\nvcs = { max = 2 }\nsource_route_hops = 9\n"})
		if s == nil || (c.want == "") != (len(l) == 0) || !strings.Contains(details(l), c.want) {
			t.Errorf("%s: %s", c.routing, details(l))
			continue
		}
		if !slices.Equal(s.Options.Algorithms, c.names) || s.Options.MaxVCs != 2 || s.Options.MaxRouteHops != 9 {
			t.Errorf("%s: %v, %d VCs, %d hops", c.routing, s.Options.Algorithms, s.Options.MaxVCs, s.Options.MaxRouteHops)
		}
		for _, x := range s.Constraints.Limits {
			if x.Name == "routing.vcs" && (x.Key != c.key || x.Bound != 2) || x.Name == "routing.source_route_hops" && (x.Key != metric.MaxHops || x.Bound != c.hops) {
				t.Errorf("%s: limit %s of %s is %v", c.routing, x.Name, metric.Keys[x.Key].Name, x.Bound)
			}
		}
	}
}

// par alone under a limit on VCs: what its first hop takes is in no metric, nor are the layers of tables that may be
// chosen; then no limit rejects designs that nothing fits but the evaluation, under the name of the limit.
func TestNoMetricOfVCs(t *testing.T) {
	for _, names := range []string{"par", "lash", "dfsssp natural"} {
		s, l := from(map[string]string{"study.toml": "constraints = [\"site.toml\"]\n" + base + "[routing]\nalgorithms = [\"" + strings.ReplaceAll(names, " ", "\", \"") + "\"]\n",
			"site.toml": "[routing]\nvcs = { max = 5 }\n"})
		if s == nil || len(l) > 0 || strings.Join(s.Options.Algorithms, " ") != names || !s.Options.RejectUnfit || s.Options.MaxVCs != 5 {
			t.Fatalf("%s: %+v, %s", names, s, details(l))
		}
		for _, x := range s.Constraints.Limits {
			if x.Name == "routing.vcs" {
				t.Errorf("%s: a limit of %v on %s is left", names, x.Bound, metric.Keys[x.Key].Name)
			}
		}
		if o, ok := s.Constraints.OriginOf("routing.vcs"); !ok || o.Pos.Line != 2 {
			t.Errorf("%s: the limit was written at %v", names, o.Pos)
		}
	}
}

// One fault in each of many places of several files: all are reported, none hides another.
func TestAllFaultsAtOnce(t *testing.T) {
	_, l := from(map[string]string{
		"study.toml": "seeed = 1\nconstraints = [\"a.toml\", \"b.toml\"]\ncatalog = [\"p.csv\"]\n[endpoints]\ncount = { min = 9, max = 3 }\nbandwidth = 3\n[space]\nfamilies = [\"zcub\"]\n[[objective]]\nmetric = \"cots\"\n",
		"a.toml":     "[building]\npower = \"2 MB\"\n",
		"b.toml":     "[rooting]\nvcs = 4\n",
		"p.csv":      "part_no,kind,rate_gbps,ports,unit_price,currency\nA,swich,400,64,5,USD\nB,switch,400,64,-5,USD\n",
	})
	places := map[string]bool{}
	for _, d := range l {
		places[d.Pos.String()] = true
		if d.Source == "" {
			t.Errorf("no source line: %s", d)
		}
	}
	want := []string{"a.toml:2:9", "b.toml:1:2", "p.csv:2:3", "p.csv:3:17", "study.toml:10:10", "study.toml:1:1", "study.toml:5:17", "study.toml:6:13", "study.toml:8:13"}
	if got := slices.Sorted(maps.Keys(places)); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("findings at %v, want %v\n%s", got, want, details(l))
	}
}

// FuzzLoad: a study is complete or refused; loading repeats; every finding names a file that was read and a
// line that it has.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(base), []byte("[switch]\nports = 64\n"))
	data, _ := fs.ReadFile(Example(), "study.toml")
	f.Add(data, []byte("[building]\npower = \"2 MW\"\n"))
	f.Fuzz(func(t *testing.T, text, site []byte) {
		load := func() (*Study, diag.List) {
			return LoadFrom("study.toml", func(name string) ([]byte, error) {
				if name == "study.toml" {
					return text, nil
				}
				return site, nil
			})
		}
		s, l := load()
		if (s == nil) != l.HasErrors() {
			t.Errorf("study %v, findings %v", s, l)
		}
		if s != nil && (s.Index == nil || s.Constraints == nil || len(s.Objectives) == 0 || s.MinEndpoints > s.MaxEndpoints || s.MinEndpoints < 1 || len(s.Space) == 0) {
			t.Errorf("a study without findings is incomplete: %+v", s)
		}
		lines := max(bytes.Count(text, []byte("\n")), bytes.Count(site, []byte("\n")), bytes.Count(site, []byte("\r"))) + 1
		for _, d := range l {
			if d.Summary == "" || d.Pos.File == "study.toml" && d.Pos.Line > lines {
				t.Errorf("finding %+v", d)
			}
		}
		if _, again := load(); fmt.Sprint(again) != fmt.Sprint(l) {
			t.Errorf("findings %v, then %v", l, again)
		}
	})
}
