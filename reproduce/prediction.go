package reproduce

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"toposearch/internal/crew"
	"toposearch/search/verify"
	"toposearch/study"
	"toposearch/topology"
)

// predictionTable compares n designs under their natural routing in the flit model.
func predictionTable(ctx context.Context, workers, n int) (*Table, error) {
	designs := sampleDesigns(predictionSeed, n)
	all, err := simulateAll(ctx, workers, designs, comparison{})
	if err != nil {
		return nil, err
	}
	return predictionReport(all), nil
}

// comparison is a routing ("": natural), a model ("": flits) and a traffic ("": uniform) in which designs are compared.
type comparison struct{ routing, model, traffic string }

// simulateAll measures designs, several at a time.
func simulateAll(ctx context.Context, workers int, designs []topology.Design, by comparison) ([]*comparedDesign, error) {
	all := make([]*comparedDesign, len(designs))
	g, ctx := crew.WithContext(ctx, max(1, workers))
	for i, d := range designs {
		g.Go(func() (err error) {
			all[i], err = simulated(ctx, d, by)
			return err
		})
	}
	return all, g.Wait()
}

// simulated measures a design as a run does its finalists.
func simulated(ctx context.Context, d topology.Design, by comparison) (*comparedDesign, error) {
	p := predictionProblem(d)
	p.Study.Verify.Model = by.model
	x := &comparedDesign{design: d}
	var err error
	if x.line, err = verify.Simulate(ctx, p, d, cmp.Or(by.traffic, "uniform"), by.routing); err != nil {
		return nil, fmt.Errorf("%s: %w", d, err)
	}
	x.agrees = verify.Combine(p, []*verify.Result{x.line}, nil)
	if x.line.Skipped == "" && x.line.Predicted > 0 && x.differs() && by == (comparison{}) {
		x.cause, err = x.findCause(ctx, p)
	}
	return x, err
}

// predictionWorst compares n designs under the permutation that is worst for their natural routing.
func predictionWorst(ctx context.Context, workers, n int) (*Table, error) {
	all, err := simulateAll(ctx, workers, sampleDesigns(predictionSeed, n), comparison{traffic: "worst"})
	if err != nil {
		return nil, err
	}
	t := predictionReport(all)
	t.Notes[1] = strings.Replace(t.Notes[1], "(uniform_throughput, at most 1)", "(at most 1)", 1)
	t.Notes[2] = strings.Replace(t.Notes[2], "Uniform traffic", "The permutation that is worst for the routes", 1)
	t.Notes = slices.Delete(t.Notes, 3, 4) // causes are not looked for
	return t, nil
}

// routingsSeed draws a sample that no form of the model was chosen by.
const routingsSeed = 2

// predictionRoutings compares designs under routings by tables with layers, and in the cut-through model.
func predictionRoutings(ctx context.Context, workers, n int) (*Table, error) {
	designs := sampleDesigns(routingsSeed, n)
	var out *Table
	for _, by := range []struct {
		name string
		comparison
	}{{"lash", comparison{routing: "lash"}}, {"dfsssp", comparison{routing: "dfsssp"}}, {study.CutThrough, comparison{model: study.CutThrough}}} {
		all, err := simulateAll(ctx, workers, designs, by.comparison)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", by.name, err)
		}
		t := predictionReport(all)
		for i := range t.Rows {
			t.Rows[i].Name = by.name + ", " + t.Rows[i].Name
		}
		t.Notes = []string{by.name + ": " + t.Notes[0]}
		if out == nil {
			out = t
			continue
		}
		out.Rows, out.Notes = append(out.Rows, t.Rows...), append(out.Notes, t.Notes...)
	}
	out.Source = fmt.Sprintf("the saturation load expected from routes, VCs and buffers, and the simulators: random designs of all families, seed %d, of which nothing in the model was chosen by", routingsSeed)
	return out, nil
}
