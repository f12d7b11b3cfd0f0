package picture

import (
	"context"
	"errors"

	"toposearch/evaluator"
	"toposearch/evaluator/floor"
	"toposearch/report/draw"
	"toposearch/topology"
)

// ErrNone wraps the reason why a design has no picture of a kind.
var ErrNone = errors.New("no such picture")

// Source is what pictures of a design are drawn from.
type Source struct {
	Design topology.Design
	// Plan is what is bought and where it stands; nil: there are no parts for it, nor floor and cables.
	Plan *evaluator.Plan
	// Schedule is the floor plan with every cable; needed for floor and cables.
	Schedule func() (*floor.Schedule, error)
	// Loads are evaluator.ClassLoads; needed for heat.
	Loads func(context.Context) ([]evaluator.ClassLoad, string, error)
}

// Of is the source of a design and its plan, nil if there is none. Loads that take more than so long by the cost model are left out.
func Of(e *evaluator.Evaluator, d topology.Design, p *evaluator.Plan, loadNs float64) *Source {
	return &Source{Design: d, Plan: p, Schedule: func() (*floor.Schedule, error) { return e.Schedule(d) },
		Loads: func(ctx context.Context) ([]evaluator.ClassLoad, string, error) { return e.ClassLoads(ctx, d, loadNs) }}
}

// titleMost is the width of a title: designs of many parameters have long names.
const titleMost = 700.0

// start begins a picture with its title, and says in words what it shows.
func start(w, h float64, title, about, desc string) *draw.Drawing {
	w = max(w, 16+draw.Width(title), 16+draw.Width(about))
	d := draw.New(w, h, title+". "+desc)
	d.Describe(title, desc)
	d.Text("lb", 12, 20, "start", title)
	d.Text("tk", 12, 38, "start", about)
	return d
}

// headPx is the height of title and subtitle.
const headPx = 50.0

// gbps are the rates of links by class, nil if nothing is known of them.
func (s *Source) gbps() []float64 {
	if s.Plan == nil {
		return nil
	}
	return s.Plan.LinkGbps
}
