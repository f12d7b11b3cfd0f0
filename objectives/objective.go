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
// bandwidth of the endpoints for throughput under uniform traffic, since nobody can use more.
func Of(k metric.Key, better metric.Direction) Objective {
	o := Objective{Key: k, Better: better}
	if better == metric.Higher && (k == metric.UniformThroughput || k == metric.UniformThroughputOptimal) {
		o.Enough = 1
	}
	return o
}

// Name is the JSON key of the metric.
func (o Objective) Name() string { return metric.Keys[o.Key].Name }

// Cost is the value to minimise for a metric's value: its negative where higher is better. A
// missing value (NaN) is the worst.
func (o Objective) Cost(value float64) float64 {
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

// Value is the metric's value for a cost: the inverse of Cost, Enough aside.
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

// Level is the highest level of the ladder that the objectives need.
func Level(objs []Objective) int {
	l := 0
	for _, o := range objs {
		l = max(l, metric.Keys[o.Key].Level)
	}
	return l
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
