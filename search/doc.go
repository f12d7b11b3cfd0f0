// Package search proposes designs, has them evaluated, and keeps what is not dominated.
//
// A study becomes a Problem: a Space of integer parameters per family, limits and objectives. A
// Strategy asks for designs to be scored and is told their scores: enumeration by branch and
// bound where the space allows it, NSGA-II and Pareto local search where it does not. One driver
// serves all strategies: it drops repeats, evaluates a batch on all workers, appends it to the
// journal and only then tells the strategy. Everything a strategy does follows from the study and
// from what it was told, so replaying a journal reproduces a run exactly: that is how an
// interrupted run continues.
//
// The package reads no clock and prints nothing: times and machine come from the caller.
package search
