// Package objectives turns metrics into vectors that a search compares: objectives, dominance,
// non-dominated fronts and their indicators. Everywhere smaller is better; orders are total, so
// results do not depend on the order of arrival.
package objectives

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"toposearch/evaluator/metric"
)

// Vector holds the value of each objective, smaller is better.
type Vector []float64

// Objective is a metric with the direction in which it is better.
type Objective struct {
	Key    metric.Key
	Better metric.Direction // Lower or Higher
	// Enough, if above 0 and higher is better, is the value above which all count as equal.
	Enough float64
}

// New makes the objective of a metric in its own direction; an error if the metric has none.
func New(name string) (Objective, error) {
	k, ok := metric.KeyOf(name)
	if !ok {
		return Objective{}, fmt.Errorf("there is no metric %q", name)
	}
	if metric.Keys[k].Better == metric.Neither {
		return Objective{}, fmt.Errorf("metric %s is neither better high nor low; say direction = \"min\" or \"max\"", name)
	}
	return Of(k, metric.Keys[k].Better), nil
}

// Of is the objective of a metric in a direction. Enough is what it is where nothing else is said: the
// bandwidth of the endpoints for throughput, whatever the traffic, since nobody can use more.
func Of(k metric.Key, better metric.Direction) Objective {
	o := Objective{Key: k, Better: better}
	switch k {
	case metric.UniformThroughput, metric.UniformThroughputOptimal, metric.UniformThroughputFail, metric.WorstThroughput, metric.TUB:
		if better == metric.Higher {
			o.Enough = 1
		}
	}
	return o
}

// Name is the JSON key of the metric.
func (o Objective) Name() string { return metric.Keys[o.Key].Name }

// Cost is the value to minimise for a metric's value: its negative where higher is better. A
// missing value (NaN) is the worst.
func (o Objective) Cost(value float64) float64 {
	value = o.told(value)
	switch {
	case math.IsNaN(value):
		return math.Inf(1)
	case o.Better == metric.Higher && o.Enough > 0:
		return -min(value, o.Enough)
	case o.Better == metric.Higher:
		return -value
	}
	return value
}

// told is a value as it is told apart from others: of means over routes, whose last bits depend on how many there are, a latency
// to 1e-6 ns and a throughput to 1e-10 of the bandwidth. Designs that are the same in one would be above and below each other
// otherwise: what costs more for nothing stays on a front, and bounds, which give way by 1e-12, do not show that it does. It grows
// with the value: what bounds a value bounds how it is told.
func (o Objective) told(value float64) float64 {
	if steps := o.steps(); steps > 0 {
		return math.Round(value*steps) / steps
	}
	return value
}

// steps are those of a unit that are told apart; 0: all values are.
func (o Objective) steps() float64 {
	switch o.Key {
	case metric.Latency:
		return 1e6
	case metric.UniformThroughput:
		return 1e10
	}
	return 0
}

// Range is the best and the worst value that a cost may stand for.
func (o Objective) Range(cost float64) (best, worst float64) {
	half := 0.0
	if steps := o.steps(); steps > 0 {
		half = 0.5 / steps
	}
	return o.Value(cost - half), o.Value(cost + half)
}

// Figure is the metric's value for the cost of a value x: x itself to its last bit, unless more than enough is asked for.
func (o Objective) Figure(cost, x float64) float64 {
	if o.told(x) == o.Value(cost) {
		return x
	}
	return o.Value(cost)
}

// Value is the metric's value for a cost: the inverse of Cost, Enough and what values are not told apart by aside.
func (o Objective) Value(cost float64) float64 {
	if o.Better == metric.Higher {
		return -cost
	}
	return cost
}

// Fill writes the costs of the objectives into v, which has one place for each, from values by
// Key with NaN for what is absent. It does not allocate.
func Fill(v Vector, objs []Objective, values *[metric.Count]float64) {
	for i, o := range objs {
		v[i] = o.Cost(values[o.Key])
	}
}

// Dominates reports whether a is at most b in every objective and less in one.
func Dominates(a, b Vector) bool {
	better := false
	for i, x := range a {
		if x > b[i] {
			return false
		}
		better = better || x < b[i]
	}
	return better
}

// noWorse reports whether a is at most b in every objective.
func noWorse(a, b Vector) bool {
	for i, x := range a {
		if x > b[i] {
			return false
		}
	}
	return true
}

// noWorseBut reports whether a is at most b in every objective but m.
func noWorseBut(a, b Vector, m int) bool {
	for i, x := range a {
		if x > b[i] && i != m {
			return false
		}
	}
	return true
}

// Compare is the outcome of comparing two vectors: -1 if a dominates b, +1 if b dominates a, 0 if
// neither does.
func Compare(a, b Vector) int {
	less, more := false, false
	for i, x := range a {
		switch {
		case x < b[i]:
			less = true
		case x > b[i]:
			more = true
		}
	}
	switch {
	case less && !more:
		return -1
	case more && !less:
		return 1
	}
	return 0
}

// Point is a candidate as a front sees it.
type Point struct {
	Name string // canonical name of the design, the last tie-break
	V    Vector
	// Violation is how far the candidate is past its limits, summed; 0 is feasible.
	Violation float64
}

// ConstrainedDominates is Deb's constraint domination: feasible before infeasible, less
// violation before more, and dominance among the feasible (Deb et al., "A fast and elitist
// multiobjective genetic algorithm: NSGA-II", IEEE Trans. Evol. Comput. 6(2), 2002, section VI).
func ConstrainedDominates(a, b *Point) bool {
	switch {
	case a.Violation == 0 && b.Violation == 0:
		return Dominates(a.V, b.V)
	case a.Violation == 0 || b.Violation == 0:
		return a.Violation == 0
	}
	return a.Violation < b.Violation
}

// Order is the total order of results: objective by objective, then by name.
func Order(a, b *Point) int {
	if c := slices.Compare(a.V, b.V); c != 0 {
		return c
	}
	return strings.Compare(a.Name, b.Name)
}
