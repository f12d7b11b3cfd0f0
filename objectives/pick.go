package objectives

import "math"

// Corners are the ideal and the nadir corner of points: the best and the worst value of each objective.
// Infinite values (absent metrics) are left out of the nadir.
func Corners(points []*Point) (ideal, nadir Vector) {
	for _, p := range points {
		if ideal == nil {
			ideal, nadir = append(Vector(nil), p.V...), append(Vector(nil), p.V...)
		}
		for i, x := range p.V {
			ideal[i] = min(ideal[i], x)
			if !math.IsInf(x, 0) && (x > nadir[i] || math.IsInf(nadir[i], 0)) {
				nadir[i] = x
			}
		}
	}
	return ideal, nadir
}

// Knee is the index of the point of a front nearest to its ideal corner, every objective scaled to
// its range over the front: the compromise solution of the Euclidean metric (Zeleny, "Compromise
// programming", in: Cochrane, Zeleny (eds.), Multiple Criteria Decision Making, 1973). Unlike the
// distance below the plane through the extreme points (Das, Structural Optimization 18, 1999) it
// prefers a point that is fair in all objectives to one that is best in all but one. -1 for no
// points. Ties go to the first in Order.
func Knee(front []*Point) int {
	ideal, nadir := Corners(front)
	best, at := math.Inf(1), -1
	for i, p := range front {
		sum := 0.0
		for m, x := range p.V {
			if span := nadir[m] - ideal[m]; span > 0 {
				d := (x - ideal[m]) / span
				sum += d * d
			}
		}
		if at < 0 || sum < best || sum == best && Order(p, front[at]) < 0 {
			best, at = sum, i
		}
	}
	return at
}

// Best is the index of the point with the smallest value of objective m; ties go to the first in Order, which is the cheapest where cost
// is the first objective. -1 for no points.
func Best(front []*Point, m int) int {
	at := -1
	for i, p := range front {
		if at < 0 || p.V[m] < front[at].V[m] || p.V[m] == front[at].V[m] && Order(p, front[at]) < 0 {
			at = i
		}
	}
	return at
}
