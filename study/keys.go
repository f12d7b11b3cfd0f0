package study

import (
	"math"
	"strconv"
	"strings"

	"toposearch/catalog"
	"toposearch/constraints"
	"toposearch/evaluator"
	"toposearch/internal/tomlfile"
	"toposearch/internal/unit"
	"toposearch/topology"
	"toposearch/topology/family"
	"toposearch/workload"
	"toposearch/workload/jobs"
)

// Keys describes the tables of a study but for [workload], which WorkloadKeys describes.
func Keys() []tomlfile.Section {
	out := []tomlfile.Section{{Doc: "A study: what is asked for, what is searched and what it is judged by. Paths are relative to it.", Keys: []tomlfile.Key{
		{Name: "name", Form: tomlfile.Words(), Default: `"study"`, Doc: "names the folder of the run and heads its report"},
		{Name: "seed", Form: tomlfile.Whole(0, 1<<62), Default: "1", Doc: "of everything random: the same seed gives the same report"},
		{Name: "constraints", Form: files(), Example: `["site.toml"]`, Doc: "constraint files: toposearch help constraints"},
		{Name: "catalog", Form: files(), Else: "the dated list inside the program", Example: `["parts.csv"]`, Doc: `price lists, CSV or XLSX ("prices.xlsx#Sheet"): toposearch help catalog`},
	}}, {Name: "catalog", Doc: "Price lists, and what their files do not say.", Keys: []tomlfile.Key{
		{Name: "files", Form: files(), Example: `["parts.csv"]`, Doc: "the lists"},
		{Name: "decimal", Form: tomlfile.OneOf(".", ","), Example: `","`, Doc: "decimal sign of their numbers, where it cannot be told from them"},
		{Name: "encoding", Form: tomlfile.OneOf("utf-8", "windows-1252", "latin1"), Else: "UTF-8; Western European letters that are not are taken for Windows-1252, with a warning", Example: `"windows-1252"`,
			Doc: "of their text; latin1 is read as windows-1252"},
		{Name: "currency", Form: tomlfile.Words(), Example: `"EUR"`, Doc: "of prices that name none"},
		{Name: "as_of", Form: tomlfile.Day(), Example: "2026-11-01", Doc: "the day for which prices are wanted: those that expired before are named"},
		{Name: "columns", Form: columnRules(), Example: `{ unit_price = "Preis netto" }`,
			Doc: `which head of the lists is which column (toposearch help catalog), before all that are known by themselves; with a unit: power_w = { head = "P max", unit = "kW" }`},
	}}}
	out = append(out, endpointKeys()...)
	out = append(out, spaceKeys(), tomlfile.Section{Name: "objective", List: true, Doc: "What designs are compared by; the front holds the best of every weighting.", Keys: []tomlfile.Key{
		{Name: "metric", Form: tomlfile.OneOf(metricNames()...), Needed: true, Example: `"uniform_throughput"`, Doc: "toposearch help metrics lists them"},
		{Name: "direction", Form: tomlfile.OneOf("min", "max", "minimise", "maximise", "minimize", "maximize"), Example: `"max"`, Doc: "what is better; needed only where the metric does not say"},
		{Name: "enough", Form: tomlfile.Either(tomlfile.Real(0, math.Inf(1)), tomlfile.OneOf("none")), Example: "0.9",
			Doc: `where more is better: all above counts as equal. Throughputs have 1, all that endpoints can send; "none" lifts that`},
	}})
	out = append(out, tomlfile.Section{Name: "incumbent", List: true, Doc: "The network that somebody has in mind, or has: evaluated, simulated and shown beside what is found, whatever the front says.", Keys: []tomlfile.Key{
		{Name: "design", Form: tomlfile.Words(), Needed: true, Example: `"fattree"`, Doc: "a design, a family, of which the best is taken, or file:PATH of a network"},
		{Name: "name", Form: tomlfile.Words(), Example: `"what runs today"`, Doc: "how the report calls it"},
	}})
	out = append(out, tomlfile.Section{Name: "growth", Doc: "The network that runs today, for growth_cost, kept_switches, kept_cables and moved_cables of those that may take its place. Its servers (per_server) stay whole.", Keys: []tomlfile.Key{
		{Name: "from", Form: tomlfile.Words(), Needed: true, Example: `"fattree(k=32,l=2)"`, Doc: "a design, or file:PATH of a network; its parts are those that would be bought for it today"},
		{Name: "labour_cable", Form: tomlfile.Amount(), Else: "nothing", Example: `"25 USD"`, Doc: "price of plugging an old cable anew, at one end or both; one is moved only where that costs no more than a new one"},
		{Name: "labour_endpoint", Form: tomlfile.Amount(), Else: "nothing", Example: `"40 USD"`, Doc: "price of an old endpoint of which a cable does not stay, beside the cables"},
		{Name: "switches", Form: tomlfile.Flag(), Default: "true", Doc: "old switches may be used again"},
		{Name: "racks", Form: tomlfile.OneOf("move", "stay"), Default: `"move"`, Doc: "with stay cables are kept only between boxes that stand at the same places of the floor plans of both networks, at whatever height: racks are taken to have room for what is new in them"},
	}})
	out = append(out, searchKeys()...)
	out = append(out, verifyKeys(), constraints.Metrics("require", "What at least one design on the front has to meet, else the exit status is 5; simulated metrics too."))
	return append(append(out, moneyKeys()...), whatIfKeys())
}

// columnRules is a table from columns of price lists to heads.
func columnRules() tomlfile.Form {
	var keys []tomlfile.Key
	for _, c := range catalog.Columns() {
		keys = append(keys, tomlfile.Key{Name: c, Form: tomlfile.Either(tomlfile.Words(), tomlfile.Record(nil,
			tomlfile.Key{Name: "head", Form: tomlfile.Words(), Needed: true}, tomlfile.Key{Name: "unit", Form: tomlfile.Words()}))})
	}
	return tomlfile.Record(nil, keys...)
}

// files is the name of a file or a list of them.
func files() tomlfile.Form {
	return tomlfile.Either(tomlfile.Words(), tomlfile.Items(tomlfile.Words()))
}

func endpointKeys() []tomlfile.Section {
	sizes := func(lo, hi int64) tomlfile.Form {
		n := tomlfile.Whole(lo, hi)
		return tomlfile.Either(n, tomlfile.Items(n), tomlfile.Range(n))
	}
	most := tomlfile.Whole(1, math.MaxInt32)
	domain := tomlfile.Either(tomlfile.Flag(), tomlfile.OneOf("mesh"), tomlfile.Form{"type": "object"})
	return []tomlfile.Section{{Name: "endpoints", Doc: "The accelerators that are to be joined, and what stands with them.", Keys: []tomlfile.Key{
		{Name: "count", Form: tomlfile.Either(most, tomlfile.Range(most)), Needed: true, Example: "{ min = 1024, max = 1152 }", Doc: "a whole number asks for exactly that many"},
		{Name: "bandwidth", Form: tomlfile.Quantity(unit.KindBandwidth), Needed: true, Example: `"400 Gb/s"`, Doc: "of an endpoint, all its network ports together; GB/s are bytes"},
		{Name: "per_server", Form: tomlfile.Whole(1, 1<<16), Default: "8", Doc: "endpoints in a server"},
		{Name: "scaleup", Form: tomlfile.Either(domain, tomlfile.Items(domain)), Default: "false",
			Doc: "true: servers are full meshes over which endpoints relay; or a table, or a list of all these among which the search chooses"},
		{Name: "scaleup_bandwidth", Form: tomlfile.Quantity(unit.KindBandwidth), Default: `"3600 Gb/s"`, Doc: "each way, of a link of a full mesh, or of an endpoint to all its scale-up switches; the default is that of NVLink 4"},
		{Name: "accelerator", Form: tomlfile.Words(), Example: `"ACC-1"`, Doc: "part number, where the price list has several"},
		{Name: "cpu", Form: tomlfile.Words(), Example: `"CPU-1"`, Doc: "the same of servers' processors"},
		{Name: "cpus_per_server", Form: tomlfile.Whole(0, mostCPUs), Default: "2", Doc: "processors of a server"},
	}}, {Name: "endpoints.scaleup", Doc: "Scale-up switches; each key is a value, a list or a range, and all their combinations are searched.", Keys: []tomlfile.Key{
		{Name: "domain", Form: sizes(1, 1<<20), Else: "those of a server", Example: "72", Doc: "endpoints of a scale-up domain"},
		{Name: "levels", Form: sizes(0, 2), Example: "2", Doc: "0 a full mesh, 1 a layer of switches, 2 leaves in boxes and spines"},
		{Name: "switches", Form: sizes(1, 1024), Example: "18", Doc: "that an endpoint is joined to"},
		{Name: "box", Form: sizes(1, 1<<20), Example: "8", Doc: "endpoints of a box, of two levels"},
		{Name: "spines", Form: sizes(1, 1024), Example: "18", Doc: "of two levels"},
	}}}
}

// spaceKeys are the families, each with its parameters.
func spaceKeys() tomlfile.Section {
	var names []string
	for _, f := range family.Known() {
		names = append(names, f.Name)
	}
	s := tomlfile.Section{Name: "space", Few: 4, Doc: "Which families are searched, and where their parameters are narrowed: toposearch families NAME lists them.", Keys: []tomlfile.Key{
		{Name: "families", Form: tomlfile.Items(tomlfile.OneOf(names...)), Else: "all but those that are searched only when they are named", Example: `["zcube", "dragonfly", "fattree"]`, Doc: "names of families"},
	}}
	for _, f := range family.Known() {
		s.Keys = append(s.Keys, tomlfile.Key{Name: f.Name, Form: parameters(f), Example: narrowed(f), Doc: f.Title})
	}
	return s
}

// parameters is a table of those of a family.
func parameters(f *topology.Family) tomlfile.Form {
	var keys []tomlfile.Key
	for i := range f.Params {
		p := &f.Params[i]
		one := tomlfile.Whole(int64(p.Min), int64(p.Max))
		switch {
		case p.Choices != nil:
			one = tomlfile.OneOf(p.Choices...)
		case p.Divides != "":
			one = tomlfile.Words()
		}
		keys = append(keys, tomlfile.Key{Name: p.Name, Form: tomlfile.Either(one, tomlfile.Items(one), tomlfile.Range(one)), Doc: p.Doc})
	}
	return tomlfile.Record(nil, keys...)
}

// narrowed is an example of a table of parameters.
func narrowed(f *topology.Family) string {
	if len(f.Params) == 0 {
		return "{}"
	}
	p := &f.Params[0]
	value := p.Format(p.Min)
	if p.Choices != nil || p.Divides != "" {
		value = `"` + value + `"`
	}
	return "{ " + p.Name + " = " + value + " }"
}

func searchKeys() []tomlfile.Section {
	time := tomlfile.Quantity(unit.KindDuration)
	return []tomlfile.Section{{Name: "routing", Doc: "Which routings may be taken; each design takes the best that fits.", Keys: []tomlfile.Key{
		{Name: "algorithms", Form: tomlfile.Either(tomlfile.OneOf(evaluator.RoutingDeployed), tomlfile.Items(tomlfile.Words())), Default: `"` + evaluator.RoutingDeployed + `"`, Example: `["ugal_l", "natural"]`,
			Doc: "toposearch help routings; of equals the first. \"deployed\" is what each family is run with, natural where that does not fit"},
		{Name: "in_order", Form: tomlfile.Flag(), Default: "false", Doc: "a flow keeps one path: no choice packet by packet, where no NIC reorders"},
	}}, {Name: "search", Doc: "How it is searched, and how long.", Keys: []tomlfile.Key{
		{Name: "strategy", Form: tomlfile.OneOf(Auto, Enumerate, NSGA2, Local, Random), Default: `"` + Auto + `"`, Doc: "auto enumerates what can be enumerated, and takes NSGA-II and local search for the rest"},
		{Name: "budget", Form: time, Else: "until all is decided, or nothing better is found", Example: `"8h"`, Doc: "after which it ends with the best so far; as much of it as simulations are modelled to take, at most half, is kept for them"},
		{Name: "tolerance", Form: tomlfile.Real(0, mostTolerance), Default: "0", Example: "0.02", Doc: "designs that are better than one of the front by no more than this part in any objective may be left out: large spaces are complete sooner; of availability, the part of what lacks to 1"},
		{Name: "batch", Form: tomlfile.Whole(DefaultBatch, mostTogether), Default: strconv.Itoa(DefaultBatch), Example: "1024", Doc: "designs that are evaluated together before the front is read again: as many as there are cores, where workers on other machines compute; larger ones evaluate more that others would have excluded"},
	}}, {Name: "search.budget", Doc: "budget as a table; what comes first ends the search.", Keys: []tomlfile.Key{
		{Name: "time", Form: time, Example: `"8h"`, Doc: "on the clock, simulations included"},
		{Name: "evaluations", Form: tomlfile.Whole(1, 1<<53), Example: "1_000_000", Doc: "designs that are decided by an evaluation; 16 that bounds decide count as one"},
	}}}
}

func verifyKeys() tomlfile.Section {
	return tomlfile.Section{Name: "verify", Doc: "How finalists are simulated.", Keys: []tomlfile.Key{
		{Name: "finalists", Form: tomlfile.Whole(0, 1000), Default: "12", Doc: "of the front, at least one of each family on it; 0 simulates none"},
		{Name: "traffic", Form: tomlfile.Items(tomlfile.Words()), Default: `["uniform", "worst"]`, Doc: "toposearch help traffic; with a [workload] also \"workload\""},
		{Name: "routing", Form: tomlfile.Words(), Default: `"` + chosenRouting + `"`, Example: `"valiant"`, Doc: "instead of the one that was chosen for the design"},
		{Name: "model", Form: tomlfile.OneOf(Flit, CutThrough), Default: `"` + Flit + `"`, Doc: "flits, or the switches of today, in ns"},
		{Name: "precision", Form: tomlfile.Real(leastPrecision, mostPrecision), Default: "0.01", Doc: "of mean latency and accepted load: half their 95 % interval as a part of them"},
		{Name: "cycles", Form: tomlfile.Whole(100, 100_000_000), Example: "10_000", Doc: "measured of each load, instead of precision; ns with cut_through"},
		{Name: "packet", Form: tomlfile.Whole(1, 1<<16), Default: "4", Doc: "flits of a packet"},
		{Name: "loads", Form: tomlfile.Whole(1, 1000), Default: "6", Doc: "points of the curve of latency against load"},
		{Name: "fidelity", Form: tomlfile.OneOf(FidelityFinalists, FidelitySearch), Default: `"` + FidelityFinalists + `"`, Doc: "search: candidates are simulated, the model is corrected by it family by family, and the front is made of both"},
		{Name: "simulations", Form: tomlfile.Whole(fewestSimulations, mostSimulations), Else: strconv.Itoa(DefaultSimulations), Example: "100", Doc: "with fidelity = \"search\", at most"},
		{Name: "vcs", Form: tomlfile.Whole(1, 32), Else: "what [routing] vcs allows, else what the routing needs, at least 4", Example: "4", Doc: "virtual channels of a link"},
	}}
}

// moneyKeys are those of money, times of parts, failures and what running the cluster costs.
func moneyKeys() []tomlfile.Section {
	rate, hours := tomlfile.Real(0, math.Inf(1)), tomlfile.Quantity(unit.KindDuration)
	kinds := func(form tomlfile.Form, example, doc string) (keys []tomlfile.Key) {
		for _, k := range catalog.Kinds() {
			keys = append(keys, tomlfile.Key{Name: k, Form: form, Example: example, Doc: doc})
		}
		return keys
	}
	ns := tomlfile.Quantity(unit.KindLatency)
	return []tomlfile.Section{{Name: "cost", Doc: "What counts as cost, in which currency.", Keys: []tomlfile.Key{
		{Name: "nics", Form: tomlfile.Flag(), Default: "false", Doc: "whether network cards count, too"},
		{Name: "scaleup", Form: tomlfile.Flag(), Else: "true where the search chooses among scale-up domains", Example: "true", Doc: "whether scale-up switches and cables count"},
		{Name: "currency", Form: tomlfile.Words(), Default: `"USD"`, Doc: "ISO 4217, of all costs"},
	}}, {Name: "cost.rates", Doc: "Exchange rates: what one unit of a currency is worth in that of the study, such as EUR = 1.087.", Other: &rate},
		{Name: "latency", Doc: "Times of the latency without load.", Keys: []tomlfile.Key{
			{Name: "switch", Form: ns, Default: `"400 ns"`, Doc: "through a switch of which the price list says nothing"},
			{Name: "relay", Form: ns, Default: `"1 us"`, Doc: "through an endpoint that forwards"},
			{Name: "nic", Form: ns, Default: `"0 ns"`, Doc: "both network cards and error correction together"},
			{Name: "cable", Form: ns, Default: `"5 ns"`, Doc: "of a metre of cable"},
			{Name: "mtu", Form: tomlfile.Quantity(unit.KindBytes), Default: `"4096 B"`, Doc: "of the packet that is sent once, at the slowest link's rate"},
		}},
		{Name: "availability", Doc: "How parts fail and are repaired: mtbf, availability, goodput.", Keys: []tomlfile.Key{
			{Name: "repair", Form: hours, Default: `"75 min"`, Doc: "how long a failed part is out of service"},
			{Name: "checkpoint", Form: hours, Example: `"60 s"`, Doc: "to write one; goodput is that of the best interval between them"},
			{Name: "restart", Form: hours, Default: `"0 s"`, Example: `"5 min"`, Doc: "of a job after a failure"},
		}},
		{Name: "availability.repair", Few: 3, Doc: "repair by kind of part, as a table.", Keys: append([]tomlfile.Key{{Name: "other", Form: hours, Example: `"75 min"`, Doc: "of kinds that are not named"}},
			kinds(hours, `"4 h"`, "of parts of this kind")...)},
		{Name: "availability.afr", Few: 2, Doc: "Failures of a part in a year, of kinds of which the price list says nothing (its column afr); the defaults: toposearch help catalog.",
			Keys: kinds(tomlfile.Real(0, 1), "0.02", "of parts of this kind")},
		{Name: "availability.spares", Doc: "Spare endpoints.", Keys: []tomlfile.Key{
			{Name: "group", Form: tomlfile.Whole(1, mostGroup), Needed: true, Example: "64", Doc: "endpoints that share spares"},
			{Name: "count", Form: tomlfile.Whole(1, mostSpares), Needed: true, Example: "1", Doc: "spares of a group"},
		}},
		{Name: "tco", Doc: "What the cluster costs over the years: tco, cost_efficiency. Needs parts of kind accelerator in the price list.", Keys: []tomlfile.Key{
			{Name: "years", Form: tomlfile.Real(0, mostYears), Needed: true, Example: "5", Doc: "that it runs"},
			{Name: "energy", Form: tomlfile.Words(), Needed: true, Example: `"0.10 USD/kWh"`, Doc: "price of energy, also \"85 EUR/MWh\""},
			{Name: "maintenance", Form: tomlfile.Real(0, 1), Default: "0.0", Example: "0.05", Doc: "a year, as a part of what the cluster costs"},
			{Name: "load", Form: tomlfile.Real(0, 1), Default: "1.0", Doc: "mean draw, as a part of that at full load"},
			{Name: "rack", Form: tomlfile.Words(), Example: `"RACK-1"`, Doc: "part number of racks, where the price list has several"},
		}}}
}

// WorkloadKeys describes [workload]: what the network is for.
func WorkloadKeys() []tomlfile.Section {
	var models []string
	for _, m := range workload.Models() {
		models = append(models, m.Name)
	}
	degree := tomlfile.Whole(1, mostDegree)
	share := tomlfile.Real(1e-9, 1e9)
	return []tomlfile.Section{{Name: "workload", Doc: "What the network is for: step_time, allreduce_time, alltoall_time, linearity; with jobs alone, jobs_isolated.", Keys: []tomlfile.Key{
		{Name: "model", Form: tomlfile.Words(), Needed: true, Example: `"gpt3-175b"`, Doc: strings.Join(models, ", ") + ", or a .toml file of dimensions"},
		{Name: "sequence", Form: tomlfile.Whole(1, mostSequence), Needed: true, Example: "2048", Doc: "tokens of a sequence"},
		{Name: "batch", Form: tomlfile.Whole(1, mostBatch), Needed: true, Example: "1536", Doc: "sequences of a step, of all endpoints together"},
		{Name: "alpha", Form: tomlfile.Quantity(unit.KindLatency), Default: `"5 us"`, Doc: "what a step of a collective takes besides its bytes"},
		{Name: "message", Form: tomlfile.Quantity(unit.KindBytes), Default: `"1 GB"`, Doc: "of the all-reduce and the all-to-all among all endpoints"},
		{Name: "parallelism", Form: tomlfile.OneOf("best"), Default: `"best"`, Doc: "what fits the memory and is the fastest on the network of each design, of tp, cp, pp, dp and ep on more than half of its endpoints, microbatches, interleaving, zero 1 to 3 and recomputation, with sp where tp is more than 1"},
		{Name: "mapping", Form: tomlfile.Words(), Default: `"tp, cp, dp, pp"`, Doc: "which groups stand near each other, from near to far; or \"best\""},
		{Name: "base", Form: tomlfile.Whole(1, 1<<31-1), Example: "128", Doc: "linearity: sequences a second on all endpoints against those on so many"},
		{Name: "jobs", Form: tomlfile.Words(), Example: `"` + jobs.Builtin().Name + `"`, Doc: "the built-in mix of job sizes, or a file of sizes and shares"},
	}}, {Name: "workload.accelerator", Doc: "What an endpoint computes; needed.", Keys: []tomlfile.Key{
		{Name: "flops", Form: tomlfile.Quantity(unit.KindFlops), Needed: true, Example: `"989 Tflop/s"`, Doc: "of dense matrices in the format of the model"},
		{Name: "memory", Form: tomlfile.Quantity(unit.KindBytes), Needed: true, Example: `"80 GB"`, Doc: "what has to hold weights, optimiser and activations"},
		{Name: "efficiency", Form: tomlfile.Real(0.01, 1), Default: "0.5", Doc: "part of flops that matrix products reach"},
		{Name: "memory_bandwidth", Form: tomlfile.Quantity(unit.KindBandwidth), Else: "what is bound by memory takes no time", Example: `"3.35 TB/s"`, Doc: "of the memory"},
	}}, {Name: "workload.parallelism", Doc: "parallelism as a table: it is given.", Keys: []tomlfile.Key{
		{Name: "tp", Form: degree, Default: "1", Doc: "ranks that share a layer: tensor parallelism"},
		{Name: "cp", Form: degree, Default: "1", Doc: "ranks that share a sequence: context parallelism"},
		{Name: "pp", Form: degree, Default: "1", Doc: "stages of the pipeline"},
		{Name: "dp", Form: degree, Default: "1", Doc: "copies of the model: data parallelism"},
		{Name: "ep", Form: degree, Default: "1", Doc: "ranks among which experts are divided, among those of dp"},
		{Name: "sp", Form: degree, Else: "the same as tp", Example: "1", Doc: "sequence parallelism: on the ranks of tp, or 1 for none"},
		{Name: "interleave", Form: degree, Default: "1", Doc: "parts of the model that a stage holds; pp x interleave divides the layers, or 2 more than these: the embedding and the output matrix then take the place of one each, as in Llama 3"},
		{Name: "micro", Form: degree, Default: "1", Doc: "sequences of a micro-batch"},
		{Name: "zero", Form: tomlfile.Whole(0, 3), Default: "1", Doc: "stage of ZeRO: what of the optimiser, gradients and weights is divided over dp"},
		{Name: "recompute", Form: tomlfile.OneOf(workload.NoRecompute.String(), workload.Selective.String(), workload.Full.String()), Default: `"` + workload.NoRecompute.String() + `"`, Doc: "of activations, in the backward pass"},
	}}, {Name: "workload.jobs", Doc: "Several jobs that share the network: endpoints of a job and share of all jobs, such as 64 = 0.9.", Other: &share}}
}
