// Package cluster is what a network serves: the accelerators, host processors and racks around it, how often all of it
// fails (fails.go, uptime.go, goodput.go) and what it costs to buy and to run (money.go). A Model is made once from the
// options of a study and a price list, and never changes. Everything is a closed form of counts, so that package bound
// asks the same functions of boxes of designs as package evaluator of one.
package cluster
