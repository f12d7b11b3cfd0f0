package search

import (
	"toposearch/evaluator"
	"toposearch/evaluator/metric"
	"toposearch/topology"
)

// Closeness is how closely the metrics of a design are enclosed without building it.
type Closeness uint8

// The steps, each some ten times as dear as the one before.
const (
	FromCounts    Closeness = iota // closed forms of its counts
	FromFloorPlan                  // and bounds on its cables from where its racks stand
	FromCables                     // and its cables, each with its length and price
)

// Enclosure encloses the metrics of a design, or those of all designs of a box, in intervals. It belongs to
// one goroutine and is used again for the next design; making intervals allocates nothing. This is the only
// place where a search asks a model for intervals.
type Enclosure struct {
	Low, High   topology.Size // counts of the box; of a design Low
	PerEndpoint topology.PerEndpoint
	Metrics     metric.Intervals // Metrics.Reject says that there is no part for any of the designs
	scratch     evaluator.Scratch
}

// Box encloses the designs whose counts lie between Low and High and within PerEndpoint.
func (e *Enclosure) Box(m Model) {
	e.Metrics = metric.Intervals{}
	m.Box(&e.Low, &e.High, &e.PerEndpoint, &e.Metrics)
}

// Design encloses the design of values v, whose counts are in Low. A closer step narrows what the one before
// it found for the same design, if that did not exclude it.
func (e *Enclosure) Design(m Model, v []int, c Closeness) {
	var r metric.Reject
	switch c {
	case FromCounts:
		e.Metrics = metric.Intervals{}
		r = m.Level0(v, &e.Low, &e.scratch, &e.Metrics)
	case FromFloorPlan:
		r = m.Laid(v, &e.Low, &e.scratch, &e.Metrics)
	case FromCables:
		r = m.Exact(v, &e.Low, &e.scratch, &e.Metrics)
	}
	if r.Constraint != "" {
		e.Metrics.Reject = r
	}
}
