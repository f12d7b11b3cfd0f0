package study

import (
	"math"
	"strings"
	"testing"

	"toposearch/catalog"
	"toposearch/evaluator/cluster"
)

// clusterList has two accelerators, of which a study must name one.
const clusterList = "part_no,kind,rate_gbps,ports,length_m,medium,power_w,unit_price,currency\n" +
	"S,switch,400,64,,,500,100,USD\nD,cable,400,,2,dac-passive,,1,USD\nA,accelerator,,,,,700,100,EUR\nB,accelerator,,,,,900,,\nC,cpu,,,,,200,10,USD\nR,rack,,,,,,5,USD\n"

// clusterStudy says everything of a cluster.
const clusterStudy = `name = "t"
catalog = ["parts.csv"]
[endpoints]
count = { min = 64, max = 128 }
bandwidth = "400 Gb/s"
accelerator = "A"
cpu = "C"
cpus_per_server = 4
[space]
families = ["fattree"]
[[objective]]
metric = "tco"
[[objective]]
metric = "mtbf"
[availability]
repair = { switch = "4 h", other = "30 min" }
afr = { accelerator = 0.09, rack = 0.01 }
spares = { group = 64, count = 2 }
checkpoint = "90 s"
restart = "6 min"
[tco]
years = 5
energy = "85 EUR/MWh"
maintenance = 0.05
load = 0.8
rack = "R"
[cost]
rates = { EUR = 1.2 }
`

func TestCluster(t *testing.T) {
	s, l := from(map[string]string{"study.toml": clusterStudy, "parts.csv": clusterList})
	if s == nil {
		t.Fatal(details(l))
	}
	o := s.Options.Cluster
	want := cluster.Options{Accelerator: "A", CPU: "C", Rack: "R", CPUsPerServer: 4, Group: 64, Spares: 2, CheckpointH: 0.025, RestartH: 0.1}
	if o.Accelerator != want.Accelerator || o.CPU != want.CPU || o.Rack != want.Rack || o.CPUsPerServer != 4 || o.Group != 64 || o.Spares != 2 ||
		math.Abs(o.CheckpointH-0.025) > 1e-12 || math.Abs(o.RestartH-0.1) > 1e-12 || o.RepairH[""] != 0.5 || o.RepairH[catalog.KindSwitch] != 4 || o.AFR[catalog.KindAccelerator] != 0.09 {
		t.Errorf("read %+v, want %+v", o, want)
	}
	// 85 EUR a MWh at 1.2 USD: 0.102 USD a kWh.
	if x := o.TCO; x == nil || x.Years != 5 || math.Abs(x.PerKWh-0.102) > 1e-12 || x.Maintenance != 0.05 || x.Load != 0.8 {
		t.Errorf("[tco] is %+v", x)
	}
	if !s.Options.BoundUptime || !s.Options.BoundMoney {
		t.Error("designs are compared by tco and mtbf, and neither is bounded")
	}
	s, l = from(map[string]string{"study.toml": base})
	if s == nil || s.Options.BoundUptime || s.Options.BoundMoney || s.Options.Cluster.TCO != nil {
		t.Errorf("a study that says nothing of a cluster: %v", details(l))
	}
}

// TestUnsaid: an objective or a limit that no design would have is refused, where it stands, with what is missing.
func TestUnsaid(t *testing.T) {
	plain := strings.Replace(base, "[[objective]]", "[[objective]]\nmetric = \"WHAT\"\n[[objective]]", 1)
	for metric, want := range map[string]string{
		"capex":           "study.toml:8:10: error: no design has capex: it is of the whole cluster, and what its accelerators cost is not known | the price list has no part of kind accelerator",
		"network_share":   "no design has network_share: it is of the whole cluster",
		"cost_efficiency": "no design has cost_efficiency: the study does not say how long the cluster runs",
		"tco":             "no design has tco: the study does not say",
		"goodput":         "no design has goodput: the study does not say how long a checkpoint takes | write checkpoint",
		"alltoall_time":   "no design has alltoall_time: it is of a [workload]",
	} {
		if s, l := from(map[string]string{"study.toml": strings.Replace(plain, "WHAT", metric, 1)}); s != nil || !strings.Contains(details(l), want) {
			t.Errorf("%s: %s, want %q", metric, details(l), want)
		}
	}
	limited := strings.Replace(base, "[endpoints]", "constraints = [\"x.toml\"]\n[endpoints]", 1)
	if s, l := from(map[string]string{"study.toml": limited, "x.toml": "[limits]\ncapex = { max = \"9 MUSD\" }\n"}); s != nil || !strings.Contains(details(l), "x.toml:2:17: error: no design has capex") {
		t.Errorf("a limit: %s", details(l))
	}
	if s, l := from(map[string]string{"study.toml": strings.Replace(plain, "WHAT", "availability", 1)}); s == nil {
		t.Errorf("availability needs nothing: %s", details(l))
	}
}

func TestClusterFaults(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no such part":    {`accelerator = "A"`, `accelerator = "AA"`, `study.toml:6:15: error: there is no accelerator "AA" in catalogue parts.csv | one of A, B`},
		"part of another": {`cpu = "C"`, `cpu = "S"`, `study.toml:7:7: error: there is no cpu "S"`},
		"none named":      {`accelerator = "A"`, ``, `the price list has several parts of kind accelerator (A, B), and the study names none of them: name it as [endpoints] accelerator`},
		"unpriced":        {`accelerator = "A"`, `accelerator = "B"`, `what its endpoints cost or draw is not known | unpriced: B`},
		"repair":          {`other = "30 min"`, `others = "30 min"`, `unknown key "others"`},
		"repair unit":     {`switch = "4 h"`, `switch = 4`, `4 has no unit`},
		"failure rate":    {`accelerator = 0.09`, `accelerator = 9`, `9 is outside 0 to 1`},
		"kind":            {`rack = 0.01 }`, `gpu = 0.01 }`, `unknown key "gpu"`},
		"spares":          {`spares = { group = 64, count = 2 }`, `spares = { group = 64 }`, `spares need group and count | write spares = { group = 64, count = 1 }`},
		"no spares":       {`count = 2`, `count = 0`, `0 is below the least, 1`},
		"checkpoint":      {`checkpoint = "90 s"`, `checkpoint = "0 s"`, `a checkpoint takes longer than 0`},
		"mttr":            {`restart = "6 min"`, `mttr = "6 min"`, `unknown key "mttr" in [availability] | did you mean "repair"`},
		"years":           {`years = 5`, ``, `[tco] needs years`},
		"no years":        {`years = 5`, `years = 0`, `years must be above 0`},
		"energy":          {`energy = "85 EUR/MWh"`, ``, `[tco] needs the price of energy`},
		"price of energy": {`energy = "85 EUR/MWh"`, `energy = "85 EUR"`, `"85 EUR" is no price of energy | write a price with its currency: "0.10 USD/kWh"`},
		"no number":       {`energy = "85 EUR/MWh"`, `energy = "NaN EUR/MWh"`, `"NaN EUR/MWh" is no price of energy`},
		"currency":        {`energy = "85 EUR/MWh"`, `energy = "85 GBP/MWh"`, `costs are in USD and there is no rate for GBP`},
		"maintenance":     {`maintenance = 0.05`, `maintenance = 5`, `5 is outside 0 to 1`},
		"no years asked":  {"[tco]\nyears = 5\nenergy = \"85 EUR/MWh\"\nmaintenance = 0.05\nload = 0.8\nrack = \"R\"\n", "", `study.toml:12:10: error: no design has tco: the study does not say how long the cluster runs and what energy costs | write [tco]`},
		"no accelerator":  {"metric = \"mtbf\"", "metric = \"capex\"\n[[objective]]\nmetric = \"goodput\"\n[[objective]]\nmetric = \"linearity\"", `no design has linearity: it is of a [workload]`},
		"cpus":            {`cpus_per_server = 4`, `cpus_per_server = -4`, `-4 is below the least, 0`},
	} {
		s, l := from(map[string]string{"study.toml": strings.Replace(clusterStudy, c.old, c.new, 1), "parts.csv": clusterList})
		if s != nil || !strings.Contains(details(l), c.want) {
			t.Errorf("%s: %s, want %q", name, details(l), c.want)
		}
	}
}
