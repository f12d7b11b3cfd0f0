package evaluator

import (
	"fmt"

	"toposearch/evaluator/metric"
)

// jobsGroup tells how many jobs of a mix have a non-blocking region for themselves.
var jobsGroup = group{keys: []metric.Key{metric.JobsIsolated}, after: []metric.Key{metric.NonblockingRegion}, methods: []method{
	{name: "sizes of jobs", level: 1, applies: func(w *work) string {
		switch {
		case w.e.opt.Jobs == nil:
			return needsJobs
		case w.d.Family.NonBlocking == nil:
			return "the family names no blocks"
		}
		return ""
	}, run: func(w *work) error {
		region := w.d.Family.NonBlocking(w.d.V)
		w.exact(metric.JobsIsolated, w.e.opt.Jobs.Within(region), fmt.Sprintf("share of jobs of %s with at most %d endpoints, the non-blocking region", w.e.opt.Jobs.Name, region))
		return nil
	}},
}}

// needsJobs is why there is no share of jobs without Options.Jobs.
const needsJobs = "needs jobs: write jobs = \"mix\" in [workload] of the study, and give it to eval with --study"
