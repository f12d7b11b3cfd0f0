package reproduce

import (
	"context"
	"fmt"

	"toposearch/internal/crew"
	"toposearch/search/verify"
	"toposearch/topology"
)

// predictionTable compares n designs.
func predictionTable(ctx context.Context, workers, n int) (*Table, error) {
	designs := sampleDesigns(n)
	all := make([]*comparedDesign, len(designs))
	g, ctx := crew.WithContext(ctx, max(1, workers))
	for i, d := range designs {
		g.Go(func() (err error) {
			all[i], err = simulated(ctx, d)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return predictionReport(all), nil
}

// simulated measures a design as a run does its finalists.
func simulated(ctx context.Context, d topology.Design) (*comparedDesign, error) {
	p := predictionProblem(d)
	x := &comparedDesign{design: d}
	var err error
	if x.line, err = verify.Simulate(ctx, p, d, "uniform", ""); err != nil {
		return nil, fmt.Errorf("%s: %w", d, err)
	}
	x.agrees = verify.Combine(p, []*verify.Result{x.line}, nil)
	if x.line.Skipped == "" && x.line.Predicted > 0 && x.differs() {
		x.cause, err = x.findCause(ctx, p)
	}
	return x, err
}
