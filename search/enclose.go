package search

import (
	"toposearch/evaluator/bound"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Enclosure encloses the metrics of a design, or those of all designs of a box, in intervals. It belongs to
// one goroutine and is used again for the next design; making intervals allocates nothing. This is the only
// place where a search asks a model for intervals.
type Enclosure struct {
	Low, High   topology.Size // counts of the box; of a design Low
	PerEndpoint topology.PerEndpoint
	Metrics     metric.Intervals // Metrics.Reject says that there is no part for any of the designs
	// Effort is what was enclosed until now, boxes, designs and steps of the ladder, in enclosures by closed forms.
	Effort int64
	ladder bound.Ladder
}

// Box encloses the designs whose counts lie between Low and High and within PerEndpoint.
func (e *Enclosure) Box(m Model) {
	e.Metrics = metric.Intervals{}
	e.Effort++
	m.Enclose(bound.Between(&e.Low, &e.High, &e.PerEndpoint), &e.ladder, &e.Metrics)
}

// Design encloses the design of values v, whose counts are in Low, by closed forms; refinements follow step by
// step. v and Low must stay as they are until the last.
func (e *Enclosure) Design(m Model, v []int) {
	e.Metrics = metric.Intervals{}
	e.Effort++
	m.Enclose(bound.One(v, &e.Low), &e.ladder, &e.Metrics)
}

// Refine takes the next step for the design: it narrows Metrics, and returns the effort of that in enclosures
// by closed forms; 0 if no step is left, as after a rejection.
func (e *Enclosure) Refine() (effort int64) {
	if effort = e.ladder.Effort(); effort == 0 || e.Metrics.Reject.Constraint != "" {
		return 0
	}
	e.ladder.Climb(&e.Metrics)
	e.Effort += effort
	return effort
}

// LoadsEffort is the time that the box at hand takes of which it is asked what collectives take on its links, in enclosures by closed forms.
func (e *Enclosure) LoadsEffort() int64 { return e.ladder.LoadsEffort() }

// Refined is the number of steps taken for the design; more tells that another is left.
func (e *Enclosure) Refined() (steps int, more bool) {
	return e.ladder.Steps(), e.ladder.Next() != nil
}
