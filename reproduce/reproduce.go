// Package reproduce puts published tables beside what this program computes from its own
// constructions: the check that a reader can repeat before trusting a figure of a report.
package reproduce

import (
	"context"
	"fmt"

	"toposearch/diag"
)

// Entry is a table that can be reproduced.
type Entry struct {
	Name, Title string
	run         func(ctx context.Context, workers int) (*Table, error)
}

// Tables lists what can be reproduced.
func Tables() []Entry {
	return []Entry{
		{"survey-table3", "Dong, Wang, Lei: survey of interconnect topologies, Table 3 (k = 64)", alone(surveyTable3)},
		{"survey-claims", "The survey's sentences on the cost of Dragonfly, Slim Fly and Jellyfish", alone(surveyClaims)},
		{"survey-radix", "The survey, equations 4-6 and 9-11: optimal radix and Moore bound", alone(surveyRadix)},
		{"atop-table2", "ATOP (SIGCOMM 2025), Table 2: most switches on a path", alone(atopTable2)},
		{"atop-table3", "ATOP (SIGCOMM 2025), Table 3: average path lengths, single failures", atopTable3},
		{"atop-table4", "ATOP (SIGCOMM 2025), Table 4: times of training steps of 64 GPUs", alone(atopTable4)},
		{"atop-table6", "ATOP (SIGCOMM 2025), Table 6: configurations of the networks", alone(atopTable6)},
		{"atop-table7", "ATOP (SIGCOMM 2025), Tables 6 and 7: switches, ports and cables", alone(atopTable7)},
		{"atop", "ATOP (SIGCOMM 2025): its search of 1,024 accelerators: found and published fronts (a quarter of an hour of one core)",
			func(ctx context.Context, workers int) (*Table, error) { return atopSearch(ctx, workers, &atop1024) }},
		{"atop-256", "ATOP (SIGCOMM 2025): the same of 256 accelerators (a minute of one core)",
			func(ctx context.Context, workers int) (*Table, error) { return atopSearch(ctx, workers, &atop256) }},
		{"hp-f15", "Hennessy and Patterson, Appendix F, Figure F.15: 64 nodes", alone(hpFigures)},
		{"hp-costs", "Hennessy and Patterson, Appendix F: ratios of cost", alone(hpCosts)},
		{"hp-news", "Hennessy and Patterson, Appendix F: NEWS communication of 64 nodes", alone(hpNews)},
		{"slimfly-sizes", "Slim Fly and PolarFly: graphs of diameter 2", alone(slimflySizes)},
		{"polarstar-sizes", "PolarStar, Bundlefly and SpectralFly: graphs of diameter 3 and more", alone(polarstarSizes)},
		{"railonly-counts", "Rail-only: switches and transceivers of 32,768 GPUs", alone(railonlyCounts)},
		{"hammingmesh-cost", "HammingMesh (SC 2022): table of costs", alone(hammingCosts)},
		{"step-time", "Korthikanti et al. (MLSys 2023) and Calculon (SC 2023): times of training steps", alone(stepTimes)},
		{"ubmesh", "UB-Mesh (arXiv:2503.20377): Table 2, Figures 17 and 19 to 21, savings, availability, all-path routing (a minute of one core)", ubMesh},
		{"adaptive-routing", "The survey, Table 2: adaptive routings of dragonflies under indirect, phantom and asymmetric congestion (half a minute of one core)", adaptiveTable},
		{"multicast", "Multicast on a source-routed fat tree (TH-1A): worked example, counts, simulated curves (a minute of one core)",
			func(ctx context.Context, workers int) (*Table, error) { return multicastTable(ctx, workers, castFull) }},
		{"workloads", "Complex workload models on tori and fat trees of 512 and 4,096 endpoints: six findings, simulated (six minutes of one core)",
			func(ctx context.Context, workers int) (*Table, error) { return workloadTable(ctx, workers, &loadFull) }},
		{"prediction", "Simulated against predicted saturation of 300 random designs of all families (ten minutes of one core)",
			func(ctx context.Context, workers int) (*Table, error) {
				return predictionTable(ctx, workers, predictionDesigns)
			}},
		{"prediction-fast", "Simulated against predicted saturation of the first design of each family (two minutes)",
			func(ctx context.Context, workers int) (*Table, error) {
				return predictionTable(ctx, workers, predictionFast)
			}},
		{"prediction-worst", "Simulated against predicted saturation of the same designs as prediction under the permutation that is worst for their routes (four minutes of one core)",
			func(ctx context.Context, workers int) (*Table, error) {
				return predictionWorst(ctx, workers, predictionDesigns)
			}},
		{"prediction-routings", "Simulated against predicted saturation under lash, dfsssp and in the cut-through model, a design of each family (two minutes of one core)",
			func(ctx context.Context, workers int) (*Table, error) {
				return predictionRoutings(ctx, workers, predictionFast)
			}},
		{"collectives", "Simulated against computed times of collectives, all algorithms on the first design of each family (two minutes of one core)",
			func(ctx context.Context, workers int) (*Table, error) {
				return collectivesTable(ctx, workers, predictionFast, predictionSeed, collectiveBytes)
			}},
		{"order-degree", "Graph Golf: wirings of 16 to 1,024 switches, found beside the records (five minutes of one core)", orderDegree},
		{"collectives-held-out", "The same on other designs and sizes, by which nothing was chosen (minutes of one core)",
			func(ctx context.Context, workers int) (*Table, error) {
				return collectivesTable(ctx, workers, predictionFast, heldOutSeed, heldOutBytes)
			}},
		{"ecmp", "Few large flows spread by hash: one plane against two, with hash functions of their own and the same in all switches (a minute of one core)", ecmpTable},
		{"booksim", "BookSim2: latency, hops and accepted rate at all published points (two minutes of one core)",
			func(ctx context.Context, workers int) (*Table, error) { return booksimTable(ctx, workers, nil) }},
		{"booksim-fast", "BookSim2: the same at the lowest load, half of saturation and full load",
			func(ctx context.Context, workers int) (*Table, error) { return booksimTable(ctx, workers, booksimFast) }},
	}
}

// alone is for tables that need no workers.
func alone(f func(context.Context) (*Table, error)) func(context.Context, int) (*Table, error) {
	return func(ctx context.Context, _ int) (*Table, error) { return f(ctx) }
}

// Run reproduces a table by name. The answer does not depend on the number of workers (0: as many
// as there are cores).
func Run(ctx context.Context, name string, workers int) (*Table, error) {
	var names []string
	for _, e := range Tables() {
		if e.Name == name {
			t, err := e.run(ctx, workers)
			if err != nil {
				return nil, fmt.Errorf("reproduce %s: %w", name, err)
			}
			t.Schema, t.Table = Schema, e.Name
			if t.Title == "" {
				t.Title = e.Title
			}
			return t, nil
		}
		names = append(names, e.Name)
	}
	return nil, fmt.Errorf("there is no table %q%s", name, diag.Hint(name, names))
}
