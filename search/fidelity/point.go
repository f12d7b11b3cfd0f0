package fidelity

import "toposearch/objectives"

// Point is a design that may be simulated.
type Point struct {
	Name   string
	Family int               // from 0
	Low    objectives.Vector // modelled, smaller is better
	// X are features by which the ratio of a measured to a modelled value may vary within a family, as many in all points of one; logarithms
	// of parameters do.
	X []float64
}
