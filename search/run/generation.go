package run

import (
	"context"
	"fmt"

	"toposearch/diag"
	"toposearch/study"
)

// CheckGeneration refuses a budget of evaluations that ends before the first generation of the strategy nsga2 does, unless it is enough for all
// designs that size and limits leave. Where these cannot be counted in some milliseconds a family it warns. The study has no errors; one that a run was
// begun with is not refused.
func CheckGeneration(ctx context.Context, st *study.Study, workers int) (list diag.List, err error) {
	n, each := st.Search.Evaluations, int64(study.Generation(len(st.Space), st.Search.Batch))
	if st.Search.Strategy != study.NSGA2 || n == 0 || n >= each {
		return nil, nil
	}
	_, counts, err := glance(ctx, st, workers)
	if err != nil {
		return nil, err
	}
	designs, stopped := int64(0), false
	for i := range counts {
		designs, stopped = designs+counts[i].Designs, stopped || counts[i].Stopped
	}
	d := diag.Diagnostic{Severity: diag.Error, Pos: st.Search.EvaluationsAt}
	switch {
	case designs > n && designs < each && !stopped:
		d.Summary = fmt.Sprintf("%d evaluations are fewer than the %d designs that there are, which all make the first generation of strategy nsga2", n, designs)
		each = designs
	case designs > n:
		d.Summary = fmt.Sprintf("%d evaluations are fewer than the %d designs of one generation of strategy nsga2: nothing would evolve", n, each)
	case stopped:
		d.Severity = diag.Warning
		d.Summary = fmt.Sprintf("%d evaluations are fewer than the %d designs of one generation of strategy nsga2: if there are as many, nothing evolves", n, each)
	default:
		return nil, nil
	}
	d.Detail = fmt.Sprintf("write evaluations = %d or more, or leave them out, or write strategy = \"auto\", \"local\" or \"random\"", each)
	list.Add(d)
	return list, nil
}
